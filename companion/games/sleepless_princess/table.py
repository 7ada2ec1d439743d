"""Sleepless Princess as a companion needs it: the rules plus how they look on a table and in words."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from companion.games.engine import SENSES, Deed, Difference, Expectation, Judgement, PhysicalCard, Shown, Trace
from companion.games.sleepless_princess import physical, words
from companion.games.sleepless_princess.actions import Action, Claim
from companion.games.sleepless_princess.cards import KIND_OF_TEXT, UNKNOWN, catalogue
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

    def adopt(self, state: State, zones: Mapping[str, tuple[str, ...]], counts: Mapping[str, int]) -> State:
        """The row is taken over as it lies: cards it gained come from the deck, cards it lost are discarded.

        Bed counts and played cards cannot be adopted: which mattress moved, or who played, nobody saw.
        """
        row = tuple(sorted(KIND_OF_TEXT[kind] for kind in zones.get("row", ()) if kind in KIND_OF_TEXT))
        gained, lost = Counter(row) - Counter(state.row), Counter(state.row) - Counter(row)
        if UNKNOWN in state.deck and len(state.deck) >= gained.total() and gained.total() <= 5:
            adopted = state._replace(
                row=row,
                deck=state.deck[: len(state.deck) - gained.total()],
                discard=state.discard + tuple(sorted(lost.elements())),
                fresh=max(state.fresh, lost.total()),
            )
        else:
            raise ValueError("more cards lie open than the deck can have given")
        if state.phase is Phase.PLAY and len(row) < 5 and adopted.deck:
            # The row is still being laid out: then it is the end of the turn before, or of the setup.
            before = (state.turn - 1) % state.game.players
            if state.turns > 1:
                adopted = adopted._replace(phase=Phase.LAY, turn=before, turns=state.turns - 1)
            else:
                adopted = adopted._replace(phase=Phase.SETUP, turns=0)
        expected = physical.expected_view(state).counts
        if wrong := [station for station, n in expected.items() if counts.get(station, n) != n]:
            raise ValueError(f"put the mattresses right first: {', '.join(wrong)}")
        if faults := self.status(adopted):
            raise ValueError(faults[0].text)
        return adopted

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

    def screen(self, state: State, assist: str, senses: Set[str] = SENSES) -> Mapping[str, Any]:
        """See words.screen."""
        return words.screen(state, assist, senses)

    def difference(self, state: State, found: Difference) -> str:
        """See words.difference."""
        return words.difference(state, found)

    def deed(self, before: State, action: Action) -> Deed | None:
        """See words.deed."""
        return words.deed(before, action)

    def sentence(self, before: State, action: Action, after: State) -> str:
        """See words.sentence."""
        return words.sentence(before, action, after)
