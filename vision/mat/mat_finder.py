"""Finds the mat in the picture by its corner markers: the mapping between pixels and millimetres."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.core.language import text
from companion.core.mat_geometry import Mat, MatMarker, Zone
from vision.codes.code_reader import find_markers
from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Lens, Points
from vision.mat.mat_fit import Corners, Fit, apply, by_pose, fit_mat, fit_near, follow

MOVED_PX = 1.5
"""MOVED_PX: displacement (px) of a corner marker that means the camera was nudged. Corners are found within
0.3 px."""
_LOOSE_MM = 0.7
"""_LOOSE_MM: residual above which people are told. Markers that were glued well fit within 0.3 mm."""
_WORST_FIT_MM, _WORST_FIT_PX = 2.5, 6.0
"""Greatest residual (mm, px) of a mat. With more, it is another mat."""
_LAID_OFF_MM, _LAID_OFF_DEG, _LAID_PX = 90.0, 25.0, 1.0
"""Farthest that a corner laid by hand lies from its place (mm), and most it is turned; residual (px) with which
it is still flat."""
_SQUARE_DEG = 0.5
"""_SQUARE_DEG: turn of a corner against the others up to which it is part of a printed mat."""
_MUCH_BETTER = 0.3
"""_MUCH_BETTER: share of the residual of a printed mat at which corners laid by hand are believed instead."""
_FLAT = 1e-12
"""_FLAT: least determinant of a mat that is not seen edge-on. A mat of a metre that fills the picture has
1e-6."""
_MIRRORED_LEAST = 2
"""_MIRRORED_LEAST: markers in the flipped picture that are no accident."""
_WORTH_TELLING = 0.005
_EDGE_POINTS = 8
"""_EDGE_POINTS: points along a zone's edge. Between them a bent edge is straight within a pixel."""

Rect = tuple[int, int, int, int]
"""left, top, right, bottom in px, the last two exclusive."""


@dataclass(frozen=True, eq=False)
class Registration:
    """Where the mat lies in a picture of `width` x `height` px, and the distortion of the lens.

    `markers`: number of corner markers used. `error_mm`: rms residual of their corners. `laid`: where corners
    lie that do not lie in their places: of sheets glued loosely, by `loose_mm` at most, or laid on a cloth by
    hand; empty for those of a mat that is as it was printed.
    """

    fit: Fit
    width: int
    height: int
    markers: int
    error_mm: float
    laid: tuple[MatMarker, ...] = ()
    loose_mm: float = 0.0

    @property
    def lens(self) -> Lens:
        """The lens of the camera, given or estimated."""
        return self.fit.lens

    @cached_property
    def _to_mat(self) -> NDArray[np.float64]:
        return np.asarray(np.linalg.inv(self.fit.matrix), np.float64)

    def to_mm(self, points: ArrayLike) -> Points:
        """Maps n x 2 px to n x 2 mm."""
        return apply(self._to_mat, self.lens.rays(points))

    def to_px(self, points: ArrayLike) -> Points:
        """Maps n x 2 mm to n x 2 px."""
        return self.lens.pixels(apply(self.fit.matrix, np.asarray(points, np.float64).reshape(-1, 2)))

    def px_per_mm(self, x: float, y: float) -> float:
        """Scale of the picture at a point of the mat, mean of both directions."""
        return float(self.scales([(x, y)])[0])

    def scales(self, points: ArrayLike) -> NDArray[np.float64]:
        """The same at n points (n x 2 mm)."""
        around = np.array([(-5, 0), (5, 0), (0, -5), (0, 5)], np.float64)
        ends = self.to_px(np.asarray(points, np.float64).reshape(-1, 1, 2) + around).reshape(-1, 2, 2, 2)
        return np.asarray(np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2).sum(axis=1) / 20)

    @property
    def words(self) -> str:
        """Scale, distortion and the fit of the markers in a sentence."""
        x, y = self.to_mm([(self.width / 2, self.height / 2)])[0]
        bent = self.lens.bent_by
        told = [text("{scale} px per mm", scale=round(self.px_per_mm(float(x), float(y)), 1))]
        if self.laid and not self.loose_mm:
            told.append(text("corners laid by hand"))
        if abs(bent) >= _WORTH_TELLING:
            told.append(text("lens bends lines by {percent} %", percent=f"{100 * bent:.0f}"))
        if self.loose_mm:
            off = f"{self.loose_mm:.0f}"
            told.append(text("a corner lies {off} mm beside its place: is a sheet loose?", off=off))
        elif self.error_mm > _LOOSE_MM:
            off_mm = round(self.error_mm, 1)
            told.append(text("markers do not fit by {off} mm: is a sheet loose?", off=off_mm))
        return text("{told}", told=tuple(told))

    def angle(self, corners: Sequence[tuple[float, float]]) -> float:
        """Rotation of a code on the mat, degrees clockwise, -180 to 180; corners in px as read."""
        quad = self.to_mm(corners)
        along = (quad[1] - quad[0]) + (quad[2] - quad[3])
        return float(np.degrees(np.arctan2(along[1], along[0])))

    def edge_mm(self, corners: Sequence[tuple[float, float]]) -> float:
        """Mean edge of a square on the mat (mm); corners in px as read."""
        quad = self.to_mm(corners)
        return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())

    def shows(self, x: float, y: float, side: float) -> bool:
        """Whether a square of `side` mm around a point of the mat is wholly inside the picture."""
        half = side / 2
        ends = self.to_px(
            [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        )
        return bool((ends >= 0).all() and (ends < (self.width, self.height)).all())

    def zone_outline(self, zone: Zone, margin: float = 0.0) -> Points:
        """The zone's outline in px (n x 2), extended by `margin` mm. The lens may bend its edges."""
        left, top = zone.x - margin, zone.y - margin
        right, bottom = zone.x + zone.w + margin, zone.y + zone.h + margin
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        along = np.linspace(0, 1, _EDGE_POINTS, endpoint=False)[:, None]
        edges = [a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        return self.to_px(np.concatenate(edges))

    def zone_rect(self, zone: Zone, margin: float = 0.0) -> Rect:
        """Bounding rectangle of the zone extended by `margin` mm, clipped to the picture; may be empty."""
        if (zone, margin) not in self._rects:
            self._rects[zone, margin] = self._zone_rect(zone, margin)
        return self._rects[zone, margin]

    @cached_property
    def _rects(self) -> dict[tuple[Zone, float], Rect]:
        """What `zone_rect` found: the same few rectangles are asked for all the time."""
        return {}

    def _zone_rect(self, zone: Zone, margin: float) -> Rect:
        outline = self.zone_outline(zone, margin)
        left, top = np.floor(outline.min(axis=0)).astype(int)
        right, bottom = np.ceil(outline.max(axis=0)).astype(int)
        left, top = max(0, int(left)), max(0, int(top))
        return left, top, max(left, min(self.width, int(right))), max(top, min(self.height, int(bottom)))

    def shows_some_of(self, zone: Zone) -> bool:
        """Whether a part of the zone lies in the picture."""
        left, top, right, bottom = self.zone_rect(zone)
        return left < right and top < bottom

    def shows_all_of(self, zone: Zone) -> bool:
        """Whether the whole zone lies in the picture."""
        outline = self.zone_outline(zone)
        return bool((outline >= 0).all() and (outline < (self.width, self.height)).all())

    def zone_mask(self, zone: Zone, width: int, height: int) -> Gray:
        """255 inside the zone, 0 elsewhere, in a picture scaled to `width` x `height`."""
        shrink = np.array([width / self.width, height / self.height])
        mask = np.zeros((height, width), np.uint8)
        outline = np.round(self.zone_outline(zone) * shrink).astype(np.int32)
        cv2.fillPoly(mask, [outline], (255,))
        return mask


def register(
    mat: Mat, gray: Gray, before: Registration | None = None, measured: Lens | None = None
) -> Registration | None:
    """Find the mat in `gray`; None if its place cannot be determined.

    Needs three of the four corner markers; two are enough after a registration `before`, or if the lens was
    `measured`. Otherwise the distortion is estimated from four markers; with fewer it is taken from `before`.
    BadInputError if the measured lens is for pictures of another aspect.
    """
    wanted = {marker.id: marker for marker in mat.markers}
    quads: dict[int, Points] = {}
    for found in find_markers(gray, refine=True, thorough=True):
        if found.id in quads:
            wanted.pop(found.id, None)  # a corner marker twice in the picture: neither is believed
        quads[found.id] = np.array(found.corners)
    quads = {number: quad for number, quad in quads.items() if number in wanted}
    height, width = gray.shape[:2]
    if before is not None and (before.width, before.height) != (width, height):
        before = None
    lens = None if measured is None else measured.scaled(width, height)
    if len(quads) < 2:
        return None
    seen = _corners_seen(quads, wanted)
    try:
        if len(quads) > 2:
            known = lens or (before.lens if before is not None and len(quads) == 3 else None)
            fit = fit_mat(seen, known or Lens.guessed(width, height), bends=known is None)
        elif before is not None:
            fit = follow(before.fit, seen)
        else:
            fit = None if lens is None else by_pose(seen, lens)
    except np.linalg.LinAlgError:
        return None
    if fit is None or not np.all(np.isfinite(fit.matrix)) or abs(np.linalg.det(fit.matrix)) < _FLAT:
        return None
    placed = Registration(fit, width, height, len(quads), 0.0)
    off = placed.to_mm(seen.px) - seen.mm
    error = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
    good = error <= _WORST_FIT_MM and fit.rms_px <= _WORST_FIT_PX
    if good and _beside_px(placed, seen) < MOVED_PX:
        laid = mat.markers if any(marker.angle for marker in mat.markers) else ()
        return replace(placed, error_mm=error, laid=laid)
    # Corners that lie beside their places would be taken for a camera that moved, again and again.
    laid_by_hand = None
    if len(quads) == len(mat.markers):
        laid_by_hand = _laid_by_hand([wanted[number] for number in quads], seen, lens, (width, height))
    if good and (laid_by_hand is None or laid_by_hand.fit.rms_px > _MUCH_BETTER * fit.rms_px):
        return replace(placed, error_mm=error)
    return laid_by_hand


def _beside_px(placed: Registration, seen: Corners) -> float:
    """How far the worst marker lies from its place (px)."""
    off = (placed.to_px(seen.mm) - seen.px).reshape(-1, 4, 2).mean(axis=1)
    return float(np.linalg.norm(off, axis=1).max())


def _laid_by_hand(
    wanted: Sequence[MatMarker], seen: Corners, lens: Lens | None, size: tuple[int, int]
) -> Registration | None:
    """The registration of corners that were laid on a cloth by hand; None if they lie nowhere near their
    places."""
    width, height = size
    found = fit_near(seen, lens, size, most_mm=_LAID_OFF_MM, most_deg=_LAID_OFF_DEG, most_px=_LAID_PX)
    if found is None:
        return None
    fit, offsets = found
    laid = tuple(
        MatMarker(one.id, one.x + x, one.y + y, one.side, turn)
        for one, (x, y, turn) in zip(wanted, offsets.tolist(), strict=True)
    )
    # Corners of a printed mat are square to each other; those that were laid by hand are all askew.
    askew = np.abs(offsets[:, 2] - np.median(offsets[:, 2]))
    loose = float(np.linalg.norm(offsets[:, :2], axis=1).max()) if np.median(askew) < _SQUARE_DEG else 0.0
    return Registration(fit, width, height, len(laid), fit.rms_px / fit.px_per_mm, laid, loose)


@dataclass(frozen=True, slots=True)
class Nudge:
    """Displacement of corner markers (px, median), and the number of markers found."""

    px: float
    markers: int


def nudge(markers: Iterable[MatMarker], gray: Gray, known: Registration) -> Nudge | None:
    """Measure whether the camera has moved since `known`; None if none of its corner markers is found.

    Looks only where they were: 1 ms each, where registering takes 30. A marker that has left its surroundings
    counts as not visible.
    """
    moves = []
    for marker in markers:
        scale = known.px_per_mm(marker.x, marker.y)
        reach = 0.9 * marker.side
        spot = Zone("", marker.x - reach, marker.y - reach, 2 * reach, 2 * reach)
        left, top, right, bottom = known.zone_rect(spot)
        crop = gray[top:bottom, left:right]
        expected = known.to_px(marker.corners)
        offset = np.array([left, top], np.float64)
        for seen in find_markers(crop, marker.side * scale, refine=True) if crop.size else ():
            if seen.id == marker.id:
                found = np.array(seen.corners) + offset
                moves.append(float(np.linalg.norm((found - expected).mean(axis=0))))
    return Nudge(float(np.median(moves)), len(moves)) if moves else None


def markers_in_sight(gray: Gray) -> frozenset[int]:
    """Ids of all markers anywhere in the picture, for the message why the mat was not found."""
    return frozenset(seen.id for seen in find_markers(gray, thorough=True))


def is_mirrored(gray: Gray, known: Iterable[int]) -> bool:
    """Whether markers of these ids are in sight in the flipped picture: a camera's setting mirrors it.

    Mirrored markers are not read otherwise.
    """
    return len(markers_in_sight(np.asarray(cv2.flip(gray, 1), np.uint8)).intersection(known)) >= _MIRRORED_LEAST


def _corners_seen(quads: Mapping[int, Points], wanted: Mapping[int, MatMarker]) -> Corners:
    px = np.concatenate([quads[number] for number in quads])
    mm = np.array([corner for number in quads for corner in wanted[number].corners], np.float64)
    return Corners(px, mm)
