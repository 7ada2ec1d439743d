"""Reads stickers in a picture, and learns their size (mm) from those that were read."""

import math
from collections.abc import Collection, Sequence
from functools import cache

from vision.codes.code_reader import Code, Reading, centre_of
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray
from vision.mat.mat_finder import Rect, Registration
from vision.mat.straight_views import read_flat

_SIZES_MM = (30.0, 22.0, 16.5)
"""Sizes (mm) of stickers tried until one is known. Each also finds a sixth more or less, together 14
to 35 mm."""
_ALIKE = 7 / 6
"""_ALIKE: greatest factor between the sizes of stickers that are read together."""
_LEAST_MM, _MOST_MM = 12.0, 36.0
"""Smallest and largest side (mm) of a sticker. Others are pictures of a sticker, on a screen or a sheet."""
WITH_MARGIN = STICKER_MODULES / (STICKER_MODULES - 2 * QUIET_MODULES)
"""Side of a sticker's white square, divided by the side of the code in it."""


class StickerReader:
    """Reader of stickers on a table, which learns how large (mm) they are.

    There may be several sizes. `payloads`: texts of all stickers. `side_mm`: side (mm) of the stickers' white
    square; None: learned from those read.
    """

    def __init__(self, payloads: Collection[str], side_mm: float | None) -> None:
        self._book = _codebook(frozenset(payloads))
        self._given = side_mm is not None
        self._sizes = [] if side_mm is None else [side_mm]

    @property
    def side_mm(self) -> float:
        """Largest known side (mm) of a sticker; 30 while unknown."""
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
        """Read stickers and markers in a part of a picture.

        `rect`: the part (px). `registration`: where the mat lies in the picture. Positions in the result are px
        of the whole picture. `spared`: centres (px) of stickers that need not be read again. `widely`: look for
        sizes not yet known as well; this happens anyway until one size is known.
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
        """Learn the sizes (mm) of known stickers that were read.

        Sizes below 12 or above 36 mm are those of pictures of a sticker.
        """
        for code in reading.codes:
            side = registration.edge_mm(code.corners) * WITH_MARGIN
            fits = code.payload in self._book.payloads and _LEAST_MM <= side <= _MOST_MM
            if fits and not any(_alike(side, known) for known in self._sizes):
                self._sizes.append(side)


def _alike(one: float, other: float) -> bool:
    """True if a reader for stickers of size `one` (mm) also reads those of size `other`."""
    return max(one, other) <= _ALIKE * min(one, other)


def _joined(before: Reading, new: Reading, near: float) -> Reading:
    """Join two readings of one part of a picture.

    A place within `near` px of a code that was read is no longer unread.
    """
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
    """Prepare known stickers once for all readers, because it takes a fifth of a second.

    `payloads`: their texts.
    """
    return Codebook(payloads)
