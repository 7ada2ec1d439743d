"""A whole game by the rules, as a perfect camera tells of it."""

from random import Random

from companion.games.sleeping_queens_2.players.playing import play_out
from companion.games.sleeping_queens_2.players.policies import play_sensibly
from companion.games.sleeping_queens_2.queens_2_cards import catalogue
from companion.games.sleeping_queens_2.rules.actions import Open
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.virtual.perfect_rig import PerfectRig
from companion.virtual.rehearsal_api import ActedGame, Doing


def act_out(seed: int, variant: str, players: int) -> ActedGame:
    """The game of this seed, played sensibly."""
    dealt = RULES.setup(variant, players, Random(f"{seed} deal"))
    rig = PerfectRig(catalogue(dealt.parts), Random(f"{seed} rig"))
    *before, last = [tuple(batch) for batch in rig.setup(dealt)]
    laying_out = [Doing(None, before), Doing(Open(dealt.discard[-1]), [last])]
    playing = []
    end = dealt
    for step in play_out(dealt, [play_sensibly] * players, Random(f"{seed} players")):
        end = step.after
        batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
        playing.append(Doing(step.action, batches))
    return ActedGame(laying_out, playing, end)
