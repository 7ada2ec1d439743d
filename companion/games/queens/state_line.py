"""The line in which both Sleeping Queens games write a state: variant, number of players, fields."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from companion.games.notation_words import as_many, fields_of, number, within

T = TypeVar("T")


def each_of(text: Mapping[str, str], field: str, read: Callable[[str], T], wanted: int) -> tuple[T, ...]:
    """Parse a field's values, which are separated by `/`.

    ValueError unless there are `wanted` values.

    `text`: field name -> its text. `read`: parses one value.
    """
    return as_many(field, [within(field, item, read) for item in text[field].split("/")], wanted)


def written(variant: str, players: int, names: Sequence[str], values: Sequence[str]) -> str:
    """Write a state's line: variant, number of players, then each field of `names` with its value."""
    fields = (f"{name}={value}" for name, value in zip(names, values, strict=True))
    return " ".join((variant, str(players), *fields))


def head_and_fields(
    line: str, variant: str, allowed: Sequence[int], names: Sequence[str]
) -> tuple[int, dict[str, str]]:
    """Parse a state's line into (number of players, field -> text).

    ValueError unless it begins with `variant` and one of the `allowed` numbers of players (ascending), and has
    each field of `names` once.
    """
    head, fields = line.split()[:2], fields_of(line.split()[2:], names)
    if len(head) < 2 or head[0] != variant:
        raise ValueError(f"a state begins with variant and number of players, e.g. {variant} 3")
    players = within("players", head[1], number)
    if players not in allowed:
        raise ValueError(f"players: {players} is not one of {allowed[0]} to {allowed[-1]}")
    return players, fields
