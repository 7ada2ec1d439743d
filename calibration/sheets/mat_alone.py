"""Mat that needs no gluing: one long page for a plotter, or only its four corners for a cloth."""

import math

from calibration.sheets.mat_sheets import outlines, zone_name
from calibration.sheets.print_sizes import EDGE_MM, Paper, size_text
from calibration.sheets.sheet_footer import FOOT_MM, foot
from calibration.sheets.sheet_shapes import (
    Shape,
    Sheet,
    Words,
    fitted,
    marker_at,
    rectangle,
    white_side,
    wrapped,
)
from calibration.table_place import CORNER_NAMES
from companion.core.language import text, tr
from vision.mat_geometry import Mat

ROLL_MM = 610.0
"""Width (mm) of the 24-inch paper roll on which copy shops print A1 and longer."""
_FROM_EDGE = EDGE_MM + 0.3
_GREY = 0.35
_GAP = 14.0


def banner_sheet(mat: Mat, about: str) -> Sheet:
    """Draw the whole mat on one landscape page, with a line to cut along.

    `about`: line in the footer.
    """
    w, h = mat.w + 2 * _FROM_EDGE, mat.h + 2 * _FROM_EDGE + FOOT_MM
    shapes: list[Shape] = [line.moved(_FROM_EDGE, _FROM_EDGE) for line in outlines(mat)]
    whole = (0.0, 0.0, mat.w, mat.h)
    shapes += [zone_name(zone, [whole]).moved(_FROM_EDGE, _FROM_EDGE) for zone in mat.zones]
    for one in mat.markers:
        half = white_side(one.side) / 2
        x, y = one.x - half + _FROM_EDGE, one.y - half + _FROM_EDGE
        shapes.append(marker_at(f"mat {one.id}", one.id, x, y, one.side))
    shapes += rectangle((_FROM_EDGE, _FROM_EDGE, w - _FROM_EDGE, h - _FROM_EDGE - FOOT_MM), 0.2, _GREY)
    how = text(
        "Page of {w} x {h} mm, for a roll of {roll} mm (24 inches). Cut along the outer line.",
        w=f"{w:.0f}",
        h=f"{h:.0f}",
        roll=f"{ROLL_MM:.0f}",
    )
    size = text("{title}, mat of {size}", title=about, size=size_text(mat))
    shapes += foot(w, h, text("Mat"), (size, how))
    return Sheet("mat", w, h, tuple(shapes))


def corner_sheet(mat: Mat, paper: Paper, about: str) -> Sheet:
    """Draw four mat corners to cut out; their outer edges are the edges of the mat.

    `about`: line in the footer.
    """
    shapes: list[Shape] = [
        fitted(text("Four corners instead of a printed mat"), 16, 20, 16, paper.w - 32, bold=True)
    ]
    across = math.hypot(mat.w, mat.h)
    told = tr(
        "Cut out each square and lay it, upright as printed, on a plain matt cloth: outer edges {w} mm apart "
        "from left to right, {h} mm from far to near, {across} mm from corner to corner. Tape them down. The "
        "companion measures where they really lie; a centimetre beside is no harm. Cards lie where the printed "
        "mat has its places: the cover shows them.",
        w=f"{mat.w:g}",
        h=f"{mat.h:g}",
        across=f"{across:.0f}",
    )
    y = 27.0
    for line in wrapped(told, 9, paper.w - 32):
        shapes.append(Words(line, 16, y, 9))
        y += 4.4
    y += 4
    places = dict(zip(CORNER_NAMES, mat.markers, strict=True))
    for row, names in enumerate((CORNER_NAMES[:2], CORNER_NAMES[:1:-1])):
        for column, name in enumerate(names):
            one = places[name]
            # A marker is as far from the mat's edge as the piece's middle from the piece's edge.
            side = 2 * min(one.x, mat.w - one.x)
            left = paper.w / 2 + (column - 1) * (side + _GAP) + _GAP / 2
            top = y + row * (side + _GAP)
            # Dashed, because the reader would take a closed line for the marker's own outline.
            shapes += rectangle((left, top, left + side, top + side), 0.2, _GREY, dashed=True)
            white = white_side(one.side)
            corner = (left + (side - white) / 2, top + (side - white) / 2)
            shapes.append(marker_at(f"mat {one.id}", one.id, *corner, one.side))
            words = fitted(name, 0, 0, 9, side)
            shapes.append(words.moved(left + (side - words.width) / 2, top + side + 5))
    note = text("The far side is the one away from you in the picture.")
    shapes += foot(paper.w, paper.h, text("Mat corners"), (about, note))
    return Sheet("mat corners", paper.w, paper.h, tuple(shapes))
