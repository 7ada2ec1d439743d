"""Sleeping Queens as a virtual table and rehearsals need it: `RehearsedGame` in companion.virtual."""

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
"""Mistakes a turn, as a share of the player slips of a noise profile: at home one turn in a hundred. Set, not
measured: a turn is a single play here."""


class VirtualQueens(CameraTableDefaults):
    """The virtual players and what a camera notices of them; there is no board in this game."""

    in_sight = staticmethod(comparison.in_sight)
    begins_turn = staticmethod(comparison.begins_turn)
    awaits = staticmethod(comparison.awaits)
    differences = staticmethod(comparison.differences)
    outage_faults = staticmethod(comparison.outage_faults)
    score_right = staticmethod(comparison.score_right)

    @property
    def looks(self) -> Looks:
        """Cards and places; drawn with OpenCV, which loads when it is needed."""
        from companion.virtual.games.sleeping_queens.queens_looks import QueensLooks

        return QueensLooks()

    def rig(self, variant: str) -> RigPlan:
        """A camera alone; screens name the queens that are awake."""
        return RigPlan(on_screen=lambda code: code[0] == "Q", counted_unread=("play",))

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> QueensPlay:
        """See queens_play.begin; policies are those of players.policies, and nobody claims anything."""
        return begin(players, seed, stage, reins, policy, variant)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """See acted_game.act_out; nothing is claimed or tapped."""
        return act_out(seed, variant, players)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """See mistakes.mistakes: one a turn with probability `rate` x SLIPS, and all are taken back."""
        return list(with_mistakes(doings, SLIPS * rate, chance))
