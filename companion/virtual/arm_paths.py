"""Paths of arms over the table that avoid a zone in which a hand is a sign."""

import math

from companion.core.mat_geometry import Mat, Zone
from companion.virtual.world import Point

_CLEARANCE = 50.0
"""_CLEARANCE: least distance (mm) of an arm's middle from that zone: half a hand's width and a margin."""
_FINGERS = 70.0
"""_FINGERS: length (mm) of the fingers beyond the point that a hand reaches for."""


def arm_from(mat: Mat, around: Zone | None, player: int, target: Point) -> Point:
    """Where a player's arm enters: a point well outside the picture, from which the arm does not cross the
    zone `around`. A hand over that zone would be a sign."""
    x, y = target
    near, left, right = (0.6 * x + 0.4 * mat.w / 2, 850.0), (-340.0, y + 90), (mat.w + 340.0, y + 90)
    slanted, upright = (x + 280, 840.0), (x - 70, 850.0)
    wishes: tuple[Point, ...] = (
        (near, slanted, upright, left, right),
        (right, slanted, near, upright, left),
        (left, near, upright, slanted, right),
        (slanted, near, upright, right, left),
        (upright, near, right, slanted, left),
    )[player % 5]
    # For targets behind the zone: from its far side.
    wishes += ((-300.0, y - 160), (mat.w + 300.0, y - 160))
    if around is None or around.contains(x, y):
        return near
    free = [(_distance(around, target, wish), wish) for wish in wishes]
    for distance, wish in free:
        if distance >= _CLEARANCE:
            return wish
    return max(free)[1]


def thumb_right(around: Zone | None, anchor: Point, target: Point) -> bool:
    """Whether the thumb is on the right of an arm that points away from the viewer, so that it is away from
    the zone."""
    if around is None:
        return False
    x, y = around.centre
    along = (target[0] - anchor[0], target[1] - anchor[1])
    return along[0] * (y - anchor[1]) - along[1] * (x - anchor[0]) < 0


def may_sweep(around: Zone | None, anchor: Point, start: Point, end: Point) -> bool:
    """Whether a hand may move from `start` to `end` without its arm crossing the zone."""
    if around is None or around.contains(*start) or around.contains(*end):
        return True
    for step in range(9):
        x = start[0] + (end[0] - start[0]) * step / 8
        y = start[1] + (end[1] - start[1]) * step / 8
        if _distance(around, (x, y), anchor) < _CLEARANCE - 6:
            return False
    return True


def _distance(zone: Zone, tip: Point, anchor: Point) -> float:
    """Least distance (mm) between the arm's middle line and a zone."""
    least = float("inf")
    length = math.dist(tip, anchor)
    for step in range(33):
        along = -_FINGERS + (length + _FINGERS) * step / 32
        x = tip[0] + (anchor[0] - tip[0]) * along / length
        y = tip[1] + (anchor[1] - tip[1]) * along / length
        dx = max(zone.x - x, 0.0, x - zone.x - zone.w)
        dy = max(zone.y - y, 0.0, y - zone.y - zone.h)
        least = min(least, math.hypot(dx, dy))
    return least
