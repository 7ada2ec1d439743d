"""Single words of the notation - a number, a card, a queen, a place - read and written."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from companion.games.sleeping_queens.rules.court import (
    CELLS,
    EMPTY,
    KIND_OF_TEXT,
    KIND_TEXT,
    QUEEN_NAMES,
    UNKNOWN,
    UNKNOWN_QUEEN,
)

NONE = "-"
"""An empty list, an empty place, nothing."""
SHORTEST_RUN = 3
"""Unknown cards in a row, from this number on, are written ?x3."""
_LONGEST = 10_000
"""Bound on numbers, so that a damaged line cannot ask for a huge state."""

T = TypeVar("T")


def within(field: str, text: str, read: Callable[[str], T]) -> T:
    """`read(text)`, an error prefixed with the field's name."""
    try:
        return read(text)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None


def number(text: str) -> int:
    """A whole number from 0, written without sign or leading zeros."""
    if not (text.isascii() and text.isdecimal()) or str(int(text[:9])) != text or int(text) > _LONGEST:
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def index(text: str) -> int:
    """A player or place: counted from 1 in text, from 0 in the program."""
    value = number(text)
    if not value:
        raise ValueError("counted from 1, got 0")
    return value - 1


def cell(text: str) -> int:
    """A place of the grid, 1 to 12 in text."""
    value = index(text)
    if value >= CELLS:
        raise ValueError(f"there is no place {value + 1}")
    return value


def card(text: str) -> int:
    """A card's kind: 1 to 10, KI, JE, KN, PO, WA, DR or ?."""
    if text not in KIND_OF_TEXT:
        raise ValueError(f"not a card: {text!r} (wanted {', '.join(KIND_TEXT[1:])} or ?)")
    return KIND_OF_TEXT[text]


def known_card(text: str) -> int:
    """The same without ?."""
    kind = card(text)
    if kind == UNKNOWN:
        raise ValueError("a card must be named")
    return kind


def queen(text: str) -> int:
    """A queen by name."""
    if text not in QUEEN_NAMES:
        raise ValueError(f"not a queen: {text!r} (wanted {', '.join(QUEEN_NAMES)})")
    return QUEEN_NAMES.index(text)


def sleeper(text: str) -> tuple[int, bool]:
    """What lies on a place: `-` nothing, `?` a queen nobody knows, a name (after `!` if all saw her)."""
    if text == NONE:
        return EMPTY, False
    if text == KIND_TEXT[UNKNOWN]:
        return UNKNOWN_QUEEN, False
    return queen(text.removeprefix("!")), text.startswith("!")


def sleeper_text(who: int, seen: bool) -> str:
    """The inverse of sleeper."""
    if who == EMPTY:
        return NONE
    return KIND_TEXT[UNKNOWN] if who == UNKNOWN_QUEEN else f"{'!' if seen else ''}{QUEEN_NAMES[who]}"


def split(text: str) -> list[str]:
    """The items of a comma-separated list; `-` is the empty one."""
    return [] if text == NONE else text.split(",")


def join(items: Iterable[str]) -> str:
    """The inverse of split."""
    return ",".join(items) or NONE


def cards(text: str) -> tuple[int, ...]:
    """A list of cards; ?x12 stands for twelve unknown ones."""
    kinds: list[int] = []
    for item in split(text):
        kinds += [UNKNOWN] * number(item[2:]) if item.startswith("?x") else [card(item)]
    return tuple(kinds)


def cards_text(kinds: tuple[int, ...]) -> str:
    """The inverse of cards."""
    items: list[str] = []
    run = 0
    for kind in (*kinds, None):
        if kind == UNKNOWN:
            run += 1
            continue
        items += [f"?x{run}"] if run >= SHORTEST_RUN else ["?"] * run
        run = 0
        if kind is not None:
            items.append(KIND_TEXT[kind])
    return join(items)
