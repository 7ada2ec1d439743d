"""Finds the mat in the picture by its corner markers: pixels to millimetres and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.units import Mat, MatMarker, Zone
from vision.reading import find_markers
from vision.stickers import Gray

Points = NDArray[np.float64]
"""n x 2 coordinates."""

MOVED_PX = 1.5
"""A corner marker this far from where it was: the camera was nudged. Corners are found within 0.3 px."""
_WORST_FIT_MM = 4.0
"""A mat that fits its markers worse than this is not this mat, or a marker lies loose."""

Rect = tuple[int, int, int, int]
"""left, top, right, bottom in px, the last two exclusive."""


@dataclass(frozen=True, eq=False)
class Registration:
    """Where the mat lies in a picture of `width` x `height` px.

    `matrix` (3 x 3) takes px to mm; `markers` says how many corner markers it rests on, `error_mm`
    how far their corners are from the fit (root mean square).
    """

    matrix: NDArray[np.float64]
    width: int
    height: int
    markers: int
    error_mm: float

    @cached_property
    def inverse(self) -> NDArray[np.float64]:
        """mm to px."""
        return np.asarray(np.linalg.inv(self.matrix), np.float64)

    def to_mm(self, points: ArrayLike) -> Points:
        """n x 2 px to n x 2 mm."""
        return _apply(self.matrix, points)

    def to_px(self, points: ArrayLike) -> Points:
        """n x 2 mm to n x 2 px."""
        return _apply(self.inverse, points)

    def px_per_mm(self, x: float, y: float) -> float:
        """The scale of the picture around a point of the mat, mean of both directions."""
        ends = self.to_px([(x - 5, y), (x + 5, y), (x, y - 5), (x, y + 5)])
        return float(np.linalg.norm(ends[1] - ends[0]) + np.linalg.norm(ends[3] - ends[2])) / 20

    def angle(self, corners: Sequence[tuple[float, float]]) -> float:
        """How far a code is turned on the mat, degrees clockwise, -180 to 180; corners as in reading."""
        quad = self.to_mm(corners)
        along = (quad[1] - quad[0]) + (quad[2] - quad[3])
        return float(np.degrees(np.arctan2(along[1], along[0])))

    def zone_outline(self, zone: Zone, margin: float = 0.0) -> Points:
        """The zone's four corners in px (4 x 2), grown by `margin` mm."""
        left, top = zone.x - margin, zone.y - margin
        right, bottom = zone.x + zone.w + margin, zone.y + zone.h + margin
        return self.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])

    def zone_rect(self, zone: Zone, margin: float = 0.0) -> Rect:
        """The upright rectangle around the zone grown by `margin` mm, clipped to the picture; may be empty."""
        outline = self.zone_outline(zone, margin)
        left, top = np.floor(outline.min(axis=0)).astype(int)
        right, bottom = np.ceil(outline.max(axis=0)).astype(int)
        left, top = max(0, int(left)), max(0, int(top))
        return left, top, max(left, min(self.width, int(right))), max(top, min(self.height, int(bottom)))

    def zone_mask(self, zone: Zone, width: int, height: int, margin: float = 0.0) -> Gray:
        """255 inside the zone, 0 elsewhere, in a picture shrunk to `width` x `height`."""
        shrink = np.array([width / self.width, height / self.height])
        mask = np.zeros((height, width), np.uint8)
        outline = np.round(self.zone_outline(zone, margin) * shrink).astype(np.int32)
        cv2.fillConvexPoly(mask, outline, (255,))
        return mask


def register(mat: Mat, gray: Gray, before: Registration | None = None) -> Registration | None:
    """The mat in `gray`, or None if it cannot be told where it lies.

    Needs three of the four corner markers; two are enough once there was a registration `before`,
    which then is shifted, turned and scaled as the two say.
    """
    wanted = {marker.id: marker for marker in mat.markers}
    quads: dict[int, Points] = {}
    for seen in find_markers(gray, refine=True, thorough=True):
        if seen.id in quads:
            wanted.pop(seen.id, None)  # a corner marker twice in the picture: neither is believed
        quads[seen.id] = np.array(seen.corners)
    quads = {number: quad for number, quad in quads.items() if number in wanted}
    height, width = gray.shape[:2]
    if len(quads) >= 3:
        px, mm = _pairs(quads, wanted)
        matrix = cv2.findHomography(px, mm)[0]
    elif len(quads) == 2 and before is not None and (before.width, before.height) == (width, height):
        px, mm = _pairs(quads, wanted)
        shift = cv2.estimateAffinePartial2D(px, before.to_px(mm))[0]
        matrix = None if shift is None else before.matrix @ np.vstack([shift, (0, 0, 1)])
    else:
        return None
    if matrix is None or not np.all(np.isfinite(matrix)) or abs(np.linalg.det(matrix)) < 1e-12:
        return None
    fit: NDArray[np.float64] = np.asarray(matrix, np.float64)
    error = float(np.sqrt(np.mean(np.sum((_apply(fit, px) - mm) ** 2, axis=1))))
    if error > _WORST_FIT_MM:
        return None
    return Registration(fit, width, height, len(quads), error)


def nudge(mat: Mat, gray: Gray, known: Registration) -> float | None:
    """How far (px) the corner markers have moved since `known`, the median; None if no marker is visible.

    Looks only where the markers were, and so costs a tenth of registering. A marker that has left its
    surroundings counts as not visible.
    """
    moves = []
    for marker in mat.markers:
        scale = known.px_per_mm(marker.x, marker.y)
        reach = 0.9 * marker.side
        spot = Zone("", marker.x - reach, marker.y - reach, 2 * reach, 2 * reach)
        left, top, right, bottom = known.zone_rect(spot)
        crop = gray[top:bottom, left:right]
        expected = known.to_px(_corners(marker))
        offset = np.array([left, top], np.float64)
        for seen in find_markers(crop, marker.side * scale, refine=True) if crop.size else ():
            if seen.id == marker.id:
                found = np.array(seen.corners) + offset
                moves.append(float(np.linalg.norm((found - expected).mean(axis=0))))
    return float(np.median(moves)) if moves else None


def markers_in_sight(mat: Mat, gray: Gray) -> int:
    """How many corner markers can be found anywhere in the picture, for the words when too few are."""
    wanted = {marker.id for marker in mat.markers}
    return len(wanted & {seen.id for seen in find_markers(gray, thorough=True)})


def _corners(marker: MatMarker) -> list[tuple[float, float]]:
    half = marker.side / 2
    x, y = marker.x, marker.y
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _pairs(quads: Mapping[int, Points], wanted: Mapping[int, MatMarker]) -> tuple[Points, Points]:
    px = np.concatenate([quads[number] for number in quads])
    mm = np.array([corner for number in quads for corner in _corners(wanted[number])], np.float64)
    return px, mm


def _apply(matrix: NDArray[np.float64], points: ArrayLike) -> Points:
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    lifted = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)
