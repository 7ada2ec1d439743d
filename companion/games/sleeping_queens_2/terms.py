"""The terms of Sleeping Queens 2, for sentences in any language: cards, knights, sections of the rulebook."""

from collections.abc import Mapping

from companion.core.language import Text, plural, term, text
from companion.games import number_words
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    GNOME,
    KIND_TEXT,
    QUEENS,
    UNKNOWN,
    WILLOW,
    WITCH,
    Knight,
)
from companion.games.sleeping_queens_2.rules.parts import ANY, Parts

_CARDS: Mapping[int, Text] = {
    BOOK: term("card", "spell book"),
    GNOME: term("card", "wild gnome"),
    WITCH: term("card", "switch witch"),
    WILLOW: term("card", "sleeping willow"),
}
_ONE: Mapping[int, Text] = {
    BOOK: text("a spell book"),
    GNOME: text("a wild gnome"),
    WITCH: text("a switch witch"),
    WILLOW: text("a sleeping willow"),
}
_COUNTED: Mapping[int, Text] = {
    BOOK: plural("{n} spell book", "{n} spell books"),
    GNOME: plural("{n} wild gnome", "{n} wild gnomes"),
    WITCH: plural("{n} switch witch", "{n} switch witches"),
    WILLOW: plural("{n} sleeping willow", "{n} sleeping willows"),
}
_COLOURS: Mapping[str, Text] = {
    "red": term("knight", "red"),
    "black": term("knight", "black"),
    "blue": term("knight", "blue"),
    "yellow": term("knight", "yellow"),
    "white": term("knight", "white"),
    "green": term("knight", "green"),
    "purple": term("knight", "purple"),
    "orange": term("knight", "orange"),
}
"""Colours of knights; a family may have told others, which stay as they are."""
POWERS: Mapping[Knight, Text] = {
    Knight.MATH: text("one more or less"),
    Knight.WITCH: text("shield against witches"),
    Knight.REROLL: text("may roll a 1 again"),
    Knight.DRAW: text("one card more"),
    Knight.WILLOW: text("shield against willows"),
    Knight.SIX: text("six cards kept"),
}
"""What each knight does."""
SECTIONS: Mapping[str, Text] = {
    "How to Play": term("section", "How to Play"),
    "Knights": term("section", "Knights"),
    "Instant Action Cards": term("section", "Instant Action Cards"),
    "Wild Gnomes": term("section", "Wild Gnomes"),
    "Switch Witches": term("section", "Switch Witches"),
    "Sleeping Willows": term("section", "Sleeping Willows"),
    "How to Wake a Sleeping Queen": term("section", "How to Wake a Sleeping Queen"),
    "Spell Books": term("section", "Spell Books"),
    "Finding Rescue Companions": term("section", "Finding Rescue Companions"),
    "How to Rescue a King": term("section", "How to Rescue a King"),
    "Ending the Game": term("section", "Ending the Game"),
}
"""Sections of the rulebook to which people are sent."""


def card(kind: int, parts: Parts) -> str:
    """A card in words, standing alone; with its symbol if it has one."""
    if kind in QUEENS:
        at = kind - QUEENS.start
        return term("card", "queen {number} {symbol}", number=at + 1, symbol=parts.queens[at])
    if kind in COMPANIONS:
        at = kind - COMPANIONS.start
        return term("card", "companion {number} {symbol}", number=at + 1, symbol=_symbol(parts.companions[at]))
    return _CARDS.get(kind) or KIND_TEXT[kind]


def one(kind: int, parts: Parts) -> Text:
    """A card as something that is taken or laid, with its article; queens and companions are each one alone."""
    if kind == UNKNOWN:
        return unread()
    if kind in QUEENS:
        at = kind - QUEENS.start
        return text("queen {number} {symbol}", number=at + 1, symbol=parts.queens[at])
    if kind in COMPANIONS:
        at = kind - COMPANIONS.start
        return text("companion {number} {symbol}", number=at + 1, symbol=_symbol(parts.companions[at]))
    return _ONE.get(kind) or number_words.a_number(int(KIND_TEXT[kind]))


def _symbol(letter: str) -> str:
    """The symbol of a companion: the letter that its family gave it, or words for the one who fits all."""
    return term("symbol", "(any queen)") if letter == ANY else letter


def unread() -> Text:
    """A card that nobody read."""
    return plural("a card", "{n} cards", n=1)


def counted(kind: int, count: int) -> Text:
    """`count` spell books or instant cards of one kind, in words."""
    return _COUNTED[kind].of(n=count)


def colour(knight: int, parts: Parts) -> str:
    """The colour of a knight."""
    told = parts.colours[knight]
    return _COLOURS.get(told, told)


PLACES = (
    term("place", "companion {number}"),
    term("place", "kings {number}"),
    term("place", "die"),
    term("place", "show"),
)
"""What zones are called that Sleeping Queens does not have (companion.core.sensor_terms)."""
