"""Detects motion, changes and hands in a small picture.

A change is a difference from the settled picture (how the mat looked when last read). A hand is a change that
reaches in from the picture's border; a card that was put down does not. What lies under a hand is covered, not
gone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray
from vision.mat.registration import Rect, Registration
from vision.mat_geometry import Mat, MatMarker, Zone
from vision.scene.bare_mat import BareMat, discs, steepness
from vision.scene.lying_things import things_on_cloth
from vision.scene.small_picture import SmallPicture, differ

_MOVING = 10
"""_MOVING: difference (grey levels) of two frames above which a pixel moves. In the small picture sensor noise
(sigma 3) is below 1, JPEG below 4."""
_CHANGED = 14
"""_CHANGED: difference (grey levels) from the settled picture (when last read) above which a pixel has
changed. Shadows of people and slow drift stay below."""
_MOVING_COLOUR, _CHANGED_COLOUR = 8, 10
"""Differences in Cr and Cb (levels) above which a pixel moves, or has changed. Skin of any tone has 15 to 25
more Cr than grey cloth, and less Cb."""
_SPECK = 16
"""_SPECK: area (px) of a change, after it was grown by one px, below which it is noise."""
_COVERS = 20
"""_COVERS: number of px of a hand in a zone from which the zone is covered: about 90 square mm."""
_STIRS = 6
"""_STIRS: number of moving px in a zone from which the zone is restless."""
_BESIDE = 2.5 * 255 / 9
"""Threshold for the mean of a mask over 3 x 3 pixels. It lies between two set pixels and three."""
_CELLS, _CELL_SHARE, _CELLS_CHANGED = 4, 0.25, 11
"""Rule for changed light. The picture has _CELLS x _CELLS parts. The light has changed if _CELLS_CHANGED of
them changed in at least the share _CELL_SHARE of their area. Hands do not reach that many parts."""
_STILL_HAND_S = 20.0
"""_STILL_HAND_S: time (s) of rest after which a change at the border is furniture. Nobody keeps a hand so
still."""
_STILL_THING_S = 2.0
"""_STILL_THING_S: time (s) of rest after which a thing beside the zones becomes part of the settled
picture."""
_STILL_GHOST_S = 0.2
"""_STILL_GHOST_S: time (s) of rest after which a change at the border is tested for being a hand that has
left. Such a hand is in the settled picture (when last read)."""
_SHARPER = 1.25
"""Least factor by which the median edge along a change's outline is steeper in the settled picture, if the hand
was in it and has left."""
_RIM_PX = 7
"""_RIM_PX: twice the width (px) of a hand's rim and shadow, which differ little from the mat. A guess."""
_CORNERS = 3
"""Number of points up to which an outline encloses almost nothing and is left out."""
_DRIFT_EVERY = 10
"""Number of frames between two steps, each of one grey level, by which the settled picture follows daylight."""

_CARD_MM = 60.0
"""_CARD_MM: greatest distance (mm) of a card's edge and shadow from its sticker."""
_PLACE_MM = 12.0
"""Least radius (mm) of the place that is examined around a sticker."""
ARM_MM = 200.0
"""ARM_MM: distance (mm) from a card within which a hand or arm that hides the card also hides printed
lines."""
_SHIFTED = 4.0
"""_SHIFTED: difference (mean grey levels) from the settled picture above which a corner marker looks shifted.
A shift of 1.5 px at 1080p gives 6 and more; noise gives 1."""
_THING_PX = 150
"""_THING_PX: least area (px) of a change that may be a card: 25 x 25 mm."""
_AROUND_MM = 100.0
"""_AROUND_MM: distance (mm) from a zone within which the cloth is lit like the zone."""
_ARM_PX = 150
"""_ARM_PX: least area (px) of a change at the border that is an arm, after the camera was moved."""
_ARM_RIM, _ARM_GAP = np.ones((7, 7), np.uint8), np.ones((41, 41), np.uint8)
"""_ARM_RIM: what is added around such an arm, for its shadow. _ARM_GAP: size of gaps in it that are closed:
where it hides a printed card it may be as bright as parts of the card."""
_ARMS_MOST = 0.4
"""_ARMS_MOST: share of the picture above which such changes are no arms: the light may have changed."""
_GRID_PX = 8
"""_GRID_PX: distance (px) of the points for which the way from one picture into another is computed."""
_WARY_S = 0.5
"""_WARY_S: time (s) for which the settled picture follows no slow changes after something hidden was found."""

Places = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Glance:
    """How a small picture differs from the frame before, and from the settled picture.

    The settled picture is how each zone looked when it was last read. `moving`: number of moving pixels.
    `upheaval`: the light changed everywhere. For each zone, in order: `stirs` (something moves), `covered` (by
    a hand), `changed` (number of changed pixels).
    """

    moving: int
    upheaval: bool
    stirs: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    changed: NDArray[np.intp]
    furniture: NDArray[np.bool_]
    """For each zone: whether a motionless change at the border has just become furniture, and no longer counts
    as a hand."""
    bared: NDArray[np.bool_]
    """For each zone: whether its settled picture turned out to show a hand that has left."""
    reaching: float = 0.0
    """Share of the picture (0 to 1) that hands, arms or heads cover, which reach in from its border."""


class Scene:
    """Settled picture of a mat, with everything that differs.

    The settled picture is how each zone looked when it was last read.
    """

    def __init__(
        self,
        mat: Mat,
        registration: Registration,
        small: SmallPicture,
        t: float,
        before: "Scene | None" = None,
    ) -> None:
        """Begin with a picture in which the mat was just found. `t`: its time (s).

        `before`: scene of the mat where it was before the camera moved. Arms differ from it: without it, an arm
        that rests would be taken for the mat.
        """
        height, width = small.gray.shape
        zones = mat.zones
        self._mat = mat
        self._count = len(zones)
        self._owner = np.zeros((height, width), np.uint8)
        for index in range(len(zones) - 1, -1, -1):  # the first zone that contains a point owns it
            mask = registration.zone_mask(zones[index], width, height)
            self._owner[mask > 0] = index + 1
        self._stacks = [self._owner == index + 1 for index, zone in enumerate(zones) if zone.stack is not None]
        """Masks of the zones with a stack of cards, whose backs cannot be read."""
        self._scale = width / registration.width
        self._before = small
        self._settled = small.copy()
        arms = np.zeros((height, width), np.bool_)
        if before is not None:
            known, shown = before.seen_from(registration, small)
            arms = _arms(small, known, shown)
            self._settled.take(known, arms)
        self._moved_at = np.zeros((height, width), np.float32)
        self._start = t
        self._change: Gray = np.zeros((height, width), np.uint8)
        self._frames = 0
        self._bare = BareMat((height, width))
        self._bare.learn(small, (self._owner == 0) & ~arms)
        self._read = np.zeros((height, width), np.bool_)
        """Mask of places where the settled picture shows stickers that were read."""
        self._wary_until = t
        self._registration = registration

    @property
    def settled(self) -> SmallPicture:
        """Picture of how each zone looked when it was last read, as small as those given to `step`."""
        return self._settled

    def seen_from(
        self, registration: Registration, small: SmallPicture
    ) -> tuple[SmallPicture, NDArray[np.bool_]]:
        """Settled picture as the camera would see it if the mat lay at another place.

        `registration`: that place. `small`: picture of the size wanted. Returns the picture, and a mask (h x w)
        of what the camera saw from the place before.
        """
        height, width = small.gray.shape
        columns, rows = (max(2, size // _GRID_PX) for size in (width, height))
        x, y = np.meshgrid(np.linspace(0, width - 1, columns), np.linspace(0, height - 1, rows))
        mm = registration.to_mm(np.column_stack([x.ravel(), y.ravel()]) / (width / registration.width))
        px = (self._registration.to_px(mm) * self._scale).astype(np.float32).reshape(rows, columns, 2)
        spread = _spread(rows, columns, height, width)
        x, y = (_looked_up(np.ascontiguousarray(px[..., axis]), *spread) for axis in (0, 1))
        old = self._settled
        half = [np.ascontiguousarray(one[: height // 2 * 2 : 2, : width // 2 * 2 : 2] / 2) for one in (x, y)]
        colours = tuple(_looked_up(one, *half) for one in old.colours)
        h, w = old.gray.shape
        shown = (x >= 0) & (y >= 0) & (x <= w - 1) & (y <= h - 1)
        gray = _looked_up(old.gray, x, y)
        return SmallPicture(gray, colours), np.asarray(shown)

    def step(self, small: SmallPicture, t: float, brightest: int = 255) -> Glance:
        """Compare a picture with the previous and the settled one.

        The settled picture is how each zone looked when it was last read. `t`: time of the picture (s). Grey
        levels from `brightest` on count as equal.
        """
        nothing = np.zeros(self._count, np.bool_)
        stirs, covered, furniture, bared = nothing, nothing, nothing, nothing
        moving, motion = differ(small, self._before, _MOVING, _MOVING_COLOUR, brightest)
        if moving >= _STIRS:
            moving, motion = _without_specks(motion)
        self._before = small
        self._frames += 1
        if moving:
            self._moved_at[motion > 0] = t - self._start
            stirs = self._per_zone(motion) >= _STIRS
        count, self._change = differ(small, self._settled, _CHANGED, _CHANGED_COLOUR, brightest)
        changed = np.zeros(self._count, np.intp)
        upheaval, reaching = False, 0.0
        if count:
            upheaval = count > 0.2 * motion.size and self._everywhere()
            hand, crossing, ghosts = self._sort_changes(small, t)
            changed = self._per_zone(self._change)
            covered = self._per_zone(hand) >= _COVERS
            reaching = cv2.countNonZero(hand) / hand.size
            furniture = self._per_zone(crossing) >= _COVERS
            bared = self._per_zone(ghosts) >= _COVERS
        if self._frames % _DRIFT_EVERY == 0 and t >= self._wary_until:
            self._drift(small, motion)
        return Glance(moving, upheaval, stirs, covered, changed, furniture, bared, reaching)

    def holds_thing(self, index: int, small: SmallPicture) -> bool:
        """True if something card-sized has changed in zone `index`.

        False if the mat was only laid bare.
        """
        change = (self._change > 0) & (self._owner == index + 1)
        count = int(np.count_nonzero(change))
        return count >= _THING_PX and bool(np.count_nonzero(change & ~self._bare.looks_bare(small)) > count / 2)

    def shifted(self, small: SmallPicture, marker: MatMarker) -> bool:
        """True if a corner marker was shifted or covered since the zones were last read."""
        half = marker.side / 2
        zone = Zone("", marker.x - half, marker.y - half, marker.side, marker.side)
        left, top, right, bottom = (int(at * self._scale) for at in self._registration.zone_rect(zone))
        window = (slice(top, bottom + 1), slice(left, right + 1))
        now, then = small.gray[window], self._settled.gray[window]
        return now.size == 0 or float(cv2.absdiff(now, then).mean()) > _SHIFTED

    def absorb(self, index: int, small: SmallPicture, cards: Places, *, alone: bool) -> None:
        """Take a zone's present look as settled, after its reading.

        `index`: the zone's number. `cards`: places of the cards that were read (n x 2 mm). `alone`: True if
        nothing else covers the mat there, so that the bare mat can be learned.
        """
        mine = self._owner == index + 1
        self._settled.take(small, mine)
        self._read[mine] = False
        self._read |= mine & self._discs(cards, _PLACE_MM)
        if alone:
            self._bare.learn(small, mine & ~self._discs(cards, _CARD_MM))

    def hidden(self, small: SmallPicture, missing: Places, lying: Places, side: float, t: float) -> bool:
        """True if missing stickers may be hidden by something that looks like the mat.

        False if they are gone. `missing`: where they were. `lying`: where all cards are or were. Both are n x
        2 mm. `side`: of a sticker (mm). `t`: time (s).
        """
        if not missing:
            return False
        places = self._discs(missing, max(side / 2, _PLACE_MM))
        other_things = self._discs(lying, _CARD_MM) | self._things() | self._bare.things(self._settled)
        for stack in self._stacks:
            # Rims of backs come and go like lines that a hand hides.
            if not self._bare.shown(self._settled, stack):
                other_things |= stack
        printed = self._discs(missing, ARM_MM) & ~other_things
        hidden = self._bare.hidden(small, self._settled, self._change, places, printed)
        if hidden:
            self._wary_until = t + _WARY_S
        return hidden

    def _things(self) -> NDArray[np.bool_]:
        """Mask (h x w) of changes as large as a card that do not touch the border."""
        number, labels, stats, _ = cv2.connectedComponentsWithStats(self._change, connectivity=8)
        height, width = self._change.shape
        left, top, right, bottom = (
            stats[:, 0],
            stats[:, 1],
            stats[:, 0] + stats[:, 2],
            stats[:, 1] + stats[:, 3],
        )
        inside = (left > 0) & (top > 0) & (right < width) & (bottom < height)
        things = inside & (stats[:, 4] >= _THING_PX) & (np.arange(number) > 0)
        return cv2.dilate(things[labels].astype(np.uint8), np.ones((7, 7), np.uint8)) > 0

    def _discs(self, places: Places, radius: float) -> NDArray[np.bool_]:
        """Mask (h x w) of pixels within `radius` mm of one of the places (n x 2 mm)."""
        if not len(places):
            return np.zeros(self._owner.shape, np.bool_)
        px = self._registration.to_px(places) * self._scale
        radii = self._registration.scales(places) * self._scale * radius
        return discs(self._owner.shape, px.tolist(), radii.tolist())

    def changed_rect(self, index: int) -> Rect | None:
        """Rectangle (full picture's px) around all changes in zone `index`.

        None without changes.
        """
        ys, xs = np.nonzero((self._change > 0) & (self._owner == index + 1))
        if not len(xs):
            return None
        ends = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]) / self._scale
        return int(ends[0]), int(ends[1]), int(ends[2]), int(ends[3])

    def changes(self, index: int) -> list[NDArray[np.float32]]:
        """Outlines of the changes in zone number `index`, n x 2 px of the full picture each."""
        mask = np.where(self._owner == index + 1, self._change, 0).astype(np.uint8)
        found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [((one[:, 0] + 0.5) / self._scale).astype(np.float32) for one in found if len(one) > _CORNERS]

    def lying(self, index: int, small: SmallPicture) -> list[NDArray[np.float32]]:
        """Outlines of things in zone number `index` that differ from the cloth around.

        Each is n x 2 px of the full picture.
        """
        zone = self._mat.zones[index]
        height, width = small.gray.shape
        far = Zone(
            "",
            max(0.0, zone.x - _AROUND_MM),
            max(0.0, zone.y - _AROUND_MM),
            min(self._mat.w, zone.x + zone.w + _AROUND_MM) - max(0.0, zone.x - _AROUND_MM),
            min(self._mat.h, zone.y + zone.h + _AROUND_MM) - max(0.0, zone.y - _AROUND_MM),
        )
        cloth = (self._registration.zone_mask(far, width, height) > 0) & (self._owner == 0)
        found = things_on_cloth(small, self._owner == index + 1, cloth)
        return [one / np.float32(self._scale) for one in found]

    def changed_share(self, x: float, y: float, side: float) -> float:
        """Share (0 to 1) of changed pixels in a square.

        `x`, `y`, `side`: the square's middle and side in px of the full picture. 1 if the square lies outside
        of the picture.
        """
        half = side / 2
        left, top = int((x - half) * self._scale), int((y - half) * self._scale)
        right, bottom = int((x + half) * self._scale) + 1, int((y + half) * self._scale) + 1
        patch = self._change[max(0, top) : bottom, max(0, left) : right]
        return cv2.countNonZero(patch) / patch.size if patch.size else 1.0

    def _per_zone(self, mask: Gray) -> NDArray[np.intp]:
        left, top, w, h = cv2.boundingRect(mask)
        window = (slice(top, top + h), slice(left, left + w))
        return np.bincount(self._owner[window][mask[window] > 0], minlength=self._count + 1)[1:]

    def _everywhere(self) -> bool:
        cells = cv2.resize(self._change, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
        return int(np.count_nonzero(cells > 255 * _CELL_SHARE)) >= _CELLS_CHANGED

    def _sort_changes(self, small: SmallPicture, t: float) -> tuple[Gray, Gray, Gray]:
        """Sort changes into masks: hands, new furniture, hands that left.

        The hands that have left were present when the picture settled. Specks are removed. Still things beside
        the zones become part of the settled picture. `t`: time (s).
        """
        grown = cv2.dilate(self._change, np.ones((3, 3), np.uint8))
        height, width = grown.shape
        x, y, w, h = cv2.boundingRect(grown)
        number, labels, stats, _ = cv2.connectedComponentsWithStats(grown[y : y + h, x : x + w], connectivity=8)
        hand, crossing, ghosts = (np.zeros((height, width), np.uint8) for _ in range(3))
        still_thing = np.zeros((height, width), np.bool_)
        now = t - self._start
        for label in range(1, number):
            left, top, w, h, area = (int(value) for value in stats[label])
            mine = labels[top : top + h, left : left + w] == label
            left, top = left + x, top + y
            window = (slice(top, top + h), slice(left, left + w))
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
                still_thing[window] |= mine
            elif still > _STILL_THING_S:
                still_thing[window] |= mine & (self._owner[window] == 0)
        if still_thing.any():
            self._settled.take(small, still_thing)
        if ghosts.any():
            # The hand was there when the mat was seen first, so its picture was learned as the mat's.
            where = cv2.dilate(ghosts, np.ones((_RIM_PX, _RIM_PX), np.uint8)) > 0
            self._bare.learn_anew(small, where, self._owner == 0)
        return np.asarray(cv2.bitwise_and(hand, self._change), np.uint8), crossing, ghosts

    def _gone(self, small: SmallPicture, window: tuple[slice, slice], mine: NDArray[np.bool_]) -> bool:
        """True if a changed object was in the settled picture and has left.

        The settled picture then has its edge. False where stickers were read. `mine`: mask of the change in
        `window`.
        """
        if self._read[window][mine].any():
            return False
        outline = cv2.morphologyEx(mine.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        if not outline.any():
            return False  # all of the picture has changed: no outline is in sight
        # Cards that an arm has laid bare have edges, too, but most of its outline crosses the cloth.
        now, then = (np.median(steepness(picture.gray[window])[outline]) for picture in (small, self._settled))
        return bool(then > _SHARPER * now)

    def _drift(self, small: SmallPicture, motion: Gray) -> None:
        """Let the settled picture follow daylight where nothing has changed."""
        self._settled.approach(small, (self._change | motion) == 0)


def _spread(
    rows: int, columns: int, height: int, width: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Places in a grid of `rows` x `columns` for every pixel of a picture: x and y, each h x w."""
    x, y = np.meshgrid(np.linspace(0, columns - 1, width), np.linspace(0, rows - 1, height))
    return x.astype(np.float32), y.astype(np.float32)


def _looked_up(plane: NDArray[Any], x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """Picture of the pixels of `plane` at the places `x`, `y` (h x w each).

    Beyond the edge of `plane` its outermost pixels go on.
    """
    return np.asarray(cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _arms(small: SmallPicture, known: SmallPicture, shown: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask (h x w) of arms that reach into a picture from its border.

    `known`: picture without arms, with edges that may lie a pixel beside those of `small`. `shown`: mask of
    where it is known.
    """
    height, width = small.gray.shape
    mask = _beyond_neighbours(small.gray, known.gray, _CHANGED)
    for now, then in zip(small.colours, known.colours, strict=False):
        coloured = _beyond_neighbours(now, then, _CHANGED_COLOUR)
        mask |= np.asarray(cv2.resize(coloured, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    number, labels = cv2.connectedComponents(mask, connectivity=8)
    arms = np.bincount(labels[shown], minlength=number) >= _ARM_PX
    arms &= np.isin(np.arange(number), np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    arms[0] = False
    found = arms[labels].astype(np.uint8)
    if np.count_nonzero(found) > _ARMS_MOST * found.size:
        return np.zeros_like(shown)
    edge = len(_ARM_GAP)
    wide = cv2.copyMakeBorder(found, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    wide = cv2.dilate(cv2.morphologyEx(wide, cv2.MORPH_CLOSE, _ARM_GAP), _ARM_RIM)
    return np.asarray(wide[edge : edge + height, edge : edge + width] > 0)


def _beyond_neighbours(now: Gray, then: Gray, least: int) -> Gray:
    """Mask (0 or 1) of pixels that differ by more than `least` levels from all of 3 x 3 pixels before."""
    around = np.ones((3, 3), np.uint8)
    brighter = cv2.subtract(now, cv2.dilate(then, around)) > least
    return np.asarray((brighter | (cv2.subtract(cv2.erode(then, around), now) > least)).astype(np.uint8))


def _without_specks(mask: Gray) -> tuple[int, Gray]:
    """Keep mask pixels (0 or 255) that touch two others.

    Returns their number and the mask. In dim light noise alone makes single pixels.
    """
    around = cv2.boxFilter(mask, -1, (3, 3), normalize=True, borderType=cv2.BORDER_CONSTANT)
    beside = cv2.bitwise_and(mask, cv2.threshold(around, _BESIDE, 255, cv2.THRESH_BINARY)[1])
    return cv2.countNonZero(beside), np.asarray(beside, np.uint8)


def moving_between(before: SmallPicture, now: SmallPicture) -> int:
    """Count the pixels that moved between two small pictures.

    A pixel counts only if all its neighbours differ, too: single pixels are noise.
    """
    count, mask = differ(before, now, _MOVING, _MOVING_COLOUR)
    return cv2.countNonZero(cv2.erode(mask, np.ones((3, 3), np.uint8))) if count else 0
