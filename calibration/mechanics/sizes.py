"""Sizes of the rig's wooden and printed parts (mm), and where they lie on the mat.

The bar cells of 1 kg that most shops sell are 80 x 12.7 x 12.7 mm, with two holes of M5 at one end and two of
M4 at the other. Nobody has built a rig by these numbers yet.
"""

from dataclasses import dataclass
from typing import NamedTuple

from companion.core.mat_geometry import Mat, MatMarker, Zone


class At(NamedTuple):
    """A point (mm), x to the right and y down."""

    x: float
    y: float


class Hole(NamedTuple):
    """A round hole: its middle, and its diameter (mm)."""

    x: float
    y: float
    across: float


CELL_LONG, CELL_THICK = 80.0, 12.7
CELL_HOLES = (5.0, 20.0)
"""CELL_HOLES: distance (mm) of a load cell's two holes from its end, the same at both ends."""
M4_HOLE, M5_HOLE, M6_HOLE, TRIPOD_HOLE = 4.5, 5.5, 6.5, 6.6
"""Diameters of holes (mm) through which a screw passes freely; TRIPOD_HOLE: for a camera's 1/4 inch screw."""

PLATE_W, PLATE_H = 136.0, 150.0
BASE_THICK, WASHER, PLATE_THICK = 9.0, 2.0, 3.0
PLATE_HEIGHT = BASE_THICK + WASHER + CELL_THICK + WASHER + PLATE_THICK
"""PLATE_HEIGHT: height (mm) of a station's plate above the mat. What is higher looks farther out."""
GAP = 2.0
"""GAP: least free space (mm) around the plate of a station: nothing else may touch it."""
BASE_EDGE = 2.0
"""BASE_EDGE: how far (mm) the base board stays inside of the stations' zones on the mat."""
BUTTON_HOLE, LAMP_HOLE = 12.5, 10.5
"""BUTTON_HOLE: side (mm) of the square opening for a flat push button. LAMP_HOLE: for a lamp's board."""
FOIL = 30.0
"""FOIL: side (mm) of an electrode's copper foil. A larger one feels no finger."""

PAD_W, PAD_H, PAD_THICK = 140.0, 95.0, 3.0
STRIPS, PITCH, STRIP_W = 16, 5.0, 4.0
FIELD = STRIPS * PITCH
FIELD_AT = At(3.0, 7.5)
"""FIELD_AT: upper left corner of the field of strips on the pad's plate."""
READER_W, READER_H = 40.0, 60.0
READER_AT = At(86.0, 7.5)
COIL = 40.0
"""COIL: side (mm) of the tag reader's coil, at the near end of its board."""
CARD_W, CARD_H = 80.0, 50.0
TAG = 25.0
CARD_AT = At(34.0, FIELD_AT.y + FIELD / 2 - CARD_H / 2)
"""CARD_AT: upper left corner of a card on the pad, between its stops."""
TAG_FROM_END = 13.0
"""TAG_FROM_END: distance (mm) of the middle of a tag from the card's short end."""
RAISED_FROM_END = 25.0
"""RAISED_FROM_END: distance (mm) of the middle of a raised picture from the other short end."""

BATTEN_W, BATTEN_THICK = 48.0, 28.0
POST, BOOM = 1200.0, 360.0
MAT_TO_POST = 60.0
"""MAT_TO_POST: distance (mm) of the arm's post from the far edge of the mat."""
HEAD_W, HEAD_H, HEAD_SLOT = 60.0, 118.0, (78.0, 104.0)
"""HEAD_SLOT: upper and lower end (mm from the top) of the slot for the camera's screw."""
FOOT_W, FOOT_D, FOOT_THICK = 300.0, 200.0, 18.0
RIB_THICK = 8.0
"""RIB_THICK: thickness (mm) of the printed plates of the arm; plywood of 9 mm does as well."""
POST_STEP, POST_STEPS, POST_FIRST = 40.0, 17, 40.0
"""The post's holes for the boom: distance, number, and the first from the top."""
LENS_BELOW = 110.0
"""LENS_BELOW: height (mm) of the boom's upper edge above the camera's lens, about."""


@dataclass(frozen=True, slots=True)
class Station:
    """A station on the mat: the corner of its plate, and the holes for its load cell in plate and base."""

    zone: Zone
    foot: Zone

    @property
    def word(self) -> str:
        """What the mat calls this kind of place."""
        return self.zone.name.rpartition(" ")[0]

    @property
    def corner(self) -> At:
        x = self.zone.x + (self.zone.w - PLATE_W) / 2
        return At(x, self.zone.y + (self.zone.h - PLATE_H) / 2)

    @property
    def _cell_top(self) -> At:
        """The middle of the cell's far end."""
        return At(self.corner.x + PLATE_W / 2, self.corner.y + (PLATE_H - CELL_LONG) / 2)

    @property
    def base_holes(self) -> tuple[Hole, ...]:
        """Where the cell's far end is screwed to the base."""
        x, y = self._cell_top
        return tuple(Hole(x, y + far, M5_HOLE) for far in CELL_HOLES)

    @property
    def plate_holes(self) -> tuple[Hole, ...]:
        """Where the plate is screwed to the cell's near end."""
        x, y = self._cell_top
        return tuple(Hole(x, y + CELL_LONG - far, M4_HOLE) for far in reversed(CELL_HOLES))

    @property
    def button(self) -> Hole:
        """The opening for its button, a square as wide as `across`."""
        return Hole(self.foot.x + self.foot.w - 18, self.foot.y + self.foot.h / 2, BUTTON_HOLE)

    @property
    def lamp(self) -> Hole:
        return Hole(self.foot.x + 18, self.foot.y + self.foot.h / 2, LAMP_HOLE)


def stations_of(mat: Mat) -> list[Station]:
    """The stations of a mat from left to right: its zones with a number that have a foot of this number."""
    feet = {zone.name.removeprefix("foot "): zone for zone in mat.zones if zone.name.startswith("foot ")}
    zones = [zone for zone in mat.zones if zone not in feet.values()]
    return [Station(zone, feet[number]) for zone in zones if (number := zone.name.rpartition(" ")[2]) in feet]


def base_board(mat: Mat) -> tuple[float, float, float, float]:
    """The board that carries all stations, on the mat: left, top, right, bottom (mm)."""
    stations = stations_of(mat)
    zones = [one.zone for one in stations]
    left, right = min(one.x for one in zones), max(one.x + one.w for one in zones)
    top, bottom = min(one.y for one in zones), max(one.foot.y + one.foot.h for one in stations)
    return left + BASE_EDGE, top + BASE_EDGE, right - BASE_EDGE, bottom - BASE_EDGE


def seen_at(mat: Mat, at: At, height: float, camera: float) -> At:
    """Where a point `height` mm above the mat seems to lie, seen from `camera` mm above the mat's middle."""
    grown = camera / (camera - height)
    return At(mat.w / 2 + (at.x - mat.w / 2) * grown, mat.h / 2 + (at.y - mat.h / 2) * grown)


def hides(mat: Mat, left_top: At, right_bottom: At, height: float, camera: float) -> list[MatMarker]:
    """The markers of the mat whose white rim a plate at `height` mm hides from a camera above the middle."""
    left, top = seen_at(mat, left_top, height, camera)
    right, bottom = seen_at(mat, right_bottom, height, camera)
    hidden = []
    for one in mat.markers:
        half = one.side / 2 * (1 + 2 / 8)  # the white rim is one module of eight
        if left < one.x + half and right > one.x - half and top < one.y + half and bottom > one.y - half:
            hidden.append(one)
    return hidden


def gusset() -> tuple[tuple[At, ...], tuple[Hole, ...]]:
    """The arm's corner plate: its outline, and its holes. Two of them hold boom and post."""
    side, batten = 180.0, BATTEN_W
    outline = (At(0, 0), At(side, 0), At(side, batten), At(batten, side), At(0, side))
    middle = batten / 2
    post = tuple(Hole(middle, POST_FIRST + POST_STEP * n, M6_HOLE) for n in (1, 3))
    boom = (Hole(90.0, middle, M6_HOLE), Hole(156.0, middle, M6_HOLE))
    return outline, post + boom


def head() -> tuple[tuple[At, ...], tuple[Hole, ...]]:
    """The arm's plate for the camera: its outline, and its holes; the slot is HEAD_SLOT in its middle."""
    outline = (At(0, 0), At(HEAD_W, 0), At(HEAD_W, HEAD_H), At(0, HEAD_H))
    return outline, (Hole(15.0, BATTEN_W / 2, M6_HOLE), Hole(HEAD_W - 15, BATTEN_W / 2, M6_HOLE))


def lens_heights() -> tuple[float, float]:
    """The lowest and the highest place of the lens above the table (mm) that the arm's holes give."""
    highest = FOOT_THICK + POST - LENS_BELOW
    # The corner plate takes the holes 1 and 3 of the post, counted from its own top.
    return highest - POST_STEP * (POST_STEPS - 4), highest
