"""Height of a camera whose picture just shows the whole mat, by the lens's angle."""

import math
from dataclasses import dataclass

from companion.core.language import text
from companion.core.mat_geometry import Mat

ASPECT = 16 / 9
"""Width of a picture divided by its height: 16:9."""
BESIDE = 1.05
"""Width of the picture as a multiple of the mat's, so that some table shows beside it. A guess."""
ACROSS_DEG = (50.0, 60.0, 70.0, 80.0)
"""Listed fields of view (degrees) over the picture's width, from data sheets of common cameras."""


def seen_mm(mat: Mat) -> float:
    """Width of table (mm) that the picture must show."""
    return max(mat.w, mat.h * ASPECT) * BESIDE


def height_across(mat: Mat, across_deg: float) -> float:
    """Least height (mm) of a camera with a field of view of `across_deg` over the picture's width."""
    return seen_mm(mat) / 2 / math.tan(math.radians(across_deg) / 2)


def camera_height(mat: Mat, diagonal_deg: float) -> float:
    """Least height (mm) of a camera with a field of view of `diagonal_deg` over the diagonal.

    Most data sheets of webcams give that angle.
    """
    return height_across(mat, across_from(diagonal_deg))


def across_from(diagonal_deg: float) -> float:
    """Field of view (degrees) over the width of a 16:9 picture, from the diagonal one."""
    return _turned(diagonal_deg, ASPECT / math.hypot(ASPECT, 1))


def diagonal_from(across_deg: float) -> float:
    """Field of view (degrees) over the diagonal of a 16:9 picture, from the one over its width."""
    return _turned(across_deg, math.hypot(ASPECT, 1) / ASPECT)


def _turned(degrees: float, ratio: float) -> float:
    return math.degrees(2 * math.atan(math.tan(math.radians(degrees) / 2) * ratio))


@dataclass(frozen=True, slots=True)
class LensHeight:
    """Field of view over width and diagonal (degrees), and the camera's least height (cm)."""

    across_deg: int
    diagonal_deg: int
    cm: int


def lens_heights(mat: Mat) -> list[LensHeight]:
    """Least camera height for each angle of ACROSS_DEG."""
    return [
        LensHeight(round(across), round(diagonal_from(across)), whole_cm(height_across(mat, across)))
        for across in ACROSS_DEG
    ]


def whole_cm(mm: float) -> int:
    """Millimetres as centimetres, rounded to the nearest: the picture shows more than the mat."""
    return round(mm / 10)


def in_words(mat: Mat) -> str:
    """Least camera heights by the lens's angle, in one line."""
    rows = [
        text("{angle} degrees {height} cm", angle=row.across_deg, height=row.cm) for row in lens_heights(mat)
    ]
    return text("camera height by the lens's angle across the picture: {rows}", rows=tuple(rows))
