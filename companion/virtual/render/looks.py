"""The interface for the appearance of a game's things and mat from above."""

from typing import Protocol

from companion.core.mat_geometry import Zone
from companion.games.api import PhysicalCard
from companion.virtual.render.printing import Picture


class Looks(Protocol):
    """A module or an object of a game that has these functions."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm) of a thing by its code, lying on that side (UP, DOWN or EDGE)."""
        ...

    def printed(self, card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
        """Picture of one side, at PX_MM px per mm, and its outline (0 or 255). `card` is None for the backs
        of a pile. `glare`: a lamp is reflected over its sticker."""
        ...

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Draw a zone of the mat on the sheet at PX_MM px per mm (see
        companion.virtual.render.table_surface)."""
        ...
