"""The cards of Sleepless Princess: kinds for the rules, and every physical card with its sticker.

Rulebook, "Components": 60 helpers (6 copies of 1 to 10), 5 blankets, 4 witches, 10 princess tiles, one looking
glass. 30 mattresses: 3 of each of 10 types, one of the three smooth.

A kind of a deck card is a number: 0 an unseen card, 1 to 10 a helper of that value, 11 a blanket, 12 a witch.
A mattress face is 2 * type + smooth (type 0 to 9, smooth 0 or 1), or UNKNOWN_FACE.
"""

from collections.abc import Sequence
from functools import cache

from companion.core.language import term, text
from companion.games.appearance import PhysicalCard
from companion.games.signs import UNKNOWN_KIND

UNKNOWN = 0
BLANKET = 11
WITCH = 12
UNKNOWN_FACE = -1

PAYLOAD_PREFIX = "SP1"
"""Start of the text in every QR sticker of the game.

It names the game and the version of its stickers. It must never change, because printed stickers have it.
"""

RULEBOOK_NAMES = (
    term("princess", "Watermelons"),
    term("princess", "Pizza"),
    term("princess", "Bats"),
    term("princess", "Scarfs"),
    term("princess", "Daisies"),
    term("princess", "Teddy Bear"),
)
"""Names of princess types 0 to 5, from the rulebook."""
PRINCESS_TYPES = 10
"""Number of princess types (rulebook, "Components")."""
UNNAMED = tuple(
    text("Princess {number}", number=number) for number in range(len(RULEBOOK_NAMES) + 1, PRINCESS_TYPES + 1)
)
"""Default names of princess types 6 to 9: "Princess 7" to "Princess 10"."""
LONGEST_NAME = 12
"""Largest number of characters in a princess's name: more do not fit on screens."""

_family: list[str] = []


@cache
def princess_names() -> tuple[str, ...]:
    """Names of princess types 0 to 9: the rulebook's, then the family's, then default names."""
    named = (*RULEBOOK_NAMES, *_family)
    return (*named, *UNNAMED[len(_family) :])


def name_princesses(names: Sequence[str]) -> None:
    """Set the family's names for princess types 6 to 9.

    A type without a name keeps the default one. ValueError for more than four names, one given twice, one over
    LONGEST_NAME characters, or one that cannot be printed.
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
"""Text of each kind of deck card (the index) in the notation."""
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXT)}


def face_of(princess: int, smooth: bool) -> int:
    """Face of a mattress, as a number: 2 * `princess` (type 0 to 9), plus 1 if smooth."""
    return 2 * princess + smooth


def face_text(face: int) -> str:
    """A face in notation: 3t is textured of type 3, 3s smooth of type 3, ? unknown."""
    return "?" if face < 0 else f"{face >> 1}{'s' if face & 1 else 't'}"


def face_from_text(word: str) -> int:
    """Parse a face in notation, e.g. "3t"; "?" is UNKNOWN_FACE.

    Inverse of `face_text`; ValueError for other text.
    """
    if word == "?":
        return UNKNOWN_FACE
    if len(word) == 2 and word[0].isdecimal() and word[0].isascii() and word[1] in "ts":
        return face_of(int(word[0]), word[1] == "s")
    raise ValueError(f"not a mattress: {word!r} (wanted 0t to 9t, 0s to 9s or ?)")


GLASS_MARKER = 20
"""Fiducial id on both sides of the looking glass."""


@cache
def catalogue(*, helpers_up_to: int, witches: int, smooth: bool, glass: bool) -> tuple[PhysicalCard, ...]:
    """Every physical card of a variant.

    `helpers_up_to`: highest helper. `witches`: their number.

    `smooth`, `glass`: whether smooth mattresses and the looking glass are included. Codes: H07C is the
    third copy of helper 7, B2 a blanket, W1 a witch, G the glass. M3A and M3B are the textured mattresses
    of type 3, M3S is the smooth one. P3A is the awake side of the tile of princess 3, P3D the dreaming
    side. Kinds, used in notation and expectations: 7, B, W, 3t, 3s, P3A, P3D, G.
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
