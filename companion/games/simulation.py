"""What every simulation of many games shares: means and intervals, the log of a game, what is refused."""

import json
import math
from collections.abc import Sequence
from typing import Any, TextIO

from companion.core.errors import BadInputError
from companion.games.api import Rules

CONFIDENCE = 1.96
"""Standard errors on either side of a mean that hold it with 95 %."""


def check_table_size(rules: Rules[Any, Any], variant: str, players: int, games: int) -> None:
    """BadInputError for a variant, number of players or of games that cannot be simulated."""
    if variant not in rules.variants:
        known = ", ".join(rules.variants)
        raise BadInputError(f"no variant {variant!r}", where="--variant", next_step=f"there are: {known}")
    allowed = rules.variants[variant]
    if players not in allowed:
        takes = f"{variant} takes {allowed[0]} to {allowed[-1]}"
        raise BadInputError(f"{players} players is not possible", where="--players", next_step=takes)
    if games < 1:
        raise BadInputError(f"{games} games cannot be played", where="--games", next_step="give 1 or more")


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return round(sum(values) / len(values), 6) if values else None


def interval(values: Sequence[float]) -> list[float] | None:
    """The 95 % interval of the mean; None for a single value."""
    count = len(values)
    if count < 2:
        return None
    middle = sum(values) / count
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (count - 1) / count)
    return [round(middle - CONFIDENCE * spread, 6), round(middle + CONFIDENCE * spread, 6)]


class GameLog:
    """One game as it is logged: the dealt state, then of each step what was legal, done, and came of it."""

    def __init__(self, number: int, setup: str) -> None:
        self.record: dict[str, Any] = {"game": number, "setup": setup, "steps": []}

    def step(self, legal: Sequence[str], action: str, state: str) -> None:
        """One more step, in the game's notation."""
        self.record["steps"].append({"legal": list(legal), "action": action, "state": state})

    def write(self, stream: TextIO) -> None:
        """One JSON object on a line."""
        stream.write(json.dumps(self.record) + "\n")


def policies_of_seats(policy: str, players: int) -> list[str]:
    """The policy of each seat in the first game: `policy` is one for all, or one for each with commas between.

    BadInputError for another number of them.
    """
    names = policy.split(",")
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise BadInputError(
            f"{len(names)} policies for {players} players",
            where="--policy",
            next_step="give one, or one for each player",
        )
    return names


def seated(names: Sequence[str], number: int) -> list[str]:
    """The policies of a game, the first numbered 0: everybody moves on a seat after each game."""
    return [names[(seat - number) % len(names)] for seat in range(len(names))]
