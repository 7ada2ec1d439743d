"""Single words of the notation: cards, queens, places."""

from companion.games import notation_words
from companion.games.notation_words import NONE, index, join, number, split, within
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    EMPTY,
    KIND_OF_TEXT,
    KIND_TEXT,
    QUEEN_NAMES,
    UNKNOWN,
    UNKNOWN_QUEEN,
)

__all__ = [
    "NONE",
    "card",
    "cards",
    "cards_text",
    "cell",
    "index",
    "join",
    "known_card",
    "number",
    "queen",
    "sleeper",
    "sleeper_text",
    "split",
    "within",
]


def cell(text: str) -> int:
    """Parse a place of the grid: 1 to 12 in text, 0 to 11 in the result. ValueError for other text."""
    value = index(text)
    if value >= CELLS:
        raise ValueError(f"there is no place {value + 1}")
    return value


def card(text: str) -> int:
    """Parse a card into its kind: 1 to 10, KI, JE, KN, PO, WA, DR or ?. ValueError for other text."""
    if text not in KIND_OF_TEXT:
        raise ValueError(f"not a card: {text!r} (wanted {', '.join(KIND_TEXT[1:])} or ?)")
    return KIND_OF_TEXT[text]


def known_card(text: str) -> int:
    """Parse a card other than `?` into its kind. ValueError for other text."""
    kind = card(text)
    if kind == UNKNOWN:
        raise ValueError("a card must be named")
    return kind


def queen(text: str) -> int:
    """Parse a queen's name into her number, 0 to 11. ValueError for other text."""
    if text not in QUEEN_NAMES:
        raise ValueError(f"not a queen: {text!r} (wanted {', '.join(QUEEN_NAMES)})")
    return QUEEN_NAMES.index(text)


def sleeper(text: str) -> tuple[int, bool]:
    """Parse a grid place into (queen, seen by all).

    `-` is EMPTY, `?` is UNKNOWN_QUEEN. A name means a known queen; `!` before it means that all have seen her.
    """
    if text == NONE:
        return EMPTY, False
    if text == KIND_TEXT[UNKNOWN]:
        return UNKNOWN_QUEEN, False
    return queen(text.removeprefix("!")), text.startswith("!")


def sleeper_text(who: int, seen: bool) -> str:
    """Write a grid place. Inverse of `sleeper`."""
    if who == EMPTY:
        return NONE
    return KIND_TEXT[UNKNOWN] if who == UNKNOWN_QUEEN else f"{'!' if seen else ''}{QUEEN_NAMES[who]}"


def cards(text: str) -> tuple[int, ...]:
    """Parse a comma-separated list of cards. ?x12 means twelve unknown cards."""
    return notation_words.cards(text, card)


def cards_text(kinds: tuple[int, ...]) -> str:
    """Write a list of cards. Inverse of `cards`."""
    return notation_words.cards_text(kinds, KIND_TEXT)
