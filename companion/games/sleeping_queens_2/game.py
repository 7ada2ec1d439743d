"""Sleeping Queens 2 as a complete game: its rules, camera view and words in one object."""

from collections.abc import Mapping

from companion.core.language import text
from companion.games.appearance import PhysicalCard
from companion.games.claims import Judgement
from companion.games.sleeping_queens_2 import public_screen, queens_2_mat, wording
from companion.games.sleeping_queens_2.queens_2_cards import catalogue
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.kinds import EMPTY
from companion.games.sleeping_queens_2.rules.rulebook import SleepingQueens2
from companion.games.sleeping_queens_2.rules.state import State
from companion.games.sleeping_queens_2.sensing import appearance, takeover
from companion.games.sleeping_queens_2.sensing.proposals import propose
from companion.games.table_game import TableGame
from companion.games.win_claims import WinClaims
from vision.mat_geometry import Mat


class Realms:
    """Open cards before each player of Sleeping Queens 2.

    Only kings win, and each king lies alone, so no king stays unread.
    """

    def judge_unread(self, state: State, subject: int, cards: int) -> Judgement | None:
        """Always None: an unread card changes no verdict.

        Only kings win.
        """
        return None


class SleepingQueens2Table(WinClaims, SleepingQueens2, TableGame[State, Action]):
    """Everything that the companion asks of Sleeping Queens 2: rules, appearance, claims and sentences.

    A claim says that a player has won.
    """

    realms = Realms()

    def apply(self, state: State, action: Action) -> State:
        """The state after an action, with the discard pile sorted, because nobody sees its order."""
        after = super().apply(state, action)
        if after.discard == state.discard:
            return after
        old = len(after.discard) - after.fresh
        discard = (*sorted(after.discard[:old]), *sorted(after.discard[old:]))
        return after._replace(discard=discard)

    def mat(self, variant: str) -> Mat:
        """Printed mat with its zones, the same in all variants."""
        return queens_2_mat.mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the game."""
        return catalogue(self.box.parts)

    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)
    watched = staticmethod(appearance.watched)
    already_known = staticmethod(appearance.already_known)
    propose = staticmethod(propose)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Face-down companions: mat zone of a grid place -> ((number, "a companion"),), or () for none.

        The number is the grid place, from 0 to 9.
        """
        return {
            appearance.cell_zone(cell): () if card == EMPTY or up else ((cell, text("a companion")),)
            for cell, (card, up) in enumerate(zip(state.cells, state.face_up, strict=True))
        }

    claimable = staticmethod(wording.claimable)
    judge = staticmethod(wording.judge)
    words = public_screen.WORDS
    screen = staticmethod(public_screen.screen)
    difference = staticmethod(wording.difference)
    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)
    headline = staticmethod(wording.headline)
