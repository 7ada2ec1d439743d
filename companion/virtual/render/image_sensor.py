"""The camera's image sensor and JPEG compression: noise, flicker and artefacts added to finished pictures."""

from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.render.camera_optics import BIAS, HEIGHT, WIDTH, Box
from companion.virtual.render.printed_marks import Picture
from companion.virtual.rig.noise_profiles import Noise

_SLACK = 96
"""_SLACK: margin (px) by which the stored noise is larger than a frame. Each frame cuts its noise from another
place."""
_GRAINS = 16
"""Number of kept grey frames, each with other noise and light."""
_BLOCK = 8
"""Side (px) of a JPEG block; a box of whole blocks can be coded alone."""


@dataclass(slots=True)
class _Grain:
    """Grey frame that is kept for reuse, with its noise and light.

    `x`, `y`: place of its noise in the stored one (px). `gain`: factor on the light. `frame` is current except
    in the boxes `stale`.
    """

    x: int
    y: int
    gain: float
    frame: NDArray[np.uint8]
    stale: list[Box] = field(default_factory=list)


class Sensor:
    """Image sensor that adds noise, flicker and JPEG artefacts to clean pictures.

    Clean pictures are stored darker by BIAS, see `Lens`. `chance` decides the noise.
    """

    def __init__(self, noise: Noise, chance: Random) -> None:
        self._noise = noise
        self._chance = chance
        self._bank, self._grey_bank = _noise_bank(chance.getrandbits(32), noise.sensor_sigma)
        self._grains: list[_Grain] = []
        self._first_chance = chance.getstate()

    def begin(self) -> None:
        """Restart the noise, as in a new sensor."""
        self._chance.setstate(self._first_chance)
        self._grains = []

    def frame(self, clean: Picture) -> Picture:
        """Make a colour frame (H x W x 3) with fresh noise of a clean picture."""
        source = clean
        gain = self._gain()
        if gain != 1:
            source = np.asarray(cv2.convertScaleAbs(clean, alpha=gain), np.uint8)
        x, y = self._place()
        frame = cv2.add(source, self._bank[y : y + HEIGHT, x : x + WIDTH])
        if self._noise.jpeg:
            _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._noise.jpeg])
            return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return np.asarray(frame, np.uint8)

    def grey(self, clean: Picture, passing: Box | None = None) -> NDArray[np.uint8]:
        """Make a grey frame (H x W) of a clean picture, many times cheaper than `frame`.

        Only boxes that `changed` reported are computed anew, and the box `passing`: it holds a thing, such as
        a hand, that vanishes from `clean` without a report.
        """
        if not self._grains:
            empty = np.zeros((HEIGHT, WIDTH), np.uint8)
            self._grains = [_Grain(*self._place(), self._gain(), empty.copy()) for _ in range(_GRAINS)]
            self.changed((0, 0, WIDTH, HEIGHT))
        grain = self._chance.choice(self._grains)
        for box in grain.stale:
            self._develop(grain, clean, box, grain.frame)
        if passing is None:
            grain.stale.clear()
            return grain.frame.copy()
        around = _in_blocks(passing)
        grain.stale = [box for box in grain.stale if _touch(box, around)]
        frame = grain.frame.copy()
        self._develop(grain, clean, around, frame)
        return frame

    def changed(self, box: Box) -> None:
        """Report that pictures from now on differ within `box`."""
        new = _in_blocks(box)
        for grain in self._grains:
            grain.stale = [old for old in grain.stale if not _within(old, new)]
            grain.stale.append(new)

    def _develop(self, grain: _Grain, clean: Picture, box: Box, frame: NDArray[np.uint8]) -> None:
        """Write the sensor's view of a clean picture into a box of `frame`.

        The box must consist of whole JPEG blocks. `grain`: gives noise and light.
        """
        left, top, right, bottom = box
        part = cv2.cvtColor(clean[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
        if grain.gain != 1:
            part = cv2.convertScaleAbs(part, alpha=grain.gain)
        x, y = grain.x, grain.y
        part = cv2.add(part, self._grey_bank[y + top : y + bottom, x + left : x + right])
        if self._noise.jpeg:
            _, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, self._noise.jpeg])
            part = np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE))
        frame[top:bottom, left:right] = part

    def _place(self) -> tuple[int, int]:
        return self._chance.randrange(_SLACK), self._chance.randrange(_SLACK)

    def _gain(self) -> float:
        return 1 + self._chance.gauss(0, self._noise.flicker) if self._noise.flicker else 1.0


@lru_cache(maxsize=2)  # cameras are often made again with the same noise
def _noise_bank(seed: int, sigma: float) -> tuple[Picture, NDArray[np.uint8]]:
    """Noise in colour and in grey (BIAS means none), 96 px larger than a frame.

    `sigma`: grey levels. Both are read-only.
    """
    size = (HEIGHT + _SLACK, (WIDTH + _SLACK) * 3)
    bank = np.random.default_rng(seed).standard_normal(size, np.float32)
    bank = np.clip(bank * sigma + BIAS + 0.5, 0, 4 * BIAS)
    colour = bank.astype(np.uint8).reshape(HEIGHT + _SLACK, WIDTH + _SLACK, 3)
    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    colour.flags.writeable = grey.flags.writeable = False
    return colour, grey


def _in_blocks(box: Box) -> Box:
    """Extend a box to whole JPEG blocks (8 px), within the frame."""
    left, top, right, bottom = box
    return (
        left - left % _BLOCK,
        top - top % _BLOCK,
        min(WIDTH, right + -right % _BLOCK),
        min(HEIGHT, bottom + -bottom % _BLOCK),
    )


def _within(inner: Box, outer: Box) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
