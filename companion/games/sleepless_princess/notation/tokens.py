"""Single words of the notation: cards, mattresses, fates."""

from companion.games import notation_words
from companion.games.notation_words import NONE, index, join, number, split, within
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT, KIND_TEXT

__all__ = [
    "NONE",
    "card",
    "cards",
    "cards_text",
    "fate",
    "index",
    "join",
    "number",
    "princess",
    "slots",
    "slots_text",
    "split",
    "within",
]

FATE_LETTERS = "aso"
"""Letter of each fate of a princess (the index): awake, asleep, out."""


def card(text: str) -> int:
    """Parse a card into its kind. ValueError for other text.

    Texts: 1 to 10 (helpers), B (blanket), W (witch), or ? for unknown.
    """
    if text not in KIND_OF_TEXT:
        raise ValueError(f"not a card: {text!r} (wanted 1 to 10, B, W or ?)")
    return KIND_OF_TEXT[text]


def princess(text: str) -> int:
    """Parse a princess type, 0 to 9.

    `?` is -1, a bed without a princess yet. ValueError for other text.
    """
    if text == "?":
        return -1
    value = number(text)
    if value > 9:
        raise ValueError(f"not a princess: {text!r} (wanted 0 to 9 or ?)")
    return value


def fate(text: str) -> int:
    """Parse a princess's fate: a (awake, 0), s (asleep, 1) or o (out, 2).

    ValueError for other text.
    """
    if len(text) != 1 or text not in FATE_LETTERS:
        raise ValueError(f"not a fate: {text!r} (wanted a for awake, s for asleep, o for out)")
    return FATE_LETTERS.index(text)


def cards(text: str) -> tuple[int, ...]:
    """Parse a comma-separated list of cards into kinds; `?x12` are twelve unknown cards.

    ValueError for other text.
    """
    return notation_words.cards(text, card)


def cards_text(kinds: tuple[int, ...]) -> str:
    """Write kinds as a comma-separated list. Inverse of `cards`."""
    return notation_words.cards_text(kinds, KIND_TEXT)


def slots(text: str) -> tuple[int, ...]:
    """Parse mattress slots (numbers in the order of dealing), from 1 in the text, from 0 in the result.

    Text: comma-separated. ValueError for other text.
    """
    return tuple(index(item) for item in split(text))


def slots_text(values: tuple[int, ...]) -> str:
    """Write mattress slots (from 0) as a comma-separated list, from 1. Inverse of `slots`."""
    return join([str(slot + 1) for slot in values])
