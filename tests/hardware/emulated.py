"""The tests' hold on an emulated Pico: its process, its port, and a clock that goes as its own does."""

import importlib.util
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parents[2]
STUCK = 30.0
"""Real seconds in which an emulator that works gets somewhere, even on a busy machine."""
LOOK_EVERY = 0.002
USB_LIMIT = 5.0
"""Emulated seconds in which MicroPython has long brought its port up."""


def missing() -> str:
    """What keeps Picos from being emulated here, in words; "" when nothing does."""
    if importlib.util.find_spec("rp2040py") is None:
        return "the emulator is not installed (.venv/bin/pip install rp2040py)"
    return ""


class EmulatedClock:
    """The board's own seconds since power came, as a clock for the host: a slow emulator makes nobody late."""

    def __init__(self, path: Path, process: "subprocess.Popen[str]") -> None:
        self._fd = os.open(path, os.O_RDONLY)
        self._process = process

    def now(self) -> float:
        (seconds,) = struct.unpack("<d", os.pread(self._fd, 8, 0))
        return float(seconds)

    def sleep(self, seconds: float) -> None:
        """RuntimeError when the emulator ended or hangs."""
        seen = self.now()
        until = seen + seconds
        stuck_at = time.monotonic() + STUCK
        while (now := self.now()) < until:
            if self._process.poll() is not None:
                raise RuntimeError("the emulator ended by itself")
            if now > seen:
                seen, stuck_at = now, time.monotonic() + STUCK
            elif time.monotonic() > stuck_at:
                raise RuntimeError(f"the emulator hangs, {now:.3f} s after power came")
            time.sleep(LOOK_EVERY)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._fd)


class EmulatedPico:
    """Under power while used as a context. `path` is its port, which is there once USB is up."""

    def __init__(self, uf2: Path) -> None:
        self._uf2 = uf2
        self._folder = tempfile.TemporaryDirectory(prefix="pico-")

    def __enter__(self) -> Self:
        file = Path(self._folder.name) / "clock"
        file.write_bytes(struct.pack("<d", 0.0))
        command = [sys.executable, "-m", "tests.hardware.rp2040", str(self._uf2), str(file)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self._process.stdout is not None
        self.path = self._process.stdout.readline().strip()
        self.clock = EmulatedClock(file, self._process)
        try:
            self._await_port()
        except RuntimeError:
            self.close()
            raise
        return self

    def _await_port(self) -> None:
        while not self.path or not Path(self.path).exists():
            if not self.path or self.clock.now() > USB_LIMIT:
                what = f"{self._uf2} shows no USB serial port"
                raise RuntimeError(f"{what}: is it MicroPython 1.24 or newer for the Pico (RP2040)?")
            self.clock.sleep(0.01)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the power away."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.clock.close()
        self._folder.cleanup()

    def put_weight(self, bed: int, grams: float) -> None:
        """On the load cell of a bed, 1 to 5."""
        self._tell("grams", [bed, grams])

    def touch(self, electrode: int, finger: bool) -> None:
        """A finger on an electrode of 20 pF adds 1.8 pF; False takes it away."""
        self._tell("touch", [electrode, finger])

    def press(self, cells: list[float]) -> None:
        """256 pressures 0..1 on the pad's matrix, row by row."""
        self._tell("press", cells)

    def clear(self) -> None:
        """Take everything off the table, and every finger away."""
        for bed in range(1, 6):
            self.put_weight(bed, 0.0)
        for electrode in range(6):
            self.touch(electrode, False)
        self.press([0.0] * 256)

    def _tell(self, what: str, value: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([what, value]) + "\n")
