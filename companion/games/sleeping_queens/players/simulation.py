"""Many games of Sleeping Queens by the rules alone: results in a few numbers, every step in a log."""

import hashlib
import time
from random import Random
from typing import Any, TextIO

from companion.games.simulation import (
    GameLog,
    check_table_size,
    interval,
    mean,
    policies_of_seats,
    seated,
)
from companion.games.sleeping_queens.players.playing import play_out
from companion.games.sleeping_queens.players.policies import POLICIES, make_policy
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.rulebook import RULES

POLICY_NAMES = tuple(POLICIES)
SETTINGS: frozenset[str] = frozenset()
"""What of the players can be set: nothing."""


def simulate(
    variant: str,
    players: int,
    games: int,
    seed: int,
    policy: str,
    log: TextIO | None = None,
) -> dict[str, Any]:
    """Play `games` games; the numbers are the same on every run and machine, but for steps_per_second.

    `policy` is one for all, or one for each player with commas between; those move on a seat after each game.
    Where several win, each seat counts as having won, and each policy in parts. BadInputError names what does
    not exist.
    """
    check_simulation(variant, players, games, policy)
    names = policies_of_seats(policy, players)
    won_by: dict[str, float] = dict.fromkeys(names, 0.0)
    digest = hashlib.sha256()
    turns: list[int] = []
    wins = [0] * players
    steps = 0
    began = time.perf_counter()
    for number in range(games):
        chance = Random(f"{seed}:{number}")
        state = RULES.setup(variant, players, chance)
        setup = RULES.write_state(state)
        digest.update(setup.encode())
        record = GameLog(number + 1, setup)
        sitting = seated(names, number)
        seats = [make_policy(name) for name in sitting]
        for step in play_out(state, seats, chance):
            state = step.after
            steps += 1
            if log is not None:
                legal = [RULES.write_action(action) for action in step.legal]
                record.step(legal, RULES.write_action(step.action), RULES.write_state(state))
        digest.update(RULES.write_state(state).encode())
        if log is not None:
            record.write(log)
        won = winners(state)
        for player in won:
            wins[player] += 1
            won_by[sitting[player]] += 1 / len(won)
        turns.append(state.turns)
    took = time.perf_counter() - began
    return {
        "game": RULES.name,
        "variant": variant,
        "players": players,
        "policy": policy,
        "seed": seed,
        "games": games,
        "mean_turns": mean(turns),
        "turns_ci95": interval(turns),
        "most_turns": max(turns),
        "wins_by_seat": [round(number / games, 6) for number in wins],
        "wins_by_policy": {name: round(number / games, 6) for name, number in won_by.items()},
        "steps": steps,
        "steps_per_second": round(steps / took),
        "digest": digest.hexdigest(),
    }


def check_simulation(variant: str, players: int, games: int, policy: str) -> None:
    """BadInputError for what cannot be simulated."""
    check_table_size(RULES, variant, players, games)
    for name in policies_of_seats(policy, players):
        make_policy(name)
