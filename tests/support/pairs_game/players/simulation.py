"""Many games of Pairs by the rules alone."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple, TextIO

from companion.core.errors import BadInputError
from companion.games.simulation import GameLog, check_table_size, mean
from tests.support.pairs_game.game import GAME, Action, State
from tests.support.pairs_game.players.policies import Attentive

SETTINGS: frozenset[str] = frozenset()


class Step(NamedTuple):
    """One action with the states before and after it."""

    before: State
    action: Action
    after: State


def play_out(dealt: State, policy: Attentive, chance: Random) -> Iterator[Step]:
    """A game to its end."""
    state = dealt
    while legal := GAME.legal_actions(state):
        action = policy.choose(GAME.view(state, state.turn), legal, chance)
        after = GAME.apply(state, action)
        yield Step(state, action, after)
        state = after


def check_simulation(variant: str, players: int, games: int, policy: str) -> None:
    """BadInputError for what cannot be simulated."""
    check_table_size(GAME, variant, players, games)
    if policy != "sensible":
        raise BadInputError(f"nobody plays {policy!r}", where="--policy")


def simulate(
    variant: str, players: int, games: int, seed: int, policy: str, log: TextIO | None = None
) -> dict[str, Any]:
    """Steps and points of `games` games."""
    steps, points = [], []
    for number in range(games):
        chance = Random(f"{seed}:{number}")
        state = GAME.setup(variant, players, chance)
        record = GameLog(number + 1, GAME.write_state(state))
        played = list(play_out(state, Attentive(0.3), chance))
        for before, action, after in played:
            legal = [GAME.write_action(one) for one in GAME.legal_actions(before)]
            record.step(legal, GAME.write_action(action), GAME.write_state(after))
        if log is not None:
            record.write(log)
        steps.append(float(len(played)))
        points.append(float(sum(played[-1].after.points)))
    return {"game": GAME.name, "games": games, "mean_steps": mean(steps), "mean_points": mean(points)}
