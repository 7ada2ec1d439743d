"""Sleeping Queens as a companion needs it: the rules plus how they look on a table and in words."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

from companion.core.mat_geometry import Mat
from companion.games.announcements import WinClaims
from companion.games.api import (
    NOTHING_SHOWN,
    SENSES,
    AskableFact,
    Difference,
    Expectation,
    Headline,
    Judgement,
    Message,
    Outcome,
    PhysicalCard,
    Sign,
    Survey,
    TakenOver,
)
from companion.games.sleeping_queens import wording
from companion.games.sleeping_queens.queens_cards import catalogue
from companion.games.sleeping_queens.queens_mat import mat
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.court import EMPTY, QUEEN_NAMES
from companion.games.sleeping_queens.rules.rulebook import SleepingQueens
from companion.games.sleeping_queens.rules.state import State
from companion.games.sleeping_queens.sensing import appearance, takeover
from companion.games.sleeping_queens.sensing.proposals import propose


class SleepingQueensTable(WinClaims, SleepingQueens):
    """Implements `companion.games.api.TableGame`. The subject of a claim is a player who says that they won."""

    words = wording.WORDS

    def mat(self, variant: str) -> Mat:
        """See queens_mat.mat."""
        return mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """See queens_cards.catalogue."""
        return catalogue()

    def expected_view(self, state: State) -> Expectation:
        """See appearance.expected_view."""
        return appearance.expected_view(state)

    def signs(self, state: State, action: Action) -> tuple[Sign, ...]:
        """See appearance.signs."""
        return appearance.signs(state, action)

    def watched(self, variant: str) -> frozenset[tuple[str, str]]:
        """See appearance.watched."""
        return appearance.watched()

    def already_known(self, state: State, sign: Sign) -> bool:
        """No sign echoes what is known already."""
        return False

    def propose(
        self,
        state: State,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[Action]:
        """See proposals.propose."""
        return propose(state, zones, signs)

    def adopt(self, state: State, found: Survey) -> TakenOver[State]:
        """See takeover.take_over."""
        return takeover.take_over(state, found)

    def at_turn(self, state: State, player: int, *, missed: bool) -> State:
        """See takeover.at_turn."""
        return takeover.at_turn(state, player, missed=missed)

    def ended(self, state: State, found: Survey) -> TakenOver[State]:
        """See takeover.ended."""
        return takeover.ended(state, found)

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Who sleeps on each place of the grid; the number is the queen's, or one of the place."""
        return {
            appearance.cell_zone(cell): () if queen == EMPTY else (_sleeper(cell, queen),)
            for cell, queen in enumerate(state.cells)
        }

    def claimable(self, state: State, subject: int) -> str | None:
        """See wording.claimable."""
        return wording.claimable(state)

    def judge(self, state: State, subject: int) -> Judgement:
        """See wording.judge."""
        return wording.judge(state, subject)

    def take_names(self, names: Sequence[str]) -> None:
        """Every queen has her name."""
        if names:
            raise ValueError("every queen of this game has her name")

    def screen(
        self,
        state: State,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
        undecided: Collection[int] = (),
    ) -> Mapping[str, Any]:
        """See wording.screen."""
        return wording.screen(state, senses)

    def difference(self, state: State, found: Difference) -> str:
        """See wording.difference."""
        return wording.difference(state, found)

    def askable_fact(self, before: State, action: Action) -> AskableFact | None:
        """Nobody has to be asked: what is done lies open."""
        return None

    def message(self, before: State, action: Action, after: State) -> Message | None:
        """See wording.message."""
        return wording.message(before, action, after)

    def headline(self, outcome: Outcome) -> Headline:
        """See wording.headline."""
        return wording.headline(outcome)

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """No card asks for a hint."""
        return False


def _sleeper(cell: int, queen: int) -> tuple[int, str]:
    return (queen, f"{QUEEN_NAMES[queen]} queen") if queen >= 0 else (100 + cell, "a queen")
