"""How often who plays every choice out wins: python -m tests.games.strong_players --game sleeping-queens-2

Upper lines for hints. One of four players tries each choice many times, everybody sensible after it, and takes
the one that won most; the other three are sensible. That player sees every card, or with --honest only the own
view: then each try deals the hidden cards anew. Die and shuffles are by chance in every try.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from companion.games.api import CHANCE
from companion.games.registry import load_part
from companion.games.simulation import Policy, Simulation, interval
from tests.games.sleeping_queens import test_queens_hints as queens
from tests.games.sleeping_queens_2 import test_queens_2_hints as queens_2

PLAYERS = 4


Deal = Callable[[Any, int, Random], Any]
"""(state, player, chance) -> a state that the player may take for it."""


def as_it_is(state: Any, player: int, chance: Random) -> Any:
    """Every card is seen."""
    return state


def _queens_anew(state: Any, player: int, chance: Random) -> Any:
    return queens.other_world(state, player, chance)


def _queens_2_anew(state: Any, player: int, chance: Random) -> Any:
    return queens_2.other_world(state, chance)


ANEW: Mapping[str, Deal] = {"sleeping-queens": _queens_anew, "sleeping-queens-2": _queens_2_anew}
"""Game -> the same for a player who sees their own view alone."""


def chosen(
    game: Simulation[Any, Any], state: Any, legal: Sequence[Any], tries: int, deal: Deal, chance: Random
) -> Any:
    """The action that wins most of its tries."""
    if len(legal) == 1:
        return legal[0]
    player = game.rules.actor(state)
    others: list[Policy[Any]] = [game.policy("sensible")] * PLAYERS
    won = dict.fromkeys(legal, 0.0)
    for _ in range(tries):
        begun = deal(state, player, chance)
        for action in legal:
            end = game.rules.apply(begun, action)
            for step in game.play_out(end, others, chance):
                end = step.after
            winners = game.winners(end)
            won[action] += (player in winners) / max(1, len(winners))
    return max(legal, key=lambda action: won[action])


def play(game: Simulation[Any, Any], seat: int, tries: int, deal: Deal, chance: Random) -> float:
    """The share of one game's win that falls to the one who plays choices out."""
    rules, sensible = game.rules, game.policy("sensible")
    state = rules.setup(next(iter(rules.variants)), PLAYERS, chance)
    while legal := rules.legal_actions(state):
        actor = rules.actor(state)
        if actor == CHANCE:
            action = game.by_chance(state, legal, chance)
        elif actor == seat:
            action = chosen(game, state, legal, tries, deal, chance)
        else:
            view: Mapping[str, Any] = rules.view(state, actor)
            action = sensible(view, legal, chance)
        state = rules.apply(state, action)
    winners = game.winners(state)
    return (seat in winners) / max(1, len(winners))


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=("sleeping-queens", "sleeping-queens-2"), required=True)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--tries", type=int, default=8, help="of each choice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--honest", action="store_true", help="hidden cards are dealt anew in each try")
    options = parser.parse_args()
    deal = ANEW[options.game] if options.honest else as_it_is
    part = load_part(options.game, "players.simulation")
    assert part is not None
    shares = [
        play(part.SIMULATION, number % PLAYERS, options.tries, deal, Random(f"{options.seed}:{number}"))
        for number in range(options.games)
    ]
    mean = round(sum(shares) / len(shares), 4)
    print(json.dumps({**vars(options), "wins": mean, "wins_ci95": interval(shares)}))


if __name__ == "__main__":
    main()
