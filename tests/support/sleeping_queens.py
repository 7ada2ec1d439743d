"""Games of Sleeping Queens for tests."""

from collections.abc import Iterator
from random import Random

from companion.games.sleeping_queens.players.policies import play_at_random
from companion.games.sleeping_queens.players.simulation import play_out
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import State


def walk(variant: str, players: int, seed: int) -> Iterator[tuple[State, Action, State]]:
    """A game at random: state, action, state after it."""
    chance = Random(seed)
    dealt = RULES.setup(variant, players, chance)
    for step in play_out(dealt, [play_at_random] * players, chance):
        yield step.before, step.action, step.after
