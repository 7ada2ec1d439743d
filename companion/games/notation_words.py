"""The words that notations of games share: numbers, lists, runs of unknown cards, fields of a state."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from companion.games.api import UNKNOWN_KIND, IllegalError

NONE = "-"
"""An empty list, an empty place, a count that has not begun."""
SHORTEST_RUN = 3
"""Unknown cards in a row, from this number on, are written ?x3."""
LONGEST = 10_000
"""Bound on numbers, so that a damaged line cannot ask for a huge state."""
_UNKNOWN = 0
"""The kind of a card that nobody has seen, in every game."""

T = TypeVar("T")


def within(field: str, text: str, read: Callable[[str], T]) -> T:
    """`read(text)`, an error prefixed with the field's name. What the rules refuse keeps its own error."""
    try:
        return read(text)
    except IllegalError:
        raise
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None


def number(text: str) -> int:
    """A whole number from 0, written without sign or leading zeros."""
    if not (text.isascii() and text.isdecimal()) or str(int(text[:9])) != text or int(text) > LONGEST:
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def index(text: str) -> int:
    """A player, place or slot: counted from 1 in text, from 0 in the program."""
    value = number(text)
    if not value:
        raise ValueError("counted from 1, got 0")
    return value - 1


def split(text: str) -> list[str]:
    """The items of a comma-separated list; `-` is the empty one."""
    return [] if text == NONE else text.split(",")


def join(items: Iterable[str]) -> str:
    """The inverse of split."""
    return ",".join(items) or NONE


def cards(text: str, card: Callable[[str], int]) -> tuple[int, ...]:
    """A list of cards, each read by `card`; ?x12 stands for twelve unknown ones."""
    kinds: list[int] = []
    for item in split(text):
        kinds += [_UNKNOWN] * number(item[2:]) if item.startswith("?x") else [card(item)]
    return tuple(kinds)


def cards_text(kinds: Sequence[int], text_of: Sequence[str]) -> str:
    """The inverse of cards; `text_of` has the text of each kind."""
    items: list[str] = []
    run = 0
    for kind in (*kinds, None):
        if kind == _UNKNOWN:
            run += 1
            continue
        items += [f"{UNKNOWN_KIND}x{run}"] if run >= SHORTEST_RUN else [UNKNOWN_KIND] * run
        run = 0
        if kind is not None:
            items.append(text_of[kind])
    return join(items)


def fields_of(items: Iterable[str], names: Sequence[str]) -> dict[str, str]:
    """The fields of a state, `name=value` each, in any order; ValueError for one too many or missing."""
    text: dict[str, str] = {}
    for item in items:
        name, separator, value = item.partition("=")
        if not separator or name not in names:
            raise ValueError(
                f"unknown word {item[:60]!r}; wanted field=value with a field of {', '.join(names)}"
            )
        if name in text:
            raise ValueError(f"{name}: given twice")
        text[name] = value
    for name in names:
        if name not in text:
            raise ValueError(f"{name}: missing")
    return text


def as_many(field: str, values: Sequence[T], wanted: int) -> tuple[T, ...]:
    """The values if there are so many; else ValueError."""
    if len(values) != wanted:
        raise ValueError(f"{field}: {len(values)} given, this game has {wanted}")
    return tuple(values)
