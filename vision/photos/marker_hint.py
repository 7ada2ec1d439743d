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
"""_PIXELS: number of px to which the picture is reduced, about, by a whole factor. Beside large codes it
is reduced further."""
_OF_CODE = 1 / 6
"""_OF_CODE: side of the smallest marker beside codes, divided by the side of the smallest code that was read.

A guess: on one sheet markers are hardly smaller. Measured on 300 drawn sheets with a code of 80 to 200 px: a
marker of a quarter of its side is seen on 95 % (99 % in the whole picture), of a fifth on 61 % (93 %).
"""
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

    Places of `codes`, which are read already, do not count. Beside large codes only large markers are looked
    for, in a smaller picture.
    """
    areas = [cv2.contourArea(np.asarray(code.corners, np.float32)) for code in codes]
    marker_px = max(_READ_PX, _OF_CODE * math.sqrt(min(areas, default=0.0)))
    small, factor = _reduced(gray, marker_px)
    if min(small.shape) < 2 * _LEAST_PX:
        return False
    dark = cv2.adaptiveThreshold(small, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _WINDOW, _DARKER)
    _, labels, stats, centres = _areas(np.asarray(dark, np.uint8))
    least = max(_LEAST_PX, math.ceil(marker_px / factor))
    # The first area is what is not dark. Most others are specks.
    labelled = 1 + np.flatnonzero(np.minimum(stats[1:, 2], stats[1:, 3]) >= least)
    boxes, centres = stats[labelled, :4], centres[labelled]
    w, h, area = boxes[:, 2], boxes[:, 3], stats[labelled, 4]
    likely = (np.maximum(w, h) <= _SLENDER * np.minimum(w, h)) & (area >= _FILLED * w * h)
    aside = np.abs(centres - (boxes[:, :2] + (boxes[:, 2:] - 1) / 2)) / boxes[:, 2:]
    likely &= aside.max(axis=1) <= _ASIDE
    for code in codes:
        corners = np.asarray(code.corners) / factor
        likely &= ((centres < corners.min(axis=0)) | (centres > corners.max(axis=0))).any(axis=1)
    for label in labelled[likely]:
        left, top, wide, tall, covered = (int(v) for v in stats[label])
        mine = (labels[top : top + tall, left : left + wide] == label).astype(np.uint8)
        quad = _quad(mine, covered)
        if quad is not None and _is_marker(gray, (quad + np.array((left, top), np.float32)) * factor):
            return True
    return False


def _reduced(gray: Gray, marker_px: float) -> tuple[Gray, int]:
    """Reduce a picture in which markers have at least `marker_px` px a side.

    Returns the picture, and the whole factor by which its sides were divided.
    """
    factor = max(1, round((gray.size / _PIXELS) ** 0.5))
    size = (gray.shape[1] // factor, gray.shape[0] // factor)
    if not all(size):
        return gray, 1
    small = cv2.resize(gray[: size[1] * factor, : size[0] * factor], size, interpolation=cv2.INTER_AREA)
    # Halving takes a tenth of the time that another factor takes.
    while marker_px >= 2 * factor * _LEAST_PX:
        small = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        factor *= 2
    return np.asarray(small, np.uint8), factor


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
