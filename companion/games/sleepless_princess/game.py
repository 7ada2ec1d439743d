"""Sleepless Princess as a companion needs it: the rules plus how they look on a table and in words."""

from collections.abc import Collection, Sequence

from companion.core.language import plural, text
from companion.core.mat_geometry import Mat
from companion.games.api import (
    Headline,
    Judgement,
    Outcome,
    PhysicalCard,
)
from companion.games.signs import Verb
from companion.games.sleepless_princess import questions, wording
from companion.games.sleepless_princess.princess_mat import mat
from companion.games.sleepless_princess.rules.actions import Action, Claim
from companion.games.sleepless_princess.rules.card_kinds import catalogue, name_princesses
from companion.games.sleepless_princess.rules.rulebook import SleeplessPrincess
from companion.games.sleepless_princess.rules.state import VARIANTS, State
from companion.games.sleepless_princess.sensing import appearance, takeover
from companion.games.sleepless_princess.sensing.proposals import propose


class SleeplessPrincessTable(SleeplessPrincess):
    """Implements `companion.games.api.TableGame`."""

    words = wording.WORDS
    claims_wins = False

    def mat(self, variant: str) -> Mat:
        """The mat with as many beds as the variant has."""
        return mat(VARIANTS[variant].beds)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the variant; all four (two) witches, whatever the number of players."""
        this = VARIANTS[variant]
        return catalogue(
            helpers_up_to=this.helpers_up_to, witches=max(this.witches), smooth=this.smooth, glass=this.glass
        )

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """The team plays together: nobody shows a hand to the camera."""
        return ""

    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """See appearance.watched."""
        return appearance.watched(VARIANTS[variant])

    already_known = staticmethod(appearance.already_known)
    propose = staticmethod(propose)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)
    reveal = staticmethod(appearance.reveal)

    def claim_of(self, action: Action) -> tuple[int, bool | None] | None:
        """The bed of a claim and the outcome that was seen."""
        return (action.bed, action.asleep) if isinstance(action, Claim) else None

    judge = staticmethod(wording.judge)

    def judge_unread(self, state: State, subject: int, cards: int) -> Judgement | None:
        """No claim is about cards that lie open."""
        return None

    subject_at = staticmethod(appearance.bed_at)

    def claim_station(self, state: State, subject: int) -> str:
        """The bed's name on the mat."""
        return appearance.bed_name(subject)

    claimable = staticmethod(wording.claimable)
    hidden_layout = staticmethod(wording.hidden_layout)
    screen = staticmethod(wording.screen)
    hand_cards = staticmethod(wording.hand_cards)
    difference = staticmethod(wording.difference)
    askable_fact = staticmethod(questions.askable_fact)
    proved_fact = staticmethod(questions.proved_fact)
    claimed_fact = staticmethod(questions.claimed_fact)

    def proof(self, state: State, subject: int) -> tuple[str, ...]:
        """The mattresses that the bed's princess needs."""
        return tuple(sorted(appearance.needed_kinds(state, subject)))

    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)

    def take_names(self, names: Sequence[str]) -> None:
        """Names for princesses 7 to 10."""
        name_princesses(names)

    def headline(self, outcome: Outcome) -> Headline:
        """How many sleep."""
        score, most = outcome.score, outcome.out_of
        if score is None:
            return Headline(text("NOT KNOWN"), text("who sleeps"), text("not known who sleeps"))
        return Headline(
            text("{score} OF {most}", score=score, most=most),
            text("asleep"),
            plural("{n} of {most} princesses asleep", "{n} of {most} princesses asleep", n=score, most=most),
        )

    corrected = staticmethod(wording.corrected)

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """The looking glass laid on the pad, where the game never wants it."""
        return zone == "pad" and "G" in cards
