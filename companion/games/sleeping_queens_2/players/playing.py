"""A game played to its end, step by step."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from companion.games.api import CHANCE
from companion.games.sleeping_queens_2.players.policies import Policy
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.hidden_state import by_chance
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State


class Step(NamedTuple):
    """One step of a game: the state it starts from, what was legal, what was done, what came of it."""

    before: State
    legal: tuple[Action, ...]
    action: Action
    after: State


def play_out(dealt: State, seats: Sequence[Policy], chance: Random) -> Iterator[Step]:
    """Play a fully known game to its end, a policy in every seat."""
    state = dealt
    while legal := RULES.legal_actions(state):
        actor = RULES.actor(state)
        if actor == CHANCE:
            action = by_chance(state, chance)
        else:
            action = seats[actor](RULES.view(state, actor), legal, chance)
        after = RULES.apply(state, action)
        yield Step(state, legal, action, after)
        state = after
