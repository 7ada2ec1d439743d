"""Mat laid out on sheets to be glued: markers, zones, card stacks, lines for cutting and gluing."""

from collections.abc import Iterator, Sequence

from calibration.sheets.mat_tiling import OVERLAP_MM, Part, tile
from calibration.sheets.print_sizes import Paper, size_text
from calibration.sheets.sheet_footer import foot
from calibration.sheets.sheet_shapes import (
    Box,
    Line,
    Shape,
    Sheet,
    Words,
    fitted,
    marker_at,
    rectangle,
    white_side,
)
from companion.core.language import localized, text
from companion.core.sensor_terms import place_name
from vision.mat_geometry import Mat, Zone

_ZONE_GREY, _PLACE_GREY, _EDGE_GREY = 0.55, 0.75, 0.35
"""Greys (0 black to 1 white) of lines; pale ones save ink and do not look like stickers."""
NAME_PT, _NOTE_PT = 14.0, 6.0
_PAD = 3.0


def mat_sheets(mat: Mat, paper: Paper, about: str) -> list[Sheet]:
    """Draw the mat in full size on as few sheets as possible, row by row.

    `about`: line in the footers.
    """
    tiling = tile(mat, paper)
    owned = [part.stays for part in tiling.parts]
    lines = list(outlines(mat))
    names = [zone_name(zone, owned) for zone in mat.zones]
    size = text(
        "{title}, mat of {size}, {rows} rows of {columns} sheets",
        title=about,
        size=size_text(mat),
        rows=tiling.rows,
        columns=tiling.columns,
    )
    sheets = []
    for part in tiling.parts:
        shapes: list[Shape] = [moved for line in lines if (moved := _clipped(line, part)) is not None]
        shapes += [_placed(words, part) for words in names if _inside(words.box, part.stays)]
        for corner in mat.markers:
            half = white_side(corner.side) / 2
            box = (corner.x - half, corner.y - half, corner.x + half, corner.y + half)
            if _inside(box, part.box):
                dx, dy = part.left - part.box[0], part.top - part.box[1]
                shapes.append(marker_at(f"mat {corner.id}", corner.id, box[0] + dx, box[1] + dy, corner.side))
        shapes += _marks(part)
        how = text("Cut along the solid outer lines; glue the next sheet's cut edge onto the dashed line.")
        shapes += foot(tiling.w, tiling.h, text("Mat {part}", part=part.name), (size, how))
        sheets.append(Sheet(f"mat {part.name}", tiling.w, tiling.h, tuple(shapes)))
    return sheets


def outlines(mat: Mat) -> Iterator[Line]:
    """Mat's zones and card stacks as outlines (lines, mm)."""
    for zone in mat.zones:
        yield from rectangle((zone.x, zone.y, zone.x + zone.w, zone.y + zone.h), 0.5, _ZONE_GREY)
        if zone.stack is not None:
            (x, y), (w, h) = zone.centre, zone.stack
            yield from rectangle((x - w / 2, y - h / 2, x + w / 2, y + h / 2), 0.3, _PLACE_GREY, dashed=True)


def zone_name(zone: Zone, owned: Sequence[Box]) -> Words:
    """Place a zone's name at its lower edge, where one sheet shows all of it.

    As far left as possible. `owned`: the part of the mat that each sheet shows after gluing. ValueError if no
    sheet has room.
    """
    y = zone.y + zone.h - _PAD
    name = localized(place_name(zone.name))
    wish = Words(name, zone.x + _PAD, y, NAME_PT, grey=_ZONE_GREY)
    starts = [wish.x, *sorted(box[0] + _PAD for box in owned if box[0] > wish.x)]
    for lift in (0.0, OVERLAP_MM + _PAD):
        for x in starts:
            words = Words(name, x, y - lift, NAME_PT, grey=_ZONE_GREY)
            if words.box[2] < zone.x + zone.w and any(_inside(words.box, box) for box in owned):
                return words
    raise ValueError(f"no room for the name of zone {zone.name}")


def _marks(part: Part) -> list[Shape]:
    """Draw the lines of one sheet for cutting and gluing.

    A cut line, and dashed lines with the names of the sheets to be glued there.
    """
    left, top = part.left, part.top
    right, bottom = left + part.box[2] - part.box[0], top + part.box[3] - part.box[1]
    shapes: list[Shape] = [*rectangle((left, top, right, bottom), 0.2, _EDGE_GREY)]
    if part.right:
        x = right - OVERLAP_MM
        shapes.append(Line(x, top, x, bottom, 0.2, _EDGE_GREY, dashed=True))
        beside = chr(ord("A") + part.row) + str(part.column + 2)
        shapes.append(fitted(beside, x + 2, top + 6, _NOTE_PT, OVERLAP_MM - 3, grey=_EDGE_GREY))
    if part.below:
        y = bottom - OVERLAP_MM
        shapes.append(Line(left, y, right, y, 0.2, _EDGE_GREY, dashed=True))
        below = chr(ord("A") + part.row + 1) + str(part.column + 1)
        shapes.append(fitted(below, left + 3, bottom - 3, _NOTE_PT, OVERLAP_MM - 3, grey=_EDGE_GREY))
    return shapes


def _clipped(line: Line, part: Part) -> Line | None:
    """Clip a level or upright line to a sheet (mm).

    None if the line lies elsewhere.
    """
    left, top, right, bottom = part.box
    x0, x1 = max(left, min(line.x0, line.x1)), min(right, max(line.x0, line.x1))
    y0, y1 = max(top, min(line.y0, line.y1)), min(bottom, max(line.y0, line.y1))
    if x0 > x1 or y0 > y1 or (x0, y0) == (x1, y1):
        return None
    dx, dy = part.left - left, part.top - top
    return Line(x0 + dx, y0 + dy, x1 + dx, y1 + dy, line.width, line.grey, line.dashed)


def _placed(words: Words, part: Part) -> Words:
    return words.moved(part.left - part.box[0], part.top - part.box[1])


def _inside(box: Box, outer: Box) -> bool:
    return box[0] >= outer[0] and box[1] >= outer[1] and box[2] <= outer[2] and box[3] <= outer[3]
