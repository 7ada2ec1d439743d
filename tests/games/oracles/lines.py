"""State lines as text fields, and lists of cards in them: all that the oracles share."""

from collections.abc import Iterable
from itertools import groupby

UNKNOWN = "?"
NONE = "-"
CHANCE = -1
"""The actor of what nobody chooses."""


class RefusedError(Exception):
    """The action is not allowed in the state, by the oracle's reading of the rules."""


def read_fields(line: str) -> tuple[str, int, dict[str, str]]:
    """Variant, number of players, and the fields of a state line as text, in the order of the line."""
    variant, players, *words = line.split()
    fields = {}
    for word in words:
        name, _, value = word.partition("=")
        fields[name] = value
    return variant, int(players), fields


def write_fields(variant: str, players: int, fields: dict[str, str]) -> str:
    """The line that `read_fields` reads."""
    return " ".join([variant, str(players), *(f"{name}={value}" for name, value in fields.items())])


def read_cards(text: str) -> list[str]:
    """The cards of a list: `?x12` stands for twelve unknown ones, `-` for none."""
    cards: list[str] = []
    for word in [] if text == NONE else text.split(","):
        kind, times, number = word.partition("x")
        cards += [kind] * int(number) if times else [word]
    return cards


def write_cards(cards: Iterable[str]) -> str:
    """The list that `read_cards` reads: three or more unknown cards side by side are written as one word."""
    words: list[str] = []
    for kind, run in groupby(cards):
        number = len(list(run))
        words += [f"{kind}x{number}"] if kind == UNKNOWN and number >= 3 else [kind] * number
    return ",".join(words) or NONE


def read_lists(text: str) -> list[list[str]]:
    """One list of cards for each player."""
    return [read_cards(part) for part in text.split("/")]


def write_lists(lists: Iterable[Iterable[str]]) -> str:
    """The text that `read_lists` reads."""
    return "/".join(write_cards(cards) for cards in lists)
