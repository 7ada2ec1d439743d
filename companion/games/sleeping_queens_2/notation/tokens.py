"""Single words of the notation: cards, knights, die faces, places."""

from companion.games import notation_words
from companion.games.notation_words import NONE, word
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
    """Parse a card into its kind. ValueError for other text.

    Texts: 1 to 10, Q01 to Q12 (queens), RC01 to RC10 (companions), SB (spell book), WG (gnome), SW (switch
    witch), WI (willow), or ? for unknown.
    """
    if text not in KIND_OF_TEXT:
        raise ValueError(
            f"not a card: {text!r} (wanted 1 to 10, Q01 to Q12, SB, WG, SW, WI, RC01 to RC10 or ?)"
        )
    return KIND_OF_TEXT[text]


def known_card(text: str) -> int:
    """Parse a card other than `?` into its kind.

    ValueError for other text.
    """
    return notation_words.known(card(text))


def one_card(text: str) -> int:
    """Parse a known card's kind; `-`, no card, is 0.

    ValueError for other text.
    """
    return UNKNOWN if text == NONE else known_card(text)


def one_card_text(kind: int) -> str:
    """Write a known card; kind 0 (no card) is `-`.

    Inverse of `one_card`.
    """
    return KIND_TEXT[kind] if kind else NONE


def cell(text: str) -> int:
    """Parse a grid place: 1 to 10 in text, 0 to 9 in the result.

    ValueError for other text.
    """
    return notation_words.place(text, CELLS)


def face(text: str) -> int:
    """Parse a die face: 1, 2, 3 or dragon.

    ValueError for other text.
    """
    return word(text, _FACE_OF, "a face of the die")


def face_text(value: int) -> str:
    """Write a die face: "1" to "3", or "dragon" for 4. Inverse of `face`."""
    return FACE_TEXT[value]


def known_knight(text: str) -> int:
    """Parse a knight by its power, e.g. `reroll`.

    ValueError for other text.
    """
    return word(text, KNIGHT_WORDS, "a knight")


def knight(text: str) -> int:
    """Parse a knight by its power, e.g. `reroll`; `?` is a knight that nobody has named. ValueError for other
    text."""
    return Knight.UNKNOWN if text == KIND_TEXT[UNKNOWN] else known_knight(text)


def knight_text(value: int) -> str:
    """Write a knight by its power, e.g. `reroll`; `?` for UNKNOWN. Inverse of `knight`."""
    return KIND_TEXT[UNKNOWN] if value == Knight.UNKNOWN else Knight(value).name.lower()


def place(text: str) -> tuple[int, bool]:
    """Parse what lies on a grid place into (companion's kind, True if face up).

    Texts: `-` none (EMPTY), `?` an unknown companion face down (UNKNOWN), a name a companion face down, `!` and
    a name one face up.
    """
    if text == NONE:
        return EMPTY, False
    up = text.startswith("!")
    kind = known_card(text[1:]) if up else card(text)
    if kind != UNKNOWN and kind not in COMPANIONS:
        raise ValueError(f"not a companion: {text!r}")
    return kind, up


def place_text(kind: int, up: bool) -> str:
    """Write what lies on a grid place.

    `up`: the companion lies face up. Inverse of `place`.
    """
    return NONE if kind == EMPTY else f"{'!' if up else ''}{KIND_TEXT[kind]}"


def cards(text: str) -> Cards:
    """Parse a comma-separated list of cards into kinds.

    `?x12` are twelve unknown cards.
    """
    return notation_words.cards(text, card)


def cards_text(kinds: Cards) -> str:
    """Write kinds as a comma-separated list. Inverse of `cards`."""
    return notation_words.cards_text(kinds, KIND_TEXT)
