"""Sleeping Queens 2 as a complete game: its rules, camera view and words in one object."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from companion.core.language import text
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
from vision.mat_geometry import Mat


class SleepingQueens2Table(WinClaims, CameraGameDefaults, SleepingQueens2):
    """Sleeping Queens 2 as a `TableGame` (companion.games.api). The subject of a claim is a player who
    claims to have won."""

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
        """Set printed parts of the box: part name -> print. Others keep their defaults. ValueError names a
        wrong part."""
        self.parts = read_parts(parts)

    def printed_parts(self) -> Mapping[str, str]:
        """Parts whose print differs from the game's defaults: part name -> print."""
        return write_parts(self.parts)

    def all_parts(self) -> Mapping[str, str]:
        """Print of every part, defaults included: part name -> print."""
        return part_texts(self.parts)

    def apply(self, state: State, action: Action) -> State:
        """Apply an action, then sort the discard pile, because a watcher does not know its order."""
        after = super().apply(state, action)
        if after.discard == state.discard:
            return after
        old = len(after.discard) - after.fresh
        discard = (*sorted(after.discard[:old]), *sorted(after.discard[old:]))
        return after._replace(discard=discard)

    def mat(self, variant: str) -> Mat:
        """The printed mat, equal for all variants."""
        return mat()

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the game."""
        return catalogue(self.parts)

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
        """Zone of each grid place -> the face-down companion there, as (place from 0, "a companion")."""
        return {
            appearance.cell_zone(cell): () if card == EMPTY or up else ((cell, text("a companion")),)
            for cell, (card, up) in enumerate(zip(state.cells, state.face_up, strict=True))
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
