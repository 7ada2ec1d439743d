"""How fast the rules are: random play in one thread of pure Python, beside python-chess doing the same."""

import copy
import platform
import time
from random import Random
from typing import Any

from companion.games.sleepless_princess.players.policies import RANDOM_CLAIM
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.dealing import setup
from companion.games.sleepless_princess.rules.legal_actions import legal_actions
from companion.games.sleepless_princess.rules.state import AWAKE, Phase, State
from tests.benchmarks.chess_moves import ChessMoves

SLICES = 10
"""The two programs take turns this often, so that a busy machine slows both alike."""
COPIES = 20_000

_DECISIONS = (Phase.PLAY, Phase.CHECK, Phase.DRAW)


def bench_engine(seconds: float = 4.0) -> dict[str, Any]:
    """Steps a second at random play (basic, three players) and moves a second of python-chess.

    A step is legal_actions, a random choice and apply; chance's steps count, and `decisions_per_second`
    leaves them out (over the same time). A slice of the games is dealt within the time as well.
    `seconds` is the whole measuring time, half of it for each program.
    """
    share = seconds / 2 / SLICES
    chance = Random(1)
    state = setup("basic", 3, chance)
    chess = ChessMoves(chance)
    steps = decisions = 0
    ours = 0.0
    # Tables of plays and hands fill within the first games; a program that runs for hours has them.
    _, _, _, state = _random_steps(state, chance, min(1.0, seconds / 8))
    for _ in range(SLICES):
        took, some, chosen, state = _random_steps(state, chance, share)
        ours, steps, decisions = ours + took, steps + some, decisions + chosen
        chess.play(share)
    return {
        "steps_per_second": round(steps / ours),
        "decisions_per_second": round(decisions / ours),
        "chance_steps_per_second": round((steps - decisions) / ours),
        "python_chess_moves_per_second": round(chess.per_second),
        "python_chess_ratio": round(steps / ours / chess.per_second, 2),
        "python_chess_decisions_ratio": round(decisions / ours / chess.per_second, 2),
        "copy_microseconds": round(_copy_time(lambda: State(*state)), 3),
        "copy_copy_microseconds": round(_copy_time(lambda: copy.copy(state)), 3),
        "seconds": seconds,
        "python": platform.python_version(),
        "python_chess": chess.version,
    }


def _random_steps(state: State, chance: Random, seconds: float) -> tuple[float, int, int, State]:
    """Time taken, steps, steps decided by players, and the state to go on from."""
    random, began = chance.random, time.perf_counter()
    end, now = began + seconds, began
    steps = decisions = 0
    while now < end:
        for _ in range(200):
            legal = legal_actions(state)
            if not legal:
                state = setup("basic", 3, chance)
                continue
            steps += 1
            decisions += state.phase in _DECISIONS
            # Claims stand last; they are rare, as with the random policy, or no game would last.
            choices = len(legal) - state.fates.count(AWAKE)
            if choices < 1 or random() < RANDOM_CLAIM:
                choices = len(legal)
            state = apply(state, legal[int(random() * choices)])
        now = time.perf_counter()
    return now - began, steps, decisions, state


def _copy_time(make: Any) -> float:
    """Microseconds for one copy, the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        for _ in range(COPIES):
            make()
        best = min(best, time.perf_counter() - began)
    return best / COPIES * 1e6
