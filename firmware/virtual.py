"""A virtual board: the board's own code against chip models, on a pty or a pipe in memory."""

import importlib
import threading
import time
from collections.abc import Iterable
from typing import Any

from companion.clock import Clock, ManualClock
from firmware.chips.world import Chance, ModelTime
from firmware.virtual_hal import Chips, VirtualHal
from firmware.virtual_port import BoardEnd, PtyEnd

# Loaded by name: the board's code is untyped MicroPython.
DEFAULT_RIG: dict[str, Any] = importlib.import_module("firmware.board.rig").DEFAULT_RIG
_App: Any = importlib.import_module("firmware.board.app").App

GIVE_UP_US = 500_000
POWER_ON, RESET = 1, 3


class VirtualBoard:
    """A Pico with its rig, made of software.

    Call `step(now)` from a loop, or `run_in_thread()`. `path` is the port for the host (with `end` a
    `MemoryEnd`, give its `open` to the link as opener). `chips` holds the models by station name, to
    set their noise and faults. Inputs are physical: grams, tags, fingers. KeyError names a station
    that lacks the part.
    """

    def __init__(
        self,
        rig: dict[str, Any] = DEFAULT_RIG,
        clock: Clock | None = None,
        seed: int = 0,
        *,
        end: BoardEnd | None = None,
    ) -> None:
        self.rig = rig
        self.clock: Clock = clock if clock is not None else ManualClock()
        self.bytes_written = 0
        self.bytes_read = 0
        self.delivered = 0
        self.taken = 0
        self.cut_writes = 0
        self._chance = Chance(seed)
        self._time = ModelTime()
        self._start = self.clock.now()
        self.chips = Chips(rig, self._time, self._chance)
        self._stations = {station["name"]: station for station in rig["stations"]}
        self._end = end if end is not None else PtyEnd()
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._blocked_since: int | None = None
        self._stalled_until = 0
        self._flip_rate = 0.0
        self._bits_to_flip = 0
        self._powered = True
        self._crashed = False
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._end.plug()
        self._boot(POWER_ON)

    @property
    def path(self) -> str:
        """What the host opens; stays the same when the board is plugged in again."""
        return self._end.path

    @property
    def lamps(self) -> dict[str, tuple[int, int, int]]:
        """Colour of each station's lamp as (red, green, blue), 0..255."""
        return {n: self.chips.strip.colours[s["lamp"]] for n, s in self._stations.items() if "lamp" in s}

    @property
    def tones(self) -> list[int]:
        """Every tone the beeper played, in Hz."""
        return self.chips.beeper.played

    def step(self, now: float) -> None:
        """Run the board up to the host time `now`; never waits for the host."""
        with self._lock:
            target = int((now - self._start) * 1e6)
            model = self._time
            while model.us < target:
                if not self._powered or self._crashed:
                    model.us = target
                elif self._flush():
                    wait = self._app.step()
                    model.us = max(min(model.us + wait, target), model.us + 1)
                else:
                    self._wait_for_host(target)
            self._flush()

    def await_bytes(self, count: int, patience: float = 1.0) -> bool:
        """Wait (real time, at most `patience` seconds) until `count` bytes of this connection have come.

        The kernel carries bytes over a pty in its own time: a lock-step harness calls this after the
        host's turn with the number it wrote, and has the host read until it has `delivered` bytes.
        False when they did not come.
        """
        limit = time.monotonic() + patience
        while True:
            with self._lock:
                self._listen()
                if self.taken >= count or not self._end.host_there():
                    return self.taken >= count
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
            self._powered = False
            self._end.close()

    def place_tag(self, station: str, uid: bytes, *, well: bool = True) -> None:
        """Lay a tag of 4, 7 or 10 bytes on a reader; badly placed ones are never heard."""
        with self._lock:
            self.chips.readers[station].place(uid).well_placed = well

    def lift_tag(self, station: str, uid: bytes) -> None:
        """Take it away; ValueError when it is not there."""
        with self._lock:
            self.chips.readers[station].lift(uid)

    def set_weight(self, station: str, grams: float) -> None:
        """All that rests on a load cell, in grams."""
        with self._lock:
            self.chips.cells[station].grams = grams

    def touch(self, station: str, pressed: bool) -> None:
        """A finger on an electrode, or not."""
        with self._lock:
            self.chips.touch.touched[self._stations[station]["touch"]] = pressed

    def press_button(self, station: str, pressed: bool) -> None:
        """A finger on a button, or not."""
        with self._lock:
            where = self._stations[station]["button"]
            if "touch_chip" in where:
                self.chips.touch.closed[where["touch_chip"]] = pressed
            else:
                self.chips.buttons[station].press(pressed)

    def press_texture(self, station: str, pattern: Iterable[Iterable[float]] | None) -> None:
        """16 rows of 16 pressures 0..1 on a matrix, or None for nothing."""
        cells = [0.0] * 256 if pattern is None else [float(cell) for row in pattern for cell in row]
        with self._lock:
            self.chips.matrices[station].press(cells)

    def unplug(self) -> None:
        """Pull the cable: the port vanishes, the board loses power."""
        with self._lock:
            self._end.unplug()
            self._powered = False
            self._outbox.clear()
            self.delivered = self.taken = 0

    def plug(self, *, reset: bool = True) -> None:
        """Put the cable back. Without `reset` the board kept its power and only the port is new."""
        with self._lock:
            self._end.plug()
            self._powered = True
            if reset:
                self._boot(POWER_ON)

    def reset(self) -> None:
        """The reset button: the port vanishes for a moment, a new boot follows."""
        with self._lock:
            self._end.unplug()
            self._end.plug()
            self._boot(RESET)

    def crash(self, traceback: str) -> None:
        """The program ends in a traceback and the prompt, on the same port."""
        with self._lock:
            self._crashed = True
            text = f"Traceback (most recent call last):\r\n{traceback}\r\n"
            self._write(text.encode() + b"MicroPython v1.24.1; Raspberry Pi Pico with RP2040\r\n>>> ")
            self._flush()

    def flip_bits(self, rate: float) -> None:
        """From now on each bit on the line, either way, is wrong with probability `rate`."""
        with self._lock:
            self._flip_rate = rate
            self._draw_flip()

    def stall(self, seconds: float) -> None:
        """The line takes nothing for `seconds` of board time."""
        with self._lock:
            self._stalled_until = self._time.us + int(seconds * 1e6)

    def _boot(self, cause: int) -> None:
        self._outbox.clear()
        self._inbox.clear()
        self.delivered = self.taken = 0
        self._blocked_since = None
        self._crashed = False
        hal = VirtualHal(self.rig, self._time, self._chance, self.chips, self._read, self._write, cause)
        self._app: Any = _App(hal, self.rig)

    def _read(self) -> bytes:
        if self._time.us < self._stalled_until:
            return b""
        self._listen()
        data = bytes(self._inbox)
        self._inbox.clear()
        return self._damage(data)

    def _listen(self) -> None:
        if not self._end.host_there():
            self.delivered = self.taken = 0
        data = self._end.read()
        self.bytes_read += len(data)
        self.taken += len(data)
        self._inbox += data

    def _write(self, data: bytes) -> None:
        self._outbox += self._damage(data)
        self._flush()

    def _flush(self) -> bool:
        """Whether the line has taken everything."""
        if self._outbox and not self._end.host_there():
            self._outbox.clear()  # like USB serial without a host: gone
        if self._outbox and self._time.us >= self._stalled_until:
            taken = self._end.write(bytes(self._outbox))
            self.bytes_written += taken
            self.delivered += taken
            del self._outbox[:taken]
        if not self._outbox:
            self._blocked_since = None
            return True
        if self._blocked_since is None:
            self._blocked_since = self._time.us
        return False

    def _wait_for_host(self, target: int) -> None:
        """A write blocks the program for half a second at most, then the rest of it is lost."""
        since = self._blocked_since if self._blocked_since is not None else self._time.us
        free = max(self._stalled_until, self._time.us)
        self._time.us = min(target, since + GIVE_UP_US, free if free > self._time.us else target)
        if self._time.us >= since + GIVE_UP_US and not self._flush():
            self._outbox.clear()
            self._blocked_since = None
            self.cut_writes += 1

    def _damage(self, data: bytes) -> bytes:
        if not self._flip_rate or not data:
            return data
        out = bytearray(data)
        while self._bits_to_flip < len(out) * 8:
            out[self._bits_to_flip // 8] ^= 1 << self._bits_to_flip % 8
            ahead = self._bits_to_flip
            self._draw_flip()
            self._bits_to_flip += ahead + 1
        self._bits_to_flip -= len(out) * 8
        return bytes(out)

    def _draw_flip(self) -> None:
        """Bits until the next wrong one; uniform around the mean is random enough."""
        if self._flip_rate:
            self._bits_to_flip = int(self._chance.random() * 2 / self._flip_rate)
