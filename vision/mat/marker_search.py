"""Searches the corner markers of a mat in a picture, sharpened if need be, and aligns the print of each."""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from vision.codes.code_reader import find_markers
from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Points
from vision.mat.marker_alignment import Aligned, align

_LIKENESS_LEAST, _AGREEING_LEAST = 0.8, 0.75
"""Correlation with the print, and share of it that looks like it, of a marker that is believed. On hostile
pictures markers had 0.92 and more; the print on anything else 0.6 at most."""
_CONTRAST_LEAST = 6.0
"""_CONTRAST_LEAST: grey levels between black and white of a marker that is believed."""
_SOFTENED_PX, _AROUND_PX, _AMOUNT = 1.0, 3.0, 3.0
"""Blur (px) against noise before a picture is sharpened, blur that is taken back, and how often. With it
markers are read out of focus and by night (32 of 32 and 31 of 32; 26 and 28 without)."""
_ENLARGED_BELOW, _ENLARGED, _ENLARGED_AROUND_PX = 1000, 3.0, 4.0
"""_ENLARGED_BELOW: width (px) of a picture that is enlarged before it is sharpened: a module is 2 px wide,
and 5 markers of 32 are read without."""
_SAME_SHARE = 0.5
"""_SAME_SHARE: distance, by a marker's side, of two sights of one marker."""


def search(gray: Gray, wanted: Iterable[int], expected: Mapping[int, Points]) -> dict[int, list[Aligned]]:
    """All sights of the `wanted` markers, several of one if copies lie about; those that are nowhere to be seen
    are left out.

    `expected`: corners (4 x 2 px) of markers where they were last; looked at even if no outline is found.
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
    """A marker that looks like its print; None otherwise."""
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
    """Outlines in the picture after its blur was taken back, enlarged if it is small."""
    small = gray.shape[1] < _ENLARGED_BELOW
    scale = _ENLARGED if small else 1.0
    large = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if small else gray
    soft = cv2.GaussianBlur(large, (0, 0), _SOFTENED_PX)
    around = cv2.GaussianBlur(soft, (0, 0), _ENLARGED_AROUND_PX if small else _AROUND_PX)
    sharp = cv2.addWeighted(soft, 1 + _AMOUNT, around, -_AMOUNT, 0)
    return _outlines(np.asarray(sharp, np.uint8), ids, scale)
