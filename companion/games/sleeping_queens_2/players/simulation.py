"""Simulated Sleeping Queens 2 games, with statistics and a log.

They go by the rules alone.
"""

from random import Random

from companion.games.simulation import Simulation
from companion.games.sleeping_queens_2.players.policies import POLICIES
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.hidden_state import by_chance
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State

POLICY_NAMES = tuple(POLICIES)
SETTINGS: frozenset[str] = frozenset()
"""Names of settings by which players can be adjusted. There are none."""


def _by_chance(state: State, legal: tuple[Action, ...], chance: Random) -> Action:
    return by_chance(state, chance)


def _winners(state: State) -> tuple[int, ...]:
    won = winner(state)
    return () if won is None else (won,)


SIMULATION = Simulation(RULES, POLICIES, _by_chance, _winners, lambda state: state.turns)
make_policy = SIMULATION.policy
play_out = SIMULATION.play_out
simulate = SIMULATION.simulate
check_simulation = SIMULATION.check
