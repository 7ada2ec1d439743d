"""Reads crops of the table for stickers of one size, which the first sticker tells if nobody else does."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from vision.codes.code_reader import Reading
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray
from vision.mat.mat_finder import Rect, Registration
from vision.mat.straight_views import read_flat

_SIZES_MM = (30.0, 22.0, 16.5)
"""Tried until the size is known: a reader bears a sixth more or less, so these reach from 14 to 35 mm."""
_LEAST_MM, _MOST_MM = 12.0, 36.0
"""What may be a sticker's size; others are pictures of stickers, on a screen or a sheet."""
WITH_MARGIN = STICKER_MODULES / (STICKER_MODULES - 2 * QUIET_MODULES)
"""The white square's side by that of the code in it."""


class StickerReader:
    """Reads stickers of `side_mm`, the white square in mm; None: of the size of the first that is read."""

    def __init__(self, payloads: Collection[str], side_mm: float | None) -> None:
        self._book = _codebook(frozenset(payloads))
        self._known = side_mm is not None
        self.side_mm = side_mm or _SIZES_MM[0]
        """The size that is looked for; a guess until one was read."""

    def read(
        self, gray: Gray, rect: Rect, registration: Registration, spared: Sequence[tuple[float, float]] = ()
    ) -> Reading:
        """Everything in a rectangle of the picture; positions are px of the whole.

        `spared` are centres of stickers that need not be read again.
        """
        first: Reading | None = None
        for size in (self.side_mm,) if self._known else _SIZES_MM:
            tried = read_flat(gray, rect, registration, size, self._book, spared, markers=first is None)
            first = first or tried
            for code in () if self._known else tried.codes:
                side = registration.edge_mm(code.corners) * WITH_MARGIN
                if code.payload in self._book.payloads and _LEAST_MM <= side <= _MOST_MM:
                    self.side_mm, self._known = side, True
                    return replace(tried, markers=first.markers)
        assert first is not None
        return first


@cache
def _codebook(payloads: frozenset[str]) -> Codebook:
    """One codebook for all who watch the same game: it takes a fifth of a second to make."""
    return Codebook(payloads)
