"""Draws a card's outline anew where its surroundings end: each side by many points, found between pixels."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import card_sides
from vision.art.quad_finder import Lab, Points

Line = NDArray[np.float64]
"""a, b, c with a x + b y + c = 0 and a normal (a, b) of length 1 that points out of the card."""

_POINTS, _ROUND = 48, 0.1
"""Points on a side, and the share of it at each end that is left out: corners are round."""
_STEP = 0.5
"""Pixels between samples across a side."""
_UNLIKE, _SPREADS = 4.0, 4.0
"""The surroundings have ended where L*a*b* is farther from their colour than this, and than so many times their
own median distance from it."""
_RISE = 5.0
"""Pixels within which an edge has risen to its full height."""
_NEAR = 0.7
"""Pixels that a point may be off its line."""
_ENOUGH = 0.35
"""Share of the points of a side that must lie on one line."""


def sides_of(outline: Points) -> list[Line]:
    """The four lines of an outline (4 x 2 px, clockwise), first that from its first to its second corner."""
    sides = []
    for start, end in zip(outline.astype(np.float64), np.roll(outline, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.array([along[1], -along[0]])
        sides.append(np.append(outward, -outward @ start))
    return sides


def corners_between(sides: list[Line]) -> Points:
    """The inverse of sides_of."""
    corners = np.stack([np.cross(sides[k - 1], sides[k]) for k in range(4)])
    return np.asarray(corners[:, :2] / corners[:, 2:], np.float32)


def where_ends(
    lab: Lab, outline: Points, around: tuple[float, float], within: tuple[float, float]
) -> list[Line | None]:
    """For each side the line along which the colour that lies beside it ends; None where there is no such line.

    All distances are shares of the card's width, outwards from the outline: the colour is that of
    `around`, its end is looked for `within`, from the first to the second.
    """
    width = min(card_sides(outline))
    lines: list[Line | None] = []
    for k, side in enumerate(sides_of(outline)):
        share = np.linspace(_ROUND, 1 - _ROUND, _POINTS)[:, None]
        at = outline[k] + share * (outline[(k + 1) % 4] - outline[k])
        points = _ends(
            lab, at, side[:2], (around[0] * width, around[1] * width), (within[0] * width, within[1] * width)
        )
        lines.append(_line(points, side))
    return lines


def _ends(
    lab: Lab,
    at: NDArray[np.float64],
    outward: NDArray[np.float64],
    around: tuple[float, float],
    within: tuple[float, float],
) -> NDArray[np.float64]:
    """The points (m x 2) where the colour ends, on lines across a side through the points `at`."""
    beside = _sampled(lab, at[:, None] + np.linspace(around[0], around[1], 6)[:, None] * outward).reshape(-1, 3)
    colour = np.median(beside, axis=0)
    least = max(_UNLIKE, _SPREADS * float(np.median(np.linalg.norm(beside - colour, axis=1))))
    depth = np.arange(within[0], within[1], -_STEP)
    unlike = np.linalg.norm(_sampled(lab, at[:, None] + depth[:, None] * outward) - colour, axis=2)
    over = unlike > least
    # Three in a row: a speck is no end.
    ended = over[:, :-2] & over[:, 1:-1] & over[:, 2:]
    rise = int(_RISE / _STEP)
    found = []
    for point, row, first, any_end in zip(at, unlike, ended.argmax(axis=1), ended.any(axis=1), strict=True):
        if not any_end or first == 0:
            continue
        half = row[first : first + rise].max() / 2
        low = max(0, first - rise)
        k = low + int((row[low : first + rise] > half).argmax())
        if k:
            share = (half - row[k - 1]) / max(row[k] - row[k - 1], 1e-6)
            found.append(point + (depth[k - 1] - _STEP * float(np.clip(share, 0, 1))) * outward)
    return np.array(found).reshape(-1, 2)


def _line(points: NDArray[np.float64], side: Line) -> Line | None:
    """The line on which most points lie, directed like `side`; None if too few do."""
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
