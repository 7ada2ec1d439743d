"""A table drawn for the camera tests, by other means than the product's own renderer, and checks of it."""

import copy
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.sleepless_princess.princess_mat import mat as princess_mat
from companion.games.sleepless_princess.rules.card_kinds import catalogue
from vision.camera.frames import Frame
from vision.codes.sticker_set import Tags, marker, sticker
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import Seen, ZoneSeen

MAT = princess_mat(5)
CARDS = catalogue(helpers_up_to=10, witches=4, smooth=True, glass=True)
TAGS = Tags.of(CARDS)
BY_CODE = {card.code: card for card in CARDS}
PAPER = 3.0
"""px per mm in which the table is drawn before it is seen by the camera."""
FULL_HD = (1920, 1080)
_DRAWN_MOST = 24
_drawn: dict[object, np.ndarray] = {}
"""Tables drawn lately, without noise, by all that they show: many tests begin alike."""


@cache
def _grain(seed, size, noise):
    """Noise that is larger than a picture, and the generator as it is after that."""
    rng = np.random.default_rng(seed)
    grain = rng.normal(0, noise, (size[1] + 64, size[0] + 64))
    return np.round(grain).astype(np.int16), rng


def drawn_once(key, draw):
    """The picture drawn lately for `key`, or a new one. Nobody may write to it."""
    if key not in _drawn:
        if len(_drawn) >= _DRAWN_MOST:
            _drawn.pop(next(iter(_drawn)))
        _drawn[key] = draw()
    return _drawn[key]


@dataclass
class Lying:
    """A card on the table: centre in mm, degrees clockwise; `payload` and `marker` as on PhysicalCard."""

    x: float
    y: float
    angle: float
    payload: str = ""
    marker: int | None = None
    image: np.ndarray | None = None


def _key(card):
    image = None if card.image is None else (card.image.shape, card.image.tobytes())
    return card.x, card.y, card.angle, card.payload, card.marker, image


class Table:
    """Cards, hands, light and a camera above; `picture()` is what it sees."""

    def __init__(self, *, size=FULL_HD, noise=2.0, blur=0.6, view_mm=1000.0, seed=1):
        self.size = size
        self.blur = blur
        self.cards: dict[str, Lying] = {}
        self.hands: list[np.ndarray] = []
        self.skin = 168
        self.light = 1.0
        self.nudge = (0.0, 0.0, 0.0)  # px, px, degrees
        self.view_mm = view_mm
        self._grain, rng = _grain(seed, size, noise)
        self._rng = copy.deepcopy(rng)

    def put(self, code, x, y, angle=0.0):
        card = BY_CODE[code]
        self.cards[code] = Lying(x, y, angle, card.payload, card.marker)

    def take(self, code):
        del self.cards[code]

    def reach(self, x, y, width=75.0):
        """An arm from the near edge to (x, y), far beyond the picture."""
        half = width / 2
        self.hands.append(
            np.array([(x - half, y), (x, y - 40), (x + half, y), (x + half + 60, 900), (x - half + 60, 900)])
        )

    def withdraw(self):
        self.hands.clear()

    def homography(self):
        """mm to px: the mat in the middle, seen a little from the near side, and nudged."""
        width, height = self.size
        scale = width / self.view_mm
        tilt = 0.03 * width / 1920
        corners = np.array([(0, 0), (MAT.w, 0), (MAT.w, MAT.h), (0, MAT.h)], np.float32)
        seen = (corners - (MAT.w / 2, MAT.h / 2)) * scale
        seen[:2, 0] *= 1 - tilt
        seen[:, 1] *= 0.99
        dx, dy, turn = self.nudge
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        seen = seen @ np.array([(cos, sin), (-sin, cos)]) + (width / 2 + dx, height / 2 + dy)
        return cv2.getPerspectiveTransform(corners, seen.astype(np.float32))

    def shown(self):
        """All that a picture without noise depends on."""
        return (
            type(self),
            (self.size, self.blur, self.view_mm, self.light, self.nudge, self.skin),
            tuple((code, _key(card)) for code, card in self.cards.items()),
            tuple(hand.tobytes() for hand in self.hands),
        )

    def picture(self):
        clean = drawn_once(self.shown(), self._clean)
        dx, dy = self._rng.integers(0, 64, 2)
        width, height = self.size
        grain = self._grain[dy : dy + height, dx : dx + width]
        return cv2.add(clean, grain, dtype=cv2.CV_8U)

    def _clean(self):
        over = 2
        width, height = self.size[0] * over, self.size[1] * over
        lift = np.diag([over, over, 1.0]) @ self.homography()
        scene = cv2.warpPerspective(
            self._sheet(),
            lift @ np.diag([1 / PAPER, 1 / PAPER, 1]),
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderValue=95,
        )
        for card in self.cards.values():
            self._lay(scene, card, lift)
        for hand in self.hands:
            outline = cv2.perspectiveTransform(hand[None].astype(np.float64), lift)[0]
            cv2.fillPoly(scene, [np.round(outline).astype(np.int32)], (self.skin,), lineType=cv2.LINE_AA)
        seen = cv2.resize(scene, self.size, interpolation=cv2.INTER_AREA)
        seen = cv2.GaussianBlur(seen, (0, 0), self.blur)
        return np.clip(seen * self.light, 0, 255).astype(np.int16)

    def _sheet(self):
        if not hasattr(self, "_paper"):
            paper = np.full((int(MAT.h * PAPER), int(MAT.w * PAPER)), 128, np.uint8)
            for zone in MAT.zones:
                a = (int(zone.x * PAPER), int(zone.y * PAPER))
                b = (int((zone.x + zone.w) * PAPER), int((zone.y + zone.h) * PAPER))
                cv2.rectangle(paper, a, b, (100,), 3)
                cv2.putText(paper, zone.name, (a[0] + 9, b[1] - 9), 0, 0.8, (90,), 2)
            for corner in MAT.markers:
                px = int(corner.side * PAPER)
                image = marker(corner.id, px, margin=1)
                left, top = (int(v * PAPER - image.shape[0] / 2) for v in (corner.x, corner.y))
                paper[top : top + image.shape[0], left : left + image.shape[0]] = image
            self._paper = paper
        return self._paper

    def _lay(self, scene, card, lift):
        face, w, h = self._face(card)
        turn = np.radians(card.angle)
        cos, sin = np.cos(turn), np.sin(turn)
        to_mm = np.array([(cos, -sin, card.x), (sin, cos, card.y), (0, 0, 1)]) @ np.array(
            [(w / face.shape[1], 0, -w / 2), (0, h / face.shape[0], -h / 2), (0, 0, 1)]
        )
        matrix = lift @ to_mm
        ends = cv2.perspectiveTransform(
            np.array([[(0, 0), (face.shape[1], 0), face.shape[1::-1], (0, face.shape[0])]], np.float64), matrix
        )[0]
        left, top = np.maximum(0, np.floor(ends.min(axis=0)).astype(int) - 2)
        right, bottom = np.ceil(ends.max(axis=0)).astype(int) + 2
        spot = scene[top:bottom, left:right]
        matrix = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)]) @ matrix
        size = (spot.shape[1], spot.shape[0])
        drawn = cv2.warpPerspective(face, matrix, size)
        mask = cv2.warpPerspective(np.full_like(face, 255), matrix, size)
        np.copyto(spot, drawn, where=mask > 127)

    def _face(self, card):
        if card.image is not None:
            side = 30.0 if card.payload == "" else card.image.shape[0] / 5
            return card.image, side, side
        per_mm = 5
        if card.marker is not None:
            face = np.full((60 * per_mm, 60 * per_mm), 215, np.uint8)
            image = marker(card.marker, (30 if card.marker == 20 else 36) * per_mm, margin=1)
            w, h = 60.0, 60.0
        else:
            w, h = (80.0, 50.0) if card.payload.startswith("SP1M") else (56.0, 87.0)
            face = np.full((int(h * per_mm), int(w * per_mm)), 205, np.uint8)
            cv2.circle(face, (int(w * per_mm / 2), int(h * per_mm / 2)), int(h * per_mm / 2.3), (170,), -1)
            cv2.putText(face, card.payload[3:6], (15, 70), 0, 2, (60,), 5)
            image = sticker(card.payload, 30 * per_mm)
        top, left = (face.shape[0] - image.shape[0]) // 2, (face.shape[1] - image.shape[1]) // 2
        face[top : top + image.shape[0], left : left + image.shape[1]] = image
        return face, w, h


class Watch:
    """Feeds a table's pictures to a Vision at 15 frames a second and keeps what it says."""

    def __init__(self, table, vision=None):
        self.table = table
        self.vision = vision or Vision(MAT, TAGS)
        self.t = 0.0
        self.last: dict[str, tuple[str, ...]] = {}

    def frames(self, n) -> list[Seen]:
        out: list[Seen] = []
        for _ in range(n):
            out += self.vision.feed(Frame(self.t, self.table.picture()))
            self.t += 1 / 15
        for one in out:
            if isinstance(one, ZoneSeen):
                self.last[one.zone] = tuple(sorted(card.code for card in one.cards))
        return out


def full_table(**options) -> Table:
    """Thirty things on the mat, askew by up to 15 degrees."""
    table = Table(**options)
    rng = np.random.default_rng(3)

    def askew():
        return float(rng.uniform(-15, 15))

    for bed in range(5):
        x = 50 + 172 * bed + 84
        table.put(f"P{bed}A", x + 40, 50, askew())
        table.put(f"M{bed}A", x - 35, 50, askew())
        table.put(f"M{bed}B", x - 20, 130, askew())
    for k in range(5):
        table.put(f"H{k + 1:02d}A", 345 + 66 * k, 297, askew() / 3)
    table.put("H07C", 694, 297, askew())
    table.put("G", 777, 298, askew())
    table.put("M9S", 130, 297, askew())
    for k, code in enumerate(("H10A", "H10B", "B2", "W1", "H04D")):
        table.put(code, 280 + 95 * k, 421, askew())
    return table


def expected(table: Table) -> dict[str, tuple[str, ...]]:
    zones: dict[str, list[str]] = {zone.name: [] for zone in MAT.zones}
    for code, card in table.cards.items():
        zone = MAT.zone_at(card.x, card.y)
        if zone is not None:
            zones[zone.name].append(code)
    return {name: tuple(sorted(codes)) for name, codes in zones.items()}


@pytest.fixture(scope="module")
def quiet_table():
    return Table()


def test_the_drawn_table_shows_what_it_should(quiet_table):
    picture = quiet_table.picture()
    assert picture.shape == (1080, 1920)
    assert picture.dtype == np.uint8
    again = quiet_table.picture()
    assert 1.0 < float(np.std(picture.astype(int) - again)) < 5.0
    assert replace(Lying(1, 2, 3), x=4).x == 4
