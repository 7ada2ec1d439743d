"""Virtual board on the bench: the board's own program on chip models, and hands that obey."""

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.virtual_rig.rig_defects import DEFECTS, PAD
from companion.core.clock import Clock
from companion.core.errors import BadInputError
from companion.core.language import text
from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import DEFAULT_RIG, VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd

TAG = bytes.fromhex("04a1b2c3d4e580")
_CROSS = [[0.8 if row in (col, 15 - col) else 0.0 for col in range(16)] for row in range(16)]
"""Pressure (0 to 1) on the 16 x 16 crossings: along both diagonals, which reaches every row and column."""
_Faults = tuple[tuple[str, int, str, object], ...]
BENCH_DEFECTS: Mapping[str, _Faults] = {
    name: one.chips for name, one in DEFECTS.items() if one.chips and one.chips[0][0] != "touch"
}
"""Name of a defect -> faults of a virtual board on the bench. Each fault is (part, number of the station,
name of the chip model's fault, value). Defects without chips, and those of part "touch", are left out."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Act of virtual hands at one station: something is laid on or pressed, or taken away.

    `on`: False for taking away. `part` says what: a weight of `grams` on the scale, a tag on the reader, a
    finger on touch, matrix or button.
    """

    part: str
    station: str
    on: bool
    grams: float = 0.0


class VirtualBench:
    """Virtual board with hands, moved on by the clock.

    `poll` and `link` are as of a real board, `do` moves the hands. `defect` is a key of BENCH_DEFECTS, "" for
    a sound board. BadInputError for an unknown one.
    """

    def __init__(self, clock: Clock, seed: int = 1, defect: str = "") -> None:
        if defect and defect not in BENCH_DEFECTS:
            known = text("choose one of: {names}", names=tuple(BENCH_DEFECTS))
            raise BadInputError(text("no such defect"), where=defect, next_step=known)
        self._clock = clock
        end = MemoryEnd()
        self.board = VirtualBoard(clock=clock, seed=seed, end=end)
        self.link = Link(self.board.path, clock, opener=end.open)
        self._lying: set[str] = set()
        names = [station["name"] for station in DEFAULT_RIG["stations"]]
        self._pad = names[PAD]
        for part, number, fault, value in BENCH_DEFECTS.get(defect, ()):
            self.board.misbehave(part, names[number], fault, value)

    def poll(self) -> list[Message]:
        """Move the board to the clock's time; return its messages."""
        return lockstep.step(self.board, self.link, self._clock.now())

    def do(self, deed: Deed) -> None:
        """Do at the virtual board what a bench test asks of hands."""
        board, at = self.board, deed.station
        match deed.part:
            case "scale":
                board.set_weight(at, deed.grams if deed.on else 0.0)
            case "touch":
                board.touch(at, deed.on)
            case "button":
                board.press_button(at, deed.on)
            case "matrix":
                board.press_texture(at, _CROSS if deed.on else None)
            case "reader" if deed.on != (at in self._lying):
                self._lying ^= {at}
                (board.place_tag if deed.on else board.lift_tag)(at, TAG)

    def close(self) -> None:
        """Close link and board."""
        self.link.close()
        self.board.close()
