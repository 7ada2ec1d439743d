"""Tells which part of a card other cards, or a reflection, hide."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import TALL, WIDE, Matrix
from vision.art.rectangle_search import Image

LEAST_VISIBLE = 0.55
"""LEAST_VISIBLE: least share of a card that must be in sight for it to be named."""
_HIDDEN_LEAST = 0.05
"""_HIDDEN_LEAST: least share of a card that must be hidden for a search by its visible parts. With less, its
four sides suffice."""
_EDGES_TOO, _SHADOW_TOO = 1.12, 1.06
"""Factors by which a known card's outline is grown. _EDGES_TOO: to cover its edges and shadow. _SHADOW_TOO: to
cover its shadow on a card beneath."""


def overlaps(outline: NDArray[np.float32], taken: Sequence[NDArray[np.float32]]) -> bool:
    """True if known cards hide some of an outline, but leave enough to name it.

    `taken`: outlines of known cards.
    """
    return _HIDDEN_LEAST <= hidden_share(outline, taken) <= 1 - LEAST_VISIBLE


def hidden_share(outline: NDArray[np.float32], taken: Sequence[NDArray[np.float32]]) -> float:
    """Share (0 to 1) of an outline that lies under known cards.

    `taken`: outlines of the known cards. Where several overlap, the share may be above 1.
    """
    shares = (cv2.intersectConvexConvex(other, outline)[0] for other in taken)
    return float(sum(shares)) / cv2.contourArea(outline)


def uncovered(half: Image, taken: Sequence[NDArray[np.float32]]) -> NDArray[np.uint8]:
    """Mask a picture at half size: 0 on known cards and their edges, else 1.

    `taken`: outlines of the known cards in px of the whole picture.
    """
    shows = np.ones(half.shape[:2], np.uint8)
    for outline in taken:
        cv2.fillConvexPoly(shows, np.round(_grown(outline, _EDGES_TOO) / 2).astype(np.int32), (0,))
    return shows


def covered_part(
    pose: Matrix,
    outline: NDArray[np.float32],
    taken: Sequence[NDArray[np.float32]],
    shine: NDArray[np.uint8] | None = None,
) -> NDArray[np.bool_] | None:
    """Mask (TALL x WIDE) of a card: True where covered.

    `pose`: of the card. None if nothing does. `outline`: the card's corners. `taken`: outlines of other cards.
    `shine`: mask of a reflection.
    """
    mask = np.zeros((TALL, WIDE), np.uint8)
    if shine is not None:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        mask = np.asarray(cv2.warpPerspective(shine, pose, (WIDE, TALL), flags=flags), np.uint8)
        # What was drawn there reaches a little farther once it is turned and blurred.
        mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
    for other in taken:
        if cv2.intersectConvexConvex(other, outline)[0] > 0:
            on_card = cv2.perspectiveTransform(_grown(other, _SHADOW_TOO)[None], np.linalg.inv(pose))[0]
            cv2.fillConvexPoly(mask, np.round(on_card).astype(np.int32), (1,))
    return mask > 0 if mask.any() else None


def holds(outline: NDArray[np.float32], point: NDArray[np.float32]) -> bool:
    return cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), False) >= 0


def _grown(outline: NDArray[np.float32], times: float) -> NDArray[np.float32]:
    middle = outline.mean(axis=0)
    return np.asarray(middle + (outline - middle) * times, np.float32)
