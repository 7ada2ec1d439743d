"""The table of both Sleeping Queens games: sizes, colours, number of players, what a survey contradicts."""

from collections.abc import Sequence
from typing import TypeVar

from companion.games.appearance import Expectation, Survey

T = TypeVar("T")

CARD = CARD_W, CARD_H = 57.0, 89.0
"""(width, height) of an upright card (mm): poker size."""
CELL_W = 76.0
"""Width (mm) of the mat zone for a single card."""
COLOURS = ("orange", "amber", "yellow", "green", "teal", "blue", "indigo", "violet", "pink", "red")
"""Printed colours of the number cards 1 to 10, in order."""


def check_size(variant: str, players: int, known: str, allowed: Sequence[int]) -> None:
    """Check variant and number of players.

    ValueError unless `variant` is `known`, the game's only one, and `players` is in `allowed` (ascending).
    """
    if variant != known:
        raise ValueError(f"no variant {variant!r}; there is {known}")
    if players not in allowed:
        raise ValueError(f"{known} is for {allowed[0]} to {allowed[-1]} players, not {players}")


def with_value(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Copy of `values` whose entry at index `at` is `value`."""
    return (*values[:at], value, *values[at + 1 :])


def agrees(expected: Expectation, found: Survey) -> bool:
    """True if a table does not contradict what a state predicts.

    `expected`: the prediction. `found`: the table. A zone that nobody watches never contradicts. A pile without
    a visible card does not either: its top card may be hidden.
    """
    tops = ((found.zones.get(zone), kinds) for zone, kinds in expected.tops.items())
    return (
        all(sorted(found.zones.get(zone, kinds)) == sorted(kinds) for zone, kinds in expected.zones.items())
        and all(found.face_down.get(zone, number) == number for zone, number in expected.face_down.items())
        and all(not seen or not kinds.isdisjoint(seen) for seen, kinds in tops)
    )
