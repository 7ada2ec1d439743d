"""Sizes of printed things: papers, cameras, and the side of a sticker from pixels per millimetre."""

import math
from dataclasses import dataclass

from calibration.camera_height import BESIDE
from companion.core.language import Text, text
from companion.core.mat_geometry import Mat
from vision.codes.sticker_set import MARKER_MODULES, STICKER_MODULES

EDGE_MM = 6.0
"""EDGE_MM: white edge (mm) that home printers leave. Nothing is drawn there."""

STICKER_PX = 1.3
"""STICKER_PX: pixels per module. The codebook also reads 1.0; but badly focused (a disc of 2.5 px) it reads
47 % at 1.0 and 87 % at 1.3."""
MARKER_PX = 7.5
"""MARKER_PX: pixels per module. At 5, 93 % were read in each frame; but a tile lies flat only for a moment."""
SLACK = 1.14
"""SLACK: size of a module in the middle of the mat, divided by that at its far side, for a camera that was
fixed by hand."""
STICKER_LEAST = 15.0
"""STICKER_LEAST: side (mm). A smaller sticker has modules below 0.6 mm, which ink fills up, and is hard to
cut."""
MARKER_LEAST = 20.0
"""MARKER_LEAST: side (mm) of the smallest markers that were measured."""
STICKER_MOST, TILE_MARKER_MOST, TOKEN_MARKER_MOST = 30.0, 36.0, 30.0
"""Sides (mm) of the largest that fit on a playing card, on a tile and on a token."""


@dataclass(frozen=True, slots=True)
class Paper:
    """An upright sheet of paper: width and height in mm."""

    name: str
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the table, described by its picture's width in pixels."""

    name: str
    pixels: int

    def px_per_mm(self, mat_w: float) -> float:
        """Pixels per mm when the picture is BESIDE times as wide as a mat of `mat_w` mm."""
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
"""Cameras by name. pi3 is the Camera Module 3 with the standard lens; the wide lens spreads its pixels over
twice the table."""


def size_text(mat: Mat) -> Text:
    """A mat's width and height."""
    return text("{w} x {h} mm", w=f"{mat.w:g}", h=f"{mat.h:g}")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sides (mm) of a sticker's white square, and of the black squares of the markers on tiles and tokens."""

    px_per_mm: float
    sticker: float
    tile: float
    token: float

    @classmethod
    def seen_at(cls, px_per_mm: float) -> "Sizes":
        """Sizes in whole mm for a camera of that scale.

        side = modules * pixels per module * SLACK / (px/mm), rounded up. The result is large enough to print
        and cut, and small enough for the cards.
        """

        def side(modules: int, px: float, least: float, most: float) -> float:
            # Rounded first, so that 29.9999 and 30.0001 both give 30.
            return min(most, max(least, float(math.ceil(round(modules * px * SLACK / px_per_mm, 3)))))

        return cls(
            px_per_mm,
            side(STICKER_MODULES, STICKER_PX, STICKER_LEAST, STICKER_MOST),
            side(MARKER_MODULES, MARKER_PX, MARKER_LEAST, TILE_MARKER_MOST),
            side(MARKER_MODULES, MARKER_PX, MARKER_LEAST, TOKEN_MARKER_MOST),
        )
