"""Where the mat lies in a picture: maps pixels to millimetres, and back."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.codes.sticker_set import Gray
from vision.mat.landmarks import NEAR, Spot, find, halved, learn
from vision.mat.lens_model import Lens, Points
from vision.mat.mat_fit import (
    Fit,
    apply,
)
from vision.mat_geometry import MatMarker, Zone
from vision.reasons import PlaceFit

_LOOSE_MM = 0.7
"""_LOOSE_MM: residual (mm) of markers above which people are told of it. Well glued ones fit to 0.3 mm."""
UNMOVED_PX = 0.8
"""UNMOVED_PX: largest displacement (px) of a marker's middle, or of landmarks, that counts as unmoved."""
_MARKS_LEAST, _MARKS_SHARE, _MARKS_AGREE, _MARKS_SPREAD = 8, 0.3, 0.8, 0.15
"""Landmarks that show that a table rests. _MARKS_LEAST, _MARKS_SHARE: least number and share that is found
again. _MARKS_AGREE: least share that has not moved. _MARKS_SPREAD: least spread over the picture (standard
deviation, as a share of its sides)."""
_SMEARED = 0.8
"""_SMEARED: share of its steep edges that a picture keeps in the most blurred direction, relative to the least
blurred one, below which it is smeared by motion. Measured on rendered tables: 0.82 after a motion of 7 px, 0.76
after 9 px; a game with hands and cards keeps 0.93, with ten times the noise 0.84."""
_STEEP = 0.95
"""Share of the picture's pixels that are less steep than those compared: noise is left out."""
_SHIFT = np.ones((5, 5), np.uint8)
"""Neighbourhood (px of the picture at half size) within which an edge counts as the same.

A camera may tremble."""
_WORTH_TELLING = 0.005
_EDGE_POINTS = 8
"""Number of points along an edge of a zone. Between two a bent edge is straight within a pixel."""

Rect = tuple[int, int, int, int]
"""Part of a picture: left, top, right, bottom in px. Right and bottom are exclusive."""


@dataclass(frozen=True, eq=False)
class Registration:
    """Place of the mat in a picture: maps px to mm, and back.

    `width`, `height`: of the picture (px). `fit`: the mat's place, and the lens. `markers`: number of corner
    markers used. `error_mm`: rms residual of their corners. `laid`: corner markers where they really lie, if
    they do not lie as printed; else empty. A sheet may be glued loosely (`loose_mm` beside its place at most),
    or corners laid on a cloth by hand.
    """

    fit: Fit
    width: int
    height: int
    markers: int
    error_mm: float
    laid: tuple[MatMarker, ...] = ()
    loose_mm: float = 0.0
    halved: Gray | None = None
    """The picture at half size, or None. Its landmarks show that the mat rests while its markers are
    covered."""

    def looks_unmoved(self, gray: Gray) -> bool:
        """True if another picture shows the table at the same place.

        Printed lines and other things serve as landmarks. `gray`: another picture of the camera. False if they
        do not suffice.
        """
        if len(self._marks) < _MARKS_LEAST:
            return False
        found = find(halved(gray), self._marks, NEAR)
        if len(found.spots) < max(_MARKS_LEAST, _MARKS_SHARE * len(self._marks)):
            return False
        spread = found.px.std(axis=0) / (self.width, self.height)
        off = np.linalg.norm(found.moves, axis=1)
        return bool(
            spread.min() > _MARKS_SPREAD
            and np.median(off) <= UNMOVED_PX
            and np.mean(off <= 2 * UNMOVED_PX) > _MARKS_AGREE
        )

    def looks_smeared(self, gray: Gray) -> bool:
        """True if something moved during a picture's exposure.

        Edges in one direction are lost then, of those in the picture in which the mat was found. Cards and
        hands that have come since add edges, which count for nothing.
        """
        if self.halved is None:
            return False
        kept = [
            float(np.minimum(cv2.dilate(now, _SHIFT), before).sum()) / max(float(before.sum()), 1e-6)
            for now, before in zip(_slopes(halved(gray)), self._steep_before, strict=True)
        ]
        return min(kept) < _SMEARED * max(kept)

    @cached_property
    def _steep_before(self) -> list[NDArray[np.float32]]:
        assert self.halved is not None
        slopes = _slopes(self.halved)
        return [np.where(one >= np.quantile(one, _STEEP), one, np.float32(0)) for one in slopes]

    @cached_property
    def _marks(self) -> tuple[Spot, ...]:
        return () if self.halved is None else learn(self.halved)

    @property
    def lens(self) -> Lens:
        """Lens of the camera, measured, or estimated from the markers."""
        return self.fit.lens

    @cached_property
    def _to_mat(self) -> NDArray[np.float64]:
        return np.asarray(np.linalg.inv(self.fit.matrix), np.float64)

    def to_mm(self, points: ArrayLike) -> Points:
        """Map points of the picture (n x 2 px) to the mat (n x 2 mm)."""
        return apply(self._to_mat, self.lens.rays(points))

    def to_px(self, points: ArrayLike) -> Points:
        """Map points of the mat (n x 2 mm) to the picture (n x 2 px)."""
        return self.lens.pixels(apply(self.fit.matrix, np.asarray(points, np.float64).reshape(-1, 2)))

    def px_per_mm(self, x: float, y: float) -> float:
        """Picture's scale (px/mm) at the mat's point (x, y; mm).

        The mean of both directions.
        """
        return float(self.scales([(x, y)])[0])

    def scales(self, points: ArrayLike) -> NDArray[np.float64]:
        """Picture's scale (px/mm) at mat points (n x 2 mm)."""
        around = np.array([(-5, 0), (5, 0), (0, -5), (0, 5)], np.float64)
        ends = self.to_px(np.asarray(points, np.float64).reshape(-1, 1, 2) + around).reshape(-1, 2, 2, 2)
        return np.asarray(np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2).sum(axis=1) / 20)

    @property
    def summary(self) -> PlaceFit:
        """How well the mat was found, as values for people: scale, distortion, fit of the markers."""
        x, y = self.to_mm([(self.width / 2, self.height / 2)])[0]
        bent = self.lens.bent_by
        return PlaceFit(
            scale=round(self.px_per_mm(float(x), float(y)), 1),
            by_hand=bool(self.laid) and not self.loose_mm,
            bent=round(100 * bent) if abs(bent) >= _WORTH_TELLING else None,
            loose_mm=round(self.loose_mm) if self.loose_mm else None,
            error_mm=round(self.error_mm, 1) if self.error_mm > _LOOSE_MM else None,
        )

    def angle(self, corners: Sequence[tuple[float, float]]) -> float:
        """Turn of a code on the mat, in degrees clockwise, -180 to 180.

        `corners`: its four corners (px), clockwise from the code's own upper left.
        """
        quad = self.to_mm(corners)
        along = (quad[1] - quad[0]) + (quad[2] - quad[3])
        return float(np.degrees(np.arctan2(along[1], along[0])))

    def edge_mm(self, corners: Sequence[tuple[float, float]]) -> float:
        """Mean side (mm) of a square on the mat, from its four corners in the picture (px)."""
        quad = self.to_mm(corners)
        return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())

    def shows(self, x: float, y: float, side: float) -> bool:
        """True if a square on the mat is wholly visible.

        `x`, `y`: its middle (mm). `side`: mm.
        """
        half = side / 2
        ends = self.to_px(
            [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        )
        return bool((ends >= 0).all() and (ends < (self.width, self.height)).all())

    def zone_outline(self, zone: Zone, margin: float = 0.0) -> Points:
        """Outline of a zone (area of the mat) in the picture, n x 2 px.

        `margin`: distance (mm) by which the zone is grown. The lens may bend its edges.
        """
        left, top = zone.x - margin, zone.y - margin
        right, bottom = zone.x + zone.w + margin, zone.y + zone.h + margin
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        along = np.linspace(0, 1, _EDGE_POINTS, endpoint=False)[:, None]
        edges = [a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        return self.to_px(np.concatenate(edges))

    def zone_rect(self, zone: Zone, margin: float = 0.0) -> Rect:
        """Rectangle (px) around a zone of the mat.

        `margin`: distance (mm) by which the zone is grown. Cut at the picture's edge; it may be empty.
        """
        if (zone, margin) not in self._rects:
            self._rects[zone, margin] = self._zone_rect(zone, margin)
        return self._rects[zone, margin]

    @cached_property
    def _rects(self) -> dict[tuple[Zone, float], Rect]:
        """Cache of `zone_rect`.

        The same few rectangles are needed all the time.
        """
        return {}

    def _zone_rect(self, zone: Zone, margin: float) -> Rect:
        outline = self.zone_outline(zone, margin)
        left, top = np.floor(outline.min(axis=0)).astype(int)
        right, bottom = np.ceil(outline.max(axis=0)).astype(int)
        left, top = max(0, int(left)), max(0, int(top))
        return left, top, max(left, min(self.width, int(right))), max(top, min(self.height, int(bottom)))

    def shows_some_of(self, zone: Zone) -> bool:
        """True if the picture shows any part of the zone."""
        left, top, right, bottom = self.zone_rect(zone)
        return left < right and top < bottom

    def shows_all_of(self, zone: Zone) -> bool:
        """True if the whole zone lies in the picture."""
        outline = self.zone_outline(zone)
        return bool((outline >= 0).all() and (outline < (self.width, self.height)).all())

    def zone_mask(self, zone: Zone, width: int, height: int) -> Gray:
        """Mask of a zone of the mat: 255 inside, else 0.

        `width`, `height`: size (px) to which the picture is scaled.
        """
        shrink = np.array([width / self.width, height / self.height])
        mask = np.zeros((height, width), np.uint8)
        outline = np.round(self.zone_outline(zone) * shrink).astype(np.int32)
        cv2.fillPoly(mask, [outline], (255,))
        return mask


def _slopes(small: Gray) -> list[NDArray[np.float32]]:
    """Steepness of the picture's middle in four directions (levels a px, as pictures of that part).

    The directions are across, down and both diagonals. `small`: the picture at half size.
    """
    height, width = small.shape
    soft = cv2.GaussianBlur(small[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4], (0, 0), 0.8)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, x, 1 - x, scale=1 / 8) for x in (1, 0))
    along = (across, down, (across + down) / math.sqrt(2), (across - down) / math.sqrt(2))
    return [np.abs(one).astype(np.float32, copy=False) for one in along]
