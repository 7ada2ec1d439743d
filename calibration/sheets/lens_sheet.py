"""Lens sheet: printed ChArUco board (chessboard with markers) by which a camera's lens is measured."""

import numpy as np

from calibration.lens_calibration import COLUMNS, MARKER_MM, ROWS, SQUARE_MM, lens_board
from calibration.sheets.print_sizes import EDGE_MM, Paper
from calibration.sheets.sheet_footer import foot
from calibration.sheets.sheet_shapes import Pattern, Sheet
from companion.core.language import text

UNIT_MM = 0.75
"""Side (mm) of the unit in which the board is drawn.

Squares, margins and marker modules are whole multiples.
"""


def lens_sheet(paper: Paper) -> Sheet:
    """Draw the sheet by which a lens is measured, in landscape, with a ruler.

    It shows the ChArUco board (chessboard with markers).
    """
    w, h = paper.h, paper.w
    picture = lens_board().generateImage(
        (round(COLUMNS * SQUARE_MM / UNIT_MM), round(ROWS * SQUARE_MM / UNIT_MM))
    )
    rows = tuple(tuple(row) for row in (np.asarray(picture) == 0).tolist())
    board = Pattern((w - COLUMNS * SQUARE_MM) / 2, EDGE_MM, UNIT_MM, rows)
    size = text(
        "squares of {square} mm, markers of {marker} mm", square=f"{SQUARE_MM:g}", marker=f"{MARKER_MM:g}"
    )
    notes = (size, text("Glue it on stiff cardboard: it has to be flat. Then: companion setup lens"))
    return Sheet("lens", w, h, (board, *foot(w, h, text("Lens sheet"), notes)))
