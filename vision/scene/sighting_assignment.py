"""Decides whether two sightings show one card in one place.

Also tells which cards are seen in several places.
"""

import math
from collections.abc import Iterable, Sequence

from vision.scene.camera_reports import CardSeen

Places = tuple[tuple[str, float, float], ...]
"""Places at which a card is seen: zone, x and y (mm) of each."""

_COVERS_MM = 15.0
"""_COVERS_MM: distance (mm) below which a card lies on the other's sticker, or beneath it. It is half of a
sticker."""
_SAME_MM, _SAME_DEGREES = 5.0, 10.0
"""Distance (mm) and turn (degrees) within which a card that is read again has not moved."""


def same_place(a: CardSeen, b: CardSeen) -> bool:
    """True if two sightings show one unmoved card, perhaps turned.

    Its places differ by less than 5 mm in each direction.
    """
    return a.code == b.code and abs(a.x - b.x) < _SAME_MM and abs(a.y - b.y) < _SAME_MM


def same_spot(a: CardSeen, b: CardSeen) -> bool:
    """True if the sticker of one card would cover that of the other (within 15 mm)."""
    return math.hypot(a.x - b.x, a.y - b.y) < _COVERS_MM


def same_cards(a: Sequence[CardSeen], b: Sequence[CardSeen]) -> bool:
    """True if two readings have equal cards in equal places.

    Differences of less than 5 mm and 10 degrees are tolerated.
    """
    if len(a) != len(b):
        return False
    rest = list(b)
    for card in a:
        match = next((other for other in rest if same_place(card, other) and _same_angle(card, other)), None)
        if match is None:
            return False
        rest.remove(match)
    return True


def twins(cards: Iterable[tuple[str, CardSeen]]) -> dict[str, Places]:
    """Find the codes that are seen at several places: code -> (zone, x, y) of each.

    `cards`: (zone, card) of each sighting. Places are mm.
    """
    places: dict[str, Places] = {}
    for zone, card in cards:
        places[card.code] = (*places.get(card.code, ()), (zone, card.x, card.y))
    return {code: where for code, where in places.items() if len(where) > 1}


def _same_angle(a: CardSeen, b: CardSeen) -> bool:
    return abs((a.angle - b.angle + 180) % 360 - 180) < _SAME_DEGREES
