"""Sleeping Queens as a companion needs it: the rules plus how they look on a table and in words."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

from companion.core.language import text
from companion.core.mat_geometry import Mat
from companion.games.announcements import WinClaims
from companion.games.api import NOTHING_SHOWN, SENSES, PhysicalCard
from companion.games.defaults import CameraGameDefaults
from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens import terms, wording
from companion.games.sleeping_queens.queens_cards import catalogue
from companion.games.sleeping_queens.queens_mat import mat
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.kinds import EMPTY
from companion.games.sleeping_queens.rules.rulebook import SleepingQueens
from companion.games.sleeping_queens.rules.state import PLAYERS, State
from companion.games.sleeping_queens.sensing import appearance, takeover
from companion.games.sleeping_queens.sensing.proposals import propose

CORNER = "corner"
"""Option: up to four players leave a place of the mat free, where a hand is shown to the camera alone."""


class SleepingQueensTable(WinClaims, CameraGameDefaults, SleepingQueens):
    """Implements `companion.games.api.TableGame`. The subject of a claim is a player who says that they won."""

    words = wording.WORDS
    options: Mapping[str, str] = MappingProxyType({CORNER: "the place of player 5 is a private corner"})
    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)
    judge = staticmethod(wording.judge)
    judge_unread = staticmethod(wording.judge_unread)
    difference = staticmethod(wording.difference)
    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)
    headline = staticmethod(wording.headline)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A dealt game of which nobody has seen a card. The rules know no option: CORNER is one of the mat."""
        if CORNER in options and players == PLAYERS[-1]:
            raise ValueError(f"{players} players leave no place for a private corner")
        return super().empty_table(variant, players, [one for one in options if one != CORNER])

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """The place of player 5, with the option CORNER."""
        return appearance.player_zone(PLAYERS[-1] - 1) if CORNER in options else ""

    def mat(self, variant: str) -> Mat:
        """See queens_mat.mat."""
        return mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """See queens_cards.catalogue."""
        return catalogue()

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """See appearance.watched."""
        return appearance.watched()

    def propose(
        self,
        state: State,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[Action]:
        """See proposals.propose."""
        return propose(state, zones, signs)

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Who sleeps on each place of the grid; the number is the queen's, or one of the place."""
        return {
            appearance.cell_zone(cell): () if queen == EMPTY else (_sleeper(cell, queen),)
            for cell, queen in enumerate(state.cells)
        }

    def claimable(self, state: State, subject: int) -> str | None:
        """See wording.claimable."""
        return wording.claimable(state)

    def screen(
        self,
        state: State,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """See wording.screen."""
        return wording.screen(state, senses)

    def hand_cards(self, state: State) -> Sequence[Mapping[str, Any]]:
        """See wording.hand_cards."""
        return wording.hand_cards()


def _sleeper(cell: int, queen: int) -> tuple[int, str]:
    if queen < 0:
        return 100 + cell, text("a queen")
    return queen, text("{name} queen", name=terms.queen(queen))
