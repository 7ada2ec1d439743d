"""Terms of Sleeping Queens 2: cards, knights, rulebook sections.

They exist in any language.
"""

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
from companion.games.sleeping_queens_2.rules.parts import ANY, Parts, symbol_name

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
"""English colour of a knight -> its name. Colours that a family typed are shown as typed."""
POWERS: Mapping[Knight, Text] = {
    Knight.MATH: text("one more or less"),
    Knight.WITCH: text("shield against witches"),
    Knight.REROLL: text("may roll a 1 again"),
    Knight.DRAW: text("one card more"),
    Knight.WILLOW: text("shield against willows"),
    Knight.SIX: text("six cards kept"),
}
"""Knight -> its power, in words."""
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
"""English title of a rulebook section -> title in the language of the screen."""


def card(kind: int, parts: Parts) -> str:
    """Name of a card without article.

    Queens and companions by number: "queen 3".

    `parts`: printed parts, which say what companion fits every queen.
    """
    if kind in QUEENS:
        return term("card", "queen {number}", number=kind - QUEENS.start + 1)
    if kind in COMPANIONS:
        number = kind - COMPANIONS.start + 1
        if symbol(kind, parts) == ANY:
            return term("card", "companion {number} (any queen)", number=number)
        return term("card", "companion {number}", number=number)
    return _CARDS.get(kind) or KIND_TEXT[kind]


def one(kind: int, parts: Parts) -> Text:
    """Name of a card with its article: "a 5".

    Queens and companions are unique: "queen 3".

    `parts`: printed parts, which say what companion fits every queen.
    """
    if kind == UNKNOWN:
        return unread()
    if kind in QUEENS:
        return term("one card", "queen {number}", number=kind - QUEENS.start + 1)
    if kind in COMPANIONS:
        number = kind - COMPANIONS.start + 1
        if symbol(kind, parts) == ANY:
            return term("one card", "companion {number} (any queen)", number=number)
        return term("one card", "companion {number}", number=number)
    return _ONE.get(kind) or number_words.a_number(int(KIND_TEXT[kind]))


def one_to_choose(kind: int, parts: Parts) -> Text:
    """Name of a card with its article, in a list to choose from.

    Queens and companions are named with their symbol (see `parts`).
    """
    letter = symbol(kind, parts)
    name = symbol_name(letter, parts)
    if kind in QUEENS:
        number = kind - QUEENS.start + 1
        return term("one card", "queen {number} (symbol {symbol})", number=number, symbol=name)
    if kind in COMPANIONS and letter != ANY:
        number = kind - COMPANIONS.start + 1
        return term("one card", "companion {number} (symbol {symbol})", number=number, symbol=name)
    return one(kind, parts)


def symbol(kind: int, parts: Parts) -> str:
    """Letter of the symbol by which queens and companions fit each other; "" for other cards.

    `parts`: printed parts of the box.
    """
    if kind in QUEENS:
        return parts.queens[kind - QUEENS.start]
    return parts.companions[kind - COMPANIONS.start] if kind in COMPANIONS else ""


def unread() -> Text:
    """Words for one unread card: "a card"."""
    return plural("a card", "{n} cards", n=1)


def counted(kind: int, count: int) -> Text:
    """Words for `count` spell books or instant cards of a kind: "2 spell books"."""
    return _COUNTED[kind].of(n=count)


def colour(knight: int, parts: Parts) -> str:
    """Knight's colour on the family's box (`parts`), in words."""
    told = parts.colours[knight]
    return _COLOURS.get(told, told)


PLACES = (
    term("place", "companion {number}"),
    term("place", "kings {number}"),
    term("place", "die"),
    term("place", "show"),
)
"""Names for people of the zones that only this game has. `{number}` is filled in by
companion.core.sensor_terms."""
