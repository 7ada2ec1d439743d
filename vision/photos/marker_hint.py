"""Checks quickly whether a photograph shows a printed marker.

The check is much cheaper than finding all markers.
"""

import math
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.code_reader import Code
from vision.codes.sticker_set import MARKER_COUNT, MARKER_DICTIONARY, MARKER_MODULES, Gray

_PIXELS = 500_000
"""_PIXELS: number of px to which the picture is reduced, about, by a whole factor."""
_WINDOW, _DARKER = 23, 10
"""_DARKER: grey levels by which a dark pixel is darker than the mean of _WINDOW px around it."""
_LEAST_PX, _SLENDER, _FILLED, _ASIDE = 7, 3, 0.2, 0.15
"""Limits for a marker's dark part. _LEAST_PX: least side (px of the reduced picture). _SLENDER: greatest
length divided by breadth.

_FILLED: least share of its bounding box that it covers. _ASIDE: largest distance of its centre from the box's,
as a share of the box's sides.
"""
_COVERED = (0.5, 1.1)
"""Area of a marker's dark part divided by the area within its outline: least, greatest.

Measured: 0.58 to 0.90 for 511 drawn markers at any turn, some blurred. Four fifths of other dark
quadrilaterals lie outside.
"""
_READ_PX = 12
"""_READ_PX: least side (px of the whole picture) of a marker that can be read."""
_RING_DARK = 0.9
"""_RING_DARK: least share of a marker's outer cells that must be dark."""
_CONTRAST = 25.0
"""_CONTRAST: least difference (grey levels) between light and dark cells of a marker."""
_CELLS = (np.arange(MARKER_MODULES, dtype=np.float32) + 0.5) / MARKER_MODULES
_CENTRES = np.stack(np.meshgrid(_CELLS, _CELLS), axis=-1).reshape(-1, 2)
"""Centres of a marker's cells in the unit square, row by row."""
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def shows_marker(gray: Gray, codes: Collection[Code] = ()) -> bool:
    """True if the picture shows a printed marker (ArUco MIP_36h12).

    Places of `codes`, which are read already, do not count.
    """
    factor = max(1, round((gray.size / _PIXELS) ** 0.5))
    size = (gray.shape[1] // factor, gray.shape[0] // factor)
    if min(size) < 2 * _LEAST_PX:
        return False
    whole = gray[: size[1] * factor, : size[0] * factor]
    small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    dark = cv2.adaptiveThreshold(small, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _WINDOW, _DARKER)
    _, labels, stats, centres = _areas(np.asarray(dark, np.uint8))
    w, h, area = stats[:, 2], stats[:, 3], stats[:, 4]
    short, long = np.minimum(w, h), np.maximum(w, h)
    least = max(_LEAST_PX, math.ceil(_READ_PX / factor))
    likely = (short >= least) & (long <= _SLENDER * short) & (area >= _FILLED * w * h)
    aside = np.abs(centres - (stats[:, :2] + (stats[:, 2:4] - 1) / 2)) / stats[:, 2:4]
    likely &= aside.max(axis=1) <= _ASIDE
    likely[0] = False
    for code in codes:
        corners = np.asarray(code.corners) / factor
        likely &= ((centres < corners.min(axis=0)) | (centres > corners.max(axis=0))).any(axis=1)
    for label in np.flatnonzero(likely):
        left, top, wide, tall, covered = (int(v) for v in stats[label])
        mine = (labels[top : top + tall, left : left + wide] == label).astype(np.uint8)
        quad = _quad(mine, covered)
        if quad is not None and _is_marker(gray, (quad + np.array((left, top), np.float32)) * factor):
            return True
    return False


def _areas(dark: NDArray[np.uint8]) -> Sequence[Any]:
    """Find a mask's connected areas, as `cv2.connectedComponentsWithStats` returns them.

    Labels have 16 bits where these suffice, which takes half the time.
    """
    try:
        return cv2.connectedComponentsWithStats(dark, connectivity=8, ltype=cv2.CV_16U)
    except cv2.error:
        return cv2.connectedComponentsWithStats(dark, connectivity=8)


def _quad(mask: NDArray[np.uint8], covered: int) -> NDArray[np.float32] | None:
    """Corners (4 x 2 px, at the outer edges) of a dark area that may be a marker.

    None if it is no quadrilateral, or filled otherwise than a marker. `mask`: 1 on the area. `covered`: its
    number of px.
    """
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    outline = max(outlines, key=len)
    if not _COVERED[0] * (enclosed := cv2.contourArea(outline)) <= covered <= _COVERED[1] * enclosed:
        return None
    quad = cv2.approxPolyDP(outline, 0.06 * cv2.arcLength(outline, True), True)
    if len(quad) != len(_SQUARE) or not cv2.isContourConvex(quad):
        return None
    corners = quad[:: 1 if cv2.contourArea(quad, True) > 0 else -1, 0].astype(np.float32)
    middle = corners.mean(axis=0)
    # A contour runs through the middles of its outermost pixels.
    return np.asarray(corners + 0.5 + 0.5 * np.sign(corners - middle), np.float32)


def _is_marker(gray: Gray, corners: NDArray[np.float32]) -> bool:
    """True if a quadrilateral shows a marker of the dictionary.

    `corners`: 4 x 2 px of the whole picture.
    """
    matrix = cv2.getPerspectiveTransform(_SQUARE, corners.astype(np.float32))
    points = cv2.perspectiveTransform(_CENTRES[None], matrix)[0]
    x = np.clip(points[:, 0], 0, gray.shape[1] - 1).astype(np.intp)
    y = np.clip(points[:, 1], 0, gray.shape[0] - 1).astype(np.intp)
    cells = gray[y, x].reshape(MARKER_MODULES, MARKER_MODULES)
    low, high = float(cells.min()), float(cells.max())
    if high - low < _CONTRAST:
        return False
    light = cells > (low + high) / 2
    inside = light[1:-1, 1:-1]
    outer = light.size - inside.size
    if (outer - (light.sum() - inside.sum())) < _RING_DARK * outer:
        return False
    off = np.abs(_patterns() - inside.ravel()).sum(axis=1)
    return bool(off.min() <= MARKER_DICTIONARY.maxCorrectionBits)


@cache
def _patterns() -> NDArray[np.int8]:
    """Inner cells of every marker, 1 where light: one row for each marker and turn."""
    side = MARKER_DICTIONARY.markerSize
    faces = [
        MARKER_DICTIONARY.getBitsFromByteList(MARKER_DICTIONARY.bytesList[n : n + 1], side)
        for n in range(MARKER_COUNT)
    ]
    return np.asarray([np.rot90(face, turn).ravel() for face in faces for turn in range(4)], np.int8)
