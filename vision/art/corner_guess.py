"""Guesses outlines of cards of which one corner is visible.

Other cards in the picture tell the size.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.quad_finder import Edges, Points, Quad, distinct, outline_support

_SQUARE = np.sin(np.radians(7.0))
"""_SQUARE: sine of the largest deviation of a card's corner from 90 degrees, measured on the table."""
_SEEN, _CLEARER = 0.2, 0.4
"""Least shares of a corner's two sides that are one straight edge: _SEEN on each side, _CLEARER on the clearer
one."""
_FROM_CORNER = 0.3
"""_FROM_CORNER: largest gap between a corner, which may be round, and the straight edge beside it, as a share
of the side."""
_LEVEL = 1.4e4
"""_LEVEL: weight in the fit of the assumption that equal cards have one size everywhere in the picture. One
card is measured to 3 %, and sizes change by 0.025 % a px."""
_SUPPORT = 0.4
"""_SUPPORT: least share of a guessed outline that is an edge in the picture."""
_MOST = 48
"""_MOST: most guesses that are returned for a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class CardSize:
    """Size of equal cards at any place of a picture.

    It is estimated from some cards. `shape` (2 x 2, determinant 1) maps directions on the table to px. The
    long side of a card at px (x, y) is exp(`size` @ (1, x, y)) units, its short side `aspect` times that.
    """

    shape: NDArray[np.float64]
    size: NDArray[np.float64]
    aspect: float

    @classmethod
    def of(cls, cards: Sequence[Points], aspect: float) -> "CardSize":
        """Estimate how large cards are from one or more equal cards in the picture.

        `cards`: outlines (4 x 2 px, from an upright card's upper left). `aspect`: short side divided by long
        side. Cards of one size lie in one plane. So each card's affine map, multiplied by its transpose, gives
        the plane's, however the card is turned.
        """
        maps = [
            np.stack([c[1] + c[2] - c[0] - c[3], (c[2] + c[3] - c[0] - c[1]) * aspect], axis=1) for c in cards
        ]
        products = [m @ m.T / abs(np.linalg.det(m)) for m in maps]
        values, axes = np.linalg.eigh(np.mean(products, axis=0))
        shape = axes @ np.diag(np.sqrt(values)) @ axes.T
        shape /= np.sqrt(np.linalg.det(shape))
        middles = np.stack([c.mean(axis=0) for c in cards])
        sizes = np.log([np.sqrt(abs(np.linalg.det(m)) / 4) / aspect for m in maps])
        slopes = np.column_stack([np.ones(len(cards)), middles - middles.mean(axis=0)])
        held = slopes.T @ slopes + np.diag([0.0, _LEVEL, _LEVEL])
        size = np.linalg.solve(held, slopes.T @ sizes)
        size[0] -= size[1:] @ middles.mean(axis=0)
        return cls(shape, size, aspect)

    def long_side(self, at: NDArray[np.floating]) -> NDArray[np.float64]:
        """Lengths (n) of a card's long side at n points.

        `at`: points (n x 2 px). The unit is that of `CardSize`.
        """
        return np.asarray(np.exp(self.size[0] + at @ self.size[1:]), np.float64)


def corner_quads(edges: Edges, size: CardSize, known: Sequence[Points]) -> list[Quad]:
    """Guess outlines of cards by one visible corner, best first.

    Two sides and the corner between them must be visible. An outline is better the more of it is an edge.
    `size`: of the cards. `known`: outlines (4 x 2 px) of cards already found; no guess has its middle in one.
    """
    pieces = edges.segments @ np.linalg.inv(size.shape).T
    start, along = pieces[:, 0], pieces[:, 1] - pieces[:, 0]
    length = np.linalg.norm(along, axis=1)
    along = along / length[:, None]
    first, second = np.nonzero(np.abs(along @ along.T) < _SQUARE)
    # Intersection of the two lines, as a distance along each of them.
    between = start[second] - start[first]
    turn = along[first, 0] * along[second, 1] - along[first, 1] * along[second, 0]
    far = (between[:, 0] * along[second, 1] - between[:, 1] * along[second, 0]) / turn
    corner = start[first] + far[:, None] * along[first]
    off = ((corner - start[second]) * along[second]).sum(axis=1)
    long = size.long_side(corner @ size.shape.T)
    found = []
    # The first piece lies along the short side, the second along the long one, in either direction from the
    # corner.
    for way in (1, -1):
        for way_too in (1, -1):
            seen = _covered(far, length[first], way, size.aspect * long)
            seen_too = _covered(off, length[second], way_too, long)
            good = (np.minimum(seen, seen_too) > _SEEN) & (np.maximum(seen, seen_too) > _CLEARER)
            short_side = along[first[good]] * (way * size.aspect * long[good])[:, None]
            long_side = along[second[good]] * (way_too * long[good])[:, None]
            at = corner[good]
            found.append(np.stack([at, at + short_side, at + short_side + long_side, at + long_side], axis=1))
    corners = np.asarray(np.concatenate(found) @ size.shape.T, np.float32)
    corners = np.where((_turn(corners) < 0)[:, None, None], corners[:, [1, 0, 3, 2]], corners)
    support, _ = outline_support(edges, corners)
    good = support >= _SUPPORT
    quads = [Quad(c, float(s)) for c, s in zip(corners[good], support[good], strict=True)]
    free = [quad for quad in distinct(quads) if not any(_within(quad, outline) for outline in known)]
    return free[:_MOST]


def _within(quad: Quad, outline: Points) -> bool:
    x, y = quad.corners.mean(axis=0)
    return cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=False) >= 0


def _covered(
    corner: NDArray[np.float64], length: NDArray[np.float64], way: int, side: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Share (0 to 1) of each side under straight edges.

    0 if the edge is not near the corner. Arrays have one number for each pair of edges. `corner`: position of
    the corner along the edge, from the edge's start. `length`: of the edge. `side`: of the card, which runs
    from the corner along the edge (`way` 1) or back (-1).
    """
    near, end = (-corner, length - corner) if way > 0 else (corner - length, corner)
    share = (np.minimum(end, side) - np.maximum(near, 0)) / side
    return np.where(near < _FROM_CORNER * side, share, 0.0)


def _turn(corners: Points) -> NDArray[np.float32]:
    """Positive for outlines (n x 4 x 2) that are clockwise as seen, else negative."""
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray((x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1), np.float32)
