"""Boards to flash: MicroPython's own prompt in node behind a pty, a Pico's modules, a folder as flash."""

import os
import pty
import shutil
import subprocess
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

HERE = Path(__file__).parent
WASM = HERE.parent / "wasm"


def need_wasm() -> None:
    """Skip with a line, or fail where it must be there."""
    missing = ""
    if shutil.which("node") is None:
        missing = "node is not installed"
    elif not (WASM / "node_modules" / "@micropython").is_dir():
        missing = "MicroPython for node is missing: npm ci --prefix tests/wasm"
    if missing and os.environ.get("COMPANION_REQUIRE_WASM"):
        pytest.fail(missing)
    if missing:
        pytest.skip(f"MicroPython for node: {missing}")


class FlashableBoard:
    """Plugged in while used as a context. `cut` pulls the plug after so many bytes; `room` bytes fit it."""

    def __init__(self, flash: Path, *, cut: int | None = None, room: int | None = None) -> None:
        self.flash = flash
        self.path = ""
        self._options = [["--cut", cut], ["--room", room]]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self.path = os.ttyname(slave)
        command = ["node", str(WASM / "repl.mjs"), str(master), str(self.flash), str(HERE / "fake_machine.py")]
        for name, value in self._options:
            command += [] if value is None else [str(name), str(value)]
        self._process = subprocess.Popen(command, pass_fds=[master], stdout=subprocess.PIPE)
        os.close(master)
        os.close(slave)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, sign: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.communicate(timeout=1)
            except subprocess.TimeoutExpired:  # a running program hears no signal; its files are saved
                self._process.kill()
                self._process.communicate()
