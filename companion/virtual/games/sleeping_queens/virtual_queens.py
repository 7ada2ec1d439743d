"""Sleeping Queens as a `RehearsedGame` of the virtual table."""

from collections.abc import Sequence
from random import Random

from companion.virtual.defaults import CameraTableDefaults
from companion.virtual.game_api import Reins
from companion.virtual.games.sleeping_queens import comparison
from companion.virtual.games.sleeping_queens.acted_game import act_out
from companion.virtual.games.sleeping_queens.queens_play import QueensPlay, begin
from companion.virtual.mistakes import with_mistakes
from companion.virtual.rehearsal_api import ActedGame, Doing
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.stage import Stage

SLIPS = 1 / 3
"""Mistakes in a turn, as a share of the noise profile's rate of player slips. A guess: a turn is a single
play."""


class VirtualQueens(CameraTableDefaults):
    """Virtual players of Sleeping Queens, their cards, and what a camera reports. The game has no board."""

    in_sight = staticmethod(comparison.in_sight)
    begins_turn = staticmethod(comparison.begins_turn)
    awaits = staticmethod(comparison.awaits)
    differences = staticmethod(comparison.differences)
    outage_faults = staticmethod(comparison.outage_faults)
    score_right = staticmethod(comparison.score_right)

    @property
    def looks(self) -> Looks:
        """Sizes and pictures of the cards. OpenCV is imported only here, because it loads slowly."""
        from companion.virtual.games.sleeping_queens.queens_looks import QueensLooks

        return QueensLooks()

    def rig(self, variant: str) -> RigPlan:
        """The rig of the virtual table: a camera alone. Screens show the codes of awake queens."""
        return RigPlan(on_screen=lambda code: code[0] == "Q", counted_unread=("play",))

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> QueensPlay:
        """Deal a game onto the stage, for players who follow `policy` (a name of `players.policies`).

        `rash` is ignored, because these players claim nothing.
        """
        return begin(players, seed, stage, reins, policy, variant)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """Play the game of a seed, and report it as a perfect camera would.

        `rash` and `tapped` are ignored, because these players claim nothing and the game has no pad.
        """
        return act_out(seed, variant, players)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """Insert mistakes that the players take back, with probability `rate` * SLIPS in each turn."""
        return list(with_mistakes(doings, SLIPS * rate, chance))
