"""Tells a card from the clear sleeve around it: a sleeve's rim lets the cloth through and greys it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art_match import TALL, WIDE, card_sides, corners_of, pose_of
from vision.art_quads import Edges, Lab, Points, outline_support

_RIMS = tuple(0.02 + 0.005 * step for step in range(8))
"""Widths of a rim that are tried, shares of the card's width: sleeves stand out by 1.5 to 3.5 mm."""
_SUPPORT, _WEAKEST = 0.9, 0.6
"""Share of the inner outline, and of its weakest side, that must be an edge."""
_OUTSIDE = 0.04
"""Where cloth is looked at, share of the card's width beyond the outline."""
_GREY = (0.04, 0.45)
"""Light that a rim adds, share of white: printed borders are darker or paler."""
_OFF = 0.05
"""Root mean square by which a rim may differ from greyed cloth, share of its brightness."""
_SAMPLES = 16


def without_sleeve(lab: Lab, edges: Edges, outline: Points) -> Points:
    """The card's corners within those of its sleeve; `outline` itself if there is no sleeve.

    `outline` is 4 x 2 px, clockwise, on plain cloth; `edges` are those of `lab`.
    """
    inner = np.stack([_inset(outline, rim) for rim in _RIMS])
    support, weakest = outline_support(edges, inner)
    seen = np.nonzero((support >= _SUPPORT) & (weakest >= _WEAKEST))[0]
    if not len(seen):
        return outline
    # An edge is seen at two or three neighbouring widths; further ones are of the card's own frame.
    first = int(seen[0])
    last = first
    while last + 1 in seen:
        last += 1
    number = (first + last) // 2
    light = np.asarray(cv2.cvtColor(lab, cv2.COLOR_Lab2LBGR), np.float32)
    cloth = _along(light, _inset(outline, -_OUTSIDE))
    rim = _along(light, _inset(outline, _RIMS[number] / 2))
    through = np.stack([cloth, np.ones_like(cloth)], axis=1)
    solved = np.linalg.lstsq(through, rim, rcond=None)[0]
    off = float(np.sqrt(np.mean((through @ solved - rim) ** 2))) / float(rim.mean() + 1e-6)
    sleeve = off < _OFF and solved[0] > 0 and _GREY[0] < solved[1] < _GREY[1]
    return np.asarray(inner[number], np.float32) if sleeve else outline


def _inset(outline: Points, rim: float) -> Points:
    """The outline with a rim less on all four sides, share of its shorter sides."""
    across, down = card_sides(outline)
    short = min(across, down)
    x, y = 1 - 2 * rim * short / across, 1 - 2 * rim * short / down
    middle = (WIDE - 1) / 2, (TALL - 1) / 2
    smaller = np.array([[x, 0, middle[0] * (1 - x)], [0, y, middle[1] * (1 - y)], [0, 0, 1]])
    return corners_of(pose_of(outline) @ smaller)


def _along(light: NDArray[np.float32], outline: Points) -> NDArray[np.float32]:
    """Median linear light of each side without its rounded corners: blue, green, red of each, 12 numbers."""
    at = np.linspace(0.15, 0.85, _SAMPLES, dtype=np.float32)[:, None]
    points = outline[:, None] + at * (np.roll(outline, -1, axis=0) - outline)[:, None]
    height, width = light.shape[:2]
    x = np.clip(np.rint(points[..., 0]), 0, width - 1).astype(np.intp)
    y = np.clip(np.rint(points[..., 1]), 0, height - 1).astype(np.intp)
    return np.asarray(np.median(light[y, x], axis=1).ravel(), np.float32)
