"""Sleeping Queens 2 as a virtual table and rehearsals need it: `RehearsedGame` in companion.virtual."""

from collections.abc import Mapping, Sequence
from random import Random

from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS, Parts, read_parts
from companion.virtual.defaults import CameraTableDefaults
from companion.virtual.game_api import Reins
from companion.virtual.games.sleeping_queens_2 import comparison
from companion.virtual.games.sleeping_queens_2.acted_game import act_out
from companion.virtual.games.sleeping_queens_2.queens_2_play import Queens2Play, begin
from companion.virtual.mistakes import with_mistakes
from companion.virtual.rehearsal_api import ActedGame, Doing
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.stage import Stage

_NAMED = "QRKD"
"""First letters of the codes of queens, rescue companions, kings and knights, and of the sides of the die."""


class VirtualQueens2(CameraTableDefaults):
    """The virtual players and what a camera notices of them; there is no board in this game.

    `parts`: those of the box.
    """

    in_sight = staticmethod(comparison.in_sight)
    begins_turn = staticmethod(comparison.begins_turn)
    awaits = staticmethod(comparison.awaits)
    differences = staticmethod(comparison.differences)
    outage_faults = staticmethod(comparison.outage_faults)
    score_right = staticmethod(comparison.score_right)

    def __init__(self, parts: Parts = DEFAULT_PARTS) -> None:
        self._parts = parts

    def with_parts(self, parts: Mapping[str, str]) -> "VirtualQueens2":
        """The same with the box's printed parts (see rules.parts.read_parts)."""
        return VirtualQueens2(read_parts(parts))

    @property
    def looks(self) -> Looks:
        """Cards and places; drawn with OpenCV, which loads when it is needed."""
        from companion.virtual.games.sleeping_queens_2.queens_2_looks import Queens2Looks

        return Queens2Looks()

    def rig(self, variant: str) -> RigPlan:
        """A camera alone; screens name queens, companions, kings and knights; the die bears no sleeve."""
        return RigPlan(on_screen=lambda code: code[0] in _NAMED)

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> Queens2Play:
        """See queens_2_play.begin; policies are those of players.policies, and nobody claims anything."""
        return begin(players, seed, stage, reins, policy, variant, self._parts)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """See acted_game.act_out; nothing is claimed or tapped."""
        return act_out(seed, variant, players, self._parts)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """See mistakes.mistakes: one a turn with probability `rate`, and all are taken back."""
        return list(with_mistakes(doings, rate, chance))
