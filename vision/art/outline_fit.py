"""Refines a card's outline by fitting sides to many points.

Such a point is where the colour beside the card ends.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import card_sides
from vision.art.quad_finder import Lab, Points

Line = NDArray[np.float64]
"""Line a x + b y + c = 0 along a card's side, as (a, b, c).

The normal (a, b) has length 1 and points out of the card.
"""

_POINTS, _ROUND = 48, 0.1
"""_POINTS: points measured on a side. _ROUND: share of a side left out at each end, because corners are
round."""
_STEP = 0.5
"""_STEP: distance (px) between samples across a side."""
_UNLIKE, _SPREADS = 4.0, 4.0
"""Thresholds for the end of the surroundings: their colour changes by more than _UNLIKE (L*a*b*), and by more
than _SPREADS median differences."""
_RISE = 5.0
"""_RISE: width (px) within which an edge is assumed to reach its full height."""
_FLAT = 0.3
"""_FLAT: share of its steepest slope below which an edge has stopped rising."""
_NEAR = 0.7
"""_NEAR: largest distance (px) from the line of a side at which a point counts as lying on it."""
_ENOUGH = 0.35
"""_ENOUGH: least share of a side's points that must lie on one line."""


def sides_of(outline: Points) -> list[Line]:
    """Turn an outline into its four lines.

    `outline`: 4 x 2 px, clockwise. The first line runs from corner 0 to corner 1.
    """
    sides = []
    for start, end in zip(outline.astype(np.float64), np.roll(outline, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.array([along[1], -along[0]])
        sides.append(np.append(outward, -outward @ start))
    return sides


def corners_between(sides: list[Line]) -> Points:
    """Turn four lines into the outline (4 x 2 px, clockwise) between them."""
    corners = np.stack([np.cross(sides[k - 1], sides[k]) for k in range(4)])
    return np.asarray(corners[:, :2] / corners[:, 2:], np.float32)


def where_ends(
    lab: Lab,
    outline: Points,
    around: tuple[float, float],
    within: tuple[float, float],
    *,
    rim: bool = False,
) -> list[Line | None]:
    """Find, for each side of an outline, the line where the colour beside the card ends.

    None for a side without such a line. Distances are in card widths, outwards from the outline. `lab`: the
    picture. `around`: where the colour is measured. `within`: where its end is searched. `rim`: a narrow rim
    may surround a picture that differs far more; the edge then ends where it stops rising.
    """
    width = min(card_sides(outline))
    lines: list[Line | None] = []
    for k, side in enumerate(sides_of(outline)):
        share = np.linspace(_ROUND, 1 - _ROUND, _POINTS)[:, None]
        at = outline[k] + share * (outline[(k + 1) % 4] - outline[k])
        ranges = [(low * width, high * width) for low, high in (around, within)]
        points = _ends(lab, at, side[:2], ranges[0], ranges[1], rim)
        lines.append(_line(points, side))
    return lines


def _ends(
    lab: Lab,
    at: NDArray[np.float64],
    outward: NDArray[np.float64],
    around: tuple[float, float],
    within: tuple[float, float],
    rim: bool,
) -> NDArray[np.float64]:
    """Find the points (m x 2 px) where the colour beside a card's side ends.

    The lines across the side go through the points `at`, in direction `outward`. `lab`: the picture in L*a*b*.
    `around`, `within`: as in `where_ends`, but in px; `rim` as there. Lines without an end are left out.
    """
    beside = _sampled(lab, at[:, None] + np.linspace(around[0], around[1], 6)[:, None] * outward).reshape(-1, 3)
    colour = np.median(beside, axis=0)
    least = max(_UNLIKE, _SPREADS * float(np.median(np.linalg.norm(beside - colour, axis=1))))
    depth = np.arange(within[0], within[1], -_STEP)
    unlike = np.linalg.norm(_sampled(lab, at[:, None] + depth[:, None] * outward) - colour, axis=2)
    over = unlike > least
    # Three samples in a row, so that a speck is no end.
    ended = over[:, :-2] & over[:, 1:-1] & over[:, 2:]
    rise = int(_RISE / _STEP)
    found = []
    for point, row, first, any_end in zip(at, unlike, ended.argmax(axis=1), ended.any(axis=1), strict=True):
        if not any_end or first == 0:
            continue
        half = (_plateau(row[first : first + rise]) if rim else row[first : first + rise].max()) / 2
        low = max(0, first - rise)
        k = low + int((row[low : first + rise] > half).argmax())
        if k:
            share = (half - row[k - 1]) / max(row[k] - row[k - 1], 1e-6)
            found.append(point + (depth[k - 1] - _STEP * float(np.clip(share, 0, 1))) * outward)
    return np.array(found).reshape(-1, 2)


def _plateau(rising: NDArray[np.float64]) -> float:
    """Level at which samples across an edge first stop rising."""
    slopes = np.diff(rising)
    steepest = np.maximum.accumulate(slopes)
    flat = (slopes < _FLAT * steepest) & (steepest > 0)
    return float(rising[int(flat.argmax())] if flat.any() else rising.max())


def _line(points: NDArray[np.float64], side: Line) -> Line | None:
    """Fit the line through most points of a card's side.

    The line is directed like `side`; `points` are n x 2 px. None if too few points lie on one line.
    """
    if len(points) < _ENOUGH * _POINTS:
        return None
    first, second = np.triu_indices(len(points), len(points) // 4)
    along = points[second] - points[first]
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    near = np.abs(normals @ points.T - (normals * points[first]).sum(axis=1)[:, None]) < _NEAR
    mine = points[near[int(near.sum(axis=1).argmax())]]
    if len(mine) < _ENOUGH * _POINTS:
        return None
    middle = mine.mean(axis=0)
    normal = np.linalg.svd(mine - middle)[2][1]
    normal *= np.sign(normal @ side[:2])
    return np.append(normal, -normal @ middle)


def _sampled(lab: Lab, points: NDArray[np.float64]) -> NDArray[np.float32]:
    x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    return np.asarray(cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
