"""How light differs between two photographs of one kind, as the unkind renderer has it."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.render.lamp_light import LightChange
from tests.benchmarks.art_live import straight_face
from tests.benchmarks.art_real import Shot
from vision.art.art_plane import FINE, TALL, WIDE

_BLUR, _WIDE_BLUR = 1.5, 4.0
"""_BLUR: blur (px of a fine art) that hides how exactly two pictures lie on each other. _WIDE_BLUR: blur that
leaves differences as wide as 5 mm."""
_RIM = (6, 5)
"""_RIM: rows and columns of a fine art that are not compared: corners are round, outlines inexact."""
_DARKEST = 8.0
"""_DARKEST: level (0..255) below which no logarithm is taken."""
_ROUNDS, _PULL, _TO_SIGMA = 12, 2.0, 1.5
"""_ROUNDS: rounds of the robust fit. _PULL: residuals above so many standard deviations get no more weight.
_TO_SIGMA: standard deviations in a median absolute residual."""


def changes_between(shots: Sequence[Shot]) -> list[LightChange]:
    """How each photograph to recognise differs from the one that its kind is enrolled from, in order."""
    enrolled = {
        shot.label.card: art for shot in shots if shot.label.use == "enrol" and (art := _art(shot)) is not None
    }
    shown = ((shot.label.card, _art(shot)) for shot in shots if shot.label.use == "recognise")
    return [_change(enrolled[card], art) for card, art in shown if art is not None and card in enrolled]


def _art(shot: Shot) -> NDArray[np.float32] | None:
    face = straight_face(shot)
    if face is None:
        return None
    small = cv2.resize(face, (FINE * WIDE, FINE * TALL), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), _BLUR), np.float32)


def _change(view: NDArray[np.float32], seen: NDArray[np.float32]) -> LightChange:
    """The change at the better of two turns."""
    fits = [_fitted(view, turned) for turned in (seen, seen[::-1, ::-1])]
    return min(fits, key=lambda fit: fit[0])[1]


def _fitted(view: NDArray[np.float32], seen: NDArray[np.float32]) -> tuple[float, LightChange]:
    """Spread of what is left, and the change: logarithms of levels, least squares with limited residuals."""
    inner = slice(_RIM[0], -_RIM[0]), slice(_RIM[1], -_RIM[1])
    before, after = (np.log(np.maximum(art[inner], _DARKEST) / 255) for art in (view, seen))
    rows, columns = before.shape[:2]
    y, x = np.mgrid[:rows, :columns].astype(float)
    y, x = (y - (rows - 1) / 2) / (FINE * TALL), (x - (columns - 1) / 2) / (FINE * WIDE)
    ways = np.zeros((rows, columns, 3, 6))
    for channel in range(3):
        ways[:, :, channel, channel] = 1
    ways[..., 3], ways[..., 4], ways[..., 5] = before, x[..., None], y[..., None]
    flat, target = ways.reshape(-1, 6), after.ravel()
    weight = np.ones(len(target))
    for _ in range(_ROUNDS):
        solved = np.linalg.lstsq(flat * weight[:, None], target * weight, rcond=None)[0]
        rest = target - flat @ solved
        spread = _TO_SIGMA * float(np.median(np.abs(rest))) + 1e-4
        weight = np.sqrt(np.minimum(1, _PULL * spread / np.maximum(np.abs(rest), 1e-6)))
    wide = cv2.GaussianBlur(rest.reshape(rows, columns, 3), (0, 0), _WIDE_BLUR)
    hue = wide - wide.mean(axis=2, keepdims=True)
    ink, hues = (_TO_SIGMA * float(np.median(np.abs(one))) for one in (wide, hue))
    blue, green, red = (round(float(gain), 3) for gain in np.exp(solved[:3]))
    gamma, across, down = (round(float(one), 2) for one in solved[3:])
    return spread, LightChange(blue, green, red, gamma, across, down, round(ink, 3), round(hues, 3))
