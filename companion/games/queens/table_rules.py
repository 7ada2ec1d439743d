"""What the rules of both Sleeping Queens games share: the size of a table, entries of tuples."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def check_size(variant: str, players: int, known: str, allowed: Sequence[int]) -> None:
    """ValueError if `variant` is not the game's only one, `known`, or `players` is not an `allowed` number."""
    if variant != known:
        raise ValueError(f"no variant {variant!r}; there is {known}")
    if players not in allowed:
        raise ValueError(f"{known} is for {allowed[0]} to {allowed[-1]} players, not {players}")


def with_value(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """`values` with the entry at index `at` replaced."""
    return (*values[:at], value, *values[at + 1 :])
