"""Virtual boards: the board's own program on chip models, on a pty or in memory."""

import importlib
import threading
import time
from collections.abc import Iterable
from typing import Any, Protocol

from firmware.clock import Clock, ManualClock
from firmware.flashing.manifest import code_hash
from firmware.simulator.virtual_port import BoardEnd, PtyEnd

# Imported by name, because the board's code is untyped.
DEFAULT_RIG: dict[str, Any] = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
_machine: Any = importlib.import_module("firmware.simulator.chips.pico_machine")


class BoardInputs:
    """Physical inputs and faults of a virtual board; KeyError if a station lacks the part."""

    def _do(self, what: str, *args: object) -> None:
        """Call the simulated Pico's input `what` with these arguments."""
        raise NotImplementedError

    def place_tag(self, station: str, uid: bytes, *, well: bool = True) -> None:
        """Lay a tag on a station's reader.

        `uid`: 4, 7 or 10 bytes, for ISO 15693 8. `well`: False: the tag lies badly and is never heard.
        """
        self._do("place_tag", station, uid, well)

    def lift_tag(self, station: str, uid: bytes) -> None:
        """Take the tag with the UID `uid` off a station's reader; ValueError if it is not there."""
        self._do("lift_tag", station, uid)

    def set_weight(self, station: str, grams: float) -> None:
        """Set the whole load of a scale, in grams."""
        self._do("set_weight", station, grams)

    def touch(self, station: str, pressed: bool) -> None:
        """Touch an electrode (True) or release it."""
        self._do("touch", station, pressed)

    def press_button(self, station: str, pressed: bool) -> None:
        """Press a button (True) or release it."""
        self._do("press_button", station, pressed)

    def press_texture(self, station: str, pattern: Iterable[Iterable[float]] | None) -> None:
        """Press a station's matrix.

        `pattern`: 16 rows of 16 pressures (0 to 1); None lifts everything.
        """
        cells = [0.0] * 256 if pattern is None else [float(cell) for row in pattern for cell in row]
        self._do("press_texture", station, cells)

    def misbehave(self, part: str, station: str, fault: str, value: object) -> None:
        """Set a fault of a station part's chip model.

        `part` is "reader", "texture", "count", "touch", "electrode" or "button". `fault` is a public attribute
        of the model in `firmware.simulator.chips`; AttributeError if it has none of that name.
        """
        self._do("misbehave", part, station, fault, value)

    def flip_bits(self, rate: float) -> None:
        """Flip each bit on the line with probability `rate` from now on, in both directions."""
        self._do("flip_bits", rate)

    def stall(self, seconds: float) -> None:
        """Block the serial line both ways for `seconds`.

        The seconds are those of the board.
        """
        self._do("stall", seconds)

    def wrap_soon(self, seconds: float) -> None:
        """Make the board's tick counter wrap `seconds` after each later boot.

        A real counter wraps after 17.9 minutes.
        """
        self._do("wrap_soon", seconds)

    def crash(self, traceback: str) -> None:
        """End the program: `traceback` and MicroPython's prompt appear on the same port."""
        self._do("crash", traceback)


class SteppedBoard(Protocol):
    """Virtual board that advances only when it is stepped, in this process or another."""

    @property
    def delivered(self) -> int:
        """Bytes that the board has sent on this connection."""
        ...

    @property
    def events(self) -> int:
        """Events that the board has queued, over all its boots."""
        ...

    def step(self, now: float) -> None:
        """Run the board up to the host time `now` (s)."""
        ...

    def await_bytes(self, count: int, patience: float = 1.0) -> bool:
        """Wait until `count` bytes of this connection have reached the board.

        `patience`: longest wait, in seconds of real time. False if they did not come.
        """
        ...

    def press_button(self, station: str, pressed: bool) -> None:
        """Press a button (True) or release it."""
        ...

    def stall(self, seconds: float) -> None:
        """Block the serial line both ways for `seconds`.

        The seconds are those of the board.
        """
        ...

    def reset(self) -> None:
        """Press the reset button."""
        ...

    def unplug(self) -> None:
        """Pull the cable."""
        ...

    def plug(self, *, reset: bool = True) -> None:
        """Put the cable back.

        `reset`: True: the board starts anew; False: it kept its power.
        """
        ...

    def wrap_soon(self, seconds: float) -> None:
        """Make the board's tick counter wrap `seconds` after each later boot."""
        ...

    def close(self) -> None:
        """Switch the virtual board off; remove its host port."""
        ...


class VirtualBoard(BoardInputs):
    """Virtual Pico with its rig, in this process.

    Call `step(now)` from a loop, or `run_in_thread()`. `rig`: stations and pins that its program knows.
    `wired`: the real wiring if it differs. `clock`: host time; None: a new ManualClock. `seed`: decides its
    noise. `end`: the board's end of the line; None: a new pty. The host opens `path`; with a `MemoryEnd` as
    `end`, the link's opener is its `open`. `chips` holds the models by station, for noise and faults.
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
        self.machine.boot(_machine.POWER_ON, 0)  # the board has stood on the table for a while

    @property
    def path(self) -> str:
        """Port that the host opens.

        The name survives plugging in again.
        """
        return self._end.path

    @property
    def lamps(self) -> dict[str, tuple[int, int, int]]:
        """Each station's lamp colour (red, green, blue, 0 to 255)."""
        return {n: self.chips.strip.colours[s["lamp"]] for n, s in self._stations.items() if "lamp" in s}

    @property
    def tones(self) -> list[int]:
        """Every tone (Hz) that the beeper played."""
        played: list[int] = self.chips.beeper.played
        return played

    @property
    def delivered(self) -> int:
        """Bytes that the board has sent on this connection."""
        return int(self.machine.delivered)

    @property
    def events(self) -> int:
        """Events that the board has queued, over all its boots."""
        return int(self.machine.events + self.machine.app.uplink.events)

    def step(self, now: float) -> None:
        """Run the board up to the host time `now` (s), without waiting for the host."""
        with self._lock:
            self.machine.run(int((now - self._start) * 1e6))

    def await_bytes(self, count: int, patience: float = 1.0) -> bool:
        """Wait until `count` bytes of this connection have reached the board.

        `patience`: longest wait, in seconds of real time, because the kernel delivers over a pty in real time.
        False if they did not come. A lock-step harness calls this after the host's turn.
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
        """Step in a thread every `period` seconds of the clock, until `close`."""

        def loop() -> None:
            while not self._stop.is_set():
                self.step(self.clock.now())
                self.clock.sleep(period)

        self._thread = threading.Thread(target=loop, name="virtual board", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread if there is one, switch the board off, and remove its port."""
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
        """Put the cable back: the port appears again.

        `reset`: True: the board boots; False: it kept its power, and only the port is new.
        """
        with self._lock:
            self._end.plug()
            if reset:
                self.machine.boot(_machine.POWER_ON)
            else:
                self.machine.keep_power()

    def reset(self) -> None:
        """Press the reset button: the port disappears for a moment, and the board boots."""
        with self._lock:
            self._end.unplug()
            self._end.plug()
            self.machine.boot(_machine.RESET)

    def _do(self, what: str, *args: object) -> None:
        with self._lock:
            getattr(self.machine, what)(*args)
