"""Sleepless Princess as a companion needs it: the rules plus how they look on a table and in words."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

from companion.core.language import plural, text
from companion.core.mat_geometry import Mat
from companion.games.api import (
    NOTHING_SHOWN,
    SENSES,
    Difference,
    Expectation,
    Headline,
    Judgement,
    Message,
    Outcome,
    PhysicalCard,
    Reveal,
    Survey,
    TakenOver,
    Verdict,
)
from companion.games.askable_facts import AskableFact
from companion.games.signs import Sign, Verb
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

    def expected_view(self, state: State) -> Expectation:
        """See appearance.expected_view."""
        return appearance.expected_view(state)

    def signs(self, state: State, action: Action) -> tuple[Sign, ...]:
        """See appearance.signs."""
        return appearance.signs(state, action)

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """See appearance.watched."""
        return appearance.watched(VARIANTS[variant])

    def already_known(self, state: State, sign: Sign) -> bool:
        """See appearance.no_news."""
        return appearance.already_known(state, sign)

    def propose(
        self,
        state: State,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[Action]:
        """See appearance.propose."""
        return propose(state, zones, counts, signs)

    def adopt(self, state: State, found: Survey) -> TakenOver[State]:
        """See takeover.take_over."""
        return takeover.take_over(state, found)

    def at_turn(self, state: State, player: int, *, missed: bool) -> State:
        """See takeover.at_turn."""
        return takeover.at_turn(state, player, missed=missed)

    def ended(self, state: State, found: Survey) -> TakenOver[State]:
        """See takeover.ended."""
        return takeover.ended(state, found)

    def reveal(self, state: State, subject: int, kinds: tuple[str, ...]) -> Reveal[State] | None:
        """See appearance.reveal; the subject of a claim is a bed."""
        return appearance.reveal(state, subject, kinds)

    def claim_of(self, action: Action) -> tuple[int, bool | None] | None:
        """The bed of a claim and the outcome that was seen."""
        return (action.bed, action.asleep) if isinstance(action, Claim) else None

    def judge(self, state: State, subject: int) -> Judgement:
        """See wording.judge."""
        return wording.judge(state, subject)

    def judge_unread(self, state: State, subject: int, cards: int) -> Judgement | None:
        """No claim is about cards that lie open."""
        return None

    def subject_at(self, state: State, place: str) -> int | None:
        """See appearance.bed_at."""
        return appearance.bed_at(state, place)

    def claim_station(self, state: State, subject: int) -> str:
        """The bed's name on the mat."""
        return appearance.bed_name(subject)

    def claimable(self, state: State, subject: int) -> str | None:
        """See wording.claimable."""
        return wording.claimable(state, subject)

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """See wording.hidden_layout."""
        return wording.hidden_layout(state)

    def screen(
        self,
        state: State,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """See wording.screen."""
        return wording.screen(state, assist, senses, turned_up)

    def hand_cards(self, state: State) -> Sequence[Mapping[str, Any]]:
        """See wording.hand_cards."""
        return wording.hand_cards(state)

    def difference(self, state: State, found: Difference) -> str:
        """See wording.difference."""
        return wording.difference(state, found)

    def askable_fact(self, before: State, action: Action) -> AskableFact | None:
        """See questions.askable_fact."""
        return questions.askable_fact(before, action)

    def proved_fact(self, state: State, subject: int) -> AskableFact | None:
        """See questions.proved_fact."""
        return questions.proved_fact(state, subject)

    def claimed_fact(self, state: State, subject: int) -> AskableFact | None:
        """See questions.claimed_fact."""
        return questions.claimed_fact(state, subject)

    def proof(self, state: State, subject: int) -> tuple[str, ...]:
        """The mattresses that the bed's princess needs."""
        return tuple(sorted(appearance.needed_kinds(state, subject)))

    def message(self, before: State, action: Action, after: State) -> Message | None:
        """See wording.message."""
        return wording.message(before, action, after)

    def untold(self, before: State, action: Action) -> str:
        """See wording.untold."""
        return wording.untold(before, action)

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

    def corrected(self, state: State, subject: int, verdict: Verdict) -> str:
        """See wording.corrected."""
        return wording.corrected(state, subject, verdict)

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """The looking glass laid on the pad, where the game never wants it."""
        return zone == "pad" and "G" in cards
