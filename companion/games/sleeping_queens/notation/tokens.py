"""Single words of the notation: cards, queens, places."""

from companion.games import notation_words
from companion.games.notation_words import NONE, index, join, number, split, within, word
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

_QUEEN_OF_NAME = {name: number for number, name in enumerate(QUEEN_NAMES)}


def cell(text: str) -> int:
    """Parse a grid place: 1 to 12 in text, 0 to 11 in the result.

    ValueError for other text.
    """
    return notation_words.place(text, CELLS)


def card(text: str) -> int:
    """Parse a hand card into its kind (0 to 16).

    ValueError for other text.

    Texts: 1 to 10, KI (king), JE (jester), KN (knight), PO (potion), WA (wand), DR (dragon), or ? for
    unknown.
    """
    return word(text, KIND_OF_TEXT, "a card")


def known_card(text: str) -> int:
    """Parse a hand card except `?` into kind (1 to 16).

    ValueError for other text.
    """
    return notation_words.known(card(text))


def queen(text: str) -> int:
    """Parse a queen's name into her number (0 to 11).

    ValueError for other text.
    """
    return word(text, _QUEEN_OF_NAME, "a queen")


def sleeper(text: str) -> tuple[int, bool]:
    """Parse what lies on a grid place into (queen's number, True if everybody has seen her).

    Texts: `-` is EMPTY, `?` is UNKNOWN_QUEEN, else a queen's name, with `!` before it if everybody has seen
    her.
    """
    if text == NONE:
        return EMPTY, False
    if text == KIND_TEXT[UNKNOWN]:
        return UNKNOWN_QUEEN, False
    return queen(text.removeprefix("!")), text.startswith("!")


def sleeper_text(who: int, seen: bool) -> str:
    """Write what lies on a grid place. Inverse of `sleeper`.

    `who`: the queen's number, or EMPTY or UNKNOWN_QUEEN. `seen`: everybody has seen her.
    """
    if who == EMPTY:
        return NONE
    return KIND_TEXT[UNKNOWN] if who == UNKNOWN_QUEEN else f"{'!' if seen else ''}{QUEEN_NAMES[who]}"


def cards(text: str) -> tuple[int, ...]:
    """Parse a comma-separated list of cards into kinds.

    `?x12` are twelve unknown cards.
    """
    return notation_words.cards(text, card)


def cards_text(kinds: tuple[int, ...]) -> str:
    """Write kinds as a comma-separated list. Inverse of `cards`."""
    return notation_words.cards_text(kinds, KIND_TEXT)
