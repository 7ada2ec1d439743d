"""Sleeping Queens 2 as a `RehearsedGame` of the virtual table."""

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
"""First letters of codes that screens show with an owner: queens, companions, kings, knights, die sides."""


class VirtualQueens2(CameraTableDefaults):
    """Virtual players of Sleeping Queens 2, their things, and what a camera reports. The game has no board.

    `parts`: printed parts of the box.
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
        """Copy the game with the printed parts of another box: part name -> print. ValueError names a wrong
        part."""
        return VirtualQueens2(read_parts(parts))

    @property
    def looks(self) -> Looks:
        """Sizes and pictures of the things. OpenCV is imported only here, because it loads slowly."""
        from companion.virtual.games.sleeping_queens_2.queens_2_looks import Queens2Looks

        return Queens2Looks()

    def rig(self, variant: str) -> RigPlan:
        """The rig of the virtual table: a camera alone.

        Screens show the codes of queens, companions, kings, knights and die sides.
        """
        return RigPlan(on_screen=lambda code: code[0] in _NAMED)

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> Queens2Play:
        """Deal a game onto the stage, for players who follow `policy` (a name of `players.policies`).

        `rash` is ignored, because these players claim nothing.
        """
        return begin(players, seed, stage, reins, policy, variant, self._parts)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """Play the game of a seed, and report it as a perfect camera would.

        `rash` and `tapped` are ignored, because these players claim nothing and the game has no pad.
        """
        return act_out(seed, variant, players, self._parts)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """Insert mistakes that the players take back, with probability `rate` in each turn."""
        return list(with_mistakes(doings, rate, chance))
