"""How large things are printed: papers, cameras, and the side of a sticker from pixels per millimetre."""

import math
from dataclasses import dataclass

from companion.games.sleepless_princess.princess_mat import GLASS_MARKER_SIDE, STICKER_SIDE, TILE_MARKER_SIDE
from vision.codes.sticker_set import MARKER_MODULES, STICKER_MODULES

EDGE_MM = 6.0
"""What home printers leave white along every edge; nothing is drawn there."""

STICKER_PX = 1.3
"""Pixels per module: the codebook reads 1.0 as well, but badly focused (a disc of 2.5 px) 47 % where it reads
87 % of these."""
MARKER_PX = 7.5
"""Pixels per module: 93 % a frame were read at 5; a tile lies flat for a moment only."""
SLACK = 1.14
"""A module on the far side of the mat, seen askew by a camera fixed by hand, against one in the middle."""
VIEW = 1.05
"""Width of the picture on the table by width of the mat: some table is seen on either side."""

STICKER_LEAST = 15.0
"""A smaller sticker has modules below 0.6 mm, which ink on paper fills up, and is a nuisance to cut."""
MARKER_LEAST = 20.0
"""As small as markers were measured."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet, upright: width and height in mm."""

    name: str
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the table by its picture's width in pixels."""

    name: str
    pixels: int

    def px_per_mm(self, mat_w: float) -> float:
        """Pixels per mm when the picture is VIEW times as wide as a mat of `mat_w` mm."""
        return self.pixels / (VIEW * mat_w)


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}
CAMERAS = {camera.name: camera for camera in (Camera("1080p", 1920), Camera("4k", 3840), Camera("pi3", 4608))}
"""pi3 is the Camera Module 3 with the standard lens; the wide one spreads its pixels over twice the table."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sides in mm: a sticker's white square, and the black squares of the markers on tiles and glass."""

    px_per_mm: float
    sticker: float
    tile: float
    glass: float

    @classmethod
    def seen_at(cls, px_per_mm: float) -> "Sizes":
        """Whole mm for a camera of that scale.

        side = modules * pixels per module * SLACK / (px/mm), rounded up; not below what can be printed
        and cut, and not above what the cards have room for.
        """

        def side(modules: int, px: float, least: float, most: float) -> float:
            # Rounded first: 29.9999 and 30.0001 are the same 30.
            return min(most, max(least, float(math.ceil(round(modules * px * SLACK / px_per_mm, 3)))))

        return cls(
            px_per_mm,
            side(STICKER_MODULES, STICKER_PX, STICKER_LEAST, STICKER_SIDE),
            side(MARKER_MODULES, MARKER_PX, MARKER_LEAST, TILE_MARKER_SIDE),
            side(MARKER_MODULES, MARKER_PX, MARKER_LEAST, GLASS_MARKER_SIDE),
        )
