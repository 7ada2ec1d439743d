"""Geometry of the mat in mm: its size, zones (areas) and corner markers.

The origin is the mat's far left corner as the camera sees it. X grows to the right, y towards the viewer.
Angles are in degrees, clockwise in the picture.
"""

import math
from dataclasses import dataclass

_INSET, _MARKER_SIDE = 25.0, 30.0
"""_INSET: distance (mm) of a corner marker's centre from both edges of its mat. _MARKER_SIDE: the marker's
black side (mm)."""


@dataclass(frozen=True, slots=True)
class Zone:
    """Named rectangle on the mat: its left, top, width and height in mm.

    `stack`: width and height (mm) of the stack of cards in its middle, printed as an outline. None: cards lie
    anywhere in the zone.
    """

    name: str
    x: float
    y: float
    w: float
    h: float
    stack: tuple[float, float] | None = None
    holds: str = ""
    """What of the public table lies in the zone: `row N`, `pile N` (from 1, in screen order), `played`, or "".
    Hidden cards lie at stations instead."""

    def contains(self, x: float, y: float) -> bool:
        """True if the point (mm) lies in the zone.

        Left and upper edge belong to it, right and lower edge do not.
        """
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the zone: (x, y) in mm."""
        return (self.x + self.w / 2, self.y + self.h / 2)


@dataclass(frozen=True, slots=True)
class MatMarker:
    """Corner marker of the mat: its id, centre and black side (mm).

    `angle` (degrees) is 0 on a printed mat. Corner cards laid on a cloth by hand may have any angle.
    """

    id: int
    x: float
    y: float
    side: float
    angle: float = 0.0

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The four corners (x, y in mm), clockwise from the marker's own upper left."""
        turn, half = math.radians(self.angle), self.side / 2
        cos, sin = half * math.cos(turn), half * math.sin(turn)
        x, y = self.x, self.y
        far = ((x + sin - cos, y - sin - cos), (x + cos + sin, y + sin - cos))
        return (*far, (x + cos - sin, y + sin + cos), (x - cos - sin, y + cos - sin))


def corner_markers(first: int, w: float, h: float) -> tuple[MatMarker, ...]:
    """Place a mat's four corner markers, clockwise from far left.

    `first`: id of the first marker; the others follow. `w`, `h`: size of the mat (mm). Every game's mat has
    its own ids, so another game's mat is recognised.
    """
    places = ((_INSET, _INSET), (w - _INSET, _INSET), (w - _INSET, h - _INSET), (_INSET, h - _INSET))
    return tuple(MatMarker(first + n, x, y, _MARKER_SIDE) for n, (x, y) in enumerate(places))


@dataclass(frozen=True, slots=True)
class Mat:
    """Printed mat: name, size in mm, corner markers, zones in search order."""

    name: str
    w: float
    h: float
    markers: tuple[MatMarker, ...]
    zones: tuple[Zone, ...]

    def zone_at(self, x: float, y: float) -> Zone | None:
        """First zone that contains the point (x, y in mm).

        None if no zone does.
        """
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def zone(self, name: str) -> Zone:
        """Zone of this name; KeyError if there is none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(name)
