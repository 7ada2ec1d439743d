"""Page for a first evening with only a camera: four corner cards, and how to lay them."""

import math
from dataclasses import replace

from calibration.camera_height import lens_heights
from calibration.sheets.cover_sheet import steps_below, table_from_above
from calibration.sheets.pdf_writer import pdf_bytes
from calibration.sheets.print_sizes import EDGE_MM, Paper
from calibration.sheets.sheet_footer import FOOT_MM, foot
from calibration.sheets.sheet_shapes import Line, Shape, Sheet, fitted, marker_at, white_side
from calibration.table_place import CORNER_NAMES
from companion.core.language import Text, text, tr
from vision.mat_geometry import Mat

EVENING = "evening"
PAD = "pad"
"""Place on a mat under which a board feels cards."""
CUTS = 4
"""Number of straight cuts that part the four corner cards."""
_GREY, _SIDE = 0.35, 10.0
"""_GREY: grey of cut lines (0 black to 1 white). _SIDE: white space (mm) beside drawing and steps."""
_ANGLE = 70
"""Field of view (degrees, across the picture) of most webcams, by their data sheets."""


def evening_sheet(mat: Mat, paper: Paper, about: str) -> Sheet:
    """Draw four corner cards, the table and the steps below, for a first evening.

    `about`: line in the footer. ValueError if the page does not fit on the paper.
    """
    deep, wide = 2 * min(marker.y for marker in mat.markers), paper.w / len(mat.markers)
    shapes: list[Shape] = [Line(0, deep, paper.w, deep, 0.2, _GREY, dashed=True)]
    for number, (name, one) in enumerate(zip(CORNER_NAMES, mat.markers, strict=True)):
        left = number * wide
        if number:
            shapes.append(Line(left, 0, left, deep, 0.2, _GREY, dashed=True))
        white = white_side(one.side)
        corner = (left + (wide - white) / 2, (deep - white) / 2)
        shapes.append(marker_at(f"mat {one.id}", one.id, *corner, one.side))
        words = fitted(name, 0, 0, 8, wide - 4)
        shapes.append(words.moved(left + (wide - words.width) / 2, deep - 2.2))
    left, room = EDGE_MM + _SIDE, paper.w - 2 * (EDGE_MM + _SIDE)
    top = deep + 13
    shapes.append(fitted(text("A first evening with a camera alone"), left, top, 18, room, bold=True))
    scale = room / mat.w
    # With a camera alone nothing is felt: the place of the pad would only be asked after.
    bare = replace(mat, zones=tuple(zone for zone in mat.zones if zone.name != PAD))
    shapes += table_from_above(bare, scale, left, top + 7, ())
    steps = steps_below(_steps(mat), left, top + 7 + mat.h * scale + 12, room)
    if max(shape.box[3] for shape in steps) > paper.h - EDGE_MM - FOOT_MM:
        raise ValueError(f"the page does not fit on {paper.name}")
    shapes += steps
    note = text("Print at 100 %, on one side. Keep this page for the next evening.")
    shapes += foot(paper.w, paper.h, text("First evening"), (about, note))
    return Sheet(EVENING, paper.w, paper.h, tuple(shapes))


def evening_pdf(mat: Mat, paper: Paper, about: str) -> bytes:
    """Write the page for a first evening as PDF."""
    return pdf_bytes([evening_sheet(mat, paper, about)], tr("First evening"))


def _steps(mat: Mat) -> list[tuple[Text, Text]]:
    height = next(row.cm for row in lens_heights(mat) if row.across_deg == _ANGLE)
    across = math.hypot(mat.w, mat.h)
    return [
        (
            text("Cut"),
            text("Four straight cuts along the dashed lines: one below the cards, three between them."),
        ),
        (
            text("Lay"),
            text(
                "On a plain matt cloth, each at the corner it names, words towards you: outer edges {w} mm "
                "apart from left to right, {h} mm from far to near, {across} mm from corner to corner. A "
                "centimetre is no harm. Tape them down.",
                w=f"{mat.w:g}",
                h=f"{mat.h:g}",
                across=f"{across:.0f}",
            ),
        ),
        (
            text("Camera"),
            text(
                "Straight above the middle, {cm} cm high or a little more. The far side is the one away from "
                "you in the picture. Light that does not dazzle it.",
                cm=height,
            ),
        ),
        (
            text("Play"),
            text("Cards lie where the drawing shows it. Nothing else is cut, stuck on a card, or glued."),
        ),
    ]
