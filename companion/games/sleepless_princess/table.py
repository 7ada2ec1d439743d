"""Sleepless Princess as a companion needs it: the rules plus how they look on a table and in words."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from companion.games.engine import (
    NOTHING_SHOWN,
    SENSES,
    Deed,
    Difference,
    Expectation,
    Judgement,
    PhysicalCard,
    Shown,
    Survey,
    TakenOver,
    Trace,
)
from companion.games.sleepless_princess import physical, takeover, words
from companion.games.sleepless_princess.actions import Action, Claim
from companion.games.sleepless_princess.cards import catalogue
from companion.games.sleepless_princess.mat import mat
from companion.games.sleepless_princess.proposals import propose
from companion.games.sleepless_princess.rules import SleeplessPrincess
from companion.games.sleepless_princess.state import VARIANTS, Phase, State
from companion.units import Mat


class SleeplessPrincessTable(SleeplessPrincess):
    """Implements `companion.games.engine.TableGame`."""

    def mat(self, variant: str) -> Mat:
        """The mat with as many beds as the variant has."""
        return mat(VARIANTS[variant].beds)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the variant; all four (two) witches, whatever the number of players."""
        this = VARIANTS[variant]
        return catalogue(
            helpers_up_to=this.helpers_up_to, witches=max(this.witches), smooth=this.smooth, glass=this.glass
        )

    def expected_view(self, state: State) -> Expectation:
        """See physical.expected_view."""
        return physical.expected_view(state)

    def traces(self, state: State, action: Action) -> tuple[Trace, ...]:
        """See physical.traces."""
        return physical.traces(state, action)

    def watched(self, variant: str) -> frozenset[tuple[str, str]]:
        """See physical.watched."""
        return physical.watched(VARIANTS[variant])

    def no_news(self, state: State, trace: Trace) -> bool:
        """See physical.no_news."""
        return physical.no_news(state, trace)

    def propose(
        self,
        state: State,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        traces: Sequence[Trace],
    ) -> Iterable[Action]:
        """See physical.propose."""
        return propose(state, zones, counts, traces)

    def adopt(self, state: State, found: Survey) -> TakenOver[State]:
        """See takeover.take_over."""
        return takeover.take_over(state, found)

    def at_turn(self, state: State, player: int, *, missed: bool) -> State:
        """See takeover.at_turn."""
        return takeover.at_turn(state, player, missed=missed)

    def ended(self, state: State, found: Survey) -> TakenOver[State]:
        """See takeover.ended."""
        return takeover.ended(state, found)

    def shown(self, state: State, bed: int, kinds: tuple[str, ...]) -> Shown[State] | None:
        """See physical.shown."""
        return physical.shown(state, bed, kinds)

    def claim_of(self, action: Action) -> tuple[int, bool | None] | None:
        """The bed of a claim and the outcome that was seen."""
        return (action.bed, action.asleep) if isinstance(action, Claim) else None

    def judge(self, state: State, bed: int) -> Judgement:
        """See words.judge."""
        return words.judge(state, bed)

    def place_of_claim(self, state: State, place: str) -> int | None:
        """See physical.bed_at."""
        return physical.bed_at(state, place)

    def claimable(self, state: State, bed: int) -> str | None:
        """Why this bed cannot be claimed now, or None if it can."""
        if not 0 <= bed < len(state.beds):
            return f"There is no bed {bed + 1}."
        if state.phase in (Phase.SETUP, Phase.FINAL, Phase.OVER):
            return "A claim is possible while the game is on."
        if state.fates[bed] != 0:
            return f"{words.princess_name(state, bed)} is not awake any more."
        return None

    def lying(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """The mattresses of each bed."""
        return {
            physical.bed_name(bed): tuple((slot, words.mattress_name(state.faces[slot])) for slot in slots)
            for bed, slots in enumerate(state.beds)
        }

    def screen(
        self,
        state: State,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """See words.screen."""
        return words.screen(state, assist, senses, turned_up)

    def difference(self, state: State, found: Difference) -> str:
        """See words.difference."""
        return words.difference(state, found)

    def deed(self, before: State, action: Action) -> Deed | None:
        """See words.deed."""
        return words.deed(before, action)

    def sentence(self, before: State, action: Action, after: State) -> str:
        """See words.sentence."""
        return words.sentence(before, action, after)
