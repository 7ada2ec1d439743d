"""Reads stickers too small to be decoded in a photograph of a table, by matching, if its mat is in sight."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from vision.codes.code_reader import CODEBOOK, Code, MarkerSeen, without_twins
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import STICKER_MODULES, Gray

_CORNERS_LEAST = 2
"""_CORNERS_LEAST: corner markers that must be in sight. Without our mat nothing is matched."""
_MODULE_LEAST, _MODULE_MOST = 0.9, 3.0
"""Range of pixels a module. Below, stickers cannot be distinguished; above, they are decoded."""


@dataclass(frozen=True, slots=True)
class TablePrint:
    """The printed things of a game: payloads, corner markers of the mat (ids, black side), sides of
    stickers."""

    payloads: frozenset[str]
    corners: frozenset[int]
    corner_mm: float
    sticker_mm: tuple[float, ...]


def read_stickers(
    gray: Gray, codes: Collection[Code], markers: Collection[MarkerSeen], printed: TablePrint
) -> list[Code]:
    """Stickers in `gray` that one look is sure of, besides the `codes` and `markers` already read.

    The corner markers give the scale. Stickers of each printed size are searched.
    """
    corners = [np.array(marker.corners) for marker in markers if marker.id in printed.corners]
    if len(corners) < _CORNERS_LEAST:
        return []
    sides = [np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).mean() for quad in corners]
    px_per_mm = float(np.mean(sides)) / printed.corner_mm
    explained = [*(code.centre for code in codes), *(marker.centre for marker in markers)]
    book = Codebook(printed.payloads)
    found: list[Code] = []
    for side in printed.sticker_mm:
        module = side * px_per_mm / STICKER_MODULES
        if not _MODULE_LEAST <= module <= _MODULE_MOST:
            continue
        for match in book.read(gray, module, explained):
            if match.believed and match.payload is not None:
                code = Code(match.payload, match.payload, match.corners, CODEBOOK, round(match.likeness, 3))
                found.append(code)
                explained.append(code.centre)
    return list(without_twins(found, 8))
