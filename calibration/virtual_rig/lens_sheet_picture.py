"""Draws the printed lens sheet into virtual camera pictures."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens_calibration import COLUMNS, ROWS, SQUARE_MM, sheet_picture
from companion.virtual.render.camera_optics import HEIGHT, WIDTH, Lens
from companion.virtual.rig.noise_profiles import Noise
from vision.codes.sticker_set import Gray

_PX_MM = 4
_MARGIN_MM = 12.0
_PAPER, _INK = 225, 20
"""Grey levels (0 to 255) of paper and ink in the lamp's light. Guesses."""


class LensSheet:
    """Printed lens sheet on the virtual mat, flat or with one edge raised.

    `at`: its middle (mm on the mat). `turn`, `tilt`: in radians. `tilt` raises the far edge if `far` is True,
    else the right edge.
    """

    def __init__(
        self, lens: Lens, at: tuple[float, float], turn: float, tilt: float, far: bool, noise: Noise
    ) -> None:
        self._noise = noise
        self._chance = np.random.default_rng(round(1000 * (at[0] + at[1])))
        matrix = _mat_to_space(lens) @ _placed(at, turn, tilt, far)
        margin = round(_MARGIN_MM * _PX_MM)
        printed = cv2.copyMakeBorder(
            sheet_picture(_PX_MM), margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255,)
        )
        picture = (_INK + printed.astype(np.float32) * ((_PAPER - _INK) / 255)).astype(np.uint8)
        to_mm = np.array([[1 / _PX_MM, 0, -_MARGIN_MM], [0, 1 / _PX_MM, -_MARGIN_MM], [0, 0, 1]])
        whole = matrix @ to_mm
        rows, cols = picture.shape
        ends = np.array([[0, 0, 1], [cols, 0, 1], [cols, rows, 1], [0, rows, 1]]) @ whole.T
        bent = lens.bent(ends[:, :2] / ends[:, 2:])
        low, high = np.floor(bent.min(axis=0)).astype(int) - 12, np.ceil(bent.max(axis=0)).astype(int) + 12
        left, top = max(0, int(low[0])), max(0, int(low[1]))
        right, bottom = min(WIDTH, int(high[0])), min(HEIGHT, int(high[1]))
        self._box = (left, top, right, bottom)
        size = (right - left, bottom - top)
        large = lens.twice(picture, whole, self._box, cv2.BORDER_REPLICATE)
        mask = lens.twice(np.full_like(picture, 255), whole, self._box)
        sharp = cv2.resize(large, size, interpolation=cv2.INTER_AREA)
        share = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        self._seen = cv2.GaussianBlur(sharp, (0, 0), noise.lens_blur).astype(np.float32)
        self._share = cv2.GaussianBlur(share, (0, 0), noise.lens_blur)

    def laid_on(self, gray: Gray) -> Gray:
        """Draw the sheet, with camera noise, into a copy of a camera picture."""
        left, top, right, bottom = self._box
        part = gray[top:bottom, left:right].astype(np.float32)
        grain = self._chance.normal(0, self._noise.sensor_sigma, part.shape)
        mixed = part * (1 - self._share) + (self._seen + grain) * self._share
        seen = gray.copy()
        seen[top:bottom, left:right] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)
        return seen


def _placed(at: tuple[float, float], turn: float, tilt: float, far: bool) -> NDArray[np.float64]:
    """Matrix (4 x 3) that maps the lens sheet (mm) into space (mm).

    Arguments as of `LensSheet`. The first two axes of space span the mat. The third points away from the
    camera.
    """
    w, h = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    across, along = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    corner = np.array([-w / 2, -h / 2, 0.0])
    if far:
        along = np.array([0.0, np.cos(tilt), np.sin(tilt)])
        corner[2] = -h * np.sin(tilt)
    else:
        across = np.array([np.cos(tilt), 0.0, -np.sin(tilt)])
    cos, sin = np.cos(turn), np.sin(turn)
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    origin = spin @ corner + np.array([at[0], at[1], 0.0])
    return np.vstack([np.column_stack([spin @ across, spin @ along, origin]), [0, 0, 1]])


def _mat_to_space(lens: Lens) -> NDArray[np.float64]:
    """Projection (3 x 4) from space (mm) to undistorted px of the virtual camera.

    The mat spans the first two axes of space.
    """
    camera = lens.pinhole
    pose = np.linalg.inv(camera) @ lens.matrix
    pose /= np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    if pose[2, 2] < 0:
        pose = -pose
    depth = np.cross(pose[:, 0], pose[:, 1])
    return np.asarray(camera @ np.column_stack([pose[:, 0], pose[:, 1], depth, pose[:, 2]]), np.float64)
