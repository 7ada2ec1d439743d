"""Hands with sleeves, drawn as seen from above."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.render.camera_optics import HEIGHT, WIDTH, Box, Lens
from companion.virtual.render.printed_marks import Picture
from companion.virtual.world import Hand

_SLEEVES = ((92, 44, 34), (196, 208, 218), (44, 28, 96), (70, 176, 220), (44, 42, 40))
"""Colours (BGR) of sleeves, one for each player in turn."""
_SKINS = ((140, 172, 214), (34, 50, 80), (150, 184, 226), (104, 140, 190), (128, 160, 205))
"""Colours (BGR) of skins, one for each player in turn.

Skins and sleeves are clearly lighter or darker than felt, sheets and wood. A green sleeve on a green mat would
be invisible.
"""
_SLEEVE_FROM = 95.0
"""Distance (mm) from the base of the fingers to the cuff."""
_SHADE_PX = (9, 12)
"""Offset (px) of a hand's shadow, to the right and down."""
# Outline (mm) of a hand that points up: the palm is at the origin, the fingers are at negative y.
_PALM = ((-30, 42), (-38, 8), (-36, -22), (30, -24), (38, -4), (28, 42), (24, 110), (-24, 110))
_FINGERS = (
    (-29, -22, -38, -66),
    (-10, -26, -12, -82),
    (8, -26, 12, -80),
    (25, -22, 32, -62),
    (34, 18, 58, -22),
)
_FINGER_W = 17.0
"""Width (mm) of a finger."""


class Arm:
    """Painter of hands, sleeves and shadows over one table.

    `lens`: of the camera that sees them.
    """

    def __init__(self, lens: Lens) -> None:
        self._lens = lens
        raw = np.random.default_rng(5).standard_normal((HEIGHT // 2, WIDTH // 2)).astype(np.float32)
        grain = cv2.resize(cv2.GaussianBlur(raw, (0, 0), 1.5), (WIDTH, HEIGHT))
        tone = np.clip(226 + 36 * grain, 150, 255).astype(np.uint8)
        self._grain = np.asarray(cv2.merge([tone, tone, tone]), np.uint8)

    def box(self, hand: Hand, t: float) -> Box | None:
        """Box (px) of the picture that a hand at time `t` (s) may touch.

        Its shadow and held things are included. None if it is outside the picture.
        """
        points = np.concatenate(self._shapes(hand, t))
        x, y = hand.at(t)
        if hand.held:
            around = [(x + dx, y + dy) for dx in (-75, 75) for dy in (-75, 75)]
            points = np.concatenate([points, self._lens.seen(around)])
        left, top = points.min(axis=0) - 6
        right, bottom = points.max(axis=0) + 22
        box = (max(0, int(left)), max(0, int(top)), min(WIDTH, int(right)), min(HEIGHT, int(bottom)))
        return box if box[0] < box[2] and box[1] < box[3] else None

    def shade(self, part: Picture, window: Box, hand: Hand, t: float) -> None:
        """Draw a hand's soft shadow at time `t` (s).

        `part`: piece of the picture to draw into, which shows the box `window`.
        """
        mask = np.zeros(part.shape[:2], np.uint8)
        for shape in self._shapes(hand, t):
            moved = shape - np.array(window[:2]) + np.array(_SHADE_PX)
            cv2.fillPoly(mask, [moved.astype(np.int32)], 90)
        light = 255 - cv2.blur(mask, (15, 15))
        part[:] = cv2.multiply(part, cv2.merge([light, light, light]), scale=1 / 255)

    def draw(self, part: Picture, window: Box, hand: Hand, t: float) -> Picture:
        """Draw sleeve, hand and fingers at time `t` (s), and return their mask (0 or 255).

        `part`: piece of the picture to draw into, which shows the box `window`.
        """
        palm, *fingers, sleeve = self._shapes(hand, t)
        origin = np.array(window[:2])
        skin = _SKINS[hand.player % len(_SKINS)]
        cloth = _SLEEVES[hand.player % len(_SLEEVES)]
        dark = tuple(0.72 * c for c in skin)
        mask = np.zeros(part.shape[:2], np.uint8)
        colours = np.zeros_like(part)
        for shape in (palm, *fingers):
            at = (shape - origin).astype(np.int32)
            cv2.fillPoly(colours, [at], skin)
            cv2.fillPoly(mask, [at], 255)
        for shape in fingers:
            cv2.polylines(colours, [(shape - origin).astype(np.int32)[2:]], False, dark, 2, cv2.LINE_AA)
        at = (sleeve - origin).astype(np.int32)
        cv2.fillPoly(colours, [at], cloth)
        cv2.fillPoly(mask, [at], 255)
        cv2.polylines(colours, [at[:2]], False, tuple(1.4 * c for c in cloth), 6, cv2.LINE_AA)
        grain = self._grain[: part.shape[0], : part.shape[1]]
        cv2.copyTo(cv2.multiply(colours, grain, scale=1 / 245), mask, part)
        return mask

    def _shapes(self, hand: Hand, t: float) -> list[NDArray[np.float32]]:
        """Polygons (px) of palm, five fingers and sleeve at time `t` (s), in this order."""
        x, y = hand.at(t)
        back = np.array([hand.anchor[0] - x, hand.anchor[1] - y])
        length = float(np.hypot(*back)) or 1.0
        back /= length
        side = np.array([-back[1], back[0]])
        if not hand.left:
            side = -side  # the drawn hand is a left one, with its thumb on the right
        frame = np.array([-side, back])

        far = length + 60
        sleeve = [(-36, _SLEEVE_FROM), (36, _SLEEVE_FROM), (52, far), (-52, far)]
        parts = [np.array(_PALM, float), *(_finger(*finger) for finger in _FINGERS), np.array(sleeve, float)]
        seen = self._lens.seen(np.concatenate(parts) @ frame + np.array([x, y]))
        return np.split(seen, np.cumsum([len(part) for part in parts])[:-1])


def _finger(x0: float, y0: float, x1: float, y1: float) -> NDArray[np.float64]:
    """Polygon (mm) of a finger with a rounded tip, from base (x0, y0) to tip (x1, y1)."""
    turn = np.arctan2(y1 - y0, x1 - x0)
    r = _FINGER_W / 2
    tip = [
        (x1 + r * np.cos(turn + a), y1 + r * np.sin(turn + a)) for a in np.linspace(-np.pi / 2, np.pi / 2, 7)
    ]
    base = [(x0 + r * np.cos(turn + a), y0 + r * np.sin(turn + a)) for a in (np.pi / 2, -np.pi / 2)]
    return np.array([*base[1:], *tip, *base[:1]], float)
