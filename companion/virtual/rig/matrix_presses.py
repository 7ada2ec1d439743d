"""Simulates presses of raised pictures on the pressure matrix.

A model of cardboard, people and Velostat, independent of how presses are recognised. Lengths in mm.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.virtual.parameters import PRESS
from companion.virtual.rig.noise_profiles import Noise, profile

Plane = NDArray[np.float64]
"""Values at points of the pressure matrix, rows x columns."""
Stroke = tuple[float, float, float, float, float]
"""Line of a raised picture: x, y of both ends, and radius of its round pen.

All are mm from the picture's middle. Equal ends make a dot.
"""
Relief = tuple[Stroke, ...]
"""Raised picture of a card, as strokes."""


@dataclass(frozen=True, slots=True)
class RaisedCards:
    """Cards of `w` x `h` mm that players press on the pad, with their raised pictures.

    `pictures`: class of a texture -> its raised picture. `of`: code of a card -> its raised picture, None for
    a smooth card.
    """

    w: float
    h: float
    pictures: Mapping[str, Relief]
    of: Callable[[str], Relief | None]

    def enrolled(self, seed: int) -> dict[str, list[bytes]]:
        """Press each raised picture carefully, as an enrolment does.

        Returns class of a texture -> presses of 256 bytes. `seed`: number of the card set.
        """
        matrix = Matrix(self, profile("clean"), Random(f"{seed} enrolment"))
        return {
            texture: [matrix.picture((picture,), 0.0)[0] for _ in range(PRESS.enrolled)]
            for texture, picture in self.pictures.items()
        }


NOTHING_RAISED = RaisedCards(0.0, 0.0, {}, lambda _code: None)
"""Raised cards of a game that has none, so that nothing is pressed."""


def height(picture: Relief | None, x: Plane, y: Plane) -> Plane:
    """Height (0 to 1) of a card's raised picture at some points.

    `x`, `y`: the points (mm from the picture's middle). `picture`: None for a smooth card.
    """
    raised = np.zeros_like(x)
    for x1, y1, x2, y2, pen in picture or ():
        length = hypot(x2 - x1, y2 - y1)
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length**2 if length else np.zeros_like(x)
        along = np.clip(along, 0.0, 1.0)
        away = np.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1))
        raised = np.maximum(raised, np.clip((pen + PRESS.soft_mm - away) / (2 * PRESS.soft_mm), 0.0, 1.0))
    return raised


def _along() -> Plane:
    """Points (mm from the matrix's middle) along one axis at which pressure is computed, with the rim."""
    wide = PRESS.cells + 2 * PRESS.beyond
    return np.asarray(((np.arange(wide * PRESS.fine) + 0.5) / PRESS.fine - wide / 2) * PRESS.pitch_mm)


def _spreading() -> Plane:
    """Weights (16 x 80) by which each crossing collects pressure along one axis.

    The second axis are the points at which pressure is computed.
    """
    cells = (np.arange(PRESS.cells) + 0.5 - PRESS.cells / 2) * PRESS.pitch_mm
    weights = np.exp(-(((cells[:, None] - _along()[None, :]) / PRESS.sleeve_spread_mm) ** 2) / 2)
    return np.asarray(weights * (PRESS.pitch_mm / PRESS.fine) / (PRESS.sleeve_spread_mm * np.sqrt(2 * np.pi)))


_X, _Y = np.meshgrid(_along(), _along())
_COLLECTS = _spreading()


class Matrix:
    """Pressure matrix under virtual people's hands.

    Its crossings differ in gain, and it drifts over a game. `chance` must feed nothing else: an equal stream
    gives equal presses.
    """

    def __init__(self, cards: RaisedCards, noise: Noise, chance: Random) -> None:
        self._w, self._h = cards.w, cards.h
        self._noise = noise
        self._chance = chance
        self._gains = np.array(
            [[chance.gauss(1.0, PRESS.uneven) for _ in range(PRESS.cells)] for _ in range(PRESS.cells)]
        )
        self._drift = chance.uniform(-1, 1) * noise.texture_drift

    def creep(self, now: float) -> float:
        """Reading (0 to 1) of each crossing while nothing presses, `now` (s) into a game."""
        return PRESS.creep * max(0.0, self._drift * min(1.0, now / PRESS.drift_s))

    def picture(self, pictures: Sequence[Relief | None], now: float) -> tuple[bytes, bytes]:
        """Press cards on the pad; return the pressed matrix and the empty one after it.

        Each is 256 bytes, one for each crossing. Arguments as for `press`.
        """
        spread = self._noise.texture_sigma / PRESS.averaged**0.5
        noise = np.array([self._chance.gauss(0, spread) for _ in range(PRESS.cells * PRESS.cells)]).reshape(
            PRESS.cells, PRESS.cells
        )
        rest = self.creep(now)
        return _bytes(self.press(pictures, now) + rest + noise), _bytes(
            np.full((PRESS.cells, PRESS.cells), rest)
        )

    def press(self, pictures: Sequence[Relief | None], now: float) -> Plane:
        """Press stacked cards by hand: pressures of 16 x 16 crossings (0 to 1).

        `pictures`: raised pictures of the cards, the lowest first; None for a smooth card. `now`: time (s)
        since the game began. Creep, the reading of an empty matrix, is not included.
        """
        chance, noise = self._chance, self._noise
        turn = chance.uniform(0, 2 * np.pi)
        far = (
            chance.uniform(*PRESS.slipped_mm)
            if chance.random() < noise.texture_off_centre
            else chance.uniform(0, PRESS.slip_mm)
        )
        where = chance.uniform(0, 2 * np.pi)
        x0, y0 = PRESS.picture_mm[0] + far * np.cos(where), PRESS.picture_mm[1] + far * np.sin(where)
        half = chance.random() < noise.texture_half
        return self._pressed(pictures, (turn, x0, y0), self._palm(half), now)

    def _palm(self, half: bool) -> Plane:
        """Pressure (0 to 1) of a palm at each point of the matrix.

        `half`: only a part of the card is pressed.
        """
        chance = self._chance
        # People press where they feel the raised picture.
        x, y = _X - PRESS.picture_mm[0], _Y - PRESS.picture_mm[1]
        x0, y0 = chance.gauss(0, 8.0), chance.gauss(0, 8.0)
        reach = chance.uniform(*PRESS.palm_mm)
        force = chance.uniform(*PRESS.force) * np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / (2 * reach**2))
        if half:
            side, edge = chance.uniform(0, 2 * np.pi), chance.uniform(*PRESS.bare) * self._h
            force = force / (1 + np.exp((x * np.cos(side) + y * np.sin(side) - edge) / PRESS.edge_mm))
        return np.asarray(force)

    def _pressed(
        self, pictures: Sequence[Relief | None], lies: tuple[float, float, float], palm: Plane, now: float
    ) -> Plane:
        turn, x0, y0 = lies
        x = (_X - x0) * np.cos(turn) + (_Y - y0) * np.sin(turn)
        y = (_Y - y0) * np.cos(turn) - (_X - x0) * np.sin(turn)
        there = (x >= -PRESS.from_end_mm) & (x <= self._w - PRESS.from_end_mm) & (np.abs(y) <= self._h / 2)
        through = np.zeros_like(x)
        left = 1.0
        for depth, picture in enumerate(pictures):
            share = left if depth == len(pictures) - 1 else left * (1 - PRESS.upper)
            shape = (
                PRESS.flat + (1 - PRESS.flat) * height(picture, x, y)
                if picture is not None
                else np.full_like(x, PRESS.blank)
            )
            through += share * shape
            left -= share
        felt = _COLLECTS @ (palm * through * there) @ _COLLECTS.T
        drift = self._drift * min(1.0, now / PRESS.drift_s)
        return np.asarray(np.clip(felt * self._gains * (1 + drift), 0.0, 1.0))


def _bytes(pressures: Plane) -> bytes:
    return np.asarray(np.clip(pressures, 0, 1) * 255, np.uint8).tobytes()
