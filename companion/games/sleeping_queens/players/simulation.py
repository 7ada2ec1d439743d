"""Simulated games of Sleeping Queens, with statistics and a log.

They go by the rules alone.
"""

from random import Random

from companion.games.simulation import Simulation
from companion.games.sleeping_queens.players.policies import POLICIES
from companion.games.sleeping_queens.rules.actions import Action, Shuffle
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.hidden_state import shuffled
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import State

POLICY_NAMES = tuple(POLICIES)
SETTINGS: frozenset[str] = frozenset()
"""Names of settings by which players can be adjusted. There are none."""


def _by_chance(state: State, legal: tuple[Action, ...], chance: Random) -> Action:
    return shuffled(state, chance) if isinstance(legal[0], Shuffle) else legal[0]


SIMULATION = Simulation(RULES, POLICIES, _by_chance, winners, lambda state: state.turns)
make_policy = SIMULATION.policy
play_out = SIMULATION.play_out
simulate = SIMULATION.simulate
check_simulation = SIMULATION.check
