"""The cards of Sleepless Princess: kinds as the rules count them, and the physical cards with their tags.

Rulebook, "Components": 60 helpers (6 copies of 1 to 10), 5 blankets, 4 witches, 30 mattresses (3 of
each of 10 types, one of the three smooth), 10 princess tiles, one looking glass.

Kinds of deck cards are small integers: 0 is a card not seen yet, 1 to 10 a helper of that value, 11 a
blanket, 12 a witch. A mattress face is 2 * type + smooth, type 0 to 9, or UNKNOWN_FACE.
"""

from collections.abc import Sequence
from functools import cache

from companion.core.language import term, text
from companion.games.api import UNKNOWN_KIND, PhysicalCard

UNKNOWN = 0
BLANKET = 11
WITCH = 12
UNKNOWN_FACE = -1

PAYLOAD_PREFIX = "SP1"
"""Game and version of the sticker table; what is printed today is read for ever."""

RULEBOOK_NAMES = (
    term("princess", "Watermelons"),
    term("princess", "Pizza"),
    term("princess", "Bats"),
    term("princess", "Scarfs"),
    term("princess", "Daisies"),
    term("princess", "Teddy Bear"),
)
"""The princesses that the rulebook names, types 0 to 5."""
PRINCESS_TYPES = 10
UNNAMED = tuple(
    text("Princess {number}", number=number) for number in range(len(RULEBOOK_NAMES) + 1, PRINCESS_TYPES + 1)
)
"""What princesses are called whom neither the rulebook nor the family names."""
LONGEST_NAME = 12
"""Characters: hints and screens have room for so many."""

_family: list[str] = []


@cache
def princess_names() -> tuple[str, ...]:
    """The names of all princesses; those that nobody named go by their number."""
    named = (*RULEBOOK_NAMES, *_family)
    return (*named, *UNNAMED[len(_family) :])


def name_princesses(names: Sequence[str]) -> None:
    """The family's names for princesses 7 to 10, for all words of this program; those left out go by number.

    ValueError for more than four names, one twice, one too long or one that does not print.
    """
    most = PRINCESS_TYPES - len(RULEBOOK_NAMES)
    if len(names) > most:
        raise ValueError(f"{len(names)} names of princesses, {most} are wanted at most")
    for name in names:
        if not (name.isprintable() and name == name.strip() and 0 < len(name) <= LONGEST_NAME):
            raise ValueError(f"{name!r} is no name of 1 to {LONGEST_NAME} characters")
    if len({*RULEBOOK_NAMES, *names}) != len(RULEBOOK_NAMES) + len(names):
        raise ValueError("two princesses have the same name")
    _family[:] = names
    princess_names.cache_clear()
    catalogue.cache_clear()


KIND_TEXT = (UNKNOWN_KIND, *(str(value) for value in range(1, 11)), "B", "W")
"""A deck card's kind as text; the index is the kind."""
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXT)}


def face_of(princess: int, smooth: bool) -> int:
    """The face of a mattress of type `princess` (0 to 9)."""
    return 2 * princess + smooth


def face_text(face: int) -> str:
    """A mattress face as text: 3t is type 3 textured, 3s smooth, ? unknown."""
    return "?" if face < 0 else f"{face >> 1}{'s' if face & 1 else 't'}"


def face_from_text(word: str) -> int:
    """The inverse of face_text; ValueError for anything else."""
    if word == "?":
        return UNKNOWN_FACE
    if len(word) == 2 and word[0].isdecimal() and word[0].isascii() and word[1] in "ts":
        return face_of(int(word[0]), word[1] == "s")
    raise ValueError(f"not a mattress: {word!r} (wanted 0t to 9t, 0s to 9s or ?)")


GLASS_MARKER = 20
"""Marker on both sides of the looking glass."""


@cache
def catalogue(*, helpers_up_to: int, witches: int, smooth: bool, glass: bool) -> tuple[PhysicalCard, ...]:
    """Every physical card of a variant.

    Codes: H07C is the third copy of helper 7, B2 a blanket, W1 a witch, M3A and M3B the textured
    mattresses of type 3 and M3S the smooth one, P3A the awake side of princess 3's tile and P3D the
    dreaming side, G the glass. Kinds are what notation and expectations use: 7, B, W, 3t, 3s, P3A, P3D, G.
    """

    def sticker(code: str, kind: str, name: str, texture: str | None = None) -> PhysicalCard:
        return PhysicalCard(code, kind, name, payload=PAYLOAD_PREFIX + code, texture=texture)

    cards = [
        sticker(f"H{value:02d}{copy}", str(value), text("helper {value}", value=value))
        for value in range(1, helpers_up_to + 1)
        for copy in "ABCDEF"
    ]
    cards += [sticker(f"B{n}", "B", term("card", "blanket")) for n in range(1, 6)]
    cards += [sticker(f"W{n}", "W", term("card", "witch")) for n in range(1, witches + 1)]
    for princess, name in enumerate(princess_names()):
        kind = f"{princess}t"
        cards += [
            sticker(f"M{princess}{copy}", kind, text("{name} mattress", name=name), kind) for copy in "AB"
        ]
        if smooth:
            cards.append(
                sticker(f"M{princess}S", f"{princess}s", text("enchanted {name} mattress", name=name), "")
            )
        cards.append(PhysicalCard(f"P{princess}A", f"P{princess}A", name, marker=2 * princess))
        cards.append(
            PhysicalCard(
                f"P{princess}D", f"P{princess}D", text("{name}, asleep", name=name), marker=2 * princess + 1
            )
        )
    if glass:
        cards.append(PhysicalCard("G", "G", term("card", "looking glass"), marker=GLASS_MARKER))
    return tuple(cards)
