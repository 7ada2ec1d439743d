"""Simulates presses of raised pictures on the pressure matrix.

A model of cardboard, people and Velostat, independent of how presses are recognised. Lengths in mm.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.virtual.rig.noise_profiles import Noise, profile

CELLS, PITCH = 16, 5.0
"""CELLS: crossings on one side of the square matrix. PITCH: distance (mm) between two crossings."""
FLAT, BLANK = 0.25, 0.55
"""FLAT: share of the pressure that passes beside a raised line. BLANK: share that passes everywhere under a
smooth card. Guesses."""
SOFT = 0.8
"""Half the width (mm) of the slope at the edge of a raised line. A guess."""
SPREAD = 2.6
"""Sigma (mm) by which the card's sleeve spreads the pressure. A guess."""
PALM = (55.0, 90.0)
"""Range of the sigma (mm) of a palm's pressure around its middle. A guess."""
FORCE = (0.55, 0.95)
"""Range of a palm's greatest pressure, as a share of full scale. A guess."""
SLIPPED = (8.0, 18.0)
"""SLIPPED: range (mm) from the pad's middle to a card that was laid carelessly. SLIP: greatest distance (mm) of
a card that was laid with care. Guesses."""
SLIP = 3.0
BARE = (-0.15, 0.25)
"""Range of the edge of a half press, in card heights from the card's middle. A guess.

Beyond the edge nothing is pressed.
"""
EDGE = 4.0
"""Width (mm) over which the pressure fades at the edge of a half pressed card. A guess."""
UPPER = 0.35
"""Share of the pressure that takes the shape of the upper of two stacked cards. A guess."""
UNEVEN = 0.08
"""Sigma of the gains of the crossings, around 1. A guess."""
CREEP = 0.25
"""Share of the drift that shows as pressure while nothing presses. A guess."""
GAME_S = 900.0
"""Time (s) after which the drift of a game is complete. A guess."""
ENROLLED = 3
"""Number of careful presses of each raised picture at enrolment."""
AVERAGED = 8
"""Number of frames in a press of half a second. Their average has less noise."""

Plane = NDArray[np.float64]
"""Values at points of the matrix, rows x columns."""
Stroke = tuple[float, float, float, float, float]
"""Line of a raised picture: x, y of both ends, and radius of its round pen.

All are mm from the card's middle. Equal ends make a dot.
"""
Relief = tuple[Stroke, ...]
"""Raised picture of a card, as strokes."""


@dataclass(frozen=True, slots=True)
class RaisedCards:
    """Cards of `w` x `h` mm that players press on the pad, with their raised pictures.

    `pictures`: class of a texture -> its raised picture. `of`: code of a card -> its raised picture, None for a
    smooth card.
    """

    w: float
    h: float
    pictures: Mapping[str, Relief]
    of: Callable[[str], Relief | None]

    def enrolled(self, seed: int) -> dict[str, list[bytes]]:
        """Texture class -> careful presses of its picture, 256 bytes each.

        Together they are the enrolment of card set `seed`.
        """
        matrix = Matrix(self, profile("clean"), Random(f"{seed} enrolment"))
        return {
            texture: [matrix.picture((picture,), 0.0)[0] for _ in range(ENROLLED)]
            for texture, picture in self.pictures.items()
        }


NOTHING_RAISED = RaisedCards(0.0, 0.0, {}, lambda _code: None)
"""Raised cards of a game without any: no card is pressed."""


def height(picture: Relief | None, x: Plane, y: Plane) -> Plane:
    """Height (0 to 1) of a card at the points `x`, `y` (mm from its middle).

    `picture` is None for a smooth card.
    """
    raised = np.zeros_like(x)
    for x1, y1, x2, y2, pen in picture or ():
        length = hypot(x2 - x1, y2 - y1)
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length**2 if length else np.zeros_like(x)
        along = np.clip(along, 0.0, 1.0)
        away = np.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1))
        raised = np.maximum(raised, np.clip((pen + SOFT - away) / (2 * SOFT), 0.0, 1.0))
    return raised


_FINE = 4
"""Number of computed points along each side of a crossing."""


def _fine_grid() -> tuple[Plane, Plane]:
    along = ((np.arange(CELLS * _FINE) + 0.5) / _FINE - CELLS / 2) * PITCH
    x, y = np.meshgrid(along, along)
    return x, y


def _spreading() -> Plane:
    """Weights (16 x 64) by which each crossing collects pressure from the points along one axis."""
    points = ((np.arange(CELLS * _FINE) + 0.5) / _FINE - CELLS / 2) * PITCH
    cells = (np.arange(CELLS) + 0.5 - CELLS / 2) * PITCH
    weights = np.exp(-(((cells[:, None] - points[None, :]) / SPREAD) ** 2) / 2)
    return np.asarray(weights * (PITCH / _FINE) / (SPREAD * np.sqrt(2 * np.pi)))


_X, _Y = _fine_grid()
_COLLECTS = _spreading()


class Matrix:
    """One pressure matrix that people press.

    Its crossings differ in gain, and it drifts over a game. `chance` must feed nothing else: an equal stream
    gives equal presses.
    """

    def __init__(self, cards: RaisedCards, noise: Noise, chance: Random) -> None:
        self._w, self._h = cards.w, cards.h
        self._noise = noise
        self._chance = chance
        self._gains = np.array([[chance.gauss(1.0, UNEVEN) for _ in range(CELLS)] for _ in range(CELLS)])
        self._drift = chance.uniform(-1, 1) * noise.texture_drift

    def creep(self, now: float) -> float:
        """Reading (0 to 1) of every crossing of the empty matrix, `now` seconds into a game."""
        return CREEP * max(0.0, self._drift * min(1.0, now / GAME_S))

    def picture(self, pictures: Sequence[Relief | None], now: float) -> tuple[bytes, bytes]:
        """Pressed matrix and empty matrix after it, 256 bytes each.

        Arguments as for `press`.
        """
        spread = self._noise.texture_sigma / AVERAGED**0.5
        noise = np.array([self._chance.gauss(0, spread) for _ in range(CELLS * CELLS)]).reshape(CELLS, CELLS)
        rest = self.creep(now)
        return _bytes(self.press(pictures, now) + rest + noise), _bytes(np.full((CELLS, CELLS), rest))

    def press(self, pictures: Sequence[Relief | None], now: float) -> Plane:
        """Pressures (0 to 1, 16 rows of 16) while a person presses stacked cards, without creep.

        `pictures` are the raised pictures of the cards, the lowest first, None for a smooth card. `now`: time
        (s) since the game began.
        """
        chance, noise = self._chance, self._noise
        turn = chance.uniform(0, 2 * np.pi)
        far = (
            chance.uniform(*SLIPPED) if chance.random() < noise.texture_off_centre else chance.uniform(0, SLIP)
        )
        where = chance.uniform(0, 2 * np.pi)
        x0, y0 = far * np.cos(where), far * np.sin(where)
        half = chance.random() < noise.texture_half
        return self._pressed(pictures, (turn, x0, y0), self._palm(half), now)

    def _palm(self, half: bool) -> Plane:
        """Pressure of a palm over the whole matrix.

        `half`: only a part of the card is pressed.
        """
        chance = self._chance
        x0, y0 = chance.gauss(0, 8.0), chance.gauss(0, 8.0)
        reach = chance.uniform(*PALM)
        force = chance.uniform(*FORCE) * np.exp(-((_X - x0) ** 2 + (_Y - y0) ** 2) / (2 * reach**2))
        if half:
            side, edge = chance.uniform(0, 2 * np.pi), chance.uniform(*BARE) * self._h
            force = force / (1 + np.exp((_X * np.cos(side) + _Y * np.sin(side) - edge) / EDGE))
        return np.asarray(force)

    def _pressed(
        self, pictures: Sequence[Relief | None], lies: tuple[float, float, float], palm: Plane, now: float
    ) -> Plane:
        turn, x0, y0 = lies
        x = (_X - x0) * np.cos(turn) + (_Y - y0) * np.sin(turn)
        y = (_Y - y0) * np.cos(turn) - (_X - x0) * np.sin(turn)
        there = (np.abs(x) <= self._w / 2) & (np.abs(y) <= self._h / 2)
        through = np.zeros_like(x)
        left = 1.0
        for depth, picture in enumerate(pictures):
            share = left if depth == len(pictures) - 1 else left * (1 - UPPER)
            shape = FLAT + (1 - FLAT) * height(picture, x, y) if picture is not None else np.full_like(x, BLANK)
            through += share * shape
            left -= share
        felt = _COLLECTS @ (palm * through * there) @ _COLLECTS.T
        drift = self._drift * min(1.0, now / GAME_S)
        return np.asarray(np.clip(felt * self._gains * (1 + drift), 0.0, 1.0))


def _bytes(pressures: Plane) -> bytes:
    return np.asarray(np.clip(pressures, 0, 1) * 255, np.uint8).tobytes()
