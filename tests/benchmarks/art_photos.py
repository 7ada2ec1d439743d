"""Photographs of cards on a table cloth, in sleeves or not, apart or touching, as a poor camera takes them."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.render.art_faces import CORNER, HEIGHT, WIDTH, Face
from tests.benchmarks.cheap_optics import spread

Light = NDArray[np.float32]
"""Linear light 0..1, H x W x 3, blue, green, red."""
Place = NDArray[np.float32]
"""The corners of a card in px, 4 x 2, clockwise from the picture's own upper left."""

_OVER = 2
"""Scene pixels for each pixel of the photograph."""
_SLEEVE = 9
"""Pixels of a face that a sleeve stands out on every side: 2 mm."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a photograph is taken; each range is drawn from evenly.

    `card` the width of a card in px; `tilt` degrees; `blur` standard deviation and `defocus` radius in
    px; `full_well` electrons of white, which set the noise; `balance` the gain of blue and of red against
    green may be off by this share; `dim` how far brightness falls across the picture; `glare` the share
    of cards with a lamp mirrored in them; `jpeg` quality; `patterned` whether cloths may be.
    """

    card: tuple[float, float]
    tilt: tuple[float, float]
    blur: tuple[float, float]
    defocus: tuple[float, float]
    full_well: float
    balance: float
    exposure: tuple[float, float]
    dim: float
    glare: float
    jpeg: tuple[int, int]
    patterned: bool


CLEAN = Conditions(
    (240, 300), (0, 8), (0.5, 0.8), (0.2, 0.5), 8000, 0.05, (0.75, 0.9), 0.1, 0.0, (90, 95), False
)
"""A phone held over one card on a plain cloth."""
POOR = Conditions(
    (60, 120), (0, 25), (0.6, 1.1), (0.2, 1.0), 2500, 0.15, (0.55, 0.95), 0.4, 0.35, (60, 85), True
)
"""A webcam in the evening: soft, noisy, off in colour, lamps mirrored in the sleeves."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture (BGR) and where each card that was laid lies in it."""

    image: NDArray[np.uint8]
    places: tuple[Place, ...]


def photograph(
    cards: Sequence[Face], conditions: Conditions, size: tuple[int, int], rng: np.random.Generator
) -> Photo:
    """The cards on one table, in a picture of `size` (width, height) px: all of them, or ValueError.

    A third of the tables have cards that touch in rows, a third have sleeves; the cloth is of any colour.
    """
    width, height = size
    card = float(rng.uniform(*conditions.card))
    poses = _laid(len(cards), card, size, rng)
    view = _tilted(size, np.radians(rng.uniform(*conditions.tilt)), float(rng.uniform(0, 2 * np.pi)))
    scene = _cloth(width * _OVER, height * _OVER, rng, patterned=conditions.patterned)
    sleeved = bool(rng.random() < 1 / 3)
    places = []
    for face, pose in zip(cards, poses, strict=True):
        matrix = view @ pose
        thing, mask = _in_sleeve(face, rng) if sleeved else (_linear(face), _outline(HEIGHT, WIDTH))
        if rng.random() < conditions.glare:
            thing = thing + _reflection(thing.shape[:2], rng)[:, :, None]
        edge = (thing.shape[1] - WIDTH) / 2
        _lay(scene, thing, mask, matrix @ np.array([[1, 0, -edge], [0, 1, -edge], [0, 0, 1]]), card)
        outline = np.array([[(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]], np.float64)
        places.append(cv2.perspectiveTransform(outline, matrix)[0].astype(np.float32))
    light = np.asarray(cv2.resize(scene, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    return Photo(_exposed(light, conditions, rng), tuple(places))


def _laid(
    count: int, card: float, size: tuple[int, int], rng: np.random.Generator
) -> list[NDArray[np.float64]]:
    """For each card the matrix that takes its px to those of a table seen straight from above."""
    touching = bool(rng.random() < 1 / 3)
    tall = card * HEIGHT / WIDTH
    cell_w, cell_h = (card, 1.1 * tall) if touching else (1.8 * card, 1.8 * card)
    room_w, room_h = 0.84 * size[0], 0.84 * size[1]
    columns = max(1, int(room_w / cell_w))
    rows = max(1, int(room_h / cell_h))
    if count > columns * rows:
        raise ValueError(f"{count} cards of {card:.0f} px do not fit {size[0]} x {size[1]} px")
    rows = -(-count // columns)
    poses = []
    row_turn = rng.normal(0, 2) + rng.normal(0, 0.4, rows)
    flips = 180 * rng.integers(0, 2, count)
    spare = [max(0.0, room_w - cell_w * columns) / 2, max(0.0, room_h - cell_h * rows) / 2]
    shift = rng.uniform(-1, 1, 2) * spare
    for k in range(count):
        row, column = divmod(k, columns)
        x = (column - (columns - 1) / 2) * cell_w + shift[0]
        y = (row - (rows - 1) / 2) * cell_h + shift[1]
        turn = row_turn[row] if touching else rng.uniform(0, 360)
        if touching:
            slope = np.radians(turn)
            x, y = x * np.cos(slope), y + x * np.sin(slope)
        else:
            x, y = x + rng.uniform(-0.03, 0.03) * card, y + rng.uniform(-0.03, 0.03) * card
        a = np.radians(turn + flips[k])
        s = card / WIDTH
        turned = np.array([[s * np.cos(a), -s * np.sin(a)], [s * np.sin(a), s * np.cos(a)]])
        pose = np.eye(3)
        pose[:2, :2] = turned
        pose[:2, 2] = np.array([x, y]) - turned @ (WIDTH / 2, HEIGHT / 2)
        poses.append(pose)
    return poses


def _tilted(size: tuple[int, int], tilt: float, towards: float) -> NDArray[np.float64]:
    """A table around (0, 0) to the photograph, its optical axis leaning by `tilt` (radians)."""
    width, height = size
    focal = 0.9 * width
    turn = np.array([[np.cos(towards), -np.sin(towards), 0], [np.sin(towards), np.cos(towards), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = turn.T @ lean @ turn
    onto = np.column_stack([rotation[:, 0], rotation[:, 1], (0, 0, focal)])
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return np.asarray(lens @ onto, np.float64)


def _cloth(width: int, height: int, rng: np.random.Generator, *, patterned: bool) -> Light:
    """Plain cloth, stripes, checks or wood of any colour, with a weave."""
    hsv = np.array([[[rng.integers(180), rng.uniform(0, 190), rng.uniform(40, 235)]]]).astype(np.uint8)
    base = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)
    second = np.clip(base * rng.uniform(0.75, 1.2) + rng.normal(0, 10, 3), 10, 245)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    period, angle = rng.uniform(30, 160), rng.uniform(0, np.pi)
    along = (x * np.cos(angle) + y * np.sin(angle)) / period
    across = (y * np.cos(angle) - x * np.sin(angle)) / period
    kind = int(rng.integers(5)) * patterned
    share = np.zeros((height, width), np.float32)
    if kind == 1:
        share = (np.sin(2 * np.pi * along) > 0).astype(np.float32)
    elif kind == 2:
        share = ((np.sin(2 * np.pi * along) > 0).astype(np.float32) + (np.sin(2 * np.pi * across) > 0)) / 2
    elif kind == 3:
        bend = cv2.resize(rng.normal(0, 1, (9, 9)).astype(np.float32), (width, height))
        share = 0.5 + 0.5 * np.sin(4 * np.pi * along + 2 * bend)
    weave = rng.normal(0, rng.uniform(1, 7), (height, width)).astype(np.float32)[:, :, None]
    cloth = base * (1 - share[:, :, None]) + second.astype(np.float32) * share[:, :, None] + weave
    return _linear(np.clip(cloth, 0, 255).astype(np.uint8))


def _outline(height: int, width: int) -> NDArray[np.float32]:
    mask = np.zeros((height, width), np.float32)
    cv2.rectangle(mask, (CORNER, 0), (width - 1 - CORNER, height - 1), 1.0, -1)
    cv2.rectangle(mask, (0, CORNER), (width - 1, height - 1 - CORNER), 1.0, -1)
    for x in (CORNER, width - 1 - CORNER):
        for y in (CORNER, height - 1 - CORNER):
            cv2.circle(mask, (x, y), CORNER, 1.0, -1)
    return mask


def _in_sleeve(face: Face, rng: np.random.Generator) -> tuple[Light, NDArray[np.float32]]:
    """A clear sleeve: a pale rim that stands out, a film that lightens and greys the picture."""
    sheen = float(rng.uniform(0.02, 0.07))
    rim = float(rng.uniform(0.25, 0.6))
    sleeve = np.full((HEIGHT + 2 * _SLEEVE, WIDTH + 2 * _SLEEVE, 3), rim, np.float32)
    inner = _outline(HEIGHT, WIDTH)[:, :, None]
    middle = sleeve[_SLEEVE:-_SLEEVE, _SLEEVE:-_SLEEVE]
    middle[:] = middle * (1 - inner) + _linear(face) * inner
    # A sleeve's corners are sharp, and its rim lets most of the cloth through.
    mask = np.full(sleeve.shape[:2], float(rng.uniform(0.25, 0.6)), np.float32)
    mask[_SLEEVE:-_SLEEVE, _SLEEVE:-_SLEEVE] = np.maximum(mask[0, 0], inner[:, :, 0])
    return sleeve * (1 - sheen) + sheen, mask


def _reflection(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    """A lamp mirrored in gloss: an ellipse of up to a sixth of the card, white in the middle."""
    height, width = shape
    shine = np.zeros((height, width), np.float32)
    centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    axes = (int(rng.uniform(0.08, 0.25) * width), int(rng.uniform(0.08, 0.25) * width))
    cv2.ellipse(shine, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(0.3, 1.3)), -1)
    return np.asarray(cv2.GaussianBlur(shine, (0, 0), float(rng.uniform(4, 14))), np.float32)


def _lay(
    scene: Light, thing: Light, mask: NDArray[np.float32], matrix: NDArray[np.float64], card: float
) -> None:
    """Paint `thing` where `mask` is 1, with the soft shadow a card throws."""
    shrink = min(1.0, _OVER * card / WIDTH * 1.3)
    small = (round(thing.shape[1] * shrink), round(thing.shape[0] * shrink))
    grow = np.diag([thing.shape[1] / small[0], thing.shape[0] / small[1], 1.0])
    full = np.diag([_OVER, _OVER, 1.0]) @ matrix @ grow
    outline = np.array([[(0, 0), (small[0], 0), small, (0, small[1])]], np.float64)
    corners = cv2.perspectiveTransform(outline, full)[0]
    left, top = np.maximum(0, np.floor(corners.min(axis=0)).astype(int) - 12)
    right, bottom = np.minimum(scene.shape[1::-1], np.ceil(corners.max(axis=0)).astype(int) + 12)
    if left >= right or top >= bottom:
        return
    size = (int(right - left), int(bottom - top))
    full = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ full
    shrunk = cv2.resize(thing, small, interpolation=cv2.INTER_AREA)
    layer = cv2.warpPerspective(shrunk, full, size, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), full, size)
    shadow = cv2.GaussianBlur(
        cv2.warpAffine(cover, np.array([[1, 0, 1.5], [0, 1, 2.0]], np.float32), size), (0, 0), 1.5
    )
    part = scene[top:bottom, left:right]
    part *= (1 - 0.35 * shadow * (1 - cover))[:, :, None] * (1 - cover)[:, :, None]
    part += layer * cover[:, :, None]


def _exposed(light: Light, conditions: Conditions, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Through the lens, onto the mosaic of a sensor, developed and compressed."""
    height, width = light.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    slope = ((x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)).astype(np.float32)
    blurred = cv2.filter2D(
        light * (1 + conditions.dim * slope)[:, :, None],
        -1,
        spread(rng.uniform(*conditions.blur), rng.uniform(*conditions.defocus), 0.0, 0.0),
    )
    off = 1 + conditions.balance * rng.uniform(-1, 1, 3) * (1, 0.2, 1)
    light = np.asarray(blurred, np.float32) * (off * rng.uniform(*conditions.exposure)).astype(np.float32)
    mosaic = light[:, :, 1].copy()
    mosaic[0::2, 0::2] = light[0::2, 0::2, 0]
    mosaic[1::2, 1::2] = light[1::2, 1::2, 2]
    electrons = np.clip(mosaic * conditions.full_well, 0, conditions.full_well)
    electrons += np.sqrt(electrons + 14.0**2) * rng.standard_normal(mosaic.shape, np.float32)
    raw = np.clip(electrons * (65535 / conditions.full_well), 0, 65535).astype(np.uint16)
    linear = cv2.demosaicing(raw, cv2.COLOR_BayerRG2BGR) / np.float32(65535)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    image = np.round(255 * encoded).astype(np.uint8)
    quality = int(rng.integers(*conditions.jpeg))
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _linear(picture: NDArray[np.uint8]) -> Light:
    """sRGB to linear light (IEC 61966-2-1)."""
    return _LINEAR[picture]


_CODES = np.arange(256) / 255
_LINEAR = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4).astype(np.float32)
