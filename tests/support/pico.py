"""The board's main program on CPython, on a chip whose modules obey the real ones' rules, in model time."""

import builtins
import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.fake_machine import RP2040, BoardReset, Chip, Sys, modules

BOARD = Path(__file__).parents[2] / "firmware" / "board"


class World:
    """Time and the USB port of one chip. `at` calls things at a time; `sent` is what the board wrote."""

    def __init__(self) -> None:
        self.now = 0
        self.incoming = bytearray()
        self.sent = bytearray()
        self.free = 1 << 30  # bytes the host takes
        self.chip: Any = None
        self._later: list[tuple[int, Callable[[], None]]] = []

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        self._later.append((int(seconds * 1e6), action))
        self._later.sort(key=lambda entry: entry[0])

    def type(self, data: bytes) -> None:
        """Bytes from the host; a keyboard interrupt empties the ring, as on the real one."""
        self.incoming += data
        if self.chip.interrupt >= 0 and self.chip.interrupt in data:
            self.incoming.clear()
            raise KeyboardInterrupt

    def us(self) -> int:
        self.now += 1
        return self.now

    def sleep_us(self, count: int) -> None:
        until = self.now + count
        while self._later and self._later[0][0] <= until:
            when, action = self._later.pop(0)
            self.now = max(self.now, when)
            action()
        self.now = max(self.now, until)

    def poll(self) -> bool:
        return bool(self.incoming)

    def read(self) -> int:
        return self.incoming.pop(0)

    def room(self) -> int:
        return self.free

    def write(self, data: bytes) -> None:
        self.sent += data
        self.free -= len(data) if self.free < 1 << 30 else 0

    def reset(self) -> None:
        self.incoming.clear()

    @property
    def seconds(self) -> float:
        return self.now / 1e6


class PicoBoard:
    """Power it with `start`; the current directory is its flash. `app` replaces the app class if given."""

    def __init__(self, kind: str = RP2040, app: Any = None) -> None:
        self.world = World()
        self.chip: Any = Chip(self.world, kind)
        self.world.chip = self.chip
        self.ends: list[str] = []
        self._app = app
        self._fakes: dict[str, Any] = {}

    def hal(self, rig: dict[str, Any]) -> Any:
        """A PicoHal alone."""
        self._world_of_modules()
        return self._pico().PicoHal(rig)

    def pico(self) -> Any:
        """The module firmware.board.hal.pico."""
        self._world_of_modules()
        return self._pico()

    def start(self, starts: int = 20) -> list[str]:
        """Run from power-on until the prompt, or through so many starts; how each of them ended."""
        for _ in range(starts):
            self.chip.start()
            self.ends.append(self._run_main())
            if self.ends[-1] == "prompt":
                break
        return self.ends

    def text(self) -> str:
        return self.world.sent.decode("latin-1")

    def _run_main(self) -> str:
        self._world_of_modules()
        try:
            self._execute(BOARD / "main.py", "__main__")
        except BoardReset as reset:
            return f"reset {reset.args[0]}"
        except KeyboardInterrupt:
            return "interrupted"
        return "prompt"

    def _world_of_modules(self) -> None:
        self._fakes = dict(modules(self.chip))
        self._fakes["sys"] = Sys(self.chip, sys, self._print_exception)

    def _execute(self, path: Path, name: str) -> dict[str, Any]:
        space = {
            "__name__": name,
            "__builtins__": vars(builtins) | {"__import__": self._import, "print": self._print},
        }
        exec(compile(path.read_text(), str(path), "exec"), space)
        return space

    def _pico(self) -> Any:
        if "pico" not in self._fakes:
            space = self._execute(BOARD / "hal" / "pico.py", "firmware.board.hal.pico")
            self._fakes["pico"] = type("pico", (), {})
            for name, value in space.items():
                setattr(self._fakes["pico"], name, staticmethod(value) if callable(value) else value)
        return self._fakes["pico"]

    def _import(self, name: str, space: Any = None, local: Any = None, names: Any = (), level: int = 0) -> Any:
        if name in self._fakes:
            return self._fakes[name]
        if name == "firmware.board.hal" and names == ("pico",):
            return type("hal", (), {"pico": self._pico()})
        if name == "firmware.board.app" and self._app is not None:
            return type("app", (), {"App": self._app})
        return importlib.__import__(name, space, local, names, level)

    def _print(self, *words: object) -> None:
        self.world.write((" ".join(map(str, words)) + "\r\n").encode())

    def _print_exception(self, error: BaseException, file: Any = None) -> None:
        lines = traceback.format_exception(error)
        text = "".join(lines)
        if file is not None:
            file.write(text)
        else:
            self._print(text)
