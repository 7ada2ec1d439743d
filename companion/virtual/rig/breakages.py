"""Parts of the virtual table that can be broken and mended on command."""

from collections.abc import Sequence

from companion.core.errors import BadInputError
from companion.virtual.rig.board_readings import PAD, Board

CAMERA, CABLE, READER = "camera", "cable", "pad reader"


class Faults:
    """The broken parts by name: the camera, the board's cable, the pad's reader, each scale."""

    def __init__(self, board: Board, stations: Sequence[str]) -> None:
        self._board = board
        self.parts = (CAMERA, CABLE, READER, *(f"{station} scale" for station in stations))
        self.broken: tuple[str, ...] = ()

    def set(self, part: str, broken: bool) -> None:
        """Break a part or mend it; BadInputError lists the parts."""
        if part not in self.parts:
            raise BadInputError(f"no part {part!r} to break", next_step=f"use {', '.join(self.parts)}")
        if (part in self.broken) == broken:
            return
        self.broken = tuple(one for one in self.parts if (one in self.broken) != (one == part))
        if part == CABLE:
            (self._board.unplug if broken else self._board.plug)()
        elif part == READER:
            self._board.misbehave("reader", PAD, "dead", broken)
        elif part != CAMERA:
            self._board.misbehave("count", part.removesuffix(" scale"), "dead", broken)
