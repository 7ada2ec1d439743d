"""Finds the card inside a clear sleeve, whose rim shows the cloth, greyed."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import card_sides
from vision.art.outline_fit import corners_between, sides_of, where_ends
from vision.art.quad_finder import Lab, Points

_RIM, _RIM_ENDS = (-0.006, -0.014), (-0.01, -0.075)
"""_RIM: where a rim's colour is measured. _RIM_ENDS: where the rim may end. Both in card widths, outwards
from the outline. Sleeves are 1 to 4 mm wider than the card."""
_FOUND = 3
"""_FOUND: least number of sides on which the rim's end must be visible. The other sides get an equally wide
rim."""
_OUTSIDE = 0.04
"""_OUTSIDE: distance outside of the outline, in card widths, at which the cloth's colour is measured."""
_THROUGH, _GREY = (0.3, 0.9), (0.03, 0.36)
"""_THROUGH: range of the share of the cloth's light that a sleeve's clear rim lets through. _GREY: range of the
light that the rim adds, as a share of white. A card's printed border is darker or paler."""
_OFF = 0.05
"""_OFF: largest difference (rms) of a rim from greyed cloth, as a share of its brightness. A printed border
differs more."""
_SAMPLES = 16


def without_sleeve(lab: Lab, outline: Points) -> Points:
    """Corners (4 x 2 px) of a sleeved card.

    `outline`: the sleeve's corners, 4 x 2 px, clockwise, on plain cloth; returned unchanged if no sleeve is
    found. `lab`: the picture in L*a*b*.
    """
    width = min(card_sides(outline))
    sides = sides_of(outline)
    ends = where_ends(lab, outline, _RIM, _RIM_ENDS)
    rims = [
        -float(side @ np.append(_middle_of(outline, k), 1)) + float(end @ np.append(_middle_of(outline, k), 1))
        for k, (side, end) in enumerate(zip(sides, ends, strict=True))
        if end is not None
    ]
    if len(rims) < _FOUND or not _is_greyed_cloth(lab, outline, float(np.median(rims)) / width):
        return outline
    usual = np.array([0, 0, float(np.median(rims))])
    return corners_between(
        [side + usual if end is None else end for side, end in zip(sides, ends, strict=True)]
    )


def _is_greyed_cloth(lab: Lab, outline: Points, rim: float) -> bool:
    light = np.asarray(cv2.cvtColor(lab, cv2.COLOR_Lab2LBGR), np.float32)
    cloth, seen = _along(light, outline, _OUTSIDE), _along(light, outline, -rim / 2)
    spread = cloth - cloth.mean()
    through = float(np.clip(spread @ seen / (spread @ spread + 1e-6), *_THROUGH))
    grey = float((seen - through * cloth).mean())
    off = float(np.sqrt(np.mean((through * cloth + grey - seen) ** 2))) / float(seen.mean() + 1e-6)
    return off < _OFF and _GREY[0] < grey < _GREY[1]


def _middle_of(outline: Points, side: int) -> Points:
    return np.asarray((outline[side] + outline[(side + 1) % 4]) / 2, np.float32)


def _along(light: NDArray[np.float32], outline: Points, beyond: float) -> NDArray[np.float32]:
    """Median linear light along the four sides of an outline: 12 numbers (0 to 1).

    The numbers are blue, green and red of each side, without its rounded corners. `beyond`: distance outside
    of the outline in card widths; negative is inside.
    """
    away = np.array([0, 0, -beyond * min(card_sides(outline))])
    corners = corners_between([side + away for side in sides_of(outline)])
    at = np.linspace(0.15, 0.85, _SAMPLES, dtype=np.float32)[:, None]
    points = corners[:, None] + at * (np.roll(corners, -1, axis=0) - corners)[:, None]
    height, width = light.shape[:2]
    x = np.clip(np.rint(points[..., 0]), 0, width - 1).astype(np.intp)
    y = np.clip(np.rint(points[..., 1]), 0, height - 1).astype(np.intp)
    return np.asarray(np.median(light[y, x], axis=1).ravel(), np.float32)
