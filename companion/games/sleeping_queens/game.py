"""Sleeping Queens as a complete game: its rules, camera view and words in one object."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

from companion.core.language import text
from companion.games.announcements import WinClaims, player_zone
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
from vision.mat_geometry import Mat

CORNER = "corner"
"""Option: the mat zone of player 5 serves as a private corner, where players show a hand to the camera."""


class SleepingQueensTable(WinClaims, CameraGameDefaults, SleepingQueens):
    """Sleeping Queens as a `TableGame` (companion.games.api). The subject of a claim is a player who claims
    to have won."""

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
        """A dealt game with all cards unknown.

        ValueError for an unknown variant, number of players or option, or if five players need the private
        corner.
        """
        if CORNER in options and players == PLAYERS[-1]:
            raise ValueError(f"{players} players leave no place for a private corner")
        return super().empty_table(variant, players, [one for one in options if one != CORNER])

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """The zone of player 5 if option CORNER is on, else empty."""
        return player_zone(PLAYERS[-1] - 1) if CORNER in options else ""

    def mat(self, variant: str) -> Mat:
        """The printed mat, equal for all variants."""
        return mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the game."""
        return catalogue()

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """All (verb, zone) pairs whose signs need an action as cause. Other camera signs are ignored."""
        return appearance.watched()

    def propose(
        self,
        state: State,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[Action]:
        """Candidate actions that may explain `zones` (zone -> kinds there) and `signs` without a cause.

        `counts` is ignored, because the game has no scales.
        """
        return propose(state, zones, signs)

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Zone of each grid place -> the queen asleep there, as (number, name); empty for no queen.

        An unknown queen has number 100 + index of her place.
        """
        return {
            appearance.cell_zone(cell): () if queen == EMPTY else (_sleeper(cell, queen),)
            for cell, queen in enumerate(state.cells)
        }

    def claimable(self, state: State, subject: int) -> str | None:
        """Reason, in words, why no win can be claimed now, whoever the `subject` is. None: a win can be
        claimed."""
        return wording.claimable(state)

    def screen(
        self,
        state: State,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """The public screen as JSON values: the fields of `Table` of the event stream.

        `senses`: groups of sensors that work now. `assist` and `turned_up` are ignored.
        """
        return wording.screen(state, senses)

    def hand_cards(self, state: State) -> Sequence[Mapping[str, Any]]:
        """Every kind of card that a hidden hand may hold, each as the fields of `CardView`."""
        return wording.hand_cards()


def _sleeper(cell: int, queen: int) -> tuple[int, str]:
    if queen < 0:
        return 100 + cell, text("a queen")
    return queen, text("{name} queen", name=terms.queen(queen))
