"""Geometry of the mat in millimetres: the mat, its zones and its corner markers.

The origin is the mat's far left corner as the camera sees it; x grows to the right, y towards the viewer.
Angles are in degrees, clockwise in the picture.
"""

import math
from dataclasses import dataclass

_INSET, _MARKER_SIDE = 25.0, 30.0
"""Distance (mm) of a corner marker's centre from both edges of its mat, and its black side."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A named rectangle on the mat: left, top, width and height in mm.

    `stack`: width and height in mm of the stack of cards that lies in its middle, printed as an outline; None
    for a zone in which cards lie where they will.
    """

    name: str
    x: float
    y: float
    w: float
    h: float
    stack: tuple[float, float] | None = None
    holds: str = ""
    """What of the public table lies there: `row N`, `pile N` (from 1, in the order of the screen) or `played`;
    empty for anything else. Places are known by their stations."""

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x + self.w / 2, self.y + self.h / 2)


@dataclass(frozen=True, slots=True)
class MatMarker:
    """A corner marker of the mat: its dictionary id, centre and side in mm (black square).

    `angle`: its turn, 0 on a printed mat; corners that were laid on a cloth by hand have any.
    """

    id: int
    x: float
    y: float
    side: float
    angle: float = 0.0

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Its corners in mm, clockwise from its own upper left."""
        turn, half = math.radians(self.angle), self.side / 2
        cos, sin = half * math.cos(turn), half * math.sin(turn)
        x, y = self.x, self.y
        far = ((x + sin - cos, y - sin - cos), (x + cos + sin, y + sin - cos))
        return (*far, (x + cos - sin, y + sin + cos), (x - cos - sin, y + cos - sin))


def corner_markers(first: int, w: float, h: float) -> tuple[MatMarker, ...]:
    """The four corner markers of a mat of w x h mm, clockwise from the far left, with ids from `first` on.

    Every game's mat has ids of its own, so that a mat of another game is told apart.
    """
    places = ((_INSET, _INSET), (w - _INSET, _INSET), (w - _INSET, h - _INSET), (_INSET, h - _INSET))
    return tuple(MatMarker(first + n, x, y, _MARKER_SIDE) for n, (x, y) in enumerate(places))


@dataclass(frozen=True, slots=True)
class Mat:
    """The printed mat: width and height in mm, corner markers, zones in the order of the search."""

    name: str
    w: float
    h: float
    markers: tuple[MatMarker, ...]
    zones: tuple[Zone, ...]

    def zone_at(self, x: float, y: float) -> Zone | None:
        """The first zone that contains the point, or None."""
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def zone(self, name: str) -> Zone:
        """The zone of that name; KeyError if the mat has none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(name)
