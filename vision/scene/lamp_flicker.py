"""Removes moving bands from pictures under a flickering lamp.

A lamp on mains current and a rolling shutter make such bands. The lamp is bright 100 or 120 times a second. The
sensor reads its rows one after another, so each row has another brightness: a sine wave over the rows. The wave
moves from frame to frame unless the frame rate fits.
"""

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray

_FRAMES = 15
"""Number of frames over which bands must be seen to move: one second at 15 a second."""
_COLUMNS, _ROWS = 8, 2
"""Every _COLUMNS-th column and every _ROWS-th row is examined. Bands are equal in all columns, and many rows
wide."""
_WAVES = np.arange(6, 65) / 8
"""Numbers of waves over a picture's height that are tried. Sensors need 8 to 33 ms and more to read a
picture."""
_LEAST = 0.006
"""_LEAST: amplitude (share of the brightness) below which bands disturb no comparison, and count as none."""
_CLIPPED = 0.25
"""_CLIPPED: greatest deviation (share) of a row's brightness that counts. More means that an arm lies along
the row."""
_EXPLAINED = 0.5
"""_EXPLAINED: least share of the variance of the rows' brightness that a lamp's sine wave must explain."""
_USUAL = 0.6
"""_USUAL: least share of the last _FRAMES frames that must show bands."""
_STEADY = 0.9
"""_STEADY: agreement of the waves' phases (0 to 1) above which the bands stand still and disturb nothing."""


class LampFlicker:
    """Bands of a flickering lamp, followed over frames.

    Time is counted in frames.
    """

    def __init__(self) -> None:
        self._waves: deque[complex] = deque(maxlen=_FRAMES)
        """For each of the last frames, amplitude and phase of its bands as a complex number; 0 without
        bands."""
        self.gain = 1.0
        """Factor that makes the last picture as bright as the picture it was compared with."""
        self._bases: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}

    @property
    def strength(self) -> float:
        """Amplitude of the lamp's bands (share of the brightness).

        0 if there are none, or if they stand still. Two frames with bands are compared, whose difference is
        1.4 times the amplitude.
        """
        there = [wave for wave in self._waves if wave]
        if len(there) < _USUAL * _FRAMES or abs(sum(wave / abs(wave) for wave in there)) > _STEADY * len(there):
            return 0.0
        return float(np.median(np.abs(there))) / math.sqrt(2)

    def level(self, small: Gray, before: Gray) -> Gray:
        """Remove the lamp's bands by comparison with an earlier picture.

        `small`, `before`: the pictures (h x w), whose rows are compared. Unchanged if no bands move through
        the pictures.
        """
        rows, brightness = _rows(small, before)
        self.gain = 1 / brightness
        wave, bands, level = self._fit(rows)
        self._waves.append(wave)
        if not wave or not self.strength:
            return small
        self.gain /= level
        every = 1.0 + np.interp(np.arange(len(small)), np.arange(len(rows)) * _ROWS, bands)
        return np.clip(small / every[:, None] + 0.5, 0, 255).astype(np.uint8)

    def _fit(self, rows: NDArray[np.float64]) -> tuple[complex, NDArray[np.float64], float]:
        """Fit a sine wave to the brightness of picture rows.

        Returns its amplitude and phase as a complex number (0 for no wave), its values (rows), and the mean
        brightness.
        """
        waves, inverse = self._base(len(rows))
        # One product of a matrix is quicker than one for each wave.
        amplitudes = (inverse.reshape(-1, len(rows)) @ rows).reshape(-1, 3)
        on_waves = (waves.reshape(-1, len(rows)) @ rows).reshape(-1, 3)
        explained = (amplitudes * on_waves).sum(axis=1) - len(rows) * rows.mean() ** 2
        best = int(np.argmax(explained))
        level = 1.0 + float(amplitudes[best, 2])
        cos, sin, _ = amplitudes[best] / level
        bands = cos * waves[best, 0] + sin * waves[best, 1]
        wave = complex(cos, sin)
        enough = explained[best] >= _EXPLAINED * len(rows) * float(rows.var())
        return (wave if abs(wave) >= _LEAST and enough else 0j), bands, level

    def _base(self, height: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Cosine, sine and 1 for each wave that is tried, and the least-squares inverse.

        Both are waves x 3 x h. `height`: number of rows (h).
        """
        if height not in self._bases:
            turns = 2 * np.pi * np.outer(_WAVES, np.arange(height) / height)
            waves = np.stack([np.cos(turns), np.sin(turns), np.ones_like(turns)], axis=1)
            self._bases[height] = (waves, np.ascontiguousarray(np.linalg.pinv(waves).transpose(0, 2, 1)))
        return self._bases[height]


def _rows(small: Gray, before: Gray) -> tuple[NDArray[np.float64], float]:
    """Compare the brightness of the examined rows of two pictures.

    Returns how much brighter (share) each row became than the whole picture, and the factor by which the whole
    became brighter.
    """
    now = small[::_ROWS, ::_COLUMNS].astype(np.float32) + 1.0
    # The median of each row; to sort all of it takes a fifth of the time of numpy's median.
    ratios = np.sort(now / (before[::_ROWS, ::_COLUMNS].astype(np.float32) + 1.0), axis=1)
    ratios = ratios[:, (ratios.shape[1] - 1) // 2 : ratios.shape[1] // 2 + 1].mean(axis=1)
    middle = float(np.median(ratios))
    return np.asarray(np.clip(ratios / middle - 1.0, -_CLIPPED, _CLIPPED), np.float64), middle
