"""Sizes of printed things; sizes of stickers and markers by the camera's scale."""

import math
from dataclasses import dataclass

from calibration.camera_height import BESIDE
from companion.core.language import Text, text
from vision.codes.sticker_set import MARKER_MODULES, STICKER_MODULES
from vision.mat_geometry import Mat

EDGE_MM = 6.0
"""White edge (mm) that home printers cannot print on."""

STICKER_PX = 1.3
"""Least pixels per module (smallest square) of a sticker.

With bad focus (blur of 2.5 px), 47 % are read at 1.0 and 87 % at 1.3 (rendered pictures).
"""
MARKER_PX = 7.5
"""Least pixels per module (smallest square) of a marker.

5.0 would do for 93 % of frames (rendered pictures), but a tile lies flat only for a moment.
"""
SLACK = 1.14
"""SLACK: size of a sticker's module in the mat's middle, divided by its size at the far side. A guess. The
camera is fixed by hand."""
STICKER_LEAST = 15.0
"""Least side (mm) of a sticker.

Smaller ones are hard to cut, and ink fills modules below 0.6 mm.
"""
MARKER_LEAST = 20.0
"""Least side (mm) of a marker: the smallest that was measured."""
STICKER_MOST, TILE_MARKER_MOST, TOKEN_MARKER_MOST = 30.0, 36.0, 30.0
"""Largest sides (mm) that fit: of a sticker on a playing card, of a marker on a tile and on a token."""


@dataclass(frozen=True, slots=True)
class Paper:
    """Upright sheet of paper: width and height in mm."""

    name: str
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Camera:
    """Camera above the table, for which sheets are printed.

    `pixels`: width of its picture.
    """

    name: str
    pixels: int

    def px_per_mm(self, mat_w: float) -> float:
        """Scale of the camera's picture (px/mm) over a mat `mat_w` mm wide.

        The picture shows 1.05 times that width.
        """
        return self.pixels / (BESIDE * mat_w)


PAPERS = {
    paper.name: paper
    for paper in (
        Paper("a4", 210.0, 297.0),
        Paper("letter", 215.9, 279.4),
        Paper("a3", 297.0, 420.0),
        Paper("a2", 420.0, 594.0),
        Paper("a1", 594.0, 841.0),
    )
}
CAMERAS = {camera.name: camera for camera in (Camera("1080p", 1920), Camera("4k", 3840), Camera("pi3", 4608))}
"""Name -> camera for which sheets can be printed. pi3 is the Camera Module 3 with the standard lens; the wide
lens shows twice the table."""


def size_text(mat: Mat) -> Text:
    """Width and height of a mat as text, e.g. "900 x 600 mm"."""
    return text("{w} x {h} mm", w=f"{mat.w:g}", h=f"{mat.h:g}")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes (mm) of printed symbols at one camera scale.

    `sticker`: side of a sticker's white square. `tile`, `token`: side of a marker's black square.
    """

    px_per_mm: float
    sticker: float
    tile: float
    token: float

    @classmethod
    def seen_at(cls, px_per_mm: float) -> "Sizes":
        """Choose the sizes (whole mm) that a camera of this scale can read.

        A side is modules x pixels per module x SLACK / `px_per_mm`, rounded up. Bounds for printing, cutting
        and cards limit it.
        """

        def side(modules: int, px: float, least: float, most: float) -> float:
            # Rounded first, so that 29.9999 and 30.0001 both become 30.
            return min(most, max(least, float(math.ceil(round(modules * px * SLACK / px_per_mm, 3)))))

        return cls(
            px_per_mm,
            side(STICKER_MODULES, STICKER_PX, STICKER_LEAST, STICKER_MOST),
            side(MARKER_MODULES, MARKER_PX, MARKER_LEAST, TILE_MARKER_MOST),
            side(MARKER_MODULES, MARKER_PX, MARKER_LEAST, TOKEN_MARKER_MOST),
        )
