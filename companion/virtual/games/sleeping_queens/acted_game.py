"""A whole game by the rules, as a perfect camera tells of it."""

from random import Random

from companion.games.sleeping_queens.players.policies import play_sensibly
from companion.games.sleeping_queens.players.simulation import play_out
from companion.games.sleeping_queens.queens_cards import catalogue
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.virtual.games.sleeping_queens.mistakes import mistakes
from companion.virtual.games.sleeping_queens.perfect_rig import PerfectRig
from companion.virtual.mistakes import lingering
from companion.virtual.rehearsal_api import ActedGame, Doing


def act_out(seed: int, variant: str, players: int) -> ActedGame:
    """The game of this seed, played sensibly."""
    dealt = RULES.setup(variant, players, Random(f"{seed} deal"))
    rig = PerfectRig(catalogue(), Random(f"{seed} rig"))
    laying_out = [Doing(None, [tuple(batch) for batch in rig.setup(dealt)])]
    playing = []
    end = dealt
    chance = Random(f"{seed} mistakes")
    for step in play_out(dealt, [play_sensibly] * players, Random(f"{seed} players")):
        end = step.after
        wrong = list(mistakes(step.before, end, chance))
        taken_back = [lingering(rig.lay(cards), rig.take_back(len(cards)), chance) for cards in wrong]
        batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
        playing.append(Doing(step.action, batches, mistakes=taken_back))
    return ActedGame(laying_out, playing, end)
