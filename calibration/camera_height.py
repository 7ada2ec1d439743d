"""How high a camera hangs over a mat so that its picture just shows all of it, by the lens's angle."""

import math
from dataclasses import dataclass

from companion.core.language import text
from companion.core.mat_geometry import Mat

ASPECT = 16 / 9
"""ASPECT: width of a picture divided by its height."""
BESIDE = 1.05
"""BESIDE: width of the picture as a multiple of the mat's: some table stays visible beside it."""
ACROSS_DEG = (50.0, 60.0, 70.0, 80.0)
"""ACROSS_DEG: fields of view (degrees) that are listed, over the width of the picture."""


def seen_mm(mat: Mat) -> float:
    """Width of the table (mm) that the picture must show."""
    return max(mat.w, mat.h * ASPECT) * BESIDE


def height_across(mat: Mat, across_deg: float) -> float:
    """Least height (mm) of a camera with this field of view (degrees) over the width of its picture."""
    return seen_mm(mat) / 2 / math.tan(math.radians(across_deg) / 2)


def camera_height(mat: Mat, diagonal_deg: float) -> float:
    """The same for a field of view over the diagonal, as most data sheets of webcams give it."""
    return height_across(mat, across_from(diagonal_deg))


def across_from(diagonal_deg: float) -> float:
    """Field of view (degrees) over the width of a 16:9 picture, from that over its diagonal."""
    return _turned(diagonal_deg, ASPECT / math.hypot(ASPECT, 1))


def diagonal_from(across_deg: float) -> float:
    """Field of view (degrees) over the diagonal of a 16:9 picture, from that over its width."""
    return _turned(across_deg, math.hypot(ASPECT, 1) / ASPECT)


def _turned(degrees: float, ratio: float) -> float:
    return math.degrees(2 * math.atan(math.tan(math.radians(degrees) / 2) * ratio))


@dataclass(frozen=True, slots=True)
class LensHeight:
    """A row of the table: field of view over width and diagonal (degrees), least height (cm)."""

    across_deg: int
    diagonal_deg: int
    cm: int


def lens_heights(mat: Mat) -> list[LensHeight]:
    """Least heights for ACROSS_DEG, narrow lenses first."""
    return [
        LensHeight(round(across), round(diagonal_from(across)), whole_cm(height_across(mat, across)))
        for across in ACROSS_DEG
    ]


def whole_cm(mm: float) -> int:
    """Whole centimetres, rounded to the nearest: the picture shows more than the mat."""
    return round(mm / 10)


def in_words(mat: Mat) -> str:
    """The table in a line."""
    rows = [
        text("{angle} degrees {height} cm", angle=row.across_deg, height=row.cm) for row in lens_heights(mat)
    ]
    return text("camera height by the lens's angle across the picture: {rows}", rows=tuple(rows))
