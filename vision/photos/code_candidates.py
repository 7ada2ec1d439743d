"""Finds, cuts out and straightens possible codes in a photograph."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.code_reader import Corners
from vision.codes.sticker_set import Gray

Matrix = NDArray[np.float64]
"""Homography, 3 x 3, from px of a cut-out place to px of the picture."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in px. Right and bottom are exclusive."""

BENDS = tuple((axis, bow) for size in (0.05, 0.12) for axis in (1, 0) for bow in (-size, size))
"""Curvatures tried for a code on a bottle: (axis, bow).

`axis` 0: the bottle is upright, 1: it lies. `bow`: how far the middle of a row bends, as a share of half the
code's side. Measured: of 104 codes on drawn bottles these read 33, with 0.08 and 0.16 instead 25.
"""
_ROLLED = 0.7
"""Half of the angle (radians) over which a code on a bottle is assumed to spread: half-way between flat and
the most that is visible."""
_MARGIN = 0.15
"""White margin on each side of a straightened place, as a share of the side."""
_MODULE_PX, _UPRIGHT_MOST = 5.0, 700
"""_MODULE_PX: pixels per module (cell of a code) of a straightened place. _UPRIGHT_MOST: greatest side (px) of
such a place."""

_CELL = 16
"""Side (px) of the squares for which texture (see _STEP_PX) is measured."""
_STEP_ROWS, _STEP_PX = 4, 2
"""Texture is the mean difference of pixels _STEP_PX apart, measured in one of every _STEP_ROWS rows."""
_NOISE = 3.0
"""_NOISE: least texture (grey levels) of a place that may be a code; noise alone may give as much."""
_FINE, _LIKE_CODES = 0.35, 0.5
"""Least texture of a place that may be a code. _FINE: as a share of the picture's finest texture. _LIKE_CODES:
as a share of the texture of codes, if some were read."""
_STRETCHED = 3.0
"""_STRETCHED: greatest factor between the sides of a place that may be a code, because codes are square."""
_RIM = 1.3
"""Size of a code with its white margin, divided by the code's size."""
_PLACE_PX, _ENLARGE_MOST = 700.0, 2.0
"""_PLACE_PX: length (px) to which a place's longer side is scaled. _ENLARGE_MOST: greatest factor of this
scaling."""


@dataclass(frozen=True, slots=True, eq=False)
class Unread:
    """QR code located in a picture but not decoded.

    `corners`: of the code (px). `modules`: number of its cells along a side.
    """

    corners: Corners
    modules: int

    @property
    def area(self) -> float:
        """Area of the code in square px."""
        return cv2.contourArea(np.array(self.corners, np.float32))

    @property
    def side(self) -> int:
        """Side (px, at most 700) of the straightened place.

        Five pixels for each module (cell of the code), margin included.
        """
        return min(round(_MODULE_PX * self.modules / (1 - 2 * _MARGIN)), _UPRIGHT_MOST)

    def upright(self, gray: Gray, side: int) -> tuple[Gray, Matrix]:
        """Straighten the code's place to `side` px square, with margin.

        Returns the square, and the matrix (3 x 3) from its px back to the picture's.
        """
        near, far = _MARGIN * side, (1 - _MARGIN) * side
        square = np.array([(near, near), (far, near), (far, far), (near, far)], np.float32)
        quad = np.array(self.corners, np.float32)
        back = np.asarray(cv2.getPerspectiveTransform(square, quad), np.float64)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        picture = cv2.warpPerspective(gray, back, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(picture, np.uint8), back


def unrolled(upright: Gray, axis: int, bow: float) -> Gray:
    """Unroll a straightened code as if from a bottle.

    `axis`, `bow`: how it is bent, one of BENDS.
    """
    x, y = _unroll(upright.shape[0], axis, bow)
    flat = cv2.remap(upright, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def fine_places(gray: Gray, known: Sequence[Corners], most: int) -> list[Box]:
    """Find a picture's finest textures, where codes may be.

    Largest first, at most `most`. `known`: corners (px) of codes that are left out.
    """
    height, width = (side // _CELL for side in gray.shape)
    if min(height, width) < 2:
        return []
    rows = gray[: height * _CELL : _STEP_ROWS, : width * _CELL]
    steps = np.zeros(rows.shape, np.uint8)
    steps[:, _STEP_PX:] = cv2.absdiff(rows[:, _STEP_PX:], rows[:, :-_STEP_PX])
    fine = cv2.resize(steps, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    fine = np.asarray(cv2.blur(fine, (3, 3), borderType=cv2.BORDER_CONSTANT), np.float32)
    usual = []
    for corners in known:
        code = np.array(corners, np.float32) / _CELL - 0.5
        left, top = np.clip(np.floor(code.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
        right, bottom = np.clip(np.ceil(code.max(axis=0)), (left + 1, top + 1), (width, height)).astype(int)
        usual.append(float(fine[top:bottom, left:right].mean()))
        rim = code.mean(axis=0) + (code - code.mean(axis=0)) * _RIM
        cv2.fillConvexPoly(fine, np.round(rim).astype(np.int32), (0,))
    least = _LIKE_CODES * float(np.median(usual)) if usual else _FINE * float(fine.max())
    stats = cv2.connectedComponentsWithStats((fine > max(_NOISE, least)).astype(np.uint8))[2][1:]
    stats = stats[np.argsort(-stats[:, cv2.CC_STAT_AREA], kind="stable")]
    boxes = []
    for left, top, across, down, _ in stats.tolist():
        if min(across, down) >= 2 and max(across, down) <= _STRETCHED * min(across, down):
            ends = (left + across + 1) * _CELL, (top + down + 1) * _CELL
            boxes.append((max(0, left - 1) * _CELL, max(0, top - 1) * _CELL, *ends))
    return boxes[:most]


def scaled(gray: Gray, box: Box) -> tuple[Gray, Matrix]:
    """Scale the place `box` of a picture to the size at which codes are read best.

    Returns the scaled place, and the matrix (3 x 3) from its px back to the picture's.
    """
    left, top, right, bottom = box
    part = gray[top:bottom, left:right]
    factor = min(_PLACE_PX / max(part.shape), _ENLARGE_MOST)
    kind = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    picture = np.asarray(cv2.resize(part, None, fx=factor, fy=factor, interpolation=kind), np.uint8)
    # The centre of a pixel stays the centre of a pixel.
    off = (1 / factor - 1) / 2
    return picture, np.array([(1 / factor, 0, left + off), (0, 1 / factor, top + off), (0, 0, 1)])


def sharpened(gray: Gray, width: int, gain: float = 3.0) -> Gray:
    """Sharpen a picture by amplifying local differences.

    `width`: side (px) of the square whose mean a pixel is compared with. `gain`: 3 adds three times the
    difference.
    """
    return np.asarray(cv2.addWeighted(gray, 1 + gain, cv2.blur(gray, (width, width)), -gain, 0), np.uint8)


@cache
def _unroll(side: int, axis: int, bow: float) -> Sequence[NDArray[Any]]:
    """Maps for cv2.remap that unroll a code from a cylinder, in fixed-point form.

    `side`: of the square picture (px). Seen from the front, a point at the angle a of a cylinder appears at
    sin(a). Seen a little from above, rows bow like a parabola, which is close to a circle near its top.
    """
    half = (0.5 - _MARGIN) * side
    at = (np.arange(side, dtype=np.float32) + 0.5 - side / 2) / half
    along = np.sin(at * _ROLLED) / np.sin(_ROLLED) * half + side / 2 - 0.5
    across = np.arange(side)[:, None] - bow * half * (1 - at * at)
    x = np.tile(along, (side, 1)).astype(np.float32)
    y = across.astype(np.float32)
    if axis:
        x, y = np.ascontiguousarray(y.T), np.ascontiguousarray(x.T)
    return cv2.convertMaps(x, y, cv2.CV_16SC2)
