"""Finds cards in a picture by their four edges.

Any cloth will do, and cards may touch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]
"""Points (x, y) in px; the last axis is 2."""
Lab = NDArray[np.float32]
"""A picture in CIE L*a*b* (D65): H x W x 3, L 0 to 100."""

SHORTEST, LONGEST = 36.0, 230.0
"""Shortest and longest side (px) of a card that is searched. Larger cards are found in a reduced picture."""
ASPECTS = (0.56, 0.86)
"""Range of a card's aspect (short side divided by long side): 0.58 (tarot) to 0.77 (squarish tiles), plus
tilt."""
_SEGMENT = 12.0
"""_SEGMENT: shortest straight edge (px) that is used."""
_PARALLEL, _SQUARE = 12.0, 16.0
"""Limits in degrees, wide because of perspective. _PARALLEL: greatest angle between opposite sides. _SQUARE:
greatest deviation of a corner from 90."""
_MOST_PIECES = 700
"""_MOST_PIECES: number of straight edges that are used, the longest ones. A patterned cloth has thousands."""
_WAYS, _MOST_A_WAY = 36, 60
"""_WAYS: number of classes of direction into which edges are sorted. _MOST_A_WAY: edges of one class that come
before the rest of all classes, because a striped cloth fills one class."""
_SEEN = (0.2, 0.4)
"""Least lengths of the edges on two opposite sides, as shares of their distance: on the fainter side, and on
the clearer one."""
NEAR, MOST_ALIKE = 0.07, 6
"""NEAR: outlines that differ by less than this share of their size count as one. MOST_ALIKE: outlines kept
with nearly the same middle: a card, its frame, its sleeve."""
_MOST_QUADS = 4000
"""_MOST_QUADS: number of the best supported outlines that are examined."""
_ROUND = 0.13
"""_ROUND: share of a side that is ignored at each end, because of round corners and neighbours."""
_SAMPLES = 16
_STRAIGHT = 0.3
"""_STRAIGHT: tangent of the largest angle between the normal of a side and a gradient that belongs to the
side."""
_SUPPORT, _WEAKEST = 0.65, 0.15
"""_SUPPORT: least share of a card's outline that is an edge. _WEAKEST: least such share of its weakest side."""


@dataclass(frozen=True, slots=True, eq=False)
class Quad:
    """Possible card outline: corners (4 x 2 px), clockwise.

    `support`: share of the outline that is an edge in the picture (0 to 1).
    """

    corners: Points
    support: float

    @property
    def area(self) -> float:
        """Area of the outline in square px."""
        return float(cv2.contourArea(self.corners))


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Straight edges in a picture, and its gradients.

    `segments`: n x 2 x 2, two end points (px) each. `slope_x`, `slope_y`: gradient of the L*a*b* channel that
    is steepest at each px (units of L* per px). `least`: steepness from which a px belongs to an edge.
    """

    segments: Points
    slope_x: NDArray[np.float32]
    slope_y: NDArray[np.float32]
    least: float


def find_edges(lab: Lab) -> Edges:
    """Find straight edges in a picture's lightness and colours.

    `lab`: the picture in L*a*b*. Gradients are in units of L* per px.
    """
    soft = cv2.GaussianBlur(lab, (0, 0), 0.9)
    slope_x, slope_y = cv2.Scharr(soft, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(soft, cv2.CV_32F, 0, 1) / 32
    steep = slope_x**2 + slope_y**2
    best = steep.argmax(axis=2)[:, :, None]
    steepest_x, steepest_y = (
        np.take_along_axis(np.asarray(slope, np.float32), best, 2)[:, :, 0] for slope in (slope_x, slope_y)
    )
    least = max(0.6, 2.5 * float(np.sqrt(np.median(steep.max(axis=2)[::4, ::4]))))
    found = []
    for channel, gain in ((0, 2.55), (1, 2.2), (2, 2.2)):
        plane = np.clip((soft[:, :, channel] - (50 if channel == 0 else 0)) * gain + 128, 0, 255)
        lines = _line_detector().detect(plane.astype(np.uint8))[0]
        if lines is not None:
            found.append(np.reshape(lines, (-1, 2, 2)))
    segments = np.concatenate(found) if found else np.zeros((0, 2, 2), np.float32)
    return Edges(_without_repetition(segments.astype(np.float32)), steepest_x, steepest_y, least)


def find_quads(
    edges: Edges,
    aspects: tuple[float, float] = ASPECTS,
    sides: tuple[float, float] = (SHORTEST, LONGEST),
    near: float = NEAR,
    most_alike: int = MOST_ALIKE,
) -> list[Quad]:
    """Find outlines of cards by four visible sides, best first.

    One card may give several. `aspects`: range of short side divided by long side. `sides`: range of a side
    (px). `near`, `most_alike`: how many similar outlines are kept, see `distinct`.
    """
    pieces = edges.segments
    if len(pieces) < 4:
        return []
    strips = _strips(pieces, sides)
    corners = _rungs(pieces, strips, aspects, sides)
    support, weakest = outline_support(edges, corners)
    good = (support >= _SUPPORT) & (weakest >= _WEAKEST)
    quads = [Quad(c, float(s)) for c, s in zip(corners[good], support[good], strict=True)]
    return distinct(quads, near, most_alike)


def distinct(quads: Sequence[Quad], near: float = NEAR, most_alike: int = MOST_ALIKE) -> list[Quad]:
    """Keep the best supported of alike outlines; best first.

    Two outlines are alike if every corner differs by less than `near` of their size. At most `most_alike` with
    nearly the same middle are kept.
    """
    ordered = sorted(quads, key=lambda quad: (-quad.support, -quad.area))[:_MOST_QUADS]
    if not ordered:
        return []
    corners = np.stack([_from_top(quad.corners) for quad in ordered])
    size = np.sqrt([quad.area for quad in ordered])
    centres = corners.mean(axis=1)
    kept: list[int] = []
    for k in range(len(ordered)):
        rivals = np.array(kept, np.intp)
        if kept:
            rivals = rivals[np.abs(centres[rivals] - centres[k]).max(axis=1) < 0.15 * size[k]]
        if len(rivals) < most_alike and not any(
            np.abs(corners[rivals] - corners[k]).max(axis=(1, 2)) < near * size[k]
        ):
            kept.append(k)
    return [ordered[k] for k in kept]


def outline_support(edges: Edges, corners: Points) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Share (0 to 1) of each outline that is an edge, and that of its weakest side.

    Two arrays of n. `corners`: outlines (n x 4 x 2 px).
    """
    if not len(corners):
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    height, width = edges.slope_x.shape
    at = np.linspace(_ROUND, 1 - _ROUND, _SAMPLES, dtype=np.float32)[:, None]
    start, along = corners, np.roll(corners, -1, axis=1) - corners
    normal = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + 1e-6
    points = start[:, :, None] + at * along[:, :, None]
    strongest = np.zeros(points.shape[:3], np.float32)
    for off in (-1.0, 0.0, 1.0):
        spot = points + off * normal[:, :, None]
        x = np.clip(np.rint(spot[..., 0]), 0, width - 1).astype(np.intp)
        y = np.clip(np.rint(spot[..., 1]), 0, height - 1).astype(np.intp)
        slope_x, slope_y = edges.slope_x[y, x], edges.slope_y[y, x]
        across = np.abs(slope_x * normal[:, :, None, 0] + slope_y * normal[:, :, None, 1])
        along_too = np.abs(slope_x * normal[:, :, None, 1] - slope_y * normal[:, :, None, 0])
        strongest = np.maximum(strongest, np.where(along_too < _STRAIGHT * across, across, 0))
    share = (strongest > edges.least).mean(axis=2)
    return share.mean(axis=1), share.min(axis=1)


@cache
def _line_detector() -> cv2.LineSegmentDetector:
    # A scale of 0.6 detects edges softened by a poor lens, at half the cost of the default 0.8.
    return cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, 0.6)


def _without_repetition(segments: Points) -> Points:
    """Drop straight edges (n x 2 x 2 px) that are short or repeat a longer one.

    At most 700 are kept, the longest first.
    """
    length = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    order = np.argsort(-length, kind="stable")
    order = order[length[order] >= _SEGMENT]
    order = order[_of_all_ways(segments[order])][: 2 * _MOST_PIECES]
    segments, length = segments[order], length[order]
    kept = np.ones(len(segments), bool)
    for k in range(len(segments)):
        if not kept[k]:
            continue
        start, along = segments[k, 0], (segments[k, 1] - segments[k, 0]) / length[k]
        off = segments[k + 1 :] - start
        far = np.abs(off[..., 0] * along[1] - off[..., 1] * along[0]).max(axis=1)
        place = off @ along
        inside = (place.min(axis=1) > -3) & (place.max(axis=1) < length[k] + 3)
        kept[k + 1 :] &= ~((far < 1.5) & inside)
    return segments[kept][:_MOST_PIECES]


def _of_all_ways(segments: Points) -> NDArray[np.intp]:
    """Order straight edges so that all directions come early.

    Returns indices: 60 edges of each of 36 classes of direction come before all others. `segments`: n x 2 x 2
    px.
    """
    x, y = (segments[:, 1] - segments[:, 0]).T
    way = (np.arctan2(y, x) % np.pi / np.pi * _WAYS).astype(np.intp) % _WAYS
    rank = np.zeros(len(segments), np.intp)
    for one in range(_WAYS):
        mine = np.nonzero(way == one)[0]
        rank[mine] = np.arange(len(mine))
    return np.argsort(rank >= _MOST_A_WAY, kind="stable")


def _strips(pieces: Points, sides: tuple[float, float]) -> NDArray[np.intp]:
    """Find pairs of straight edges (n x 2 indices) that may be opposite sides of a card.

    Such edges are nearly parallel, beside each other, and a side apart. `pieces`: the edges. `sides`: range of
    a side (px).
    """
    start, end = pieces[:, 0], pieces[:, 1]
    length = np.linalg.norm(end - start, axis=1)
    along = (end - start) / length[:, None]
    middle = (start + end) / 2
    parallel = np.abs(along @ along.T) > np.cos(np.radians(_PARALLEL))
    first, second = np.nonzero(np.triu(parallel, 1))
    way = along[first] + along[second] * np.sign((along[first] * along[second]).sum(axis=1))[:, None]
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    between = middle[second] - middle[first]
    apart = np.abs(between[:, 0] * way[:, 1] - between[:, 1] * way[:, 0])
    shift = np.abs((between * way).sum(axis=1))
    beside = shift < (length[first] + length[second]) / 2 + 0.2 * apart
    visible = (np.minimum(length[first], length[second]) > _SEEN[0] * apart) & (
        np.maximum(length[first], length[second]) > _SEEN[1] * apart
    )
    good = (apart > sides[0]) & (apart < sides[1]) & beside & visible
    return np.stack([first[good], second[good]], axis=1)


def _rungs(
    pieces: Points, strips: NDArray[np.intp], aspects: tuple[float, float], sides: tuple[float, float]
) -> Points:
    """Find two edges across each pair of opposite sides: the outlines (n x 4 x 2 px).

    `pieces`: all straight edges. `strips`: the pairs (indices). The two edges lie a card's length from each
    other. `aspects`, `sides`: ranges of short side divided by long side, and of a side (px).
    """
    start, end = pieces[:, 0], pieces[:, 1]
    along = (end - start) / np.linalg.norm(end - start, axis=1, keepdims=True)
    found = []
    for i, j in strips:
        way = along[i] + along[j] * np.sign(along[i] @ along[j])
        way /= np.linalg.norm(way)
        normal = np.array([-way[1], way[0]], np.float32)
        base = normal @ (start[i] + end[i]) / 2
        depth = normal @ (start[j] + end[j]) / 2 - base
        cross = np.abs(along @ way) < np.sin(np.radians(_SQUARE))
        picked = np.nonzero(cross)[0]
        across = np.stack([start[picked] @ normal - base, end[picked] @ normal - base]) / depth
        covered = np.clip(across.max(axis=0), 0, 1) - np.clip(across.min(axis=0), 0, 1)
        picked = picked[covered > 0.3]
        if len(picked) < 2:
            continue
        place = (start[picked] + end[picked]) @ way / 2
        # Only pieces near the visible parts of the pair's own sides.
        reach = np.array([start[i] @ way, end[i] @ way, start[j] @ way, end[j] @ way])
        near = (place > reach.min() - 0.35 * abs(depth)) & (place < reach.max() + 0.35 * abs(depth))
        picked, place = picked[near], place[near]
        gap = place[None] - place[:, None]
        ratio = np.minimum(gap, abs(depth)) / np.maximum(np.maximum(gap, abs(depth)), 1e-3)
        k, m = np.nonzero((gap > sides[0]) & (gap < sides[1]) & (ratio > aspects[0]) & (ratio < aspects[1]))
        if len(k):
            found.append(np.stack([np.full(len(k), i), np.full(len(k), j), picked[k], picked[m]]))
    if not found:
        return np.zeros((0, 4, 2), np.float32)
    lines = _lines(pieces)
    first, second, upper, lower = (lines[number] for number in np.concatenate(found, axis=1))
    corners = [_meet(first, upper), _meet(first, lower), _meet(second, lower), _meet(second, upper)]
    return _clockwise(np.stack(corners, axis=1))


def _lines(pieces: Points) -> NDArray[np.float64]:
    """Lines through straight edges: homogeneous coordinates (n x 3)."""
    ends = np.concatenate([pieces, np.ones((*pieces.shape[:2], 1))], axis=2)
    return _cross(ends[:, 0], ends[:, 1])


def _meet(first: NDArray[np.float64], second: NDArray[np.float64]) -> Points:
    point = _cross(first, second)
    return np.asarray(point[:, :2] / point[:, 2:], np.float32)


def _cross(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cross products of the rows of two arrays (n x 3), five times as fast as NumPy's."""
    a, b, c = u.T
    d, e, f = v.T
    return np.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=1)


def _clockwise(corners: Points) -> Points:
    """Reorder corners (n x 4 x 2 px) so that outlines are clockwise as seen."""
    x, y = corners[..., 0], corners[..., 1]
    turn = (x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)
    return np.where((turn < 0)[:, None, None], corners[:, ::-1], corners)


def _from_top(corners: Points) -> Points:
    """Reorder an outline: its upper left corner comes first."""
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
