"""A whole game by the rules, as a perfect camera tells of it."""

from random import Random

from companion.games.announcements import Insist, TakeBack
from companion.games.sleeping_queens_2.players.policies import play_sensibly
from companion.games.sleeping_queens_2.players.simulation import play_out
from companion.games.sleeping_queens_2.queens_2_cards import catalogue
from companion.games.sleeping_queens_2.rules.actions import Open
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.rulebook import RULES, SleepingQueens2
from companion.games.sleeping_queens_2.rules.state import State
from companion.virtual.games.sleeping_queens_2.mistakes import mistakes
from companion.virtual.games.sleeping_queens_2.perfect_rig import PerfectRig
from companion.virtual.mistakes import lingering
from companion.virtual.rehearsal_api import ActedGame, Batch, Doing


def act_out(seed: int, variant: str, players: int, parts: Parts) -> ActedGame:
    """The game of this seed, played sensibly with these printed parts."""
    dealt = SleepingQueens2(parts).setup(variant, players, Random(f"{seed} deal"))
    rig = PerfectRig(catalogue(dealt.parts), Random(f"{seed} rig"))
    *before, last = [tuple(batch) for batch in rig.setup(dealt)]
    laying_out = [Doing(None, before), Doing(Open(dealt.discard[-1]), [last])]
    playing = []
    end = dealt
    chance, turn = Random(f"{seed} mistakes"), 0
    for step in play_out(dealt, [play_sensibly] * players, Random(f"{seed} players")):
        end = step.after
        wrong = list(mistakes(step.before, chance)) if step.before.turns > turn else []
        turn = step.before.turns if wrong else turn
        taken_back = [_taken_back(rig, step.before, one, chance) for one in wrong]
        batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
        playing.append(Doing(step.action, batches, mistakes=taken_back))
    return ActedGame(laying_out, playing, end)


def _taken_back(rig: PerfectRig, state: State, mistake: Insist, chance: Random) -> list[Batch]:
    after = RULES.apply(state, mistake)
    done = [tuple(batch) for batch in rig.notice(state, mistake, after)]
    undone = [tuple(batch) for batch in rig.notice(after, TakeBack(), state)]
    return lingering(done, undone, chance)
