"""Positions (mm) at which people lay cards: in the row, in a play, on a fanned bed."""

from collections.abc import Sequence

from companion.games.sleepless_princess.princess_mat import CARD_H, CARD_W, MATTRESS_H, MATTRESS_W
from companion.virtual.world import Point
from vision.mat_geometry import Mat, Zone

ROW_SLOTS = 5
FAN_MOST = 8
"""Most mattresses that can be turned up side by side with every sticker visible."""
FOOT_GRIP = 22.0
"""Distance (mm) from the middle of a bed's foot to the fingers of a hand there."""
_GROUP_GAP = 24.0
_CARD_GAP = 3.0
_BLANKET_DROP = 47.5
"""Distance (mm) from a covered card's centre to that of the blanket on it.

The blanket lies crosswise, just off the sticker.
"""


def row_slot(mat: Mat, slot: int) -> Point:
    """Centre (mm) of the card in place `slot` (0 to 4) of the open row."""
    row = mat.zone("row")
    return (row.x + row.w * (slot + 0.5) / ROW_SLOTS, row.centre[1])


def bed_place(mat: Mat, bed: int) -> Point:
    """Centre (mm) of the mattresses on `bed` (from 0)."""
    return mat.zone(f"bed {bed + 1}").centre


def headboard(mat: Mat, bed: int) -> Point:
    """Point (mm) where a princess's tile stands, at the head of `bed` (from 0)."""
    zone = mat.zone(f"bed {bed + 1}")
    return (zone.centre[0], zone.y + 5)


def fingers_at(at: Point) -> Point:
    """Point (mm) of a hand that holds or touches something at `at`, a bed's foot."""
    return (at[0], at[1] - FOOT_GRIP)


def foot(mat: Mat, bed: int) -> Point:
    """Centre (mm) of the foot of `bed` (from 0).

    Hands touch there, and the glass is laid there.
    """
    return mat.zone(f"foot {bed + 1}").centre


def fan(mat: Mat, bed: int, count: int) -> list[Point]:
    """Centres (mm) of mattresses that are turned up side by side on a bed.

    `count`: number of mattresses, 8 at most. `bed`: from 0.
    """
    zone = mat.zone(f"bed {bed + 1}")
    rows = (count + 1) // 2
    # Three rows fit without overlap. With four, each card covers its neighbour up to the sticker.
    pitch = MATTRESS_H + 3 if rows <= 3 else (zone.h - MATTRESS_H) / (rows - 1)
    top = zone.y + (zone.h - pitch * (rows - 1)) / 2
    half = MATTRESS_W / 2 + 1.5
    return [
        (zone.centre[0] + (half if place % 2 else -half), top + pitch * (place // 2)) for place in range(count)
    ]


def groups(zone: Zone, sizes: Sequence[int], covered: int | None) -> tuple[list[list[Point]], Point | None]:
    """Places (mm) of played cards: of the cards in each group, and of the blanket.

    `zone`: the middle. `sizes`: number of cards in each group. `covered`: index of the group under the
    blanket; None without a blanket, whose place is then None.
    """
    widths = [size * CARD_W + (size - 1) * _CARD_GAP for size in sizes]
    if covered is not None:
        widths[covered] = max(widths[covered], CARD_H)
    x = zone.centre[0] - (sum(widths) + _GROUP_GAP * (len(sizes) - 1)) / 2
    places: list[list[Point]] = []
    blanket = None
    for index, (size, width) in enumerate(zip(sizes, widths, strict=True)):
        y = zone.centre[1]
        if index == covered:
            y = zone.y + 28
            blanket = (x + width / 2, y + _BLANKET_DROP)
        inner = size * CARD_W + (size - 1) * _CARD_GAP
        left = x + (width - inner) / 2
        places.append([(left + CARD_W / 2 + k * (CARD_W + _CARD_GAP), y) for k in range(size)])
        x += width + _GROUP_GAP
    return places, blanket
