"""Reads stickers too small to be decoded in a photograph of a table, by matching, if its mat is in sight.

The markers give place and tilt of the mat, so that what was photographed from the side is read from above.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.core.errors import BadInputError
from companion.core.mat_geometry import Mat, Zone
from vision.codes.code_reader import CODEBOOK, Code, MarkerSeen, without_twins
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import STICKER_MODULES, Gray
from vision.mat.lens_model import Lens
from vision.mat.mat_finder import Registration, register
from vision.mat.straight_views import Part, part_of

_CORNERS_LEAST = 2
"""_CORNERS_LEAST: corner markers that must be in sight. Without our mat nothing is matched."""
_CORNERS_BENT = 3
"""_CORNERS_BENT: markers from which the lens is estimated. With fewer it is taken for a usual one."""
_MODULE_LEAST, _MODULE_MOST = 0.8, 3.0
"""Range of pixels a module. Below, stickers cannot be distinguished; above, they are decoded."""
_PARTS = (4, 3)
"""The mat is flattened in so many columns and rows: within one, the scale is nearly the same."""
_BEYOND_MM = 20.0
"""Parts overlap by so much (mm), more than half of a sticker across."""


@dataclass(frozen=True, slots=True)
class TablePrint:
    """What is printed for games: payloads of stickers, the mats, sides of stickers (mm)."""

    payloads: frozenset[str]
    mats: tuple[Mat, ...]
    sticker_mm: tuple[float, ...]


def read_stickers(
    gray: Gray, codes: Collection[Code], markers: Collection[MarkerSeen], printed: TablePrint
) -> list[Code]:
    """Stickers in `gray` that one look is sure of, besides the `codes` and `markers` already read.

    Stickers of each printed size are searched on the first mat of which two corner markers are in sight.
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
    """Stickers on a table whose place in `gray` is known, with its mat or without; none at the `known` places
    (px)."""
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
    """Where the mat lies of which most markers are in sight."""
    ids = {marker.id for marker in markers}
    mat = max(printed.mats, key=lambda one: len(ids & {corner.id for corner in one.markers}))
    seen = len(ids & {corner.id for corner in mat.markers})
    if seen < _CORNERS_LEAST:
        return None, None
    height, width = gray.shape[:2]
    lens = None if seen >= _CORNERS_BENT else Lens.guessed(width, height)
    try:
        return register(mat, gray, measured=lens), mat
    except BadInputError:
        return None, None


def _parts(gray: Gray, mat: Mat, registration: Registration) -> Iterator[Part]:
    """The mat as seen from above, part by part, from left to right."""
    columns, rows = _PARTS
    w, h = mat.w / columns, mat.h / rows
    for n in range(columns * rows):
        zone = Zone("", n % columns * w, n // columns * h, w, h)
        rect = registration.zone_rect(zone, _BEYOND_MM)
        if rect[0] < rect[2] and rect[1] < rect[3]:
            yield part_of(gray, rect, registration)


@cache
def _codebook(payloads: frozenset[str]) -> Codebook:
    """One for all pictures of a run: making it takes a fifth of a second."""
    return Codebook(payloads)
