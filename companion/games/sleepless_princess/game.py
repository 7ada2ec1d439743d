"""Sleepless Princess as a complete game: its rules, sensor view and words in one object."""

from companion.core.language import plural, text
from companion.games.appearance import PhysicalCard
from companion.games.hidden_cards import HiddenHands
from companion.games.narrator import Headline
from companion.games.rules import Outcome
from companion.games.signs import Verb
from companion.games.sleepless_princess import princess_mat, public_screen, questions, wording
from companion.games.sleepless_princess.rules.actions import Action, Claim
from companion.games.sleepless_princess.rules.card_kinds import catalogue, name_princesses
from companion.games.sleepless_princess.rules.rulebook import SleeplessPrincess
from companion.games.sleepless_princess.rules.state import VARIANTS, State
from companion.games.sleepless_princess.sensing import appearance, takeover
from companion.games.sleepless_princess.sensing.proposals import propose
from companion.games.sleepless_princess.sensing.turned_up_mattresses import reveal
from companion.games.table_game import TableGame
from vision.mat_geometry import Mat


class Beds:
    """Beds of Sleepless Princess, each a stack of hidden mattresses that a claim is about."""

    reveal = staticmethod(reveal)
    corrected = staticmethod(wording.corrected)
    askable_fact = staticmethod(questions.askable_fact)
    proved_fact = staticmethod(questions.proved_fact)
    claimed_fact = staticmethod(questions.claimed_fact)

    def proof(self, state: State, subject: int) -> tuple[str, ...]:
        """Sorted kinds of the mattresses that the princess of bed `subject` (from 0) needs."""
        return tuple(sorted(appearance.needed_kinds(state, subject)))


class Hands(HiddenHands[State]):
    """Hidden hands in Sleepless Princess: lists the kinds of cards they may hold.

    The players are one team, so no corner of the mat is for showing a hand in secret.
    """

    hand_cards = staticmethod(public_screen.hand_cards)


class SleeplessPrincessTable(SleeplessPrincess, TableGame[State, Action]):
    """Everything that the companion asks of Sleepless Princess: rules, appearance, claims and sentences.

    A claim says that the princess of a bed sleeps.
    """

    stacks = Beds()
    hands = Hands()
    name_characters = staticmethod(name_princesses)

    def mat(self, variant: str) -> Mat:
        """The mat with the beds of a variant."""
        return princess_mat.mat(VARIANTS[variant].beds)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of a variant, all witches included, though small tables leave some out."""
        this = VARIANTS[variant]
        return catalogue(
            helpers_up_to=this.helpers_up_to, witches=max(this.witches), smooth=this.smooth, glass=this.glass
        )

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """Signs that only actions cause, as (verb, zone or station).

        Other signs are ignored.
        """
        return appearance.watched(VARIANTS[variant])

    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)
    already_known = staticmethod(appearance.already_known)
    propose = staticmethod(propose)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)
    hidden_layout = staticmethod(wording.hidden_layout)

    def claim_of(self, action: Action) -> tuple[int, bool | None] | None:
        """(bed from 0, outcome) of a claim, else None.

        Outcome: True if the princess sleeps, False if not, None if nobody saw.
        """
        return (action.bed, action.asleep) if isinstance(action, Claim) else None

    subject_at = staticmethod(appearance.bed_at)

    def claim_station(self, state: State, subject: int) -> str:
        """Station whose button claims a bed: "bed 1" for 0."""
        return appearance.bed_name(subject)

    claimable = staticmethod(wording.claimable)
    judge = staticmethod(wording.judge)
    words = public_screen.WORDS
    screen = staticmethod(public_screen.screen)
    difference = staticmethod(wording.difference)
    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)

    def headline(self, outcome: Outcome) -> Headline:
        """How many princesses sleep at the end, as big words ("3 OF 5") and a line."""
        score, most = outcome.score, outcome.out_of
        if score is None:
            return Headline(text("NOT KNOWN"), text("who sleeps"), text("not known who sleeps"))
        return Headline(
            text("{score} OF {most}", score=score, most=most),
            text("asleep"),
            plural("{n} of {most} princesses asleep", "{n} of {most} princesses asleep", n=score, most=most),
        )
