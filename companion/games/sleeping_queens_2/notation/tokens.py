"""Single words of the notation - a card, a knight, a face, a place - read and written."""

from companion.games import notation_words
from companion.games.notation_words import NONE, index
from companion.games.sleeping_queens_2.rules.kinds import (
    CELLS,
    COMPANIONS,
    EMPTY,
    KIND_OF_TEXT,
    KIND_TEXT,
    UNKNOWN,
    Knight,
)
from companion.games.sleeping_queens_2.rules.parts import FACE_TEXT
from companion.games.sleeping_queens_2.rules.state import Cards

KNIGHT_WORDS = {knight.name.lower(): knight for knight in Knight if knight is not Knight.UNKNOWN}
_FACE_OF = {text: face for face, text in FACE_TEXT.items()}


def card(text: str) -> int:
    """A card's kind: 1 to 10, Q01 to Q12, SB, WG, SW, WI, RC01 to RC10, or ?."""
    if text not in KIND_OF_TEXT:
        raise ValueError(
            f"not a card: {text!r} (wanted 1 to 10, Q01 to Q12, SB, WG, SW, WI, RC01 to RC10 or ?)"
        )
    return KIND_OF_TEXT[text]


def known_card(text: str) -> int:
    """The same without ?."""
    kind = card(text)
    if kind == UNKNOWN:
        raise ValueError("a card must be named")
    return kind


def one_card(text: str) -> int:
    """A known card, or 0 for `-`."""
    return UNKNOWN if text == NONE else known_card(text)


def one_card_text(kind: int) -> str:
    """The inverse of one_card."""
    return KIND_TEXT[kind] if kind else NONE


def cell(text: str) -> int:
    """A place of the grid, 1 to 10 in text."""
    value = index(text)
    if value >= CELLS:
        raise ValueError(f"there is no place {value + 1}")
    return value


def face(text: str) -> int:
    """A face of the die: 1, 2, 3 or dragon."""
    if text not in _FACE_OF:
        raise ValueError(f"not a face of the die: {text!r} (wanted {', '.join(_FACE_OF)})")
    return _FACE_OF[text]


def face_text(value: int) -> str:
    """The inverse of face."""
    return FACE_TEXT[value]


def known_knight(text: str) -> int:
    """A knight by what it does."""
    if text not in KNIGHT_WORDS:
        raise ValueError(f"not a knight: {text!r} (wanted {', '.join(KNIGHT_WORDS)})")
    return KNIGHT_WORDS[text]


def knight(text: str) -> int:
    """The same, or ? for one that nobody has told."""
    return Knight.UNKNOWN if text == KIND_TEXT[UNKNOWN] else known_knight(text)


def knight_text(value: int) -> str:
    """The inverse of knight."""
    return KIND_TEXT[UNKNOWN] if value == Knight.UNKNOWN else Knight(value).name.lower()


def place(text: str) -> tuple[int, bool]:
    """What lies on a place: `-` nothing, `?` or a name face down, a name after `!` face up."""
    if text == NONE:
        return EMPTY, False
    up = text.startswith("!")
    kind = known_card(text[1:]) if up else card(text)
    if kind != UNKNOWN and kind not in COMPANIONS:
        raise ValueError(f"not a companion: {text!r}")
    return kind, up


def place_text(kind: int, up: bool) -> str:
    """The inverse of place."""
    return NONE if kind == EMPTY else f"{'!' if up else ''}{KIND_TEXT[kind]}"


def cards(text: str) -> Cards:
    """A list of cards; ?x12 stands for twelve unknown ones."""
    return notation_words.cards(text, card)


def cards_text(kinds: Cards) -> str:
    """The inverse of cards."""
    return notation_words.cards_text(kinds, KIND_TEXT)
