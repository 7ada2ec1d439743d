"""The camera above the virtual table.

It draws what lies on the table, and redraws only what changed.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.appearance import PhysicalCard
from companion.virtual.parameters import SIGHT
from companion.virtual.render.arm import Arm
from companion.virtual.render.camera_optics import HEIGHT, WIDTH, Box, Lens
from companion.virtual.render.image_sensor import Sensor
from companion.virtual.render.looks import Looks
from companion.virtual.render.printed_marks import PX_MM, Picture, reflection
from companion.virtual.render.table_surface import bare_table
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.world import Hand, Point, Thing, World
from vision.mat_geometry import Mat

_PATCHES_KEPT = 400
"""Most drawn things that are kept for reuse."""


class _Patch:
    """Drawn thing in its `box`: the light that it adds, and the share of the ground that stays.

    `shine`: mask of the lamp that it reflects; None if it reflects no lamp.
    """

    def __init__(self, box: Box, adds: Picture, leaves: Picture, shine: Picture | None) -> None:
        self.box = box
        self.adds = adds
        self.leaves = leaves
        self.shine = shine

    def draw(self, picture: Picture, shine: Picture, window: Box) -> None:
        """Draw the thing into `picture`, and its reflection into `shine`; both show the box `window`."""
        box = _common(self.box, window)
        if box is None:
            return
        there, mine = _slices(box, window), _slices(box, self.box)
        target, below = picture[there], shine[there]
        cv2.add(cv2.multiply(target, self.leaves[mine], scale=1 / 255), self.adds[mine], dst=target)
        if below.any():
            below[:] = cv2.multiply(below, self.leaves[mine][:, :, 0], scale=1 / 255)
        if self.shine is not None:
            cv2.add(below, self.shine[mine], dst=below)


class TableCamera:
    """Camera that takes pictures of the virtual table from above.

    They have 1920 x 1080 px. `world`: what lies there. `mat`: the sheet or cloth. `looks`: how things look.
    `chance` decides its mounting and all noise.
    """

    def __init__(
        self,
        world: World,
        mat: Mat,
        cards: Iterable[PhysicalCard],
        looks: Looks,
        noise: Noise,
        chance: Random,
    ) -> None:
        self._world = world
        self._looks = looks
        self.cards = {card.code: card for card in cards}
        """Catalogue code -> physical card of the game."""
        self.lens = Lens(mat, noise, chance)
        self._sensor = Sensor(noise, Random(chance.getrandbits(32)))
        self._arm = Arm(self.lens)
        self.mat = mat
        self._ground = chance.getrandbits(32)
        self._bare = bare_table(mat, self.lens, self._ground, looks.draw_zone)
        self._chance = chance
        self._pushes = noise.nudges_per_game / SIGHT.game_s
        self._push_at = self._next_push(0.0)
        self._patches: dict[Thing, _Patch] = {}
        self._hand_box: Box | None = None
        self._hand: tuple[Hand, Point] | None = None  # hand in the newest picture, and its position
        self.changes = 0
        """Counter of pictures that differ from the previous one by more than noise."""
        self._sharp: Picture
        self._shine: Picture
        self._clean: Picture
        self._drawn: dict[str, Thing]
        self._version: int
        self.redraw()

    def lay(self, mat: Mat) -> None:
        """Replace mat or cloth below the camera; redraw everything."""
        self.mat = mat
        self._bare = bare_table(mat, self.lens, self._ground, self._looks.draw_zone)
        self.redraw()

    def begin(self) -> None:
        """Restart the noise as in a new camera.

        So frames that were taken before change nothing.
        """
        self._sensor.begin()

    def frame(self, t: float) -> Picture:
        """Colour picture at time `t` (s): BGR, H x W x 3, a new array."""
        with self._seen_at(t):
            return self._sensor.frame(self._clean)

    def grey(self, t: float) -> NDArray[np.uint8]:
        """Grey picture (H x W) at time `t` (s).

        Much cheaper than `frame`.
        """
        with self._seen_at(t) as hand:
            return self._sensor.grey(self._clean, hand)

    def moving(self) -> bool:
        """True if the next picture may differ from the last one beyond noise."""
        return self._world.hand is not None or self._version != self._world.version

    def arm_box(self) -> Box | None:
        """Box (px) of the hand in the newest picture.

        None without a hand.
        """
        return self._hand_box

    def clean_picture(self) -> Picture:
        """Picture of the table without hands and noise.

        It is darker than a frame by `camera_optics.BIAS`.
        """
        self._catch_up()
        return self._clean

    def nudge(self, dx: float, dy: float, turn: float, zoom: float = 1.0) -> None:
        """Push the camera; later pictures show the table from there.

        The picture's middle moves by (`dx`, `dy`) px and turns by `turn` degrees; everything becomes `zoom`
        times as large.
        """
        self.lens.nudge(dx, dy, turn, zoom)
        self._bare = bare_table(self.mat, self.lens, self._ground, self._looks.draw_zone)
        self._patches = {}
        self.redraw()

    def _next_push(self, t: float) -> float:
        """Draw the time (s) of the next push; infinite if the noise profile has none."""
        return t + self._chance.expovariate(self._pushes) if self._pushes else math.inf

    @contextmanager
    def _seen_at(self, t: float) -> Iterator[Box | None]:
        """Draw the hand at time `t` (s) into the clean picture within a `with` block.

        Yields the hand's box (px), or None.
        """
        if t >= self._push_at:
            gauss = self._chance.gauss
            self.nudge(gauss(0, SIGHT.push_px), gauss(0, SIGHT.push_px), gauss(0, SIGHT.push_deg))
            self._push_at = self._next_push(t)
        self._catch_up()
        hand = self._world.hand
        there = None if hand is None else (hand, hand.at(t))
        self.changes += there != self._hand
        self._hand = there
        box = self._hand_box = None if hand is None else self._arm.box(hand, t)
        if hand is None or box is None:
            yield None
            return
        kept = self._clean[box[1] : box[3], box[0] : box[2]].copy()
        window = _grown(box, 4)
        part = self._sharp[window[1] : window[3], window[0] : window[2]].copy()
        shine = self._shine[window[1] : window[3], window[0] : window[2]].copy()
        self._draw_hand(part, shine, window, hand, t)
        finished = self.lens.finished(part, shine, window, whole=True)
        self._clean[box[1] : box[3], box[0] : box[2]] = finished[_slices(box, window)]
        try:
            yield box
        finally:
            self._clean[box[1] : box[3], box[0] : box[2]] = kept

    def redraw(self) -> None:
        """Discard everything drawn; the next picture starts from scratch."""
        self._sharp = self._bare.copy()
        self._shine = np.zeros((HEIGHT, WIDTH), np.uint8)
        self._clean = self.lens.finished(self._sharp, self._shine, (0, 0, WIDTH, HEIGHT))
        self._sensor.changed((0, 0, WIDTH, HEIGHT))
        self._drawn = {}
        self._version = -1

    def _draw_hand(self, part: Picture, shine: Picture, window: Box, hand: Hand, t: float) -> None:
        self._arm.shade(part, window, hand, t)
        x, y = hand.at(t)
        for held in hand.held:
            thing = Thing(held.code, x + held.dx, y + held.dy, held.angle, held.side)
            self._render(thing).draw(part, shine, window)
        shine[self._arm.draw(part, window, hand, t) > 0] = 0

    def _catch_up(self) -> None:
        """Redraw the parts of the table that changed since the last picture."""
        if self._version == self._world.version:
            return
        self._version = self._world.version
        self.changes += 1
        things = dict(self._world.things)
        changed = {thing for code, thing in self._drawn.items() if things.get(code) != thing}
        changed |= {thing for code, thing in things.items() if self._drawn.get(code) != thing}
        self._drawn = things
        order = sorted(things.values(), key=lambda thing: thing.z)
        for box in _merged([self._patch(thing).box for thing in changed]):
            part = self._bare[box[1] : box[3], box[0] : box[2]].copy()
            shine = np.zeros(part.shape[:2], np.uint8)
            for thing in order:
                self._patch(thing).draw(part, shine, box)
            self._sharp[box[1] : box[3], box[0] : box[2]] = part
            self._shine[box[1] : box[3], box[0] : box[2]] = shine
            around = _grown(box, 3)
            finished = self.lens.finished(self._sharp, self._shine, around)
            self._clean[around[1] : around[3], around[0] : around[2]] = finished
            self._sensor.changed(around)

    def _patch(self, thing: Thing) -> _Patch:
        patch = self._patches.get(thing)
        if patch is None:
            if len(self._patches) >= _PATCHES_KEPT:
                self._patches = {t: p for t, p in self._patches.items() if t in self._drawn.values()}
            patch = self._patches[thing] = self._render(thing)
        return patch

    def _render(self, thing: Thing) -> _Patch:
        card = self.cards.get(thing.code)
        picture, outline = self._looks.printed(card, thing.code, thing.side)
        if self.lens.other_light is not None:
            picture = self.lens.other_light.on_card(picture, thing.code, thing.x, thing.y, thing.angle)
        w, h = self._looks.size_of(thing.code, thing.side)
        turn = np.deg2rad(thing.angle)
        cos, sin = np.cos(turn), np.sin(turn)
        place = np.array([[cos, -sin, thing.x], [sin, cos, thing.y], [0, 0, 1]])
        shrink = np.array([[1 / PX_MM, 0, -w / 2], [0, 1 / PX_MM, -h / 2], [0, 0, 1]])
        whole = self.lens.matrix @ place @ shrink
        rows, cols = outline.shape
        ends = np.array([[0, 0, 1], [cols, 0, 1], [cols, rows, 1], [0, rows, 1]]) @ whole.T
        ends = self.lens.bent(ends[:, :2] / ends[:, 2:])
        left, top = np.floor(ends.min(axis=0)).astype(int) - SIGHT.shadow_px
        right, bottom = np.ceil(ends.max(axis=0)).astype(int) + SIGHT.shadow_px + 2
        size = (int(right - left), int(bottom - top))
        box = (int(left), int(top), int(right), int(bottom))
        large = self.lens.twice(picture, whole, box, cv2.BORDER_REPLICATE)
        mask = self.lens.twice(outline, whole, box)
        small = cv2.resize(large, size, interpolation=cv2.INTER_AREA)
        alpha = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
        thick = cv2.merge([alpha, alpha, alpha])
        adds = cv2.multiply(small, thick, scale=1 / 255)
        moved = cv2.warpAffine(alpha, np.array([[1.0, 0, 1.5], [0, 1.0, 2.0]]), size)
        shadow = cv2.GaussianBlur(moved, (0, 0), 1.6).astype(np.float32) * SIGHT.shadow_depth
        leaves = ((255 - alpha.astype(np.float32)) * (255 - shadow) / 255).astype(np.uint8)
        shine = None
        if thing.glare and self._looks.is_glossy(thing.code):
            spot = cv2.resize(
                self.lens.twice(reflection(outline), whole, box), size, interpolation=cv2.INTER_AREA
            )
            shine = np.asarray(spot, np.uint8)
        ground = np.asarray(cv2.merge([leaves] * 3), np.uint8)
        return _clipped(_Patch(box, np.asarray(adds, np.uint8), ground, shine))


def _clipped(patch: _Patch) -> _Patch:
    box = _common(patch.box, (0, 0, WIDTH, HEIGHT))
    if box == patch.box:
        return patch
    if box is None:
        return _Patch((0, 0, 0, 0), patch.adds[:0, :0], patch.leaves[:0, :0], None)
    part = _slices(box, patch.box)
    return _Patch(box, patch.adds[part], patch.leaves[part], None if patch.shine is None else patch.shine[part])


def _slices(box: Box, within: Box) -> tuple[slice, slice]:
    """Rows and columns of a box in a part of the picture.

    The part is the box `within`.
    """
    return (
        slice(box[1] - within[1], box[3] - within[1]),
        slice(box[0] - within[0], box[2] - within[0]),
    )


def _grown(box: Box, by: int) -> Box:
    return (max(0, box[0] - by), max(0, box[1] - by), min(WIDTH, box[2] + by), min(HEIGHT, box[3] + by))


def _common(a: Box, b: Box) -> Box | None:
    box = (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
    return box if box[0] < box[2] and box[1] < box[3] else None


def _merged(boxes: list[Box]) -> list[Box]:
    """Join boxes (px) that overlap, and drop empty ones."""
    merged: list[Box] = []
    for new in boxes:
        if new[0] >= new[2] or new[1] >= new[3]:
            continue
        joined = new
        while True:
            touching = next((box for box in merged if _common(box, joined)), None)
            if touching is None:
                break
            merged.remove(touching)
            joined = (
                min(joined[0], touching[0]),
                min(joined[1], touching[1]),
                max(joined[2], touching[2]),
                max(joined[3], touching[3]),
            )
        merged.append(joined)
    return merged
