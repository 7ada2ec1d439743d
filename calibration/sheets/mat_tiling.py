"""The mat cut into sheets that overlap: which part of it each sheet shows, with the fewest sheets."""

import math
from dataclasses import dataclass

from calibration.sheets.print_sizes import EDGE_MM, Paper
from calibration.sheets.sheet_footer import FOOT_MM
from calibration.sheets.sheet_shapes import Box
from companion.core.mat_geometry import Mat

OVERLAP_MM = 8.0
"""The strip that the next sheet is glued over."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one sheet shows: row and column from 0, the part of the mat (mm on it), its corner on the sheet.

    `right` and `below` say whether a strip of OVERLAP_MM there is covered by the next sheet.
    """

    row: int
    column: int
    box: Box
    left: float
    top: float
    right: bool
    below: bool

    @property
    def name(self) -> str:
        """Rows are letters from the far side, columns numbers from the left: B3."""
        return f"{chr(ord('A') + self.row)}{self.column + 1}"

    @property
    def stays(self) -> Box:
        """The part of the mat that is still to be seen on this sheet when all are glued."""
        left, top, right, bottom = self.box
        return (left, top, right - OVERLAP_MM * self.right, bottom - OVERLAP_MM * self.below)


@dataclass(frozen=True, slots=True)
class Tiling:
    """Sheets of `w` x `h` mm in rows and columns, and the parts in reading order."""

    w: float
    h: float
    rows: int
    columns: int
    parts: tuple[Part, ...]


def tile(mat: Mat, paper: Paper) -> Tiling:
    """The way of holding the paper that needs fewer sheets; all parts are equally large."""
    ways = [_tiling(mat, paper.w, paper.h), _tiling(mat, paper.h, paper.w)]
    return min(ways, key=lambda way: len(way.parts))


def _tiling(mat: Mat, w: float, h: float) -> Tiling:
    room_w, room_h = w - 2 * EDGE_MM, h - 2 * EDGE_MM - FOOT_MM
    columns, part_w = _split(mat.w, room_w)
    rows, part_h = _split(mat.h, room_h)
    left, top = EDGE_MM + (room_w - part_w) / 2, EDGE_MM + (room_h - part_h) / 2
    parts = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * (part_w - OVERLAP_MM), row * (part_h - OVERLAP_MM)
            box = (x, y, x + part_w, y + part_h)
            parts.append(Part(row, column, box, left, top, column < columns - 1, row < rows - 1))
    return Tiling(w, h, rows, columns, tuple(parts))


def _split(length: float, room: float) -> tuple[int, float]:
    """How many parts a length needs, and how long each is, neighbours overlapping."""
    # The lines at a part's edges have a width, too.
    count = max(1, math.ceil((length - OVERLAP_MM) / (room - 0.6 - OVERLAP_MM)))
    return count, (length + (count - 1) * OVERLAP_MM) / count
