"""Virtual boards: the board's own code against chip models, on a pty or a pipe in memory."""

import importlib
import threading
import time
from collections.abc import Iterable
from typing import Any, Protocol

from companion.core.clock import Clock, ManualClock
from firmware.flashing.manifest import code_hash
from firmware.simulator.virtual_port import BoardEnd, PtyEnd

# Loaded by name: the board's code is untyped MicroPython.
DEFAULT_RIG: dict[str, Any] = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
_machine: Any = importlib.import_module("firmware.simulator.chips.pico_machine")


class BoardInputs:
    """Physical inputs and faults of a board. KeyError names a station that lacks the part."""

    def _do(self, what: str, *args: object) -> None:
        raise NotImplementedError

    def place_tag(self, station: str, uid: bytes, *, well: bool = True) -> None:
        """Lay a tag (4, 7 or 10 bytes; ISO 15693: 8) on a reader. A badly placed one is never heard."""
        self._do("place_tag", station, uid, well)

    def lift_tag(self, station: str, uid: bytes) -> None:
        """Take a tag away; ValueError if it is not there."""
        self._do("lift_tag", station, uid)

    def set_weight(self, station: str, grams: float) -> None:
        """Set the total load of a load cell, in grams."""
        self._do("set_weight", station, grams)

    def touch(self, station: str, pressed: bool) -> None:
        """Touch an electrode, or release it."""
        self._do("touch", station, pressed)

    def press_button(self, station: str, pressed: bool) -> None:
        """Press a button, or release it."""
        self._do("press_button", station, pressed)

    def press_texture(self, station: str, pattern: Iterable[Iterable[float]] | None) -> None:
        """16 rows of 16 pressures 0..1 on a matrix, or None for nothing."""
        cells = [0.0] * 256 if pattern is None else [float(cell) for row in pattern for cell in row]
        self._do("press_texture", station, cells)

    def misbehave(self, part: str, station: str, fault: str, value: object) -> None:
        """Set a fault of the model behind a "reader", "texture", "count", "touch" or "button".

        The faults are the public attributes of the models in `firmware.simulator.chips`.
        AttributeError for another.
        """
        self._do("misbehave", part, station, fault, value)

    def flip_bits(self, rate: float) -> None:
        """From now on each bit on the line is flipped with probability `rate`, in both directions."""
        self._do("flip_bits", rate)

    def stall(self, seconds: float) -> None:
        """The line takes nothing for `seconds` of board time."""
        self._do("stall", seconds)

    def wrap_soon(self, seconds: float) -> None:
        """From its next boot on the board's tick counter wraps after so many seconds."""
        self._do("wrap_soon", seconds)

    def crash(self, traceback: str) -> None:
        """End the program with a traceback and the prompt, on the same port."""
        self._do("crash", traceback)


class SteppedBoard(Protocol):
    """A virtual board that advances when it is stepped, whatever runs it."""

    @property
    def delivered(self) -> int:
        """Bytes of this connection that the board has sent."""
        ...

    @property
    def events(self) -> int:
        """Events that the board's program has queued since it was made, over all its boots."""
        ...

    def step(self, now: float) -> None: ...
    def await_bytes(self, count: int, patience: float = 1.0) -> bool: ...
    def press_button(self, station: str, pressed: bool) -> None: ...
    def stall(self, seconds: float) -> None: ...
    def reset(self) -> None: ...
    def unplug(self) -> None: ...
    def plug(self, *, reset: bool = True) -> None: ...
    def wrap_soon(self, seconds: float) -> None: ...
    def close(self) -> None: ...


class VirtualBoard(BoardInputs):
    """A Pico with its rig, in software, in this process.

    Call `step(now)` from a loop, or `run_in_thread()`. `path` is the port for the host (with a `MemoryEnd` as
    `end`, give its `open` to the link as opener). `chips` holds the models by station name, to set their noise
    and faults. `wired`: how the chips are really wired, if not as `rig` says.
    """

    def __init__(
        self,
        rig: dict[str, Any] = DEFAULT_RIG,
        clock: Clock | None = None,
        seed: int = 0,
        *,
        end: BoardEnd | None = None,
        wired: dict[str, Any] | None = None,
    ) -> None:
        self.rig = rig
        self.clock: Clock = clock if clock is not None else ManualClock()
        self._start = self.clock.now()
        self._stations = {station["name"]: station for station in rig["stations"]}
        self._end = end if end is not None else PtyEnd()
        self.machine: Any = _machine.Machine(rig, seed, self._end, code_hash(), wired)
        self.chips: Any = self.machine.chips
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._end.plug()
        self.machine.boot(_machine.POWER_ON, 0)  # it has been on the table for a while

    @property
    def path(self) -> str:
        """The name that the host opens. It stays the same when the board is plugged in again."""
        return self._end.path

    @property
    def lamps(self) -> dict[str, tuple[int, int, int]]:
        """Colour of each station's lamp as (red, green, blue), 0..255."""
        return {n: self.chips.strip.colours[s["lamp"]] for n, s in self._stations.items() if "lamp" in s}

    @property
    def tones(self) -> list[int]:
        """Every tone the beeper played, in Hz."""
        played: list[int] = self.chips.beeper.played
        return played

    @property
    def delivered(self) -> int:
        """Bytes of this connection that the board has sent."""
        return int(self.machine.delivered)

    @property
    def events(self) -> int:
        """Events that the board's program has queued since it was made, over all its boots."""
        return int(self.machine.events + self.machine.app.uplink.events)

    def step(self, now: float) -> None:
        """Run the board up to the host time `now`; never waits for the host."""
        with self._lock:
            self.machine.run(int((now - self._start) * 1e6))

    def await_bytes(self, count: int, patience: float = 1.0) -> bool:
        """Wait (real time, at most `patience` seconds) until `count` bytes of this connection have come.

        The kernel delivers over a pty in real time. A lock-step harness calls this after the host's turn with
        the number of bytes that the host wrote, and lets the host read until it has `delivered` bytes. Returns
        False if they did not come.
        """
        limit = time.monotonic() + patience
        while True:
            with self._lock:
                self.machine.listen()
                if self.machine.taken >= count or not self._end.host_there():
                    return bool(self.machine.taken >= count)
            if time.monotonic() > limit:
                return False
            time.sleep(0.0002)

    def run_in_thread(self, period: float = 0.005) -> None:
        """Step in the background every `period` seconds of the clock until `close`."""

        def loop() -> None:
            while not self._stop.is_set():
                self.step(self.clock.now())
                self.clock.sleep(period)

        self._thread = threading.Thread(target=loop, name="virtual board", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread if there is one, and remove the port."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._lock:
            self.machine.cut_power()
            self._end.close()

    def unplug(self) -> None:
        """Pull the cable: the port disappears, and the board loses power."""
        with self._lock:
            self._end.unplug()
            self.machine.cut_power()

    def plug(self, *, reset: bool = True) -> None:
        """Put the cable back. Without `reset` the board kept its power and only the port is new."""
        with self._lock:
            self._end.plug()
            if reset:
                self.machine.boot(_machine.POWER_ON)
            else:
                self.machine.keep_power()

    def reset(self) -> None:
        """The reset button: the port disappears for a moment, and the board boots."""
        with self._lock:
            self._end.unplug()
            self._end.plug()
            self.machine.boot(_machine.RESET)

    def _do(self, what: str, *args: object) -> None:
        with self._lock:
            getattr(self.machine, what)(*args)
