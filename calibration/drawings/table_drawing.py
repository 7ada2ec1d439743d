"""Draws the camera over a game's mat as SVG, from the side and from above."""

import math

from calibration.camera_height import camera_height, seen_mm
from calibration.drawings.svg_shapes import FAINT, drawing, shape
from vision.mat_geometry import Mat

CAMERAS = (
    ("webcam with 78 degrees across the corners", 78.0),
    ("Camera Module 3, standard lens, 75 degrees", 75.0),
)
"""Cameras that are drawn: (name, field of view over the diagonal in degrees, from data sheets)."""
_MARGIN, _SCALE = 48, 0.6
_BLUE = "#1f5fa8"


def draw_table(mat: Mat, title: str) -> str:
    """Draw the camera over a mat as SVG text, from the side and from above.

    The side view names the least height of each of CAMERAS.
    """
    width, middle = round(mat.w * _SCALE) + 2 * _MARGIN, _MARGIN + round(mat.w * _SCALE) // 2
    least = camera_height(mat, CAMERAS[0][1])
    lens, table = 100, 100 + round(least * _SCALE)
    half = round(seen_mm(mat) / 2 * _SCALE)
    side = [
        shape("path", d=f"M16 {table + 2} H{width - 16}", stroke="#7a6a3a", stroke_width=4),
        shape("path", d=f"M{_MARGIN} {table - 2} H{width - _MARGIN}", stroke=_BLUE, stroke_width=4),
        shape("path", d=f"M{middle - half} {table} L{middle} {lens} L{middle + half} {table}", fill="none",
              stroke="#999999", stroke_dasharray="5 4"),
        shape("rect", x=middle - 20, y=lens - 14, width=40, height=14, rx=3, fill="#333333"),
        shape("text", "camera", x=middle + 28, y=lens - 3),
    ]  # fmt: skip
    for at, (name, degrees) in enumerate(CAMERAS):
        height = camera_height(mat, degrees)
        y = table - 120 + 36 * at
        said = f"at least {math.ceil(height / 10)} cm"
        side.append(shape("text", f"{said}:", x=middle, y=y, text_anchor="middle", data_height=f"{height:.0f}"))
        side.append(shape("text", name, x=middle, y=y + 15, text_anchor="middle", fill=FAINT))
    top = table + 56
    told = f"From above: the mat of {mat.w:g} x {mat.h:g} mm. Black: its markers, which nothing may cover."
    above = [shape("text", told, x=16, y=top - 20, fill=FAINT), *_mat(mat, top)]
    bottom = top + round(mat.h * _SCALE) + 24
    return drawing(width, bottom, title, "From the side: the camera looks straight down.", [*side, *above])


def _mat(mat: Mat, top: int) -> list[str]:
    """Draw the mat from above as SVG elements; `top`: its upper edge (px)."""

    def box(x: float, y: float, w: float, h: float, **style: object) -> str:
        left, upper = f"{_MARGIN + x * _SCALE:.1f}", f"{top + y * _SCALE:.1f}"
        wide, high = f"{w * _SCALE:.1f}", f"{h * _SCALE:.1f}"
        return shape("rect", x=left, y=upper, width=wide, height=high, **style)

    lines = [box(0, 0, mat.w, mat.h, fill="#f4f7fb", stroke="#333333")]
    for zone in mat.zones:
        x, y = _MARGIN + zone.centre[0] * _SCALE, top + zone.centre[1] * _SCALE + 4
        lines.append(box(zone.x, zone.y, zone.w, zone.h, fill="#ffffff", stroke=_BLUE, data_zone=zone.name))
        lines.append(shape("text", zone.name, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor="middle", font_size=11))
    for one in mat.markers:
        corner = (one.x - one.side / 2, one.y - one.side / 2)
        lines.append(box(*corner, one.side, one.side, fill="#111111", data_marker=one.id))
    return lines
