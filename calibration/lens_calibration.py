"""Measures a camera's lens from views of a printed ChArUco sheet and of the mat.

ChArUco is a chessboard whose white squares hold markers, so corners may be covered (Garrido-Jurado et al.,
2014; cv2.aruco.CharucoDetector). cv2.calibrateCamera fits the lens (Zhang, 2000).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.code_reader import find_markers
from vision.codes.sticker_set import MARKER_DICTIONARY, Gray
from vision.mat.lens_model import Lens, Points
from vision.mat_geometry import Mat

COLUMNS, ROWS = 11, 7
"""Number of squares of the printed lens sheet, across and down."""
SQUARE_MM, MARKER_MM = 24.0, 18.0
"""Sides (mm) of a square, and of the marker inside a white square.

The sheet of 264 x 168 mm fits on A4 and on letter paper.
"""
FIRST_MARKER = 180
"""Number of the first of the sheet's 38 ArUco markers, which nothing else carries."""
CORNERS_LEAST = 12
"""Fewest chessboard corners in a usable picture of the sheet. A guess."""
VIEWS_LEAST = 3
"""Fewest pictures of the sheet from which a lens is fitted. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneView:
    """Corners of a flat object in one picture.

    `px`: n x 2 in the picture. `mm`: n x 2 on the object.
    """

    px: Points
    mm: Points


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredLens:
    """Lens that was fitted to pictures of the lens sheet, with its error.

    The errors are rms distances of corners from where the lens predicts them. `rms_px`: in pixels of the
    picture. `rms_mm`: in mm on the flat objects. `views`: number of pictures of the sheet.
    """

    lens: Lens
    rms_px: float
    rms_mm: float
    views: int


@cache
def lens_board() -> cv2.aruco.CharucoBoard:
    """ChArUco board (chessboard with markers) of the printed lens sheet, lengths in mm."""
    count = COLUMNS * ROWS // 2
    ids = np.arange(FIRST_MARKER, FIRST_MARKER + count)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, MARKER_DICTIONARY, ids)


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(lens_board())


def sheet_picture(px_per_mm: float) -> Gray:
    """Draw the lens sheet without margin, `px_per_mm` pixels per mm."""
    size = (round(COLUMNS * SQUARE_MM * px_per_mm), round(ROWS * SQUARE_MM * px_per_mm))
    return np.asarray(lens_board().generateImage(size), np.uint8)


def sheet_view(gray: Gray) -> PlaneView | None:
    """Find the corners of the lens sheet in a picture.

    None if fewer than 12 are in sight, or all lie in one or two lines.
    """
    corners, ids, _, _ = _detector().detectBoard(np.ascontiguousarray(gray))
    if ids is None or len(ids) < CORNERS_LEAST:
        return None
    whole = np.asarray(lens_board().getChessboardCorners(), np.float64)
    mm = whole[np.ravel(ids), :2]
    if len(np.unique(mm[:, 0])) < 3 or len(np.unique(mm[:, 1])) < 3:
        return None  # corners in one or two lines do not fix a plane
    return PlaneView(np.asarray(corners, np.float64).reshape(-1, 2), mm)


def mat_view(mat: Mat, gray: Gray) -> PlaneView | None:
    """Find the mat's four markers in a picture: their corners.

    None unless all four markers are in sight.
    """
    wanted = {marker.id: marker for marker in mat.markers}
    px: list[tuple[float, float]] = []
    mm: list[tuple[float, float]] = []
    for seen in find_markers(gray, refine=True, thorough=True):
        marker = wanted.pop(seen.id, None)
        if marker is not None:
            half = marker.side / 2
            px += seen.corners
            mm += [
                (marker.x + dx * half, marker.y + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
    return None if wanted else PlaneView(np.array(px, np.float64), np.array(mm, np.float64))


def measure_lens(
    views: Sequence[PlaneView], width: int, height: int, mat: PlaneView | None = None
) -> MeasuredLens | None:
    """Fit a lens to pictures of the lens sheet.

    Each picture is `width` x `height` px. None if there are fewer than VIEWS_LEAST, or OpenCV finds no lens.
    Corners of the `mat` are fitted as well, if given. Two models are tried, with one and with two radial
    coefficients. The second is taken only if it reduces the residual by a tenth.
    """
    if len(views) < VIEWS_LEAST:
        return None
    used = [*views, mat] if mat is not None else list(views)
    things = [np.column_stack([view.mm, np.zeros(len(view.mm))]).astype(np.float32) for view in used]
    pictures = [view.px.astype(np.float32).reshape(-1, 1, 2) for view in used]
    guess = Lens.guessed(width, height)
    start = np.array([[guess.focal, 0, guess.cx], [0, guess.focal, guess.cy], [0, 0, 1]])
    common = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
    best: tuple[float, NDArray[np.float64], NDArray[np.float64]] | None = None
    for fixed in (cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3, cv2.CALIB_FIX_K3):
        try:
            rms, camera, bends, _, _ = cv2.calibrateCamera(
                things, pictures, (width, height), start.copy(), np.zeros(5), flags=common | fixed
            )
        except cv2.error:
            continue
        if np.isfinite(rms) and (best is None or rms < 0.9 * best[0]):
            best = (float(rms), np.asarray(camera, np.float64), np.asarray(bends, np.float64).ravel())
    if best is None:
        return None
    rms, camera, bends = best
    lens = Lens(
        width, height, float(camera[0, 0]), float(camera[0, 2]), float(camera[1, 2]), tuple(map(float, bends))
    )
    scales = [_rms_mm(lens, view) for view in used]
    weights = [len(view.px) for view in used]
    mm = float(np.sqrt(np.average(np.square(scales), weights=weights)))
    return MeasuredLens(lens, rms, mm, len(views))


def _rms_mm(lens: Lens, view: PlaneView) -> float:
    """Rms distance (mm) of a picture's corners from their true places on the object.

    Infinite if no plane fits.
    """
    rays = lens.rays(view.px)
    matrix = cv2.findHomography(rays, view.mm)[0]
    if matrix is None:
        return float("inf")
    placed = cv2.perspectiveTransform(rays.reshape(-1, 1, 2), matrix).reshape(-1, 2)
    return float(np.sqrt(np.mean(np.sum((placed - view.mm) ** 2, axis=1))))
