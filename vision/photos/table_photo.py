"""Reads stickers too small to decode in a table's photograph.

The table's mat must be in sight. Its markers give place and tilt of the mat. So a photograph from the side is
turned into a view from above. There stickers are compared with all known ones.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.codes.code_reader import CODEBOOK, Code, MarkerSeen, without_twins
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import STICKER_MODULES, Gray
from vision.errors import UnusableError
from vision.mat.lens_model import Lens
from vision.mat.mat_finder import register
from vision.mat.registration import Registration
from vision.mat.straight_views import Part, part_of
from vision.mat_geometry import Mat, Zone

_CORNERS_LEAST = 2
"""_CORNERS_LEAST: least number of a mat's corner markers in sight; with fewer nothing is read."""
_CORNERS_BENT = 3
"""_CORNERS_BENT: number of corner markers from which on the lens is estimated; with fewer a usual one is
assumed."""
_MODULE_LEAST, _MODULE_MOST = 0.8, 3.0
"""Least and greatest pixels per module (cell of a code) at which stickers are compared. Below, they cannot be
distinguished; above, they can be decoded."""
_PARTS = (4, 3)
"""_PARTS: columns and rows into which the mat is divided, because scale is nearly constant within one part."""
_BEYOND_MM = 20.0
"""Overlap (mm) of the parts on each side, more than half of a sticker."""


@dataclass(frozen=True, slots=True)
class TablePrint:
    """Prints of all games: their stickers and mats.

    `payloads`: texts of all stickers. `mats`: all mats. `sticker_mm`: sides (mm) of stickers.
    """

    payloads: frozenset[str]
    mats: tuple[Mat, ...]
    sticker_mm: tuple[float, ...]


def read_stickers(
    gray: Gray, codes: Collection[Code], markers: Collection[MarkerSeen], printed: TablePrint
) -> list[Code]:
    """Read further stickers in a photograph with a visible mat.

    `codes` and `markers` are already read. Every printed size of sticker is tried, on the mat with most corner
    markers in sight. Empty if fewer than two are. Only stickers identified beyond doubt are returned.
    """
    registration, mat = _mat_in_sight(gray, markers, printed)
    if registration is None or mat is None:
        return []
    explained = [*(code.centre for code in codes), *(marker.centre for marker in markers)]
    return stickers_on(gray, mat, registration, printed, explained)


def stickers_on(
    gray: Gray,
    mat: Mat,
    registration: Registration,
    printed: TablePrint,
    known: Collection[tuple[float, float]] = (),
) -> list[Code]:
    """Read stickers on a table with a known place.

    The table may have a printed mat or none. `registration`: its place in the picture. `known`: centres (px)
    of codes already read, which are skipped. Only stickers identified beyond doubt are returned.
    """
    explained = list(known)
    book = _codebook(printed.payloads)
    found: list[Code] = []
    for part in _parts(gray, mat, registration):
        for side in printed.sticker_mm:
            module = side * part.scale / STICKER_MODULES
            if not _MODULE_LEAST <= module <= _MODULE_MOST:
                continue
            there = part.from_px(np.asarray(explained, np.float64).reshape(-1, 2)).tolist()
            for match in book.read(part.image, module, there):
                if match.believed and match.payload is not None:
                    corners = tuple((float(x), float(y)) for x, y in part.to_px(match.corners))
                    code = Code(match.payload, match.payload, corners, CODEBOOK, round(match.likeness, 3))
                    found.append(code)
                    explained.append(code.centre)
    return list(without_twins(found, 8))


def _mat_in_sight(
    gray: Gray, markers: Collection[MarkerSeen], printed: TablePrint
) -> tuple[Registration | None, Mat | None]:
    """Find the mat with most visible markers, and its place.

    (None, None) if fewer than two are in sight; the place, right to some mm, is None if it is in doubt.
    """
    ids = {marker.id for marker in markers}
    mat = max(printed.mats, key=lambda one: len(ids & {corner.id for corner in one.markers}))
    seen = len(ids & {corner.id for corner in mat.markers})
    if seen < _CORNERS_LEAST:
        return None, None
    height, width = gray.shape[:2]
    lens = None if seen >= _CORNERS_BENT else Lens.guessed(width, height)
    try:
        # It only straightens the photograph: each sticker is then found where it lies.
        return register(mat, gray, measured=lens, roughly=True), mat
    except UnusableError:
        return None, None


def _parts(gray: Gray, mat: Mat, registration: Registration) -> Iterator[Part]:
    """Cut the mat into 4 x 3 overlapping parts, each as seen from straight above, row by row."""
    columns, rows = _PARTS
    w, h = mat.w / columns, mat.h / rows
    for n in range(columns * rows):
        zone = Zone("", n % columns * w, n // columns * h, w, h)
        rect = registration.zone_rect(zone, _BEYOND_MM)
        if rect[0] < rect[2] and rect[1] < rect[3]:
            yield part_of(gray, rect, registration)


@cache
def _codebook(payloads: frozenset[str]) -> Codebook:
    """Prepare known stickers once for all pictures, because it takes a fifth of a second.

    `payloads`: their texts.
    """
    return Codebook(payloads)
