"""Cover of the printed sheets: table, camera heights, instructions."""

from collections.abc import Sequence

from calibration.camera_height import height_across, lens_heights, seen_mm, whole_cm
from calibration.sheets.print_sizes import EDGE_MM, Paper, size_text
from calibration.sheets.sheet_footer import FOOT_MM, foot
from calibration.sheets.sheet_shapes import (
    Box,
    Line,
    Pattern,
    Shape,
    Sheet,
    Words,
    fitted,
    rectangle,
    wrapped,
)
from companion.core.language import Text, localized, text, tr
from companion.core.sensor_terms import place_name
from vision.mat_geometry import Mat

COVER = "cover"
DRAWN_ACROSS = 60.0
"""Field of view (degrees, across the picture) of the drawn camera: a common webcam's."""
_INK, _FAINT, _LINE, _PALE = 0.0, 0.45, 0.55, 0.8
_SIDE = 10.0
"""White space (mm) beside the drawing."""
_SMALL, _GAP = 7.0, 12.0
_HOW = text("The table as it will stand: print, cut, stick, and put a camera above it.")


def cover_sheet(
    mat: Mat, paper: Paper, title: str, seams: Sequence[Box], contents: Sequence[tuple[str, str]]
) -> Sheet:
    """Draw the cover of the sheets for a mat.

    `seams`: the mat's parts, one for each sheet it is printed on (mm on the mat). `contents`: (heading, text)
    of each step. ValueError if the cover does not fit on the paper.
    """
    left, room = EDGE_MM + _SIDE, paper.w - 2 * (EDGE_MM + _SIDE)
    shapes: list[Shape] = [
        fitted(title, left, EDGE_MM + 16, 24, room, bold=True),
        fitted(_HOW, left, EDGE_MM + 24, 10, room, grey=_FAINT),
    ]
    scale = room / mat.w
    top = EDGE_MM + 36
    shapes.append(fitted(_measures(mat), left, top - 3, _SMALL, room, grey=_FAINT))
    shapes += table_from_above(mat, scale, left, top, seams)
    side_top = top + mat.h * scale + 12
    steps = steps_below(contents, left, 0, room)
    lowest = paper.h - EDGE_MM - FOOT_MM - 3
    free = lowest - side_top - _GAP - max(shape.box[3] for shape in steps)
    height = height_across(mat, DRAWN_ACROSS)
    side_scale = min(scale * 0.45, free / height)
    if side_scale < scale * 0.2:
        raise ValueError(f"the cover does not fit on {paper.name}")
    table = side_top + height * side_scale
    shapes += _from_the_side(mat, side_scale, left, table)
    shapes += _heights(mat, left + seen_mm(mat) * side_scale + 12, side_top + 2, left + room)
    shapes += steps_below(contents, left, table + _GAP, room)
    notes = (
        text("{title}, mat of {size}", title=title, size=size_text(mat)),
        text("Nothing of this sheet is cut out."),
    )
    shapes += foot(paper.w, paper.h, text("Cover"), notes)
    return Sheet(COVER, paper.w, paper.h, tuple(shapes))


def _measures(mat: Mat) -> Text:
    return text(
        "From above: {size}. Black: markers, which nothing may cover. Players sit around.", size=size_text(mat)
    )


def table_from_above(mat: Mat, scale: float, left: float, top: float, seams: Sequence[Box]) -> list[Shape]:
    """Draw a mat from above, to scale.

    Zones and markers are drawn. `left`, `top`: its upper left corner (mm on paper). `scale`: mm on paper per mm
    of the mat. `seams`: the mat's parts on one sheet each, drawn dashed.
    """

    def moved(x: float, y: float, w: float, h: float) -> Box:
        return (left + x * scale, top + y * scale, left + (x + w) * scale, top + (y + h) * scale)

    shapes: list[Shape] = [*rectangle(moved(0, 0, mat.w, mat.h), 0.5, _INK)]
    for x0, y0, x1, y1 in seams if len(seams) > 1 else ():
        right, bottom = left + x1 * scale, top + y1 * scale
        if x1 < mat.w - 1:
            shapes.append(Line(right, top + y0 * scale, right, bottom, 0.15, _PALE, dashed=True))
        if y1 < mat.h - 1:
            shapes.append(Line(left + x0 * scale, bottom, right, bottom, 0.15, _PALE, dashed=True))
    for zone in mat.zones:
        box = moved(zone.x, zone.y, zone.w, zone.h)
        shapes += rectangle(box, 0.3, _LINE)
        if zone.stack is not None:
            (x, y), (w, h) = zone.centre, zone.stack
            shapes += rectangle(moved(x - w / 2, y - h / 2, w, h), 0.15, _PALE, dashed=True)
        room = box[2] - box[0] - 2
        name = place_name(zone.name)
        words = fitted(name, 0, 0, 8, room)
        x, y = (box[0] + box[2] - words.width) / 2, (box[1] + box[3]) / 2 + 1
        shapes.append(fitted(name, x, y, 8, room))
    for one in mat.markers:
        side = one.side * scale
        corner = (left + one.x * scale - side / 2, top + one.y * scale - side / 2)
        shapes.append(Pattern(*corner, side, ((True,),)))
    return shapes


def _from_the_side(mat: Mat, scale: float, left: float, table: float) -> list[Shape]:
    """Draw the camera above the table from the side, with its height.

    `scale`: mm on paper per mm. `left`: left edge, `table`: y of the table (mm on paper).
    """
    height = height_across(mat, DRAWN_ACROSS)
    seen, wide = seen_mm(mat) * scale, mat.w * scale
    middle, lens = left + seen / 2, table - height * scale
    words = f"{whole_cm(height)} cm"
    x = left + 1
    return [
        Line(left, table, left + seen, table, 0.3, _FAINT),
        Line(middle - wide / 2, table - 0.6, middle + wide / 2, table - 0.6, 0.9, _INK),
        Line(left, table, middle, lens, 0.2, _LINE, dashed=True),
        Line(left + seen, table, middle, lens, 0.2, _LINE, dashed=True),
        Pattern(middle - 3, lens - 2.5, 1.0, ((True,) * 6, (True,) * 6)),
        Line(x, table, x, lens, 0.2, _FAINT),
        Line(x - 1, lens, x + 1, lens, 0.2, _FAINT),
        fitted(words, x + 2, lens + 6, 9, middle - x - 8, bold=True),
        fitted(text("camera, looking straight down"), middle + 5, lens + 0.5, _SMALL, seen / 2, grey=_FAINT),
    ]


def _heights(mat: Mat, left: float, top: float, right: float) -> list[Shape]:
    """Draw a table of camera heights by the lens's field of view.

    `left`, `top`, `right`: its edges (mm on paper).
    """
    rows: list[tuple[str, str, str]] = [(text("across"), text("corner to corner"), text("at least"))]
    rows += [(f"{row.across_deg}°", f"{row.diagonal_deg}°", f"{row.cm} cm") for row in lens_heights(mat)]
    title = fitted(text("Camera height by the lens's angle"), left, top + 3, 9, right - left, bold=True)
    shapes: list[Shape] = [title]
    widths = (0.0, 0.28, 0.68)
    for number, row in enumerate(rows):
        y = top + 9 + 5 * number
        for at, words in zip(widths, row, strict=True):
            x = left + at * (right - left)
            room = (right - left) * 0.27
            shapes.append(
                fitted(words, x, y, 8, room, bold=number > 0 and at > 0.5, grey=0 if number else _FAINT)
            )
    last = tr("Higher is possible: cards and stickers then get smaller in the picture.")
    y = top + 9 + 5 * len(rows)
    for line in wrapped(last, _SMALL, right - left):
        shapes.append(Words(line, left, y, _SMALL, grey=_FAINT))
        y += 3.2
    return shapes


def steps_below(contents: Sequence[tuple[str, str]], left: float, top: float, room: float) -> list[Shape]:
    """Write numbered steps below each other, at most `room` mm wide.

    `contents`: (heading, text) of each step. `left`, `top`: where the first one begins (mm on paper).
    """
    shapes: list[Shape] = []
    y = top
    for number, (heading, told) in enumerate(contents, 1):
        shapes.append(fitted(f"{number}  {localized(heading)}", left, y, 9, room * 0.29, bold=True))
        for line in wrapped(told, 8, room * 0.69):
            shapes.append(Words(line, left + room * 0.3, y, 8))
            y += 3.8
        y += 1.6
    return shapes
