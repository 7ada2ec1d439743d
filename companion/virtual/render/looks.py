"""How the things and the mat of a game look from above: what a game gives the renderer."""

from typing import Protocol

from companion.core.mat_geometry import Zone
from companion.games.api import PhysicalCard
from companion.virtual.render.printing import Picture


class Looks(Protocol):
    """A module or an object of a game that has these functions."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height in mm of a thing by its code, as it lies on that side (UP, DOWN or EDGE)."""
        ...

    def printed(self, card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
        """The picture of one side, PX_MM px per mm, and its outline (0 or 255); `card` is None for the backs
        of a pile. `glare`: a lamp is mirrored over its sticker."""
        ...

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Draw a zone of the mat on the sheet, PX_MM px per mm (see companion.virtual.render.table_surface)."""
        ...
