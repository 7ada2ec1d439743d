"""Reads crops for stickers of one size. If nobody gives the size, the first sticker that is read does."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from vision.codes.code_reader import Reading
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray
from vision.mat.mat_finder import Rect, Registration
from vision.mat.straight_views import read_flat

_SIZES_MM = (30.0, 22.0, 16.5)
"""Sizes tried until the size is known. A reader accepts a sixth more or less, so these cover 14 to 35 mm."""
_LEAST_MM, _MOST_MM = 12.0, 36.0
"""Range of a sticker's size. Others are pictures of stickers, on a screen or a sheet."""
WITH_MARGIN = STICKER_MODULES / (STICKER_MODULES - 2 * QUIET_MODULES)
"""Side of the white square, divided by that of the code in it."""


class StickerReader:
    """Reads stickers whose white square is `side_mm` mm; None: of the size of the first one that is read."""

    def __init__(self, payloads: Collection[str], side_mm: float | None) -> None:
        self._book = _codebook(frozenset(payloads))
        self._known = side_mm is not None
        self.side_mm = side_mm or _SIZES_MM[0]
        """The expected size (mm); a guess until a sticker was read."""

    def read(
        self, gray: Gray, rect: Rect, registration: Registration, spared: Sequence[tuple[float, float]] = ()
    ) -> Reading:
        """Everything in a rectangle of the picture; positions in px of the whole picture.

        `spared`: centres of stickers that need not be read again.
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
    """One codebook for all who watch the same game: making one takes a fifth of a second."""
    return Codebook(payloads)
