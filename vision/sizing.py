"""Reads crops of the table for stickers of one size, which the first sticker tells if nobody else does."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from vision.codebook import Codebook
from vision.geometry import Registration
from vision.reading import Code, Reading, read_region
from vision.stickers import QUIET_MODULES, STICKER_MODULES, Gray

_SIZES_MM = (30.0, 22.0, 16.5)
"""Tried until the size is known: a reader bears a sixth more or less, so these reach from 14 to 35 mm."""
_LEAST_MM, _MOST_MM = 12.0, 36.0
"""What may be a sticker's size; others are pictures of stickers, on a screen or a sheet."""


class StickerReader:
    """Reads stickers of `side_mm`, the white square in mm; None: of the size of the first that is read."""

    def __init__(self, payloads: Collection[str], side_mm: float | None) -> None:
        self._book = _codebook(frozenset(payloads))
        self._known = side_mm is not None
        self.side_mm = side_mm or _SIZES_MM[0]
        """The size that is looked for; a guess until one was read."""

    def read(
        self,
        crop: Gray,
        at: tuple[int, int],
        scale: float,
        registration: Registration,
        spared: Sequence[tuple[float, float]] = (),
    ) -> Reading:
        """Everything in `crop`, whose left upper corner is `at` px and whose scale is `scale` px/mm.

        `spared` are centres of stickers that need not be read again, in px of the crop as all positions.
        """
        first: Reading | None = None
        for size in (self.side_mm,) if self._known else _SIZES_MM:
            tried = read_region(crop, size * scale, self._book, spared, markers=first is None)
            first = first or tried
            for code in () if self._known else tried.codes:
                side = self._side_of(code, at, registration)
                if code.payload in self._book.payloads and _LEAST_MM <= side <= _MOST_MM:
                    self.side_mm, self._known = side, True
                    return replace(tried, markers=first.markers)
        assert first is not None
        return first

    @staticmethod
    def _side_of(code: Code, at: tuple[int, int], registration: Registration) -> float:
        """The white square of a code in mm, from the corners of its modules."""
        corners = registration.to_mm(np.add(code.corners, at))
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        return float(edges.mean()) * STICKER_MODULES / (STICKER_MODULES - 2 * QUIET_MODULES)


@cache
def _codebook(payloads: frozenset[str]) -> Codebook:
    """One codebook for all who watch the same game: it takes a fifth of a second to make."""
    return Codebook(payloads)
