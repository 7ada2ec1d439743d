"""The lens: measured from pictures of the sheet, as exactly as it was bent; the printed sheet is the board."""

from random import Random

import cv2
import numpy as np
import pytest

from calibration.lens_calibration import (
    COLUMNS,
    ROWS,
    SQUARE_MM,
    PlaneView,
    mat_view,
    measure_lens,
    sheet_view,
)
from calibration.sheets.lens_sheet import lens_sheet
from calibration.sheets.print_sizes import PAPERS
from calibration.sheets.sheet_shapes import Pattern
from calibration.virtual_rig.lens_sheet_picture import LensSheet
from companion.games.registry import load_game
from companion.virtual.render.camera_optics import Lens
from companion.virtual.rig.noise_profiles import profile
from vision.codes.sticker_set import Gray

MAT = load_game("sleepless-princess").mat("basic")
NOISE = profile("home")
GREY: Gray = np.full((1080, 1920), 90, np.uint8)


def views(lens: Lens) -> list[PlaneView]:
    """Five views: flat in each half, in the middle, and two tilted."""
    poses = [(250, 150, 0.0), (700, 390, 0.0), (480, 270, 0.0), (300, 330, 0.35), (650, 220, 0.35)]
    seen = []
    for number, (x, y, tilt) in enumerate(poses):
        sheet = LensSheet(lens, (x, y), 0.1 * number - 0.2, tilt, number % 2 == 0, NOISE)
        view = sheet_view(sheet.laid_on(GREY))
        assert view is not None
        seen.append(view)
    return seen


def test_a_lens_is_measured_within_half_a_millimetre_over_the_mat() -> None:
    lens = Lens(MAT, NOISE, Random(1))
    found = measure_lens(views(lens), 1920, 1080)
    assert found is not None
    assert found.rms_mm < 0.2
    x, y = np.meshgrid(np.linspace(20, MAT.w - 20, 9), np.linspace(20, MAT.h - 20, 6))
    grid = np.column_stack([x.ravel(), y.ravel()])
    rays = found.lens.rays(lens.seen(grid))
    # Whatever pose the mat has: through a right lens its points are a plane's.
    placed = cv2.perspectiveTransform(rays.reshape(-1, 1, 2), cv2.findHomography(rays, grid)[0]).reshape(-1, 2)
    assert float(np.sqrt(np.mean(np.sum((placed - grid) ** 2, axis=1)))) < 0.5


def test_too_little_of_the_sheet_measures_nothing() -> None:
    lens = Lens(MAT, NOISE, Random(1))
    few = views(lens)[:2]
    assert measure_lens(few, 1920, 1080) is None
    assert sheet_view(GREY) is None
    assert mat_view(MAT, GREY) is None


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_printed_sheet_fits_and_is_the_board(paper: str) -> None:
    sheet = lens_sheet(PAPERS[paper])
    (board,) = (shape for shape in sheet.shapes if isinstance(shape, Pattern))
    left, top, right, bottom = board.box
    assert (right - left, bottom - top) == (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)
    assert left > 3
    assert right < sheet.w - 3
    picture = np.where(np.array(board.modules), 0, 255).astype(np.uint8)
    large = np.pad(np.kron(picture, np.ones((4, 4), np.uint8)), 60, constant_values=255)
    view = sheet_view(large)
    assert view is not None
    assert len(view.px) == (COLUMNS - 1) * (ROWS - 1)
    # Corners between pixels: 4 px are 0.75 mm, the origin is 60 px in.
    assert view.px == pytest.approx(view.mm * 4 / 0.75 + 59.5, abs=0.6)
