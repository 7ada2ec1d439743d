"""MicroPython's prompt on a port, driven by mpremote.

What runs is interrupted first.
"""

import ast
import errno
import io
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from firmware.clock import Clock
from firmware.errors import BoardError
from firmware.host.ports import Port, SerialPort, explain
from firmware.reasons import BoardSays, CannotReach, OddPrompt, Reason, SenselessAnswer, Simple
from firmware.wire.codec import EXIT, HELLO, Decoder, encode

INTERRUPT_EVERY_S = 0.3  # between two Ctrl-C: a guess
PATIENCE_S = 15.0
"""Longest time (s) to reach the prompt.
A hung program needs 8 s to be reset, and its window for Ctrl-C is 1.5 s long."""
HINT_AFTER_S = 3.0  # time after which the user is told to plug the board in again: a guess
ANSWER_LIMIT_S = 10.0  # longest time for one answer of the prompt: a guess
CHUNK_BYTES = 512  # bytes of a file written at once: a guess

_ABOUT = """
import os, sys
try:
    s = os.statvfs("/")
    free = s[0] * s[3]
except OSError:
    free = -1
i = sys.implementation
print(repr((sys.platform, tuple(i.version[:3]), getattr(i, "_machine", ""), free)))
"""
_WALK = """
import os, binascii
def walk(d):
    for e in os.ilistdir(d):
        p = d + "/" + e[0]
        if e[1] & 0x4000:
            print(repr((p, None, 0)))
            walk(p)
        else:
            show(p)
def show(p):
    c = n = 0
    with open(p, "rb") as f:
        while True:
            b = f.read(512)
            if not b:
                break
            c = binascii.crc32(b, c)
            n += len(b)
    print(repr((p, c & 0xFFFFFFFF, n)))
for p in {roots}:
    try:
        if os.stat(p)[0] & 0x4000:
            walk(p)
        else:
            show(p)
    except OSError as e:
        if e.args[0] != 2 and e.args[0] != 44:
            raise
"""


@dataclass(frozen=True, slots=True)
class BoardAbout:
    """Identity of the board at a prompt.

    `platform`: MicroPython's `sys.platform`, "rp2" on a Pico. `version`: MicroPython's, three numbers.
    `machine`: MicroPython's name of the board. `free_bytes`: free room of its file system; None if unknown.
    """

    platform: str
    version: tuple[int, ...]
    machine: str
    free_bytes: int | None

    @property
    def micropython(self) -> str:
        """MicroPython's version as "1.24.1"."""
        return ".".join(str(number) for number in self.version)


@dataclass(frozen=True, slots=True)
class BoardFile:
    """File or folder on a board.

    `crc`: CRC-32 of the content; None for a folder. `size`: in bytes, 0 for a folder.
    """

    crc: int | None
    size: int


def reach_prompt(path: str, clock: Clock, tell: Callable[[Reason | str], None]) -> None:
    """Interrupt what runs on a port until its prompt shows.

    `tell` gets one hint after HINT_AFTER_S (s). BoardError after PATIENCE_S (s) without a prompt.
    """
    until, hint = clock.now() + PATIENCE_S, clock.now() + HINT_AFTER_S
    problem: Reason = Simple.NO_PROMPT
    port: Port | None = None
    try:
        while clock.now() < until:
            try:
                if port is None:
                    port = SerialPort(path)
                if _interrupted(port, clock):
                    return
            except OSError as error:
                # During a reset the port is away for a moment. Its permissions are set later still.
                problem = explain(error)
                if port is not None:
                    port.close()
                    port = None
                clock.sleep(INTERRUPT_EVERY_S)
            if clock.now() > hint:
                tell(Simple.NO_PROMPT_YET)
                hint = float("inf")
        raise BoardError(problem, path)
    finally:
        if port is not None:
            port.close()


def _interrupted(port: Port, clock: Clock) -> bool:
    """Try once to interrupt; True if the prompt shows.

    Our own program hears no Ctrl-C once it runs, so it is sent EXIT when it says HELLO.
    """
    text, decoder = b"", Decoder()
    port.write(b"\r\x03\x02")  # Ctrl-B leaves a raw prompt that somebody left behind
    until = clock.now() + INTERRUPT_EVERY_S
    while clock.now() < until:
        heard = port.read()
        text += heard
        if text.endswith(b">>> "):
            return True
        if any(frame[0] == HELLO for frame in decoder.feed(heard)):
            port.write(encode(EXIT))
        clock.sleep(0.02)
    return False


class Repl:
    """Raw prompt of a board on port `path`; use it in a `with` block.

    Entering resets MicroPython's interpreter. BoardError for every fault of port or board.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._module: Any = import_module("mpremote.transport_serial")
        self._transport: Any = None

    def __enter__(self) -> Self:
        with self._explained():
            self._transport = self._module.SerialTransport(self._path)
            # The default timeout is infinite, but a cable can be pulled at any byte.
            self._transport.serial.timeout = self._transport.serial.write_timeout = ANSWER_LIMIT_S
            self._transport.enter_raw_repl(soft_reset=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._transport is not None:
            with suppress(OSError):
                self._transport.close()
            with suppress(OSError):
                self._transport.serial.close()
            self._transport = None

    def about(self) -> BoardAbout:
        """Ask the board for its identity."""
        platform, version, machine, free = self._read(_ABOUT)[0]
        return BoardAbout(platform, tuple(version), machine, free if free >= 0 else None)

    def files(self, *roots: str) -> dict[str, BoardFile]:
        """List files and folders below `roots`: path -> file, with checksums made by the board.

        A root is a file or folder. A root that does not exist is left out.
        """
        lines = self._read(_WALK.replace("{roots}", repr(list(roots))))
        return {path: BoardFile(crc, size) for path, crc, size in lines}

    def write(self, path: str, data: bytes) -> None:
        """Write `data` to the file `path`, and make its folders.

        BoardError if the board is full.
        """
        folder = ""
        for part in path.split("/")[:-1]:
            folder = f"{folder}/{part}" if folder else part
            self._run(f"import os\ntry:\n os.mkdir({folder!r})\nexcept OSError:\n pass")
        with self._explained(path):
            self._transport.fs_writefile(path, data, chunk_size=CHUNK_BYTES)

    def remove(self, path: str, *, folder: bool = False) -> None:
        """Remove a file, or with `folder` an empty folder.

        BoardError if it does not exist.
        """
        self._run(f"import os\nos.{'rmdir' if folder else 'remove'}({path!r})", path)

    def read(self, path: str) -> bytes:
        """Read a whole small file; BoardError without it."""
        with self._explained(path):
            return bytes(self._transport.fs_readfile(path))

    def restart(self) -> None:
        """Reset the board; its program starts, and the prompt ends."""
        # The next program on this port may send a byte 3 at once. That must not cancel the reset.
        code = "import machine, micropython, time\nmicropython.kbd_intr(-1)\nprint('off')\n"
        code += "time.sleep_ms(100)\nmachine.reset()"
        with suppress(BoardError), self._explained():
            self._transport.exec_raw_no_follow(code)
            self._transport.read_until(1, b"off")

    def enter_boot_loader(self) -> None:
        """Restart into the boot loader, which shows a drive for a UF2 file. The port goes away."""
        with suppress(BoardError), self._explained():
            self._transport.exec_raw_no_follow("import machine\nmachine.bootloader()")

    def _read(self, code: str) -> list[Any]:
        """Run code on the board that prints Python literals, and return one value per line.

        BoardError if a line is no literal.
        """
        text = self._run(code).decode()
        try:
            return [ast.literal_eval(line) for line in text.splitlines() if line]
        except (ValueError, SyntaxError):
            raise BoardError(SenselessAnswer(text[:60]), self._path) from None

    def _run(self, code: str, about: str = "") -> bytes:
        """Run code on the board, and return what it prints.

        `about`: file that it concerns, for errors.
        """
        with self._explained(about):
            return bytes(self._transport.exec(code))

    @contextmanager
    def _explained(self, about: str = "") -> Iterator[None]:
        """Turn mpremote's errors into BoardError within a `with` block, and silence its output.

        `about`: file that the block concerns, for errors.
        """
        where = f"{self._path}: {about}" if about else self._path
        try:
            with redirect_stdout(io.StringIO()):
                yield
        except self._module.TransportExecError as error:
            said = str(error.error_output).strip().splitlines()
            code = re.search(r"OSError: (?:\[Errno )?(\d+)", said[-1] if said else "")
            if code and int(code[1]) == errno.ENOSPC:
                raise BoardError(Simple.BOARD_FULL, where) from None
            raise BoardError(BoardSays(said[-1]) if said else Simple.BOARD_SAYS_ERROR, self._path) from None
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise BoardError(Simple.BOARD_FULL, where) from None
            raise BoardError(CannotReach(explain(error)), where) from None
        except (self._module.TransportError, struct.error, ValueError, TypeError) as error:
            raise BoardError(OddPrompt(str(error)), self._path) from None
