"""Parts of the virtual table that break on command.

They can be mended, too.
"""

from collections.abc import Callable, Sequence

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.virtual.parameters import LOAD_CELL
from companion.virtual.rig.board_readings import PAD, Board

CAMERA, CABLE, READER, DRIFT = "camera", "cable", "pad reader", "scales drift"
"""Names of parts that can break, as people read them."""


class Faults:
    """Parts of a virtual table that can break on command.

    `parts`: names of all that can. `broken`: those broken now. `wear(station, cards)` shifts the counts of a
    scale.
    """

    def __init__(
        self, board: Board, stations: Sequence[str], wear: Callable[[str, float], None] = lambda *_: None
    ) -> None:
        self._board, self._wear = board, wear
        self._stations = tuple(stations)
        scales = [f"{station} scale" for station in stations]
        # A table with a camera alone has no pad and no scales.
        self.parts = (CAMERA, CABLE, *((READER, *scales, DRIFT) if stations else ()))
        self.broken: tuple[str, ...] = ()

    def set(self, part: str, broken: bool) -> None:
        """Break or mend the part called `part`.

        BadInputError, which lists all parts, if it does not exist.
        """
        if part not in self.parts:
            raise BadInputError(
                text("no part {part} to break", part=repr(part)),
                next_step=text("use {names}", names=", ".join(self.parts)),
            )
        if (part in self.broken) == broken:
            return
        self.broken = tuple(one for one in self.parts if (one in self.broken) != (one == part))
        if part == CABLE:
            (self._board.unplug if broken else self._board.plug)()
        elif part == READER:
            self._board.misbehave("reader", PAD, "dead", broken)
        elif part == DRIFT:
            for station in self._stations:
                self._wear(station, LOAD_CELL.drift_cards if broken else 0.0)
        elif part != CAMERA:
            self._board.misbehave("count", part.removesuffix(" scale"), "dead", broken)
