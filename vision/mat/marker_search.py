"""Finds a mat's corner markers, and aligns each one's print.

The picture is sharpened if not all are found.
"""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from vision.codes.code_reader import find_markers
from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Points
from vision.mat.marker_alignment import Aligned, align

_LIKENESS_LEAST, _AGREEING_LEAST = 0.8, 0.75
"""Least values of a marker that is believed: its correlation with its print, and the share of samples that
look like the print. On hostile pictures markers had a correlation of 0.92 and more, other things 0.6 at
most."""
_CONTRAST_LEAST = 6.0
"""_CONTRAST_LEAST: least difference (grey levels) between black and white of a marker that is believed."""
_SOFTENED_PX, _AROUND_PX, _AMOUNT = 1.0, 3.0, 3.0
"""Parameters of sharpening. _SOFTENED_PX: blur (px) against noise. _AROUND_PX: blur (px) whose effect is taken
back. _AMOUNT: how often it is taken back. Sharpening makes markers readable out of focus and by night: 32 and
31 of 32, instead of 26 and 28."""
_ENLARGED_BELOW, _ENLARGED, _ENLARGED_AROUND_PX = 1000, 3.0, 4.0
"""_ENLARGED_BELOW: width (px) below which a picture is enlarged by _ENLARGED before sharpening, because a
module (cell) of a marker is 2 px wide there. Without it 5 of 32 markers were read. _ENLARGED_AROUND_PX: takes
the place of _AROUND_PX then."""
_SAME_SHARE = 0.5
"""_SAME_SHARE: distance, as a share of a marker's side, below which two sights are one marker."""


def search(gray: Gray, wanted: Iterable[int], expected: Mapping[int, Points]) -> dict[int, list[Aligned]]:
    """Find markers by their ids in a picture: id -> where each was seen.

    A marker is seen several times if copies lie about. Markers not seen are left out. `expected`: corners (4 x
    2 px) at their last places, tried even without an outline there.
    """
    ids = set(wanted)
    found = _sights(gray, ids, _outlines(gray, ids))
    if len(found) < len(ids):
        for number, corners in expected.items():
            if number in ids and number not in found:
                seen = believed(align(gray, number, corners))
                if seen is not None:
                    found[number] = [seen]
    if len(found) < len(ids):
        missing = ids - found.keys()
        found |= _sights(gray, missing, _outlines_sharpened(gray, missing))
    return found


def believed(seen: Aligned | None) -> Aligned | None:
    """Return an aligned marker if it resembles its print; else None."""
    if seen is None or seen.contrast < _CONTRAST_LEAST:
        return None
    return seen if seen.likeness >= _LIKENESS_LEAST and seen.agreeing >= _AGREEING_LEAST else None


def _sights(gray: Gray, ids: set[int], outlines: Iterable[tuple[int, Points]]) -> dict[int, list[Aligned]]:
    found: dict[int, list[Aligned]] = {}
    for number, corners in outlines:
        seen = believed(align(gray, number, corners)) if number in ids else None
        if seen is not None and not any(_same(seen, other) for other in found.get(number, ())):
            found.setdefault(number, []).append(seen)
    return found


def _same(one: Aligned, other: Aligned) -> bool:
    side = float(np.linalg.norm(one.corners[1] - one.corners[0]))
    return float(np.linalg.norm((one.corners - other.corners).mean(axis=0))) < _SAME_SHARE * side


def _outlines(gray: Gray, ids: set[int], scale: float = 1.0) -> list[tuple[int, Points]]:
    return [
        (one.id, (np.array(one.corners) + 0.5) / scale - 0.5)
        for one in find_markers(gray, thorough=True)
        if one.id in ids
    ]


def _outlines_sharpened(gray: Gray, ids: set[int]) -> list[tuple[int, Points]]:
    """Find outlines of markers in the sharpened picture.

    Each is (id, corners in px). A small picture is enlarged first. `ids`: those wanted.
    """
    small = gray.shape[1] < _ENLARGED_BELOW
    scale = _ENLARGED if small else 1.0
    large = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if small else gray
    soft = cv2.GaussianBlur(large, (0, 0), _SOFTENED_PX)
    around = cv2.GaussianBlur(soft, (0, 0), _ENLARGED_AROUND_PX if small else _AROUND_PX)
    sharp = cv2.addWeighted(soft, 1 + _AMOUNT, around, -_AMOUNT, 0)
    return _outlines(np.asarray(sharp, np.uint8), ids, scale)
