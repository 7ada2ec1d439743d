"""Models the light on a card: fits an enrolled picture to it, and finds reflected lamps."""

import cv2
import numpy as np
from numpy.typing import NDArray

_BALANCE, _VEIL, _PIXEL_ERROR = 0.15, 0.06, 0.10
"""How much light changes the look of a card (standard deviations): white balance, haze (share of white), error
of a pixel (share)."""
_INDEPENDENT = 0.25
"""_INDEPENDENT: share of a card's pixels that count as independent measurements, because neighbours
are alike."""
_GLARE_OVER, _GLARE_PEAK, _GLARE_AREA, GLARE_MOST = 8.0, 2.5, 0.02, 0.4
"""Thresholds of a glare (reflected lamp). Its pixels are brighter than expected by more than _GLARE_OVER
(hundredths of white). Its peak is brighter than the whole card by _GLARE_PEAK, or it covers at least the share
_GLARE_AREA of the card. GLARE_MOST: greatest share of a card that glares may cover."""
_GLARE_GROWS = 1
"""_GLARE_GROWS: width (px) around a glare that is ignored as well, in an art of 48 rows; twice as much in one
of 96."""
_REACH = 2
"""_REACH: how much further (px) the light around a glare's peak reaches, if only peaks count (`strict`).
Measured."""
_TALL = 48
_LIGHTEST, _DIM, _LIT, _STEP = 99.7, 140.0, 200.0, 8
"""_LIGHTEST: percentile of a picture's brightness that white paper reaches, such as markers and titles of
cards. _STEP: only every eighth row and column is examined.

_DIM: brightness (0 to 255) of that paper below which a picture is brightened, until the paper is at _LIT.
Measured: six drawn cards much like their cloth were all missed at 110, and all known once brightened.
"""


def lifted(part: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Brighten part of a picture if the whole is dim.

    Returns `part` unchanged for any other picture. `part`: BGR or grey, cut from `picture`. A picture is dim
    if even its lightest paper is darker than 140 of 255: then its noise is large beside the differences
    between cards.
    """
    level = float(np.percentile(picture[::_STEP, ::_STEP], _LIGHTEST))
    if level >= _DIM:
        return part
    return np.asarray(cv2.convertScaleAbs(part, alpha=_LIT / max(level, 1.0)), np.uint8)


def glare(seen: NDArray[np.float32], lit: NDArray[np.float32], strict: bool) -> NDArray[np.bool_] | None:
    """Mask a card's pixels that reflect a lamp (flat array).

    True where they do. None if no pixel does. `seen`: lightness of the card (rows x columns, hundredths of
    white). `lit`: the expected lightness. A reflection is much brighter than expected, and large or around a
    peak brighter than the card. `strict`: only pixels near such a peak.
    """
    tall, wide = seen.shape
    grow = 2 * _GLARE_GROWS * (tall // _TALL) + 1
    over = seen - lit > _GLARE_OVER
    if not over.any():
        return None
    spots = over & (seen > _percentile(lit, 98) + _GLARE_PEAK)
    if strict and not spots.any():
        return None
    count, labels, stats, _ = cv2.connectedComponentsWithStats(over.astype(np.uint8))
    lamps = np.bincount(labels.ravel(), spots.ravel(), count) > 0
    if not strict:
        lamps |= stats[:, cv2.CC_STAT_AREA] >= _GLARE_AREA * tall * wide
    lamps[0] = False
    if not lamps.any():
        return None
    mirrored = lamps[labels].astype(np.uint8)
    if strict:
        reach = grow + 2 * _REACH
        close = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        mirrored &= cv2.dilate(spots.astype(np.uint8), close)
    return np.asarray(cv2.dilate(mirrored, np.ones((grow, grow), np.uint8)).ravel() > 0)


def lit_as(
    view: NDArray[np.float32], seen: NDArray[np.float32], counts: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Show an enrolled card under a pictured card's light.

    Returns the enrolled card's pixels (3 x px) with the fitted light. `view`: the enrolled card (3 x px,
    linear light 0 to 1). `seen`: the card in the picture (3 x px). `counts`: weight of each pixel. The light
    is a gain for each channel, and haze. It is fitted by least squares with priors; without them any two cards
    of one colour on white would look alike.
    """
    weight = counts / (0.5 * (view + seen) + 0.04) ** 2
    weighted = weight * view
    square, cross = np.einsum("cn,cn->c", weighted, view), weighted.sum(axis=1)
    target, haze = np.einsum("cn,cn->c", weighted, seen), float(np.vdot(weight, seen))
    gain = float(target.sum() / square.sum())
    prior = float(counts.sum()) * _INDEPENDENT * _PIXEL_ERROR**2
    normal = np.zeros((4, 4))
    normal[:3, :3] = np.diag(square) + prior / (gain * _BALANCE) ** 2 * (np.eye(3) - 1 / 3)
    normal[:3, 3] = normal[3, :3] = cross
    normal[3, 3] = float(weight.sum()) + prior / _VEIL**2
    solved = np.linalg.solve(normal, np.append(target, haze)).astype(np.float32)
    return np.asarray(np.clip(view * solved[:3, None] + solved[3], 0, 1), np.float32)


def _percentile(plane: NDArray[np.float32], percent: int) -> float:
    """Percentile (`percent`: 0 to 99) of plane values, not interpolated.

    NumPy's own takes many times as long for a small plane.
    """
    rank = plane.size * percent // 100
    return float(np.partition(plane.ravel(), rank)[rank])
