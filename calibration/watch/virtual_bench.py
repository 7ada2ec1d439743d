"""Virtual board on the bench: its own program on chip models, hands that obey."""

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
"""Press along both diagonals, which reaches every line."""
_Faults = tuple[tuple[str, int, str, object], ...]
BENCH_DEFECTS: Mapping[str, _Faults] = {
    name: one.chips for name, one in DEFECTS.items() if one.chips and one.chips[0][0] != "touch"
}
"""Defects of a virtual board on the bench: (part, number of the station, name of the model's fault, value)."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Act of hands at one station: weight (`grams`), tag, finger or press, laid (`on`) or taken away."""

    part: str
    station: str
    on: bool
    grams: float = 0.0


class VirtualBench:
    """Virtual board in lock step with the clock.

    `do` moves the hands.

    `poll` and `link` are those of a real board. BadInputError for an unknown defect.
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
        """Move the board to the clock's time. Returns its messages."""
        return lockstep.step(self.board, self.link, self._clock.now())

    def do(self, deed: Deed) -> None:
        """Do what a bench test asks a person for."""
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
        self.link.close()
        self.board.close()
