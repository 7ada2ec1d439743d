"""Reads every code and marker in a picture of unknown scale, as photographs are."""

import cv2
import numpy as np

from vision.reading import (
    Code,
    Reading,
    find_codes,
    find_codes_enlarged,
    find_markers,
    markers_once,
    moved,
    without_twins,
)
from vision.stickers import Gray

CONTRAST = "contrast"
"""The stage of codes that were read after local contrast was evened."""

_ENLARGE_MOST = 6_000_000


def read_picture(gray: Gray) -> Reading:
    """Everything in a picture of unknown scale: plain, local contrast, and enlarged in tiles.

    The last, 60 ms a megapixel, is left out above 6 megapixels: such pictures have pixels enough.
    """
    codes = find_codes(gray, thorough=True)
    evened = np.asarray(cv2.createCLAHE(2.0, (8, 8)).apply(gray), np.uint8)
    codes += find_codes(evened, CONTRAST, thorough=True)
    tile, overlap = 640, 160
    height, width = gray.shape[:2] if gray.size <= _ENLARGE_MOST else (0, 0)
    for top in range(0, height, tile - overlap):
        for left in range(0, width, tile - overlap):
            part = gray[top : top + tile, left : left + tile]
            codes += [
                Code(c.text, c.payload, moved(c.corners, left, top), c.stage) for c in find_codes_enlarged(part)
            ]
    markers = find_markers(gray, refine=True, thorough=True)
    return Reading(without_twins(codes, 8), markers_once(markers, 8))
