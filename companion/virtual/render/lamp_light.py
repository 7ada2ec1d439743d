"""Light and print of another day: tones, white balance, shadows and ink that differ from enrolment."""

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.parameters import SIGHT
from companion.virtual.render.printed_marks import Picture

_GRID = (18, 12)
"""Rows and columns of a card's parts with independent ink: 5 mm each, as in MEASURED."""


@dataclass(frozen=True, slots=True)
class LightChange:
    """Difference of light and ink between two photographs of one card.

    `blue`, `green`, `red`: gain of each channel. `gamma`: exponent of all levels (0 to 1). `across`, `down`:
    log ratio of the light from edge to edge. `ink`, `hue`: standard deviations of the remaining log
    differences of parts 5 mm wide, for all channels together and for each channel alone.
    """

    blue: float
    green: float
    red: float
    gamma: float
    across: float
    down: float
    ink: float
    hue: float


MEASURED = (
    LightChange(1.011, 1.009, 1.030, 0.96, 0.05, 0.00, 0.016, 0.014),
    LightChange(0.807, 0.996, 1.070, 1.02, 0.04, -0.02, 0.018, 0.015),
    LightChange(0.941, 1.102, 1.114, 0.64, -0.04, -0.01, 0.021, 0.034),
    LightChange(0.807, 1.019, 1.125, 0.87, -0.02, 0.08, 0.017, 0.019),
    LightChange(0.862, 1.051, 1.157, 0.92, 0.03, 0.06, 0.036, 0.024),
    LightChange(0.944, 1.118, 1.211, 0.77, 0.07, -0.53, 0.061, 0.012),
    LightChange(0.942, 1.084, 1.155, 0.86, 0.00, -0.01, 0.012, 0.006),
    LightChange(0.836, 0.984, 1.057, 0.95, 0.05, -0.03, 0.017, 0.014),
    LightChange(1.015, 0.988, 1.003, 0.71, -0.01, -0.01, 0.004, 0.002),
    LightChange(0.911, 1.047, 1.129, 0.83, 0.03, 0.03, 0.049, 0.027),
    LightChange(0.708, 0.776, 0.894, 0.96, 0.09, 0.01, 0.029, 0.020),
    LightChange(0.592, 0.716, 0.788, 0.87, 0.04, 0.00, 0.016, 0.009),
    LightChange(0.729, 0.732, 0.771, 0.93, 0.06, -0.43, 0.043, 0.039),
)
"""13 pairs of photographs of nine playing cards, measured by tests/benchmarks/light_pairs.py.

One photograph of each pair is the enrolment. The cards lie on carpet, cloth and marble.
"""


class OtherLight:
    """Light and ink of another day than enrolment.

    One lamp, shadows by place, ink by copy of a card. `chance` draws all of them from MEASURED.
    """

    def __init__(self, chance: Random) -> None:
        self._seed = chance.getrandbits(32)
        lamp = chance.choice(MEASURED)
        # A camera exposes so that white paper stays below white.
        gains = np.array((lamp.blue, lamp.green, lamp.red)) / max(1.0, lamp.blue, lamp.green, lamp.red)
        self._gains, self._gamma = gains.astype(np.float32), lamp.gamma
        levels = np.arange(256, dtype=np.float32)[:, None].repeat(3, axis=1)[None]
        self._tones = self.toned(levels)

    def developed(self, picture: Picture) -> Picture:
        """Give a picture (BGR) the tones of this lamp."""
        return np.asarray(cv2.LUT(picture, self._tones), np.uint8)

    def toned(self, light: NDArray[np.float32]) -> Picture:
        """Expose light (H x W x 3, 255 is white paper) that may be brighter than paper.

        Each channel ends at 255.
        """
        levels = 255 * (light / 255) ** self._gamma * self._gains
        return np.asarray(np.round(np.minimum(levels, 255)), np.uint8)

    def on_card(self, face: Picture, code: str, x: float, y: float, angle: float) -> Picture:
        """Print a card's face with the ink of one copy, under the shadow at its place.

        A copy's ink differs a little in strength and colour from place to place. `code` names the copy; `x`,
        `y` (mm) and `angle` (degrees) say how it lies on the table.
        """
        chance = Random(f"{self._seed} {x // SIGHT.lit_mm} {y // SIGHT.lit_mm}")
        shadow = chance.choice(MEASURED)
        turn = np.deg2rad(angle)
        along = shadow.across * np.cos(turn) + shadow.down * np.sin(turn)
        down = shadow.down * np.cos(turn) - shadow.across * np.sin(turn)
        rows, columns = _GRID
        u, v = np.meshgrid(np.linspace(-0.5, 0.5, columns), np.linspace(-0.5, 0.5, rows))
        fall = along * u + down * v
        share = np.exp((fall - fall.max())[:, :, None] + self._ink_of(code))
        height, width = face.shape[:2]
        wide = cv2.resize(np.clip(share, SIGHT.darkest, 1.2).astype(np.float32), (width, height))
        return np.asarray(np.clip(face * wide, 0, 255), np.uint8)

    def _ink_of(self, code: str) -> NDArray[np.float32]:
        """Log factors of this copy's ink (rows x columns x 3)."""
        rng = np.random.default_rng([self._seed, *code.encode()])
        copy = MEASURED[int(rng.integers(len(MEASURED)))]
        ink = rng.normal(0, copy.ink, (*_GRID, 1)) + rng.normal(0, copy.hue, (*_GRID, 3))
        return ink.astype(np.float32)
