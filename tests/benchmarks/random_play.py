"""How fast the rules of any game are: whole games of random play, beside python-chess doing the same."""

import platform
import time
from random import Random
from typing import Any

from companion.core.errors import BadInputError
from companion.games.registry import first_variant, load_game, load_part
from tests.benchmarks.chess_moves import ChessMoves

ROUNDS = 10
"""ROUNDS: how often the two programs take turns, so that a busy machine slows both alike."""


def bench_random_play(seconds: float, game: str) -> dict[str, Any]:
    """Steps a second of whole games at random play, three players, in one thread, and moves a second of chess.

    A step is what `companion simulate --policy random` does for it: legal_actions, a choice and apply.
    `seconds` is the measuring time, half of it for each program. BadInputError names a game that is not there.
    """
    rules = load_game(game)
    variant = first_variant(rules)
    part: Any = load_part(rules.name, "players.simulation")
    if part is None:
        raise BadInputError(f"nobody plays {rules.name} by themselves", where="--game")
    simulate = part.simulate
    chess = ChessMoves(Random(1))
    # Tables fill within the first games; a program that runs for hours has them.
    simulate(variant, 3, 2, 0, "random")
    steps, games, took = 0, 0, 0.0
    for at in range(ROUNDS):
        while took < seconds / 2 * (at + 1) / ROUNDS:
            began = time.perf_counter()
            steps += simulate(variant, 3, 1, games, "random")["steps"]
            took += time.perf_counter() - began
            games += 1
        chess.play(seconds / 2 / ROUNDS)
    return {
        "game": rules.name,
        "games": games,
        "steps_per_second": round(steps / took),
        "python_chess_moves_per_second": round(chess.per_second),
        "python_chess_ratio": round(steps / took / chess.per_second, 2),
        "seconds": seconds,
        "python": platform.python_version(),
        "python_chess": chess.version,
    }
