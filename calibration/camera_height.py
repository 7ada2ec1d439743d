"""Height of a camera whose picture just shows the whole mat, by the lens's angle."""

import math
from dataclasses import dataclass

from companion.core.language import text
from vision.mat_geometry import Mat

ASPECT = 16 / 9
"""ASPECT: width of a camera's picture divided by its height."""
BESIDE = 1.05
"""BESIDE: width of the camera's picture divided by the mat's width, so that some table shows. A guess."""
ACROSS_DEG = (50.0, 60.0, 70.0, 80.0)
"""Fields of view (degrees) across the picture, for which heights are listed.

From data sheets of common cameras.
"""


def seen_mm(mat: Mat) -> float:
    """Width of table (mm) that the picture must show, so that the whole mat fits."""
    return max(mat.w, mat.h * ASPECT) * BESIDE


def height_across(mat: Mat, across_deg: float) -> float:
    """Least camera height (mm) above a mat that shows the whole mat.

    `across_deg`: the lens's field of view (degrees) across the picture.
    """
    return seen_mm(mat) / 2 / math.tan(math.radians(across_deg) / 2)


def camera_height(mat: Mat, diagonal_deg: float) -> float:
    """Least camera height (mm) above a mat, by the diagonal angle of the lens.

    The whole mat is in the picture. `diagonal_deg`: the lens's field of view (degrees) over the picture's
    diagonal, as most data sheets of webcams give it.
    """
    return height_across(mat, across_from(diagonal_deg))


def across_from(diagonal_deg: float) -> float:
    """Field of view (degrees) across a 16:9 picture.

    The field is computed from the diagonal one.
    """
    return _turned(diagonal_deg, ASPECT / math.hypot(ASPECT, 1))


def diagonal_from(across_deg: float) -> float:
    """Field of view (degrees) over the diagonal of a 16:9 picture, from the one across."""
    return _turned(across_deg, math.hypot(ASPECT, 1) / ASPECT)


def _turned(degrees: float, ratio: float) -> float:
    return math.degrees(2 * math.atan(math.tan(math.radians(degrees) / 2) * ratio))


@dataclass(frozen=True, slots=True)
class LensHeight:
    """Camera's least height above a mat (`cm`), for one lens.

    `across_deg`, `diagonal_deg`: the lens's field of view (degrees) across the picture, and over its diagonal.
    """

    across_deg: int
    diagonal_deg: int
    cm: int


def lens_heights(mat: Mat) -> list[LensHeight]:
    """List the least camera height over a mat for four fields of view.

    They are 50, 60, 70 and 80 degrees across the picture.
    """
    return [
        LensHeight(round(across), round(diagonal_from(across)), whole_cm(height_across(mat, across)))
        for across in ACROSS_DEG
    ]


def whole_cm(mm: float) -> int:
    """Round millimetres to the nearest whole centimetre.

    Rounding down hides nothing, because a picture shows more than the mat.
    """
    return round(mm / 10)


def in_words(mat: Mat) -> str:
    """Line of text that lists the least camera height over a mat for four fields of view."""
    rows = [
        text("{angle} degrees {height} cm", angle=row.across_deg, height=row.cm) for row in lens_heights(mat)
    ]
    return text("camera height by the lens's angle across the picture: {rows}", rows=tuple(rows))
