"""The printed terms of Sleepless Princess, for sentences in any language: princesses, cards, mattresses."""

from collections.abc import Mapping
from functools import cache

from companion.core.language import Text, term, text
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    KIND_TEXT,
    UNKNOWN,
    WITCH,
    princess_names,
)

_CARDS: Mapping[int, Text] = {
    UNKNOWN: term("card", "a card"),
    BLANKET: term("card", "blanket"),
    WITCH: term("card", "witch"),
}


def princess(kind: int) -> str:
    """The name of a princess by her type (from 0): the rulebook's, the family's, or a number."""
    return princess_names()[kind]


def card(kind: int) -> str:
    """A deck card in words."""
    return _CARDS.get(kind) or KIND_TEXT[kind]


def mattress(face: int) -> str:
    """A mattress in words; "a mattress" while nobody knows it."""
    if face < 0:
        return UNKNOWN_MATTRESS
    name = princess(face >> 1)
    return _enchanted(name) if face & 1 else name


UNKNOWN_MATTRESS = text("a mattress")


@cache
def _enchanted(name: str) -> str:
    return text("enchanted {name}", name=name)


def group(values: tuple[int, ...], covered: int | None, value: int) -> str:
    """A group of a play: a card, a sum, or a card of which a blanket covers some."""
    if covered is not None and values == (covered,) and covered != value:
        return text("{value} under a blanket", value=card(covered))
    return "+".join(map(str, values))


PLACES = (
    term("place", "bed {number}"),
    term("place", "pad"),
    term("place", "row"),
    term("place", "play"),
    term("place", "deck"),
    term("place", "discard"),
    term("place", "glass"),
    term("place", "foot {number}"),
)
"""What stations and zones are called (companion.core.sensor_terms)."""
