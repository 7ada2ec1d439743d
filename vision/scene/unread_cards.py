"""Detects strangers: things as large as a card that came to lie in a zone and show no readable sticker."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.camera_reports import CardSeen

Outline = NDArray[np.float32]
"""Corners or border points in mm, n x 2, in order."""

_SIDES_MM = (35.0, 125.0)
"""Range of the sides of cards in a sleeve (mm), from mini to tarot. Fingers, and reflections on one sticker,
are narrower."""
_FILLED = 0.6
"""_FILLED: least share of its rectangle that a card's change covers, even if it looks like the cloth."""


def strangers(
    known: Sequence[Outline], changes: Sequence[Outline], cards: Sequence[CardSeen]
) -> tuple[Outline, ...]:
    """The `known` strangers that still lie there, and new ones.

    `changes`: outlines of changed places. `cards`: cards that were read in the zone, now or before. A card that
    was taken leaves a change as well, but it was read before.
    """
    left = tuple(
        box
        for box in known
        if not _any_card(cards, box) and not any(_holds(one, centre(box)) for one in changes)
    )
    places = [centre(box) for box in known]
    came = (
        box
        for one in changes
        if (box := _card_sized(one)) is not None
        and not _any_card(cards, box)
        and not any(_holds(box, place) for place in places)
    )
    return (*left, *came)


def centre(box: Outline) -> tuple[float, float]:
    """The middle of an outline, in mm."""
    x, y = box.mean(axis=0)
    return float(x), float(y)


def _card_sized(change: Outline) -> Outline | None:
    """The rectangle around a change of a card's size; None for any other."""
    rect = cv2.minAreaRect(change)
    w, h = rect[1]
    if not (_SIDES_MM[0] <= min(w, h) and max(w, h) <= _SIDES_MM[1]):
        return None
    return np.asarray(cv2.boxPoints(rect), np.float32) if cv2.contourArea(change) >= _FILLED * w * h else None


def _any_card(cards: Iterable[CardSeen], box: Outline) -> bool:
    return any(_holds(box, (card.x, card.y)) for card in cards)


def _holds(outline: Outline, place: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(outline, place, False) >= 0
