"""Drawings of stations: plate, cross-section, base board of all stations."""

from calibration.drawings.plan import Plan
from calibration.drawings.sizes import (
    BASE_THICK,
    CELL_HOLES,
    CELL_LONG,
    CELL_THICK,
    FOIL,
    PLATE_H,
    PLATE_HEIGHT,
    PLATE_THICK,
    PLATE_W,
    WASHER,
    At,
    Hole,
    Station,
    base_board,
    stations_of,
)
from calibration.sheets.sheet_shapes import Sheet
from vision.mat_geometry import Mat


def station_plans(mat: Mat) -> list[Sheet]:
    """Draw the wood and load cells of a mat's stations, which are all alike."""
    one = stations_of(mat)[0]
    return [_plate(one), _cut(one.word), _base(mat)]


def _moved(hole: Hole, by: At) -> Hole:
    return Hole(hole.x - by.x, hole.y - by.y, hole.across)


def _plate(station: Station) -> Sheet:
    plan = Plan("station-plate", f"Plate of a {station.word}, and its load cell", 1.0)
    plan.told(
        f"Full size. Cut the plate from 3 mm plywood or acrylic, once for each {station.word}. Lay your load "
        "cell on the dashed outline first: if its holes are elsewhere, drill where they are, the cell in the "
        "middle."
    )
    plan.origin(37, 50)
    plan.box(0, 0, PLATE_W, PLATE_H)
    plan.across(0, PLATE_W, -3)
    plan.down(0, PLATE_H, PLATE_W + 4)
    left, top = PLATE_W / 2 - CELL_THICK / 2, (PLATE_H - CELL_LONG) / 2
    plan.box(left, top, CELL_THICK, CELL_LONG, dashed=True)
    for hole in station.plate_holes:
        plan.hole(_moved(hole, station.corner))
    for hole in station.base_holes:
        plan.hole(_moved(hole, station.corner))
    plate, base = (_moved(holes[0], station.corner) for holes in (station.plate_holes, station.base_holes))
    plan.pointed(base.x, base.y, 92, base.y - 14, "M5, in the base board alone")
    plan.words(93, base.y - 10, f"holes of {base.across:g} mm: the far end")
    plan.pointed(plate.x, plate.y, 92, plate.y + 14, "M4, through this plate")
    plan.words(93, plate.y + 18, f"holes of {plate.across:g} mm, countersunk above")
    plan.down(top, top + CELL_LONG, left - 10)
    plan.down(top + CELL_LONG - CELL_HOLES[1], top + CELL_LONG - CELL_HOLES[0], left - 4)
    plan.down(top + CELL_HOLES[0], top + CELL_HOLES[1], left - 4)
    plan.words(PLATE_W / 2, 6, "far side, away from the players", middle=True)
    plan.words(PLATE_W / 2, PLATE_H - 4, f"near side: the foot of the {station.word}", middle=True)
    plan.words(6, 100, "A hand that leans", "here turns the cell:", f"never press a {station.word}.")
    plan.words(
        0, PLATE_H + 10, "Weigh a finished plate: 80 g at most leaves the cell free for cards and hands."
    )
    return plan.sheet()


def _cut(word: str) -> Sheet:
    plan = Plan("station-cut", f"A {word}, cut from far to near", 1.0)
    plan.told(
        "Full size. The plate hangs free on the near end of the cell; the far end alone is screwed to the "
        "base. The arrow on the cell's end points down at the plate's end. Washers make the gaps: no glue "
        "anywhere."
    )
    plan.origin(30, 90)
    base_y = PLATE_HEIGHT - BASE_THICK
    cell_x = (PLATE_H - CELL_LONG) / 2
    cell_y = PLATE_THICK + WASHER
    plan.box(0, 0, PLATE_H, PLATE_THICK)
    plan.box(cell_x, cell_y, CELL_LONG, CELL_THICK)
    plan.box(-6, base_y, PLATE_H + 12, BASE_THICK)
    for far in CELL_HOLES:
        fixed, free = cell_x + far, cell_x + CELL_LONG - far
        plan.box(fixed - 5, base_y - WASHER, 10, WASHER)
        plan.box(free - 4.5, PLATE_THICK, 9, WASHER)
        plan.box(fixed - 2.5, cell_y + 3, 5, PLATE_HEIGHT - cell_y - 3, dashed=True)
        plan.box(free - 2, 0, 4, cell_y + 8, dashed=True)
    plan.down(0, PLATE_HEIGHT, PLATE_H + 12)
    plan.down(0, PLATE_THICK, -10, f"{PLATE_THICK:g} plate")
    plan.down(cell_y, cell_y + CELL_THICK, cell_x + 36, f"{CELL_THICK:g} cell")
    plan.down(base_y, PLATE_HEIGHT, -10, f"{BASE_THICK:g} base")
    plan.across(cell_x, cell_x + CELL_LONG, -6)
    plan.pointed(cell_x + CELL_LONG - 5, 0, 128, -22, "M4 x 12, countersunk")
    plan.pointed(cell_x + 5, PLATE_HEIGHT, 50, PLATE_HEIGHT + 16, "M5 x 16 from below, head sunk into the base")
    plan.pointed(cell_x + CELL_LONG - 20, PLATE_THICK + 1, 60, -22, f"washer of M4, {WASHER:g} mm in all")
    plan.pointed(cell_x + 20, base_y - 1, 64, PLATE_HEIGHT + 26, f"washers of M5, {WASHER:g} mm in all")
    plan.words(0, -32, "far side", size=8.5)
    plan.words(PLATE_H - 18, -32, "near side", size=8.5)
    gap = base_y - cell_y - CELL_THICK
    plan.note(
        0,
        PLATE_HEIGHT + 40,
        f"Between cell and base there are {gap:g} mm. A sheet of paper must pass below the near end, and "
        "between plate and cell at the far end, also with 100 g on the plate.",
    )
    plan.note(
        0,
        PLATE_HEIGHT + 54,
        f"The plate is {PLATE_HEIGHT:g} mm above the mat, and so the camera sees it up to 2 cm farther from "
        "the middle. The plates are narrow enough to hide no corner marker.",
    )
    return plan.sheet()


def _base(mat: Mat) -> Sheet:
    stations, (left, top, right, bottom) = stations_of(mat), base_board(mat)
    word = stations[0].word
    scale = 0.3
    plan = Plan("base-board", f"Base board below all {word}s", scale, lying=True)
    plan.told(
        "Scale 3 : 10, measures in mm. Plywood of 9 mm, on the mat's far side. Dashed: the plates of the "
        f"{word}s. Holes of 5.5 mm for the cells; at each {word}'s foot an opening of 12.5 x 12.5 mm for its "
        "button, and in the full rig a hole of 10.5 mm for its lamp, each with a notch for the wires. Wires "
        "and HX711 boards lie between the plates."
    )
    plan.origin(22, 60)
    moved = At(left, top)
    plan.box(0, 0, right - left, bottom - top)
    plan.across(0, right - left, -8)
    plan.down(0, bottom - top, right - left + 10)
    for number, station in enumerate(stations, 1):
        corner = At(station.corner.x - left, station.corner.y - top)
        plan.box(*corner, PLATE_W, PLATE_H, dashed=True)
        for hole in (*station.base_holes, station.lamp):
            plan.hole(_moved(hole, moved))
        side = station.button.across
        plan.box(station.button.x - left - side / 2, station.button.y - top - side / 2, side, side)
        middle = corner.x + PLATE_W / 2
        plan.box(middle - FOIL / 2, station.button.y - top - FOIL / 2, FOIL, FOIL, dashed=True)
        plan.words(middle, corner.y + PLATE_H - 16, f"{word} {number}", middle=True)
    first, second = stations[0], stations[1]
    y = bottom - top
    x0, x1 = (one.base_holes[0].x - left for one in (first, second))
    plan.across(0, x0, y + 16)
    plan.across(x0, x1, y + 16)
    plan.words(x1 + 14, y + 16, "and so on: all are alike")
    plan.across(0, first.lamp.x - left, y + 34)
    plan.across(first.lamp.x - left, first.button.x - left, y + 34)
    ys = [hole.y - top for hole in first.base_holes]
    plan.down(0, ys[0], x0 - 34)
    plan.down(ys[0], ys[1], x0 - 34)
    plan.down(first.button.y - top, y, first.button.x - left + 12)
    plan.note(
        0,
        y + 62,
        "The dashed square at each foot is its electrode in the full rig: 30 x 30 mm of copper foil below "
        "paper, at least 15 mm away from every metal part.",
    )
    return plan.sheet()
