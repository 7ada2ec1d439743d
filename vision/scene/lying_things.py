"""Finds card-sized things on the cloth in the first picture.

No change tells then that they came.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray
from vision.scene.small_picture import SmallPicture

_LIKE = 12.0
"""_LIKE: least difference (grey levels) of a thing from the cloth around. The light's fall-off makes less."""
_LIKE_COLOUR = 10.0
"""_LIKE_COLOUR: least difference (levels of Cr and Cb) of a thing from the cloth around."""
_MOST = 0.6
"""Share of the pixels around a zone that is taken as bare cloth. The rest is printed lines, and things that
lie over other zones' edges."""
_PLAIN = 8.0
"""Greatest deviation (levels) of most of the cloth's pixels from their middle, if the cloth is plain. On a
checked cloth nothing can be told."""
_SPREAD = 3.0
"""Least difference of a thing from the cloth, as a multiple of the spread of the cloth's own levels."""
_LINE_PX, _HOLE_PX = 5, 5
"""_LINE_PX: width (px) below which something is a printed line. A card is 25 px wide. _HOLE_PX: width (px)
below which a gap in a thing, such as a stripe on a card's back, is closed."""
_LEAST_CLOTH = 60
"""_LEAST_CLOTH: number of px around a zone from which on the cloth's colour is known."""


def things_on_cloth(
    small: SmallPicture, zone: NDArray[np.bool_], cloth: NDArray[np.bool_]
) -> list[NDArray[np.float32]]:
    """Find things in a zone that differ from the cloth around: their outlines.

    An outline is n x 2 px. Empty if the cloth is not plain. `zone`: mask (h x w) of the zone. `cloth`: mask of
    the cloth around, mostly bare. Thin printed lines are left out.
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
    """Mask (h x w) of pixels that differ from the cloth's usual level.

    `plane`: levels of the picture (grey, Cr or Cb). `cloth`: mask of the cloth. `least`: difference (levels)
    that a thing has at least. None if the cloth is not plain: its levels spread by more than _PLAIN.
    """
    known = np.sort(plane[cloth].astype(np.float32))
    most = int(_MOST * len(known))
    widths = known[most:] - known[: len(known) - most]
    at = int(widths.argmin())
    level, spread = float(known[at] + known[at + most]) / 2, float(widths[at]) / 2
    if spread > _PLAIN:
        return None
    return np.asarray(np.abs(plane.astype(np.float32) - level) > max(least, _SPREAD * spread), np.bool_)
