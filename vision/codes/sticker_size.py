"""Reads crops for stickers. If nobody gives their size, those that are read do."""

import math
from collections.abc import Collection, Sequence
from functools import cache

from vision.codes.code_reader import Code, Reading, centre_of
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray
from vision.mat.mat_finder import Rect, Registration
from vision.mat.straight_views import read_flat

_SIZES_MM = (30.0, 22.0, 16.5)
"""Sizes tried until the size is known. A reader accepts a sixth more or less, so these cover 14 to 35 mm."""
_ALIKE = 7 / 6
_LEAST_MM, _MOST_MM = 12.0, 36.0
"""Range of a sticker's size. Others are pictures of stickers, on a screen or a sheet."""
WITH_MARGIN = STICKER_MODULES / (STICKER_MODULES - 2 * QUIET_MODULES)
"""Side of the white square, divided by that of the code in it."""


class StickerReader:
    """Reads stickers whose white square is `side_mm` mm; None: of the sizes of those that were read before.

    A table may have stickers of several sizes: a size that was read once is looked for from then on.
    """

    def __init__(self, payloads: Collection[str], side_mm: float | None) -> None:
        self._book = _codebook(frozenset(payloads))
        self._given = side_mm is not None
        self._sizes = [] if side_mm is None else [side_mm]

    @property
    def side_mm(self) -> float:
        """The largest known size (mm); a guess until a sticker was read."""
        return max(self._sizes, default=_SIZES_MM[0])

    def read(
        self,
        gray: Gray,
        rect: Rect,
        registration: Registration,
        spared: Sequence[tuple[float, float]] = (),
        *,
        widely: bool = False,
    ) -> Reading:
        """Everything in a rectangle of the picture; positions in px of the whole picture.

        `spared`: centres of stickers that need not be read again. `widely`: sizes that were not seen before are
        looked for, too, as they are until one is known.
        """
        sizes = list(self._sizes)
        if not self._given and (widely or not sizes):
            sizes += [size for size in _SIZES_MM if not any(_alike(size, known) for known in self._sizes)]
        found = Reading((), (), (), ())
        for number, size in enumerate(sizes):  # it may grow meanwhile
            there = [*spared, *(code.centre for code in found.codes)]
            tried = read_flat(gray, rect, registration, size, self._book, there, markers=number == 0)
            found = _joined(found, tried, size / 2 * registration.fit.px_per_mm)
            known = len(self._sizes)
            if not self._given:
                self._learn(tried, registration)
            if known < len(self._sizes):
                # What was read at nearly this size tells it; others of it were perhaps missed.
                sizes[number + 1 :] = [*self._sizes[known:], *(sizes[number + 1 :] if known or widely else ())]
        return found

    def _learn(self, reading: Reading, registration: Registration) -> None:
        """Remember the sizes of stickers that exist, and are no picture of one."""
        for code in reading.codes:
            side = registration.edge_mm(code.corners) * WITH_MARGIN
            fits = code.payload in self._book.payloads and _LEAST_MM <= side <= _MOST_MM
            if fits and not any(_alike(side, known) for known in self._sizes):
                self._sizes.append(side)


def _alike(one: float, other: float) -> bool:
    """Whether a reader of stickers of one size reads those of the other."""
    return max(one, other) <= _ALIKE * min(one, other)


def _joined(before: Reading, new: Reading, near: float) -> Reading:
    """Both readings of one region. What was read within `near` px is not unread at another size."""
    codes = (*before.codes, *(code for code in new.codes if not _close(code.centre, before.codes, near)))
    return Reading(
        codes,
        (*before.markers, *new.markers),
        tuple(at for at in (*before.unread, *new.unread) if not _close(at, codes, near)),
        tuple(
            one for one in (*before.doubtful, *new.doubtful) if not _close(centre_of(one.corners), codes, near)
        ),
    )


def _close(at: tuple[float, float], codes: Sequence[Code], near: float) -> bool:
    return any(math.dist(at, code.centre) < near for code in codes)


@cache
def _codebook(payloads: frozenset[str]) -> Codebook:
    """One codebook for all who watch the same game: making one takes a fifth of a second."""
    return Codebook(payloads)
