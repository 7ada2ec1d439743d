"""What light does to a card: a view is lit as a picture is, and mirrored lamps are told from the card."""

import cv2
import numpy as np
from numpy.typing import NDArray

_BALANCE, _VEIL, _PIXEL_ERROR = 0.15, 0.06, 0.10
"""Expected: white balance off by this share, haze of this share of white, a pixel wrong by this share."""
_INDEPENDENT = 0.25
"""Share of the pixels that say something new, neighbours being alike."""
_GLARE_OVER, _GLARE_PEAK, _GLARE_AREA, GLARE_MOST = 8.0, 2.5, 0.02, 0.4
"""A glare is brighter than expected by; at its peak brighter than all of the card by (hundredths of white);
or covers at least this share of the card; and at most this one."""
_GLARE_GROWS = 1
"""Pixels around a glare that do not count either, its halo, of an art of _TALL rows; of a taller one, more."""
_REACH = 2
"""Pixels more, of any art, that the light of such a spot reaches if `strict`; measured."""
_TALL = 48


def glare(seen: NDArray[np.float32], lit: NDArray[np.float32], strict: bool) -> NDArray[np.bool_]:
    """Pixels, flat, in which a lamp is mirrored: too bright, and many, or around a spot brighter than the card.

    If `strict` only those close to such a spot.
    """
    tall, wide = seen.shape
    grow = 2 * _GLARE_GROWS * (tall // _TALL) + 1
    over = seen - lit > _GLARE_OVER
    spots = over & (seen > float(np.percentile(lit, 98)) + _GLARE_PEAK)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(over.astype(np.uint8))
    lamps = np.bincount(labels.ravel(), spots.ravel(), count) > 0
    if not strict:
        lamps |= stats[:, cv2.CC_STAT_AREA] >= _GLARE_AREA * tall * wide
    lamps[0] = False
    mirrored = lamps[labels].astype(np.uint8)
    if strict:
        reach = grow + 2 * _REACH
        close = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        mirrored &= cv2.dilate(spots.astype(np.uint8), close)
    return np.asarray(cv2.dilate(mirrored, np.ones((grow, grow), np.uint8)).ravel() > 0)


def lit_as(
    view: NDArray[np.float32], seen: NDArray[np.float32], counts: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The view (px x 3, linear light) under the light of what was seen: a gain for each channel, and haze.

    Least squares with priors: without them any two cards of one colour on white would look alike.
    """
    weight = counts[:, None] / (0.5 * (view + seen) + 0.04) ** 2
    weighted = weight * view
    square, cross = (weighted * view).sum(axis=0), weighted.sum(axis=0)
    target, haze = (weighted * seen).sum(axis=0), float((weight * seen).sum())
    gain = float(target.sum() / square.sum())
    prior = float(counts.sum()) * _INDEPENDENT * _PIXEL_ERROR**2
    normal = np.zeros((4, 4))
    normal[:3, :3] = np.diag(square) + prior / (gain * _BALANCE) ** 2 * (np.eye(3) - 1 / 3)
    normal[:3, 3] = normal[3, :3] = cross
    normal[3, 3] = float(weight.sum()) + prior / _VEIL**2
    solved = np.linalg.solve(normal, np.append(target, haze)).astype(np.float32)
    return np.asarray(np.clip(view * solved[:3] + solved[3], 0, 1), np.float32)
