"""Sleepless Princess as a complete game: its rules, sensor view and words in one object."""

from collections.abc import Collection, Sequence

from companion.core.language import plural, text
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
from vision.mat_geometry import Mat


class SleeplessPrincessTable(SleeplessPrincess):
    """Sleepless Princess as a `TableGame` (companion.games.api). The subject of a claim is a bed."""

    words = wording.WORDS
    claims_wins = False

    def mat(self, variant: str) -> Mat:
        """The mat with the beds of a variant."""
        return mat(VARIANTS[variant].beds)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of a variant, with all of its witches: small tables leave some out."""
        this = VARIANTS[variant]
        return catalogue(
            helpers_up_to=this.helpers_up_to, witches=max(this.witches), smooth=this.smooth, glass=this.glass
        )

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Empty: the team plays together, so nobody shows a hand to the camera."""
        return ""

    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """All (verb, zone or station) pairs whose signs need an action as cause, in a variant. Other signs
        are ignored."""
        return appearance.watched(VARIANTS[variant])

    already_known = staticmethod(appearance.already_known)
    propose = staticmethod(propose)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)
    reveal = staticmethod(appearance.reveal)

    def claim_of(self, action: Action) -> tuple[int, bool | None] | None:
        """(bed from 0, outcome that was seen) of a claim; None for another action.

        The outcome is True if the princess sleeps, None if nobody saw it.
        """
        return (action.bed, action.asleep) if isinstance(action, Claim) else None

    judge = staticmethod(wording.judge)

    def judge_unread(self, state: State, subject: int, cards: int) -> Judgement | None:
        """None: cards that lie open decide no claim in this game."""
        return None

    subject_at = staticmethod(appearance.bed_at)

    def claim_station(self, state: State, subject: int) -> str:
        """Station of a bed, e.g. "bed 1" for bed 0."""
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
        """Kinds of the mattresses that the princess of bed `subject` (from 0) needs, sorted."""
        return tuple(sorted(appearance.needed_kinds(state, subject)))

    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)

    def take_names(self, names: Sequence[str]) -> None:
        """Set the family's names for princesses 7 to 10.

        ValueError for more than four names, a name given twice, over 12 characters, or not printable.
        """
        name_princesses(names)

    def headline(self, outcome: Outcome) -> Headline:
        """The number of sleeping princesses in few words."""
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
        """True if the looking glass lies on the pad, where no rule ever puts it: people ask for a hint so."""
        return zone == "pad" and "G" in cards
