"""Detects on a small grey picture what moves, what has changed, and what a hand covers.

A hand is a change that reaches in from the picture's border; a card that was put down does not. What lies under
a hand is covered, not gone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.mat_geometry import Zone
from vision.codes.sticker_set import Gray
from vision.mat.mat_finder import Rect, Registration

SMALL_WIDTH = 480
"""SMALL_WIDTH: width (px) of the small picture: a pixel is about 2 mm of a mat of one metre."""

_MOVING = 10
"""_MOVING: grey levels from frame to frame. Sensor noise (sigma 3) is below 1 after reduction, JPEG below 4."""
_CHANGED = 14
"""_CHANGED: grey levels relative to the settled picture. Shadows of people and slow drift stay below."""
_SPECK = 16
"""_SPECK: least area (px) of a change, after dilation by one; smaller ones are noise."""
_COVERS = 20
"""_COVERS: pixels of a hand that make a zone covered: about 90 square mm."""
_STIRS = 6
"""_STIRS: moving pixels that make a zone restless."""
_CELLS, _CELL_SHARE, _CELLS_CHANGED = 4, 0.25, 11
"""A change of light: of 4 x 4 cells, 11 have changed in a quarter of their area. Hands do not reach that
many."""
_STILL_HAND_S = 20.0
"""_STILL_HAND_S: a change that rests this long (s) is furniture. Nobody keeps a hand this still."""
_STILL_THING_S = 2.0
_STILL_GHOST_S = 0.2
"""_STILL_GHOST_S: time (s) that a change rests before it is tested whether the hand is in this picture or in
the settled one."""
_SHARPER = 1.25
"""_SHARPER: factor by which the settled picture is steeper along the outline if the hand was in it."""
_CORNERS = 3
"""_CORNERS: outlines with at most this many points enclose almost nothing."""
_DRIFT_EVERY = 10
"""_DRIFT_EVERY: frames between steps of one grey level towards slow changes of daylight."""


@dataclass(frozen=True, slots=True)
class Glance:
    """One step: the number of moving pixels; for each zone, in order, whether it stirs, is covered, has
    changed px."""

    moving: int
    upheaval: bool
    stirs: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    changed: NDArray[np.intp]
    furniture: NDArray[np.bool_]
    """Zones in which a motionless change at the border has just been taken for furniture."""
    bared: NDArray[np.bool_]
    """Zones whose settled picture turned out to show a hand that has left."""


def shrink(gray: Gray) -> Gray:
    """`gray` at SMALL_WIDTH: for 1080p an exact quarter, which is cheap."""
    height, width = gray.shape[:2]
    size = (SMALL_WIDTH, max(1, round(height * SMALL_WIDTH / width)))
    return np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)


class Scene:
    """The settled picture of a registered mat, and everything that differs from it."""

    def __init__(self, zones: Sequence[Zone], registration: Registration, small: Gray, t: float) -> None:
        height, width = small.shape
        self._count = len(zones)
        self._owner = np.zeros((height, width), np.uint8)
        for index in range(len(zones) - 1, -1, -1):  # the first zone that contains a point owns it
            mask = registration.zone_mask(zones[index], width, height)
            self._owner[mask > 0] = index + 1
        self._scale = width / registration.width
        self._before = small
        self._settled = small.copy()
        self._moved_at = np.zeros((height, width), np.float32)
        self._start = t
        self._change: Gray = np.zeros_like(small)
        self._frames = 0

    @property
    def settled(self) -> Gray:
        """The settled picture, as small as those of `step`."""
        return self._settled

    def step(self, small: Gray, t: float) -> Glance:
        """Compare the next small picture with the one before and with the settled one."""
        nothing = np.zeros(self._count, np.bool_)
        stirs, covered, furniture, bared = nothing, nothing, nothing, nothing
        moving, motion = _differ(small, self._before, _MOVING)
        self._before = small
        self._frames += 1
        if moving:
            self._moved_at[motion > 0] = t - self._start
            stirs = self._per_zone(motion) >= _STIRS
        count, self._change = _differ(small, self._settled, _CHANGED)
        changed = np.zeros(self._count, np.intp)
        upheaval = False
        if count:
            upheaval = count > 0.2 * small.size and self._everywhere()
            hand, crossing, ghosts = self._sort_changes(small, t)
            changed = self._per_zone(self._change)
            covered = self._per_zone(hand) >= _COVERS
            furniture = self._per_zone(crossing) >= _COVERS
            bared = self._per_zone(ghosts) >= _COVERS
        if self._frames % _DRIFT_EVERY == 0:
            self._drift(small, motion)
        return Glance(moving, upheaval, stirs, covered, changed, furniture, bared)

    def absorb(self, index: int, small: Gray) -> None:
        """Zone `index` was read: its present picture is settled."""
        np.copyto(self._settled, small, where=self._owner == index + 1)

    def changed_rect(self, index: int) -> Rect | None:
        """The bounding rectangle (px of the full picture) of all changes in a zone; None if there are none."""
        ys, xs = np.nonzero((self._change > 0) & (self._owner == index + 1))
        if not len(xs):
            return None
        ends = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]) / self._scale
        return int(ends[0]), int(ends[1]), int(ends[2]), int(ends[3])

    def changes(self, index: int) -> list[NDArray[np.float32]]:
        """The outlines of the changes in a zone, each n x 2 px of the full picture."""
        mask = np.where(self._owner == index + 1, self._change, 0).astype(np.uint8)
        found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [((one[:, 0] + 0.5) / self._scale).astype(np.float32) for one in found if len(one) > _CORNERS]

    def changed_share(self, x: float, y: float, side: float) -> float:
        """The share (0..1) of changed pixels in the square of `side` around (x, y), in px of the full
        picture."""
        half = side / 2
        left, top = int((x - half) * self._scale), int((y - half) * self._scale)
        right, bottom = int((x + half) * self._scale) + 1, int((y + half) * self._scale) + 1
        patch = self._change[max(0, top) : bottom, max(0, left) : right]
        return cv2.countNonZero(patch) / patch.size if patch.size else 1.0

    def _per_zone(self, mask: Gray) -> NDArray[np.intp]:
        return np.bincount(self._owner[mask > 0], minlength=self._count + 1)[1:]

    def _everywhere(self) -> bool:
        cells = cv2.resize(self._change, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
        return int(np.count_nonzero(cells > 255 * _CELL_SHARE)) >= _CELLS_CHANGED

    def _sort_changes(self, small: Gray, t: float) -> tuple[Gray, Gray, Gray]:
        """Masks of hands, of new furniture, and of hands that were there when the picture settled.

        Specks are removed, and still things beside the zones become a part of the settled picture.
        """
        grown = cv2.dilate(self._change, np.ones((3, 3), np.uint8))
        number, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
        height, width = small.shape
        hand, crossing, ghosts = np.zeros_like(small), np.zeros_like(small), np.zeros_like(small)
        now = t - self._start
        for label in range(1, number):
            left, top, w, h, area = (int(value) for value in stats[label])
            window = (slice(top, top + h), slice(left, left + w))
            mine = labels[window] == label
            if area < _SPECK:
                self._change[window][mine] = 0
                continue
            still = now - float(self._moved_at[window][mine].max())
            if left == 0 or top == 0 or left + w == width or top + h == height:
                if still >= _STILL_GHOST_S and self._gone(small, window, mine):
                    ghosts[window][mine] = 255
                elif still >= _STILL_HAND_S:
                    crossing[window][mine] = 255
                else:
                    hand[window][mine] = 255
                    continue
                self._settled[window][mine] = small[window][mine]
            elif still > _STILL_THING_S:
                beside = mine & (self._owner[window] == 0)
                self._settled[window][beside] = small[window][beside]
        return np.asarray(cv2.bitwise_and(hand, self._change), np.uint8), crossing, ghosts

    def _gone(self, small: Gray, window: tuple[slice, slice], mine: NDArray[np.bool_]) -> bool:
        """Whether the object was in the settled picture and has left: then the settled picture has the edge."""
        outline = cv2.morphologyEx(mine.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        now, then = (_steepness(picture[window])[outline].mean() for picture in (small, self._settled))
        return bool(then > _SHARPER * now)

    def _drift(self, small: Gray, motion: Gray) -> None:
        """Follow daylight where nothing moves and nothing has changed."""
        quiet = (self._change | motion) == 0
        step = np.sign(small.astype(np.int16) - self._settled)
        self._settled[quiet] = (self._settled + step)[quiet].astype(np.uint8)


def moving_between(before: Gray, now: Gray) -> int:
    """Number of pixels that differ between two small pictures by more than noise."""
    return _differ(before, now, _MOVING)[0]


def _steepness(gray: Gray) -> NDArray[np.float32]:
    return np.asarray(
        cv2.magnitude(cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)), np.float32
    )


def _differ(a: Gray, b: Gray, least: int) -> tuple[int, Gray]:
    mask = cv2.threshold(cv2.absdiff(a, b), least, 255, cv2.THRESH_BINARY)[1]
    return cv2.countNonZero(mask), np.asarray(mask, np.uint8)
