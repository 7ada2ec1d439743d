"""A virtual board in another process: the board's own code in real MicroPython, on node."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Self

from companion.core.clock import Clock, ManualClock
from companion.core.errors import SourceError
from firmware.flashing.manifest import code_hash
from firmware.simulator.virtual_board import DEFAULT_RIG, BoardInputs
from firmware.simulator.virtual_port import BoardEnd, MemoryEnd, PtyEnd

_WASM = Path(__file__).parent
_ROOT = _WASM.parents[1]
_ROOM = 4096
POWER_ON, RESET = 1, 3


def missing() -> str:
    """Why boards in MicroPython cannot run here, in words; "" if they can."""
    if shutil.which("node") is None:
        return "node is not installed (sudo apt install nodejs npm)"
    if not (_WASM / "node_modules" / "@micropython").is_dir():
        return "MicroPython for node is not installed (make dev installs it)"
    return ""


class WasmBoard(BoardInputs):
    """Like `firmware.simulator.virtual_board.VirtualBoard`, with the machine in MicroPython.

    In lock step its bytes travel over `end`. With `live`, the board itself holds the board's end of a pty and
    runs in real time during `live(...)`. SourceError if node or MicroPython is missing or dies.
    """

    def __init__(
        self,
        rig: dict[str, Any] = DEFAULT_RIG,
        clock: Clock | None = None,
        seed: int = 0,
        *,
        end: BoardEnd | None = None,
        on_pty: bool = False,
    ) -> None:
        problem = missing()
        if problem:
            raise SourceError(
                problem,
                where="tests/wasm",
                next_step="install it, or use the virtual board",
            )
        self.rig = rig
        self.clock: Clock = clock if clock is not None else ManualClock()
        self.delivered = 0
        self.events = 0
        self._taken = 0
        self._start = self.clock.now()
        self._pty = PtyEnd() if on_pty else None
        self._end: BoardEnd = self._pty or end or MemoryEnd()
        self._end.plug()
        self._unsent = b""
        self._fetched = b""
        line = [str(self._pty.fileno())] if self._pty else []
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            ["node", str(_WASM / "board.mjs"), str(_ROOT), *line],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[self._pty.fileno()] if self._pty else (),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._ask("make", rig, seed, code_hash(), on_pty)
        self._ask("input", "boot", [POWER_ON, 0])  # it has been on the table for a while

    @property
    def path(self) -> str:
        """What the host opens."""
        return self._end.path

    @property
    def lamps(self) -> dict[str, tuple[int, int, int]]:
        """Colour of each station's lamp as (red, green, blue), 0..255."""
        colours = self._ask("lamps")
        lamps = {s["name"]: s["lamp"] for s in self.rig["stations"] if "lamp" in s}
        return {name: tuple(colours[lamp]) for name, lamp in lamps.items()}

    def step(self, now: float) -> None:
        """Run the board up to the host time `now`."""
        self._exchange(int((now - self._start) * 1e6))

    def await_bytes(self, count: int, patience: float = 1.0) -> bool:
        """In memory everything is there at once: fetch it, and return whether `count` bytes have come."""
        self._fetched += self._end.read()
        return self._taken + len(self._fetched) >= count

    def reset(self) -> None:
        """The reset button: the port disappears for a moment, and the board boots."""
        self.unplug()
        self._end.plug()
        self._ask("input", "boot", [RESET])

    def unplug(self) -> None:
        """Pull the cable: the port disappears, and the board loses power."""
        self._end.unplug()
        self._unsent = self._fetched = b""
        self._ask("input", "cut_power", [])

    def plug(self, *, reset: bool = True) -> None:
        """Put the cable back. Without `reset` the board kept its power and only the port is new."""
        self._end.plug()
        self._ask("input", *(("boot", [POWER_ON]) if reset else ("keep_power", [])))

    def encode(self, kind: int, flags: int, seq: int, ack: int, payload: bytes) -> bytes:
        """A frame encoded by the board's own codec."""
        return bytes.fromhex(self._ask("encode", kind, flags, seq, ack, payload.hex())[0])

    def decode(self, data: bytes) -> list[tuple[int, int, int, int, bytes]]:
        """All frames that the board's own decoder finds in `data`."""
        found = self._ask("decode", data.hex())
        return [(kind, flags, seq, ack, bytes.fromhex(load)) for kind, flags, seq, ack, load in found]

    def live(self, seconds: float, stimuli: list[tuple[float, str, list[Any]]]) -> None:
        """Start to run in real time for `seconds`, with inputs at their times; `lived` ends it."""
        self._say("live", seconds, stimuli)

    def lived(self) -> Any:
        """Wait for the end of what was started. Returns its answer."""
        return self._answer()

    def flood(self, count: int) -> None:
        """Start to send `count` samples as fast as possible; `lived` returns the microseconds needed."""
        self._say("flood", count)

    def steady(self, cycles: int) -> tuple[int, str]:
        """Run the app's step with the heap locked. Returns how many steps succeeded, and what stopped them."""
        done, problem = self._ask("steady", cycles)
        return int(done), str(problem)

    def close(self) -> None:
        """End the process and remove the port."""
        self._to.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from.close()
        self._end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, what: str, *args: object) -> None:
        plain = [{"hex": arg.hex()} if isinstance(arg, bytes) else arg for arg in args]
        self._ask("input", what, plain)

    def _exchange(self, until_us: int) -> None:
        there = self._end.host_there()
        if self._unsent:
            self._unsent = self._unsent[self._end.write(self._unsent) :]
        data = self._fetched + self._end.read()
        self._fetched = b""
        room = 0 if self._unsent else _ROOM
        counts = self._ask("run", until_us, there, room, data.hex())
        self.delivered, self._taken, self.events, sent = counts
        if sent:
            self._unsent = bytes.fromhex(sent)
            self._unsent = self._unsent[self._end.write(self._unsent) :]

    def _ask(self, *words: Any) -> Any:
        self._say(*words)
        return self._answer()

    def _say(self, *words: Any) -> None:
        try:
            self._to.write(json.dumps(words).encode() + b"\n")
            self._to.flush()
        except OSError as error:
            raise self._died() from error

    def _answer(self) -> Any:
        line = self._from.readline()
        if not line:
            raise self._died()
        answer = json.loads(line)
        if answer and answer[0] == "error":
            raise _ERRORS.get(answer[1], RuntimeError)(answer[2])
        return answer

    def _died(self) -> SourceError:
        return SourceError(
            "MicroPython on node ended by itself",
            where="tests/wasm/board.mjs",
            next_step="run it by hand to see why",
        )


_ERRORS: dict[str, type[Exception]] = {
    "KeyError": KeyError,
    "ValueError": ValueError,
    "AttributeError": AttributeError,
}
