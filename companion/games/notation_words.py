"""Parsers and writers that the notations of all games share: numbers, lists, unknown cards, fields."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from companion.games.rules import IllegalError
from companion.games.signs import UNKNOWN_KIND

NONE = "-"
"""Word for an empty list, an empty place, or a count that has not begun."""
SHORTEST_RUN = 3
"""Least number of unknown cards in a row that are written as one word, e.g. ?x3."""
LONGEST = 10_000
"""Largest number that a notation accepts, so that a damaged line cannot ask for a huge state. A guess."""
_UNKNOWN = 0
"""Kind of an unknown card, in every game."""

T = TypeVar("T")


def within(field: str, text: str, read: Callable[[str], T]) -> T:
    """Parse `text` with the function `read`, and return its result.

    A ValueError from it gets `field` and ": " in front of its message. IllegalError passes unchanged.
    """
    try:
        return read(text)
    except IllegalError:
        raise
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None


def number(text: str) -> int:
    """Parse a whole number from 0 to LONGEST.

    The text has neither sign nor leading zeros. ValueError for other text.
    """
    if not (text.isascii() and text.isdecimal()) or str(int(text[:9])) != text or int(text) > LONGEST:
        raise ValueError(f"not a number: {text!r}")
    return int(text)


def index(text: str) -> int:
    """Parse a player, place or slot: from 1 in text, from 0 in the result.

    ValueError for other text.
    """
    value = number(text)
    if not value:
        raise ValueError("counted from 1, got 0")
    return value - 1


def split(text: str) -> list[str]:
    """Split a list at its commas; "-" means empty."""
    return [] if text == NONE else text.split(",")


def join(items: Iterable[str]) -> str:
    """Join items with commas; `-` for none. Inverse of `split`."""
    return ",".join(items) or NONE


def word(text: str, known: Mapping[str, T], what: str) -> T:
    """Look up a word of the notation: the value of `known[text]`.

    ValueError for another word says that it is not `what`, e.g. "a phase", and lists the known ones.
    """
    if text not in known:
        raise ValueError(f"not {what}: {text!r} (wanted {', '.join(known)})")
    return known[text]


def place(text: str, number: int) -> int:
    """Parse a place of a grid: 1 to `number` in text, from 0 in the result.

    ValueError for other text.
    """
    value = index(text)
    if value >= number:
        raise ValueError(f"there is no place {value + 1}")
    return value


def known(kind: int) -> int:
    """Return a card's `kind`; ValueError for an unknown card (0)."""
    if kind == _UNKNOWN:
        raise ValueError("a card must be named")
    return kind


def cards(text: str, card: Callable[[str], int]) -> tuple[int, ...]:
    """Parse a comma-separated list of cards into kinds.

    `card` parses a single one; `?x12` are twelve unknown cards.
    """
    kinds: list[int] = []
    for item in split(text):
        kinds += [_UNKNOWN] * number(item[2:]) if item.startswith("?x") else [card(item)]
    return tuple(kinds)


def cards_text(kinds: Sequence[int], text_of: Sequence[str]) -> str:
    """Write kinds as a comma-separated list.

    Inverse of `cards`; `text_of[kind]` is a kind's text.
    """
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
    """Parse `name=value` items, in any order, into name -> value.

    `names`: every field. ValueError for a field that is unknown, missing or given twice.
    """
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


def phase_of(text: str, phases: Mapping[str, T]) -> T:
    """Parse a state's field `phase`. ValueError lists the known `phases` (name -> phase)."""
    if text not in phases:
        raise ValueError(f"phase: {text!r} is not one of {', '.join(phases)}")
    return phases[text]


def player_of(field: str, text: str, players: int) -> int:
    """Parse a field that names a player: from 1 in text, from 0 in the result.

    ValueError names `field` unless the player is one of `players`.
    """
    player = within(field, text, index)
    if player >= players:
        raise ValueError(f"{field}: there is no player {player + 1}")
    return player


def as_many(field: str, values: Sequence[T], wanted: int) -> tuple[T, ...]:
    """Check that a field has exactly `wanted` values, and return them as a tuple.

    ValueError names `field` if it has another number.
    """
    if len(values) != wanted:
        raise ValueError(f"{field}: {len(values)} given, this game has {wanted}")
    return tuple(values)
