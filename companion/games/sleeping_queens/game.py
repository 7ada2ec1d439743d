"""Sleeping Queens as a complete game: its rules, camera view and words in one object."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from companion.core.language import text
from companion.games.appearance import PhysicalCard
from companion.games.hidden_cards import HiddenHands
from companion.games.sleeping_queens import public_screen, queens_mat, terms, wording
from companion.games.sleeping_queens.queens_cards import catalogue
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.kinds import EMPTY
from companion.games.sleeping_queens.rules.rulebook import SleepingQueens
from companion.games.sleeping_queens.rules.state import PLAYERS, State
from companion.games.sleeping_queens.sensing import appearance, takeover
from companion.games.sleeping_queens.sensing.proposals import propose
from companion.games.table_game import TableGame
from companion.games.win_claims import WinClaims, player_zone
from vision.mat_geometry import Mat

CORNER = "corner"
"""Name of a house rule: a private corner takes the place of player 5.

In this mat zone a player shows a hand to the camera, for hints to that player alone.
"""


class Realms:
    """Awake queens, which lie open before each player of Sleeping Queens: they decide a claimed win."""

    judge_unread = staticmethod(wording.judge_unread)


class Hands(HiddenHands[State]):
    """Hidden hands in Sleeping Queens: the kinds they may hold, and the mat zone to show one in."""

    hand_cards = staticmethod(public_screen.hand_cards)

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Mat zone of player 5 with option CORNER, else ""."""
        return player_zone(PLAYERS[-1] - 1) if CORNER in options else ""


class SleepingQueensTable(WinClaims, SleepingQueens, TableGame[State, Action]):
    """Everything that the companion asks of Sleeping Queens: rules, appearance, claims and sentences.

    A claim says that a player has won.
    """

    options: Mapping[str, str] = MappingProxyType({CORNER: "the place of player 5 is a private corner"})
    realms = Realms()
    hands = Hands()

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A dealt game with every card unknown.

        ValueError for an unknown variant, number of players or option, or if five players leave no room for
        the private corner.
        """
        if CORNER in options and players == PLAYERS[-1]:
            raise ValueError(f"{players} players leave no place for a private corner")
        return super().empty_table(variant, players, [one for one in options if one != CORNER])

    def mat(self, variant: str) -> Mat:
        """Printed mat with its zones, the same in all variants."""
        return queens_mat.mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the game."""
        return catalogue()

    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)
    watched = staticmethod(appearance.watched)
    propose = staticmethod(propose)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Sleeping queens: mat zone of a grid place -> ((number, name),), or () for none.

        An unknown queen has the number 100 + the grid place (0 to 11).
        """
        return {
            appearance.cell_zone(cell): () if queen == EMPTY else (_sleeper(cell, queen),)
            for cell, queen in enumerate(state.cells)
        }

    claimable = staticmethod(wording.claimable)
    judge = staticmethod(wording.judge)
    words = public_screen.WORDS
    screen = staticmethod(public_screen.screen)
    difference = staticmethod(wording.difference)
    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)
    tells_step_before = staticmethod(wording.tells_step_before)
    headline = staticmethod(wording.headline)


def _sleeper(cell: int, queen: int) -> tuple[int, str]:
    if queen < 0:
        return 100 + cell, text("a queen")
    return queen, text("{name} queen", name=terms.queen(queen))
