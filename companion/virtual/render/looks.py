"""Interface for the looks of a game's things and mat."""

from typing import Protocol

from companion.games.api import PhysicalCard
from companion.virtual.render.printing import Picture
from vision.mat_geometry import Zone


class Looks(Protocol):
    """Looks of a game's things and mat; a module or an object with these functions."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm) of the thing `code` when it lies on `side` (UP, DOWN or EDGE)."""
        ...

    def printed(self, card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
        """Picture of one side of a thing (PX_MM px per mm), and its outline (0 or 255).

        `card` is None for the back of a pile. `glare`: a lamp is reflected over the sticker.
        """
        ...

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Draw a zone of the mat on the sheet, at PX_MM px per mm (see
        companion.virtual.render.table_surface)."""
        ...
