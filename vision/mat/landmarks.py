"""Landmarks: spots that show whether the camera was moved.

They lie in a table's picture. They are used where no marker lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Points

HALF = 2
"""Landmarks are searched in a picture reduced by this factor: less noise, a quarter of the work."""
PATCH = 12
"""PATCH: distance (px of the reduced picture) to which a landmark reaches on each side of its middle."""
NEAR, FAR = 6, 36
"""Radius (px of the reduced picture) in which a landmark is searched. NEAR: when the camera seems to rest. FAR:
after a push."""
_COLUMNS, _ROWS = 14, 8
"""Numbers of columns and rows of cells into which the picture is divided. A cell has one landmark at most."""
_CONTRAST = 2.5
"""_CONTRAST: least standard deviation (grey levels) of a spot that may be a landmark."""
_ALIKE = 0.75
"""_ALIKE: least correlation (0 to 1) at which a landmark counts as found again."""
_UNLIKE, _BESIDE, _CLOSE, _AROUND = 0.7, 4, 12, 90
"""_UNLIKE: correlation from which two spots look alike. A spot like another one between _BESIDE and _CLOSE
px away is no landmark, because edges look alike along themselves.

A landmark like no other within _AROUND px is `unique`. After a push by less than _AROUND - FAR it cannot be
taken for another place, as a square of a checked cloth can.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Landmark: a patch of the picture that is found again.

    `cell`: number of its cell in the picture. `x`, `y`: where it was (px of the whole picture). `patch`: its
    grey levels in the reduced picture. `unique`: whether nothing near it looks like it.
    """

    cell: int
    x: float
    y: float
    patch: Gray
    unique: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class FoundLandmarks:
    """Landmarks that were found again, with their places.

    `spots`: the landmarks. `px`: their places now (n x 2 px of the whole picture).
    """

    spots: tuple[Spot, ...] = ()
    px: Points = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def moves(self) -> Points:
        """Shift of each landmark since it was learned (n x 2 px of the whole picture)."""
        return np.asarray(self.px - places_of(self.spots), np.float64)


def places_of(spots: Sequence[Spot]) -> Points:
    """Places of learned landmarks (n x 2 px, whole picture)."""
    return np.array([(one.x, one.y) for one in spots], np.float64).reshape(-1, 2)


def halved(gray: Gray) -> Gray:
    """Halve a grey picture's width and height, as landmarks need."""
    size = (gray.shape[1] // HALF, gray.shape[0] // HALF)
    return np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)


def learn(small: Gray, without: Sequence[int] = ()) -> tuple[Spot, ...]:
    """Choose landmarks in a picture at half size.

    Each of 14 x 8 cells of the picture has one at most; the cells `without` have none.
    """
    height, width = small.shape
    edge = PATCH + FAR // 2
    corners = cv2.cornerMinEigenVal(small, 2 * PATCH - 1)
    found = []
    taken = set(without)
    for cell in range(_COLUMNS * _ROWS):
        if cell in taken:
            continue
        row, column = divmod(cell, _COLUMNS)
        left, right = (max(edge, min(width - edge, round((column + n) * width / _COLUMNS))) for n in (0, 1))
        top, bottom = (max(edge, min(height - edge, round((row + n) * height / _ROWS))) for n in (0, 1))
        part = corners[top:bottom, left:right]
        if not part.size:
            continue
        y, x = np.unravel_index(int(part.argmax()), part.shape)
        spot = _spot(small, cell, left + int(x), top + int(y))
        if spot is not None:
            found.append(spot)
    return tuple(found)


def find(small: Gray, spots: Sequence[Spot], reach: int, expected: Points | None = None) -> FoundLandmarks:
    """Find landmarks again within `reach` px of their places.

    Those not found are left out.

    `small`: picture at half size, to which `reach` refers. `expected`: places (n x 2 px of the whole
    picture) to search instead.
    """
    kept, px = [], []
    for number, spot in enumerate(spots):
        x, y = (spot.x, spot.y) if expected is None else expected[number]
        at = _best(small, spot.patch, round((x - 0.5) / HALF), round((y - 0.5) / HALF), reach)
        if at is not None:
            kept.append(spot)
            px.append((at[0] * HALF + 0.5, at[1] * HALF + 0.5))
    return FoundLandmarks(tuple(kept), np.array(px, np.float64).reshape(-1, 2))


def _spot(small: Gray, cell: int, x: int, y: int) -> Spot | None:
    """Make a landmark at (x, y) of the half-size picture, for the cell of that number.

    None if the spot is not distinct.
    """
    patch = small[y - PATCH : y + PATCH + 1, x - PATCH : x + PATCH + 1]
    if float(patch.std()) < _CONTRAST:
        return None
    likeness = _likeness(small, patch, x, y, _AROUND)
    if likeness is None:
        return None
    values, left, top = likeness
    column, row = x - PATCH - left, y - PATCH - top
    values[max(0, row - _BESIDE) : row + _BESIDE + 1, max(0, column - _BESIDE) : column + _BESIDE + 1] = -1
    close = values[max(0, row - _CLOSE) : row + _CLOSE + 1, max(0, column - _CLOSE) : column + _CLOSE + 1]
    if float(close.max()) > _UNLIKE:
        return None
    unique = float(values.max()) <= _UNLIKE
    return Spot(cell, x * HALF + 0.5, y * HALF + 0.5, patch.copy(), unique)


def _best(small: Gray, patch: Gray, x: int, y: int, reach: int) -> tuple[float, float] | None:
    """Find a patch within `reach` px of (x, y): its place, to a fraction of a px.

    None if it is nowhere. All in px of the half-size picture.
    """
    likeness = _likeness(small, patch, x, y, reach)
    if likeness is None:
        return None
    values, left, top = likeness
    _, best, _, (column, row) = cv2.minMaxLoc(values)
    height, width = values.shape
    if best < _ALIKE or not (0 < column < width - 1 and 0 < row < height - 1):
        return None
    across, down = values[row, column - 1 : column + 2], values[row - 1 : row + 2, column]
    return left + PATCH + column + _vertex(across), top + PATCH + row + _vertex(down)


def _likeness(
    small: Gray, patch: Gray, x: int, y: int, reach: int
) -> tuple[NDArray[np.float32], int, int] | None:
    """Correlate a patch with every place around (x, y).

    Places lie within `reach` px. Returns the correlations (rows x columns), and the left and top px of the
    compared area. None at the picture's edge.
    """
    height, width = small.shape
    left, top = max(0, x - PATCH - reach), max(0, y - PATCH - reach)
    right, bottom = min(width, x + PATCH + reach + 1), min(height, y + PATCH + reach + 1)
    if right - left < patch.shape[1] + 2 or bottom - top < patch.shape[0] + 2:
        return None
    values = cv2.matchTemplate(small[top:bottom, left:right], patch, cv2.TM_CCOEFF_NORMED)
    return np.asarray(values, np.float32), left, top


def _vertex(three: NDArray[np.float32]) -> float:
    """Peak of the parabola through three samples, from the middle one (-0.5 to 0.5).

    0 if the parabola has no maximum.
    """
    one, two, three_ = (float(value) for value in three)
    bend = one - 2 * two + three_
    return 0.0 if bend >= 0 else max(-0.5, min(0.5, (one - three_) / (2 * bend)))
