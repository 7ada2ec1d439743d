"""Printed terms in any language: princesses, cards, mattresses."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from companion.core.language import Text, listed, plural, term, text
from companion.games import number_words
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


_ONE: Mapping[int, Text] = {
    BLANKET: plural("a blanket", "{n} blankets", n=1),
    WITCH: plural("a witch", "{n} witches", n=1),
}


def princess(kind: int) -> str:
    """Name of a princess type (0 to 9): the rulebook's, the family's, or "Princess" with a number."""
    return princess_names()[kind]


def card(kind: int) -> str:
    """Name of a deck card, without article: "blanket", "5"."""
    return _CARDS.get(kind) or KIND_TEXT[kind]


def one(kind: int) -> str:
    """Deck card's name with its article: "a 5", "a blanket"."""
    if kind == UNKNOWN:
        return term("card", "a card")
    return _ONE.get(kind) or number_words.a_number(kind)


def the(kind: int) -> Text:
    """Words for a card that was mentioned before: "the 5"."""
    return text("the blanket") if kind == BLANKET else number_words.the_number(kind)


def the_open(kind: int) -> Text:
    """Words for an open row's card: "the open 5"."""
    return text("the open blanket") if kind == BLANKET else number_words.the_open_number(kind)


def yours(kinds: Iterable[int]) -> str:
    """Words for the listener's cards.

    For example "your two fives and your blanket".
    """
    return listed([_yours(kind, copies) for kind, copies in sorted(Counter(kinds).items())])


def _yours(kind: int, copies: int) -> Text:
    if kind == BLANKET:
        return plural("your blanket", "your {n} blankets", n=copies)
    if copies == 1:
        return number_words.your_number(kind)
    several = text("your two {numbers}") if copies == 2 else text("your {n} {numbers}")
    return several.of(n=copies, numbers=number_words.numbers(kind))


def mattress(face: int) -> str:
    """Name of a mattress, e.g. "enchanted Pizza" (smooth).

    `face`: 2 * princess type (0 to 9) + smooth (0 or 1). Below 0 it is unknown: "a mattress".
    """
    if face < 0:
        return UNKNOWN_MATTRESS
    name = princess(face >> 1)
    return _enchanted(name) if face & 1 else name


UNKNOWN_MATTRESS = text("a mattress")


@cache
def _enchanted(name: str) -> str:
    return text("enchanted {name}", name=name)


def group(values: tuple[int, ...], covered: int | None, value: int) -> str:
    """One group of a play in words: a card, a sum, or a card under a blanket.

    `values`: its kinds. `covered`: kind under the blanket; None without one. `value`: common value of the
    play's groups.
    """
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
"""Names of zones and stations for people. `{number}` is filled in by companion.core.sensor_terms."""
