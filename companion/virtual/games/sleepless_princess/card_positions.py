"""Positions (mm) at which people lay cards: in the row, in a play, on a fanned bed."""

from collections.abc import Sequence

from companion.games.sleepless_princess.princess_mat import CARD_H, CARD_W, MATTRESS_H, MATTRESS_W
from companion.virtual.world import Point
from vision.mat_geometry import Mat, Zone

ROW_SLOTS = 5
FAN_MOST = 8
"""Largest number of mattresses that can be turned up side by side with every sticker visible."""
FOOT_GRIP = 22.0
"""Distance (mm) from the middle of a bed's foot to the fingers of a hand there."""
_GROUP_GAP = 24.0
_CARD_GAP = 3.0
_BLANKET_DROP = 47.5
"""Distance (mm) from the covered card's centre to the centre of the crosswise blanket, just off the
sticker."""


def row_slot(mat: Mat, slot: int) -> Point:
    """Centre of a card in the open row; `slot` is 0 to 4."""
    row = mat.zone("row")
    return (row.x + row.w * (slot + 0.5) / ROW_SLOTS, row.centre[1])


def bed_place(mat: Mat, bed: int) -> Point:
    """Centre of the mattresses on a bed (from 0)."""
    return mat.zone(f"bed {bed + 1}").centre


def headboard(mat: Mat, bed: int) -> Point:
    """Place of a princess's standing tile, at the head of her bed (from 0)."""
    zone = mat.zone(f"bed {bed + 1}")
    return (zone.centre[0], zone.y + 5)


def fingers_at(at: Point) -> Point:
    """Place of a hand that touches or holds something at a bed's foot `at`: a little towards the bed."""
    return (at[0], at[1] - FOOT_GRIP)


def foot(mat: Mat, bed: int) -> Point:
    """Centre of a bed's foot (bed from 0), where hands touch and the glass is laid."""
    return mat.zone(f"foot {bed + 1}").centre


def fan(mat: Mat, bed: int, count: int) -> list[Point]:
    """Centres of up to FAN_MOST mattresses turned up side by side, every sticker visible."""
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
    """(centres of the played cards in each group, centre of the blanket). Without a blanket the second is None.

    `sizes`: number of cards in each group. `covered`: index of the group under the blanket, None without
    one.
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
