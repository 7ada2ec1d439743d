"""Single words of the notation - a card, a queen, a place - read and written."""

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


def cards(text: str) -> tuple[int, ...]:
    """A list of cards; ?x12 stands for twelve unknown ones."""
    return notation_words.cards(text, card)


def cards_text(kinds: tuple[int, ...]) -> str:
    """The inverse of cards."""
    return notation_words.cards_text(kinds, KIND_TEXT)
