"""Sizes of the rig's wooden and printed parts (mm), and their places on the mat.

The load cell is a bar of 1 kg, 80 x 12.7 x 12.7 mm, as most shops sell it. Two holes at one end are M5, two at
the other M4. Sizes without another source are designs of ours: nobody has built a rig by them yet.
"""

from dataclasses import dataclass
from typing import NamedTuple

from firmware.pad_sizes import CARD_H, FIELD, RAISED_FROM_END, RAISED_OFF_MIDDLE
from vision.mat_geometry import Mat, MatMarker, Zone


class At(NamedTuple):
    """Point of a drawn part (mm), x to the right and y down."""

    x: float
    y: float


class Hole(NamedTuple):
    """Round hole: its middle, and its diameter `across` (mm)."""

    x: float
    y: float
    across: float


CELL_LONG, CELL_THICK = 80.0, 12.7
CELL_HOLES = (5.0, 20.0)
"""Distances (mm) of a load cell's two holes from the nearer end, at both ends.

From data sheets of 1 kg bars.
"""
M4_HOLE, M5_HOLE, M6_HOLE, TRIPOD_HOLE = 4.5, 5.5, 6.5, 6.6
"""Diameters (mm) of holes through which a screw of that size passes freely. TRIPOD_HOLE is for the 1/4 inch
screw of a camera."""

PLATE_W, PLATE_H = 136.0, 150.0
BASE_THICK, WASHER, PLATE_THICK = 9.0, 2.0, 3.0
PLATE_HEIGHT = BASE_THICK + WASHER + CELL_THICK + WASHER + PLATE_THICK
"""Height (mm) of a station's plate above the mat. The higher it is, the farther out the camera sees it."""
GAP = 2.0
"""Least free space (mm) around a station's plate, so that nothing touches it."""
BASE_EDGE = 2.0
"""Distance (mm) by which the base board ends inside the outer edges of the stations' zones."""
BUTTON_HOLE, LAMP_HOLE = 12.5, 10.5
"""BUTTON_HOLE: side (mm) of the square opening for a flat push button.

LAMP_HOLE: diameter (mm) of the hole for a lamp's circuit board.
"""
FOIL = 30.0
"""FOIL: side (mm) of the square copper foil of a touch electrode. A larger foil feels no finger."""

PAD_W, PAD_H, PAD_THICK = 140.0, 95.0, 5.0
"""Size (mm) of the pad's base. Base and card of 1.5 mm are together as high as a tag reader's board (1.6) with
its crystal (3.5 to 4.3), which lies below."""
READER_W, READER_H = 40.0, 60.0
READER_AT = At(86.0, 7.5)
COIL = 40.0
"""Side (mm) of the tag reader's square coil, at the near end of the reader's board."""
CARD_AT = At(32.0, PAD_H / 2 - CARD_H / 2)
"""Upper left corner (mm on the pad) of a card that lies between the stops."""
FIELD_AT = At(
    CARD_AT.x + RAISED_FROM_END - RAISED_OFF_MIDDLE - FIELD / 2,
    CARD_AT.y + CARD_H / 2 - FIELD / 2,
)
"""Upper left corner (mm on the pad) of the field of copper strips (pressure matrix)."""

BATTEN_W, BATTEN_THICK = 48.0, 28.0
POST, BOOM = 1200.0, 360.0
MAT_TO_POST = 60.0
"""Distance (mm) of the arm's upright post from the mat."""
HEAD_W, HEAD_H, HEAD_SLOT = 60.0, 118.0, (78.0, 104.0)
"""HEAD_W, HEAD_H: size (mm) of the plate that holds the camera.

HEAD_SLOT: ends (mm from the plate's top) of the slot for the camera's screw.
"""
FOOT_W, FOOT_D, FOOT_THICK = 300.0, 200.0, 18.0
RIB_THICK = 8.0
"""Thickness (mm) of the arm's printed plates. Plywood of 9 mm can replace them."""
POST_STEP, POST_STEPS, POST_FIRST = 40.0, 17, 40.0
"""Holes in the arm's post, to which the boom is screwed. POST_STEP: distance (mm) of two. POST_STEPS: their
number. POST_FIRST: distance (mm) of the first from the top."""
LENS_BELOW = 110.0
"""Distance (mm) from the boom's upper edge down to the lens."""


@dataclass(frozen=True, slots=True)
class Station:
    """Station on the mat, by its two zones.

    `zone`: of its plate and load cell. `foot`: of its button.
    """

    zone: Zone
    foot: Zone

    @property
    def word(self) -> str:
        """Name of the zone without its number, e.g. "bed"."""
        return self.zone.name.rpartition(" ")[0]

    @property
    def corner(self) -> At:
        """Upper left corner (mm on the mat) of the station's plate."""
        x = self.zone.x + (self.zone.w - PLATE_W) / 2
        return At(x, self.zone.y + (self.zone.h - PLATE_H) / 2)

    @property
    def _cell_top(self) -> At:
        """Load cell's far end: its middle (mm on the mat)."""
        return At(self.corner.x + PLATE_W / 2, self.corner.y + (PLATE_H - CELL_LONG) / 2)

    @property
    def base_holes(self) -> tuple[Hole, ...]:
        """Holes (mm on the mat) in the base board, for the load cell's far end."""
        x, y = self._cell_top
        return tuple(Hole(x, y + far, M5_HOLE) for far in CELL_HOLES)

    @property
    def plate_holes(self) -> tuple[Hole, ...]:
        """Holes (mm on the mat) in the plate, for the load cell's near end."""
        x, y = self._cell_top
        return tuple(Hole(x, y + CELL_LONG - far, M4_HOLE) for far in reversed(CELL_HOLES))

    @property
    def button(self) -> Hole:
        """Square opening (mm on the mat) for the button; `across` is its side."""
        return Hole(self.foot.x + self.foot.w - 18, self.foot.y + self.foot.h / 2, BUTTON_HOLE)

    @property
    def lamp(self) -> Hole:
        """Round hole (mm on the mat) for the lamp's circuit board."""
        return Hole(self.foot.x + 18, self.foot.y + self.foot.h / 2, LAMP_HOLE)


def stations_of(mat: Mat) -> list[Station]:
    """List a mat's stations from left to right.

    A station is a numbered zone for which a foot zone has that number.
    """
    feet = {zone.name.removeprefix("foot "): zone for zone in mat.zones if zone.name.startswith("foot ")}
    zones = [zone for zone in mat.zones if zone not in feet.values()]
    return [Station(zone, feet[number]) for zone in zones if (number := zone.name.rpartition(" ")[2]) in feet]


def base_board(mat: Mat) -> tuple[float, float, float, float]:
    """Edges (left, top, right, bottom; mm on the mat) of the wooden board below all stations."""
    stations = stations_of(mat)
    zones = [one.zone for one in stations]
    left, right = min(one.x for one in zones), max(one.x + one.w for one in zones)
    top, bottom = min(one.y for one in zones), max(one.foot.y + one.foot.h for one in stations)
    return left + BASE_EDGE, top + BASE_EDGE, right - BASE_EDGE, bottom - BASE_EDGE


def seen_at(mat: Mat, at: At, height: float, camera: float) -> At:
    """Point on the mat (mm) that a raised point covers for the camera.

    `at`: the raised point (mm on the mat). `height` and `camera`: heights (mm) above the mat; the camera hangs
    over the mat's middle.
    """
    grown = camera / (camera - height)
    return At(mat.w / 2 + (at.x - mat.w / 2) * grown, mat.h / 2 + (at.y - mat.h / 2) * grown)


def hides(mat: Mat, left_top: At, right_bottom: At, height: float, camera: float) -> list[MatMarker]:
    """Markers of the mat that a raised plate hides from the camera, wholly or in part.

    `left_top`, `right_bottom`: the plate's corners (mm on the mat). `height`: of the plate above the mat (mm).
    `camera`: height of the camera above the mat's middle (mm). A marker's white rim belongs to it.
    """
    left, top = seen_at(mat, left_top, height, camera)
    right, bottom = seen_at(mat, right_bottom, height, camera)
    hidden = []
    for one in mat.markers:
        half = one.side / 2 * (1 + 2 / 8)  # the white rim is one module of eight
        if left < one.x + half and right > one.x - half and top < one.y + half and bottom > one.y - half:
            hidden.append(one)
    return hidden


def gusset() -> tuple[tuple[At, ...], tuple[Hole, ...]]:
    """Triangular corner plate of the arm: outline, holes (mm).

    One is screwed to either side of boom and post.
    """
    side, batten = 180.0, BATTEN_W
    outline = (At(0, 0), At(side, 0), At(side, batten), At(batten, side), At(0, side))
    middle = batten / 2
    post = tuple(Hole(middle, POST_FIRST + POST_STEP * n, M6_HOLE) for n in (1, 3))
    boom = (Hole(90.0, middle, M6_HOLE), Hole(156.0, middle, M6_HOLE))
    return outline, post + boom


def head() -> tuple[tuple[At, ...], tuple[Hole, ...]]:
    """Plate for the camera at the arm: outline, holes (mm).

    The slot HEAD_SLOT is not among the holes.
    """
    outline = (At(0, 0), At(HEAD_W, 0), At(HEAD_W, HEAD_H), At(0, HEAD_H))
    return outline, (Hole(15.0, BATTEN_W / 2, M6_HOLE), Hole(HEAD_W - 15, BATTEN_W / 2, M6_HOLE))


def lens_heights() -> tuple[float, float]:
    """Lowest and highest place of the camera's lens.

    Both in mm above the table. The holes of the post decide.
    """
    highest = FOOT_THICK + POST - LENS_BELOW
    # The corner plate uses holes 1 and 3 of the post, counted from its own top.
    return highest - POST_STEP * (POST_STEPS - 4), highest
