"""Things as large as a card that lie on the cloth at the first look, when no change tells that they came."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray
from vision.scene.small_picture import SmallPicture

_LIKE = 12.0
"""_LIKE: least difference (grey levels) from the cloth around that a fall-off of the light does not make."""
_LIKE_COLOUR = 10.0
"""_LIKE_COLOUR: the same in Cr and Cb."""
_MOST = 0.6
"""_MOST: share of the pixels around a zone that show bare cloth; printed lines and what lies over the edges of
other zones are the rest."""
_PLAIN = 8.0
"""_PLAIN: levels from their middle within which those pixels lie on a plain cloth. Of a checked one nothing can
be told."""
_SPREAD = 3.0
"""_SPREAD: a thing differs from the cloth's level by at least so many times as much."""
_LINE_PX, _HOLE_PX = 5, 5
"""_LINE_PX: what is narrower (px) is a printed line; a card is 25 px wide. _HOLE_PX: narrower parts of a back
that look like the cloth, as between its stripes, do not divide it; two cards side by side may be joined."""
_LEAST_CLOTH = 60
"""_LEAST_CLOTH: pixels of cloth around a zone that are enough to know its colour."""


def things_on_cloth(
    small: SmallPicture, zone: NDArray[np.bool_], cloth: NDArray[np.bool_]
) -> list[NDArray[np.float32]]:
    """Outlines (each n x 2 px) of what differs from the cloth in a zone; none if the cloth is not plain.

    `zone`: h x w, where it lies. `cloth`: h x w, where the cloth around it mostly lies bare. Pixels that
    differ are joined to one outline each; thin printed lines are none.
    """
    left, top, w, h = cv2.boundingRect((zone | cloth).astype(np.uint8))
    window = (slice(top, top + h), slice(left, left + w))
    zone, cloth = zone[window], cloth[window]
    if np.count_nonzero(cloth) < _LEAST_CLOTH:
        return []
    size = (small.gray.shape[1], small.gray.shape[0])
    other = np.zeros((h, w), np.bool_)
    for plane, least in ((small.gray, _LIKE), *((plane, _LIKE_COLOUR) for plane in small.colours)):
        whole = plane if plane is small.gray else cv2.resize(plane, size, interpolation=cv2.INTER_NEAREST)
        part = _other(np.asarray(whole[window], np.uint8), cloth, least)
        if part is None:
            return []
        other |= part
    mask = (other & zone).astype(np.uint8)
    for kind, px in ((cv2.MORPH_CLOSE, _HOLE_PX), (cv2.MORPH_OPEN, _LINE_PX)):
        mask = np.asarray(cv2.morphologyEx(mask, kind, np.ones((px, px), np.uint8)), np.uint8)
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [(one[:, 0] + 0.5 + (left, top)).astype(np.float32) for one in found if len(one) > 2]


def _other(plane: Gray, cloth: NDArray[np.bool_], least: float) -> NDArray[np.bool_] | None:
    """h x w: where a plane differs from the cloth's level; None if the cloth is not plain."""
    known = np.sort(plane[cloth].astype(np.float32))
    most = int(_MOST * len(known))
    widths = known[most:] - known[: len(known) - most]
    at = int(widths.argmin())
    level, spread = float(known[at] + known[at + most]) / 2, float(widths[at]) / 2
    if spread > _PLAIN:
        return None
    return np.asarray(np.abs(plane.astype(np.float32) - level) > max(least, _SPREAD * spread), np.bool_)
