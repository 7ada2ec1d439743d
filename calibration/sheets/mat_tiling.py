"""Divides the mat into the fewest overlapping sheets."""

import math
from dataclasses import dataclass

from calibration.sheets.print_sizes import EDGE_MM, Paper
from calibration.sheets.sheet_footer import FOOT_MM
from calibration.sheets.sheet_shapes import Box
from vision.mat_geometry import Mat

OVERLAP_MM = 8.0
"""Width (mm) of the strip along which two neighbouring sheets are glued. A guess."""


@dataclass(frozen=True, slots=True)
class Part:
    """Part of the mat that is printed on one sheet.

    `row` and `column` count from 0. `box`: the part in mm on the mat. `left`, `top`: its corner on the paper
    (mm). `right`, `below`: a neighbouring sheet is glued over the last OVERLAP_MM on that side.
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
        """Name of the sheet, e.g. B3: a letter for the row from the far side, then the column."""
        return f"{chr(ord('A') + self.row)}{self.column + 1}"

    @property
    def stays(self) -> Box:
        """Part of the mat (mm) that shows after gluing."""
        left, top, right, bottom = self.box
        return (left, top, right - OVERLAP_MM * self.right, bottom - OVERLAP_MM * self.below)


@dataclass(frozen=True, slots=True)
class Tiling:
    """Division of the mat into `w` x `h` mm sheets.

    `parts`: the mat's part on each sheet, row by row.
    """

    w: float
    h: float
    rows: int
    columns: int
    parts: tuple[Part, ...]


def tile(mat: Mat, paper: Paper) -> Tiling:
    """Divide the mat into the fewest sheets.

    All are upright, or all turned. All parts are equally large.
    """
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
    """Divide a length (mm) into overlapping parts: their number, and their length (mm).

    `room`: length (mm) that the paper offers.
    """
    # Lines at a part's edges have a width, too.
    count = max(1, math.ceil((length - OVERLAP_MM) / (room - 0.6 - OVERLAP_MM)))
    return count, (length + (count - 1) * OVERLAP_MM) / count
