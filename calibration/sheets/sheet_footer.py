"""Footer of every sheet: title, notes, and a ruler by which people check the printer's scale."""

from calibration.sheets.print_sizes import EDGE_MM
from calibration.sheets.sheet_shapes import Line, Shape, fitted
from companion.core.language import text

FOOT_MM = 11.0
"""Height (mm) of the footer, above the white edge of the sheet."""
RULER_MM = 100.0
_TICK, _LONG_TICK = 1.6, 3.0
_GAP = 5.0
_LINE_MM = 3.0


def foot(w: float, h: float, title: str, notes: tuple[str, str]) -> list[Shape]:
    """Draw the footer of a sheet: a ruler, a title and two notes.

    `w`, `h`: size of the sheet (mm).
    """
    base = h - EDGE_MM - 4.4
    left = EDGE_MM + 0.3
    shapes: list[Shape] = [Line(left, base, left + RULER_MM, base)]
    for tick in range(0, int(RULER_MM) + 1, 10):
        length = _LONG_TICK if tick % 50 == 0 else _TICK
        shapes.append(Line(left + tick, base - length, left + tick, base))
    hint = text("This line measures 100 mm. If it does not, print again at 100 %, not “fit to page”.")
    shapes.append(fitted(hint, left, base + 3.2, 6.5, RULER_MM))
    x = left + RULER_MM + _GAP
    room = w - EDGE_MM - x
    top = h - EDGE_MM - FOOT_MM + 4.0
    shapes.append(fitted(title, x, top, 7.5, room, bold=True))
    shapes += [fitted(note, x, top + (n + 1) * _LINE_MM, 6.5, room) for n, note in enumerate(notes)]
    return shapes
