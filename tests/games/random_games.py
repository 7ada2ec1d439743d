"""Many games at random by the rules alone: python -m tests.games.random_games --game NAME --games 400

States are checked by `status` on the way; prints what is wrong with any, then length and wins by seat.
"""

import argparse
import json
import statistics
import sys
import time
from random import Random
from typing import Any

from companion.games.registry import load_part
from tests.games.oracles.judge import GAMES

CHECKED = 16
"""One state in so many is checked by `status`, and the last of every game."""


def main() -> int:
    """Print one JSON object; 1 if a state is impossible or a game does not end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=tuple(GAMES), required=True)
    parser.add_argument("--games", type=int, default=100, help="of 2 to 5 players in turn")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = play(options.game, options.games, options.seed)
    print(json.dumps(found))
    return int(bool(found["faults"]))


def play(name: str, games: int, seed: int) -> dict[str, Any]:
    """Play games to their end, whoever acts choosing at random among all that is legal.

    `faults`: what `status` found, a line each. By number of players: `turns`, mean and standard deviation, and
    `wins` by seat, a shared win counting for each.
    """
    game = GAMES[name]
    simulation = load_part(name, "players.simulation")
    assert simulation is not None
    variant, numbers = next(iter(game.rules.variants.items()))
    turns: dict[int, list[int]] = {players: [] for players in numbers}
    wins = {players: [0] * players for players in numbers}
    faults: list[str] = []
    steps = checked = 0
    began = time.process_time()
    for number in range(games):
        players = numbers[number % len(numbers)]
        chance = Random(f"{seed}:{number}")
        state = game.rules.setup(variant, players, chance)
        for step in simulation.play_out(state, [simulation.make_policy("random")] * players, chance):
            state = step.after
            steps += 1
            if steps % CHECKED == 0:
                checked += 1
                faults += [fault.text for fault in game.rules.status(state)]
        checked += 1
        faults += [fault.text for fault in game.rules.status(state)]
        turns[players].append(state.turns)
        for seat in game.winners(state):
            wins[players][seat] += 1
    return {
        "game": name,
        "games": games,
        "seed": seed,
        "steps": steps,
        "checked": checked,
        "faults": faults,
        "turns": {
            str(players): [round(statistics.mean(many), 2), round(statistics.pstdev(many), 2)]
            for players, many in turns.items()
            if many
        },
        "wins": {
            str(players): [round(won / max(1, len(turns[players])), 4) for won in seats]
            for players, seats in wins.items()
        },
        "steps_per_second": round(steps / (time.process_time() - began)),
    }


if __name__ == "__main__":
    sys.exit(main())
