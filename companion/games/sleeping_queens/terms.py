"""Terms of Sleeping Queens in any language: queens, cards."""

from collections.abc import Mapping

from companion.core.language import Text, plural, term, text
from companion.games import number_words
from companion.games.sleeping_queens.rules.kinds import KIND_TEXT, QUEEN_NAMES, UNKNOWN

QUEENS: Mapping[str, Text] = {
    "Rose": term("queen", "Rose"),
    "Cake": term("queen", "Cake"),
    "Rainbow": term("queen", "Rainbow"),
    "Starfish": term("queen", "Starfish"),
    "Ladybug": term("queen", "Ladybug"),
    "Moon": term("queen", "Moon"),
    "Peacock": term("queen", "Peacock"),
    "Sunflower": term("queen", "Sunflower"),
    "Cat": term("queen", "Cat"),
    "Dog": term("queen", "Dog"),
    "Pancake": term("queen", "Pancake"),
    "Heart": term("queen", "Heart"),
}
_CARDS: Mapping[str, Text] = {
    "KI": term("card", "king"),
    "JE": term("card", "jester"),
    "KN": term("card", "knight"),
    "PO": term("card", "sleeping potion"),
    "WA": term("card", "wand"),
    "DR": term("card", "dragon"),
}
_ONE: Mapping[str, Text] = {
    "KI": text("a king"),
    "JE": text("a jester"),
    "KN": text("a knight"),
    "PO": text("a sleeping potion"),
    "WA": text("a wand"),
    "DR": text("a dragon"),
}
_YOURS: Mapping[str, Text] = {
    "KI": text("your king"),
    "JE": text("your jester"),
    "KN": text("your knight"),
    "PO": text("your sleeping potion"),
    "WA": text("your wand"),
    "DR": text("your dragon"),
}

SECTIONS: Mapping[str, Text] = {
    "Discard one or more cards": term("section", "Discard one or more cards"),
    "Special Queen Powers": term("section", "Special Queen Powers"),
    "Queenly Questions": term("section", "Queenly Questions"),
    "Ending the Game": term("section", "Ending the Game"),
}
"""English title of a rulebook section -> title in the language of the screen."""


def queen(number: int) -> Text:
    """Name of a queen (number 0 to 11)."""
    return QUEENS[QUEEN_NAMES[number]]


def card(kind: int) -> str:
    """Name of a hand card of a kind (0 to 16), without article: "king", "8"."""
    if kind == UNKNOWN:
        return term("card", "unread card")
    return _CARDS.get(KIND_TEXT[kind]) or KIND_TEXT[kind]


def one(kind: str) -> Text:
    """Name of a hand card with its article: "a king".

    `kind` is its notation, e.g. "KI" or "8".
    """
    return _ONE.get(kind) or number_words.a_number(int(kind))


def yours(kind: int) -> Text:
    """Name of a hand card of the listener: "your king"."""
    return _YOURS.get(KIND_TEXT[kind]) or number_words.your_number(kind)


def unread(count: int) -> Text:
    """Words for `count` unread cards: "a card", "2 cards"."""
    return plural("a card", "{n} cards", n=count)


PLACES = (
    term("place", "player {number}"),
    term("place", "queen {number}"),
    term("place", "discard"),
    term("place", "play"),
    term("place", "draw"),
)
"""Names of zones and stations for people. `{number}` is filled in by companion.core.sensor_terms."""
