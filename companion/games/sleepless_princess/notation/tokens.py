"""Single words of the notation - a number, a card, a mattress, a fate - read and written."""

from collections.abc import Callable
from typing import TypeVar

from companion.games.api import IllegalError
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT, KIND_TEXT, UNKNOWN

NONE = "-"
"""An empty list, and a count that has not begun."""
FATE_LETTERS = "aso"
"""Awake, asleep, out; the index is the fate."""
SHORTEST_RUN = 3
"""Unknown cards in a row, from this number on, are written ?x3."""

_LONGEST = 1000
"""Bound on numbers, so that a damaged line cannot ask for a huge state."""

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
    if not (text.isascii() and text.isdecimal()) or str(int(text[:9])) != text or int(text) > _LONGEST:
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def index(text: str) -> int:
    """A bed, player or mattress: counted from 1 in text, from 0 in the program."""
    value = number(text)
    if not value:
        raise ValueError("counted from 1, got 0")
    return value - 1


def card(text: str) -> int:
    """A card's kind: 1 to 10, B, W or ?."""
    if text not in KIND_OF_TEXT:
        raise ValueError(f"not a card: {text!r} (wanted 1 to 10, B, W or ?)")
    return KIND_OF_TEXT[text]


def princess(text: str) -> int:
    """A princess type 0 to 9, or ? (-1) for a bed without one."""
    if text == "?":
        return -1
    value = number(text)
    if value > 9:
        raise ValueError(f"not a princess: {text!r} (wanted 0 to 9 or ?)")
    return value


def fate(text: str) -> int:
    """A fate from its letter."""
    if len(text) != 1 or text not in FATE_LETTERS:
        raise ValueError(f"not a fate: {text!r} (wanted a for awake, s for asleep, o for out)")
    return FATE_LETTERS.index(text)


def split(text: str) -> list[str]:
    """The items of a comma-separated list; `-` is the empty one."""
    return [] if text == NONE else text.split(",")


def join(items: list[str]) -> str:
    """The inverse of split."""
    return ",".join(items) or NONE


def cards(text: str) -> tuple[int, ...]:
    """A list of cards; ?x12 stands for twelve unknown ones."""
    kinds: list[int] = []
    for item in split(text):
        if item.startswith("?x"):
            kinds += [UNKNOWN] * number(item[2:])
        else:
            kinds.append(card(item))
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


def slots(text: str) -> tuple[int, ...]:
    """A list of mattress slots, counted from 1."""
    return tuple(index(item) for item in split(text))


def slots_text(values: tuple[int, ...]) -> str:
    """The inverse of slots."""
    return join([str(slot + 1) for slot in values])
