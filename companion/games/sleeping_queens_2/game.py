"""Sleeping Queens 2 as a companion needs it: the rules plus how they look on a table and in words."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from companion.core.language import text
from companion.core.mat_geometry import Mat
from companion.games.announcements import WinClaims
from companion.games.api import NOTHING_SHOWN, SENSES, PhysicalCard
from companion.games.defaults import CameraGameDefaults
from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens_2 import wording
from companion.games.sleeping_queens_2.queens_2_cards import catalogue
from companion.games.sleeping_queens_2.queens_2_mat import mat
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.kinds import EMPTY
from companion.games.sleeping_queens_2.rules.parts import part_texts, read_parts, write_parts
from companion.games.sleeping_queens_2.rules.rulebook import SleepingQueens2
from companion.games.sleeping_queens_2.rules.state import State
from companion.games.sleeping_queens_2.sensing import appearance, takeover
from companion.games.sleeping_queens_2.sensing.proposals import propose


class SleepingQueens2Table(WinClaims, CameraGameDefaults, SleepingQueens2):
    """Implements `companion.games.api.TableGame`. The subject of a claim is a player who says that they won."""

    words = wording.WORDS
    expected_view = staticmethod(appearance.expected_view)
    signs = staticmethod(appearance.signs)
    already_known = staticmethod(appearance.already_known)
    adopt = staticmethod(takeover.take_over)
    at_turn = staticmethod(takeover.at_turn)
    ended = staticmethod(takeover.ended)
    judge = staticmethod(wording.judge)
    difference = staticmethod(wording.difference)
    message = staticmethod(wording.message)
    untold = staticmethod(wording.untold)
    headline = staticmethod(wording.headline)

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """See rules.parts.read_parts."""
        self.parts = read_parts(parts)

    def printed_parts(self) -> Mapping[str, str]:
        """See rules.parts.write_parts."""
        return write_parts(self.parts)

    def all_parts(self) -> Mapping[str, str]:
        """See rules.parts.part_texts."""
        return part_texts(self.parts)

    def apply(self, state: State, action: Action) -> State:
        """See `SleepingQueens2.apply`; who watches does not know the order of the discard pile."""
        after = super().apply(state, action)
        if after.discard == state.discard:
            return after
        old = len(after.discard) - after.fresh
        discard = (*sorted(after.discard[:old]), *sorted(after.discard[old:]))
        return after._replace(discard=discard)

    def mat(self, variant: str) -> Mat:
        """See queens_2_mat.mat."""
        return mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """See queens_2_cards.catalogue."""
        return catalogue(self.parts)

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
        """Where companions lie face down; the number is one of the place, for nobody knows who they are."""
        return {
            appearance.cell_zone(cell): () if card == EMPTY or up else ((cell, text("a companion")),)
            for cell, (card, up) in enumerate(zip(state.cells, state.face_up, strict=True))
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
