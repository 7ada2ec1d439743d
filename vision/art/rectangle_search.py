"""Finds rectangles of known sizes by edges along their four sides, in a picture from straight above."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A colour picture, H x W x 3."""
Plane = NDArray[np.uint8]
MOST = 160
"""MOST: number of rectangles of one picture that are examined further, the strongest ones."""

_STEEP = 60.0
"""_STEEP: difference (levels, 0 to 255, over two px) from which an edge counts in full; a weaker edge counts
in part."""
_STEP_DEG, _WAYS = 5.0, 18
"""_STEP_DEG: step (degrees) between directions that are tried. _WAYS: number of such steps in a right angle."""
_USUAL = (0, 1, 17)
"""_USUAL: directions always tried (in steps), because people lay cards square to the mat."""
_OTHERS, _WAY_LEAST, _WAY_PX = 2, 0.2, 50.0
"""_OTHERS: number of further directions that are tried, those of most edges. A direction needs the share
_WAY_LEAST of the edges of the most frequent one, and at least _WAY_PX px of edges."""
_LENGTH = 0.84
"""_LENGTH: share of a side that is examined, because corners are round."""
_BESIDE = 0.8
"""_BESIDE: weight of an edge that lies one px beside its place; in its place it counts 1."""
_SUPPORT, _WEAKEST = 0.30, 0.06
"""Thresholds (0 to 1) of a rectangle: _SUPPORT for the mean strength of its four sides, _WEAKEST for its
weakest side."""
_HIDDEN = round(255 * _SUPPORT)
"""_HIDDEN: strength (0 to 255) assumed for an edge that is hidden. It speaks neither for nor against a card."""
_PEAKS_MOST = 60
"""_PEAKS_MOST: most rectangles found of one size and direction."""
_SAME = 0.06
"""_SAME: tolerance, as a share of the shorter side. Rectangles of one size and direction count as one if their
middles are nearer than twice it. Sides that differ by less than it make a square."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Rectangle of a searched size, found in a picture.

    `x`, `y`: middle (px). `size`: index into the sizes that were searched. `angle`: clockwise turn of its
    first side (0 to 180 degrees). `support`: mean strength of its sides (0 to 1).
    """

    x: float
    y: float
    size: int
    angle: float
    support: float


def find_rectangles(
    picture: Image,
    sizes: Sequence[tuple[float, float]],
    directions: Sequence[float],
    most: int = MOST,
    shows: Plane | None = None,
    known: Sequence[NDArray[np.float32]] = (),
) -> list[Rectangle]:
    """Find rectangles of known sizes, strongest sides first.

    `sizes`: width and height (px) of each size. `directions`: degrees, -45 to 45; sides lie along or across
    one. `most`: most rectangles returned. `shows`: mask, 0 where sides may be hidden. `known`: outlines (4 x 2
    px, clockwise) in which no middle may lie. Empty for a picture below 8 px.
    """
    if min(picture.shape[:2]) < 8 or not sizes:
        return []
    found: list[Rectangle] = []
    for angle in directions:
        turned, back = _turned(picture, angle)
        across, down = _edges(turned)
        if shows is not None:
            hides = _turned(np.asarray(255 * (1 - shows), np.uint8), angle)[0] > 127
            across[hides] = down[hides] = _HIDDEN
        for index, (w, h) in enumerate(sizes):
            for extra, (wide, tall) in ((0.0, (w, h)), (90.0, (h, w))):
                middles, support = _peaks(across, down, wide, tall)
                middles = middles @ back.T
                free = ~_within(middles, known)
                turn = (angle + extra) % 180
                for (x, y), one in zip(middles[free].tolist(), support[free].tolist(), strict=True):
                    found.append(Rectangle(x, y, index, turn, one))
                if _square(w, h):
                    break  # a square has four equal turns
    found.sort(key=lambda one: -one.support)
    return _distinct(found, sizes, most)


def directions(picture: Image, shows: Plane | None = None, tried: Sequence[float] = ()) -> list[float]:
    """Choose directions (degrees, -45 to 45) in which sides of cards may lie.

    Returns directions near 0, then those of most edges. `shows`: mask of the picture, 0 where edges are not
    counted. `tried`: directions tried before; if given, only directions of most edges are returned, none near
    a tried one.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    gx, gy = (cv2.Sobel(gray, cv2.CV_32F, *order, ksize=3, scale=1 / 4) for order in ((1, 0), (0, 1)))
    strong = np.minimum(cv2.magnitude(gx, gy), _STEEP)
    strong[strong < _STEEP / 6] = 0
    if shows is not None:
        strong[shows == 0] = 0
    way = cv2.convertScaleAbs(cv2.phase(gx, gy, angleInDegrees=True), alpha=1 / _STEP_DEG)
    whole_turn = np.bincount(way.ravel(), strong.ravel(), 5 * _WAYS)
    counts = whole_turn.reshape(5, _WAYS).sum(axis=0)
    counts = counts + 0.5 * (np.roll(counts, 1) + np.roll(counts, -1))
    least = max(_WAY_LEAST * float(counts.max()), _WAY_PX * _STEEP)
    # Edges of a card that lies between two directions count for both.
    known = [(round(angle / _STEP_DEG) + beside) % _WAYS for angle in tried for beside in (-1, 0, 1)]
    counts[known or list(_USUAL)] = 0
    order = [int(n) for n in np.argsort(-counts, kind="stable")[:_OTHERS] if counts[n] > least]
    ways = order if tried else [*_USUAL, *order]
    return [_STEP_DEG * (n if 2 * n <= _WAYS else n - _WAYS) for n in ways]


def _turned(picture: NDArray[np.uint8], angle: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Turn a picture until a direction becomes level.

    `angle`: the direction (degrees). Also returns the matrix (2 x 3) from px of the turned picture back.
    """
    height, width = picture.shape[:2]
    if angle == 0:
        return picture, np.array([(1.0, 0, 0), (0, 1, 0)])
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    w = math.ceil(width * abs(cos) + height * abs(sin))
    h = math.ceil(width * abs(sin) + height * abs(cos))
    back = np.array([(cos, -sin, 0.0), (sin, cos, 0.0)])
    back[:, 2] = np.array((width, height)) / 2 - back[:, :2] @ (w / 2, h / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(picture, back, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, np.uint8), back


def _edges(picture: Image) -> tuple[Plane, Plane]:
    """Strength (0 to 255) of upright edges at each px, and that of level ones.

    The channel in which an edge is steepest counts.
    """
    planes = []
    for order in ((1, 0), (0, 1)):
        slope = cv2.Sobel(picture, cv2.CV_16S, *order, ksize=3)
        steep = cv2.convertScaleAbs(slope, alpha=255 / (4 * _STEEP), beta=0)
        first, second, third = cv2.split(steep)
        planes.append(cv2.max(cv2.max(first, second), third))
    # An edge may lie a pixel beside its place, for somewhat less: cards are not exactly of one size.
    near = (cv2.convertScaleAbs(plane, alpha=_BESIDE) for plane in planes)
    shapes = ((1, 3), (3, 1))
    wide = (cv2.dilate(plane, np.ones(shape, np.uint8)) for plane, shape in zip(near, shapes, strict=True))
    upright, level = (cv2.max(plane, around) for plane, around in zip(planes, wide, strict=True))
    return np.asarray(upright, np.uint8), np.asarray(level, np.uint8)


def _peaks(upright: Plane, level: Plane, w: float, h: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find upright rectangles of `w` x `h` px: their middles and support (0 to 1).

    A middle is (x, y, 1) in px. `upright`, `level`: strength of edges, as `_edges` returns it.
    """
    height, width = upright.shape
    wide, tall = round(w), round(h)
    if width <= wide or height <= tall:
        return np.zeros((0, 3)), np.zeros(0)
    # Odd windows lie around their pixel.
    sides = cv2.blur(upright, (1, int(_LENGTH * h) | 1))
    ends = cv2.blur(level, (int(_LENGTH * w) | 1, 1))
    # Value (i, j) is of the rectangle with its upper left corner at row i, column j.
    middle_row, middle_column = tall // 2, wide // 2
    left = sides[middle_row : middle_row + height - tall, : width - wide]
    right = sides[middle_row : middle_row + height - tall, wide:]
    top = ends[: height - tall, middle_column : middle_column + width - wide]
    bottom = ends[tall:, middle_column : middle_column + width - wide]
    support = cv2.addWeighted(
        cv2.addWeighted(left, 0.5, right, 0.5, 0), 0.5, cv2.addWeighted(top, 0.5, bottom, 0.5, 0), 0.5, 0
    )
    weakest = cv2.min(cv2.min(left, right), cv2.min(top, bottom))
    reach = 2 * max(2, round(_SAME * min(w, h))) + 1
    best = cv2.dilate(support, np.ones((reach, reach), np.uint8))
    good = (support >= best) & (support >= 255 * _SUPPORT) & (weakest >= 255 * _WEAKEST)
    at = np.flatnonzero(good)  # several times faster than np.nonzero of rows and columns
    strength = support.ravel()[at]
    first = np.argsort(-strength.astype(np.int16), kind="stable")[:_PEAKS_MOST]
    ys, xs = np.divmod(at[first], good.shape[1])
    middles = np.column_stack([xs + wide / 2, ys + tall / 2, np.ones(len(first))])
    return middles, strength[first] / 255


def _distinct(found: Sequence[Rectangle], sizes: Sequence[tuple[float, float]], most: int) -> list[Rectangle]:
    """Keep the strongest of rectangles that count as one.

    At most `most` are kept. Rectangles count as one if size and direction are equal, and the middles near. A
    square has one direction.
    """
    groups: dict[tuple[int, float], list[Rectangle]] = {}
    for one in found:
        w, h = sizes[one.size]
        groups.setdefault((one.size, 0.0 if _square(w, h) else one.angle), []).append(one)
    kept: list[Rectangle] = []
    for (index, _), mine in groups.items():
        x, y = np.array([(one.x, one.y) for one in mine], np.float32).T
        same = np.abs(x - x[:, None]) + np.abs(y - y[:, None]) < 2 * _SAME * min(sizes[index])
        fresh = np.ones(len(mine), np.bool_)
        for n, one in enumerate(mine):
            if fresh[n]:
                kept.append(one)
                fresh &= ~same[n]
    return sorted(kept, key=lambda one: -one.support)[:most]


def _within(points: NDArray[np.float64], outlines: Sequence[NDArray[np.float32]]) -> NDArray[np.bool_]:
    """True for each point (n x 2) within an outline.

    `outlines`: 4 x 2, clockwise.
    """
    inside = np.zeros(len(points), np.bool_)
    for outline in outlines:
        along = np.roll(outline, -1, axis=0) - outline
        to_point = points[:, None] - outline
        inside |= (along[:, 0] * to_point[..., 1] - along[:, 1] * to_point[..., 0] >= 0).all(axis=1)
    return inside


def _square(w: float, h: float) -> bool:
    return abs(w - h) < _SAME * w
