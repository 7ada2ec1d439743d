"""Interface for the looks of a game's things and mat."""

from typing import Protocol

from companion.games.appearance import PhysicalCard
from companion.virtual.render.printed_marks import Picture
from vision.mat_geometry import Zone


class Looks(Protocol):
    """Look of a game's things and mat; a module or an object with these functions."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm) of a thing when it lies on a side.

        `code`: of the thing. `side`: UP, DOWN or EDGE.
        """
        ...

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        """Draw one side of a thing: its picture (PX_MM px per mm) and outline (0 or 255).

        `card`: None for the back of a pile.
        """
        ...

    def is_glossy(self, code: str) -> bool:
        """Whether the thing `code` can reflect a lamp, as a card in a sleeve does and a paper tile does not."""
        return True

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Draw a zone of the mat on its sheet, at 4 px per mm.

        By default its outline.
        """
        from companion.virtual.render import table_surface  # OpenCV loads slowly

        table_surface.outline_zone(sheet, zone)
