"""Decides whether two sightings show one card in one place, and which cards are seen in several places."""

import math
from collections.abc import Iterable, Sequence

from vision.scene.camera_reports import CardSeen

Places = tuple[tuple[str, float, float], ...]
"""Zone, x and y (mm) of each sighting of a card."""

_COVERS_MM = 15.0
"""_COVERS_MM: half of a sticker; a card this near lies on the other's sticker, or beneath it."""
_SAME_MM, _SAME_DEGREES = 5.0, 10.0
"""A card that is read again within this distance (mm) and turn (degrees) has not moved."""


def same_place(a: CardSeen, b: CardSeen) -> bool:
    """True if both sightings show one unmoved card.

    It may be turned.
    """
    return a.code == b.code and abs(a.x - b.x) < _SAME_MM and abs(a.y - b.y) < _SAME_MM


def same_spot(a: CardSeen, b: CardSeen) -> bool:
    """True if one card's sticker would cover the other's."""
    return math.hypot(a.x - b.x, a.y - b.y) < _COVERS_MM


def same_cards(a: Sequence[CardSeen], b: Sequence[CardSeen]) -> bool:
    """True if both sightings hold equal cards in equal places.

    Small differences are tolerated.
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
    """Code -> all its places, for codes at several places.

    `cards`: (zone, card) of each sighting.
    """
    places: dict[str, Places] = {}
    for zone, card in cards:
        places[card.code] = (*places.get(card.code, ()), (zone, card.x, card.y))
    return {code: where for code, where in places.items() if len(where) > 1}


def _same_angle(a: CardSeen, b: CardSeen) -> bool:
    return abs((a.angle - b.angle + 180) % 360 - 180) < _SAME_DEGREES
