"""The address under which a table is served: found out, and left beside the engine's socket for its screens."""

import contextlib
import io
import os
import socket
from pathlib import Path

from companion.core.errors import BadInputError
from companion.core.files import read_start
from companion.core.language import text
from companion.core.printable import printable


class ServedAddress:
    """A file beside an engine's socket that has the address as long as it is served."""

    def __init__(self, engine: Path) -> None:
        self.path = engine.with_name(f"{engine.stem}.address")
        self._written = ""

    def write(self, address: str) -> None:
        """Say that it is served. The file is readable by its owner alone: the address is a key."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = read_start(self.path)
        if before and not before.startswith(b"http"):
            raise BadInputError(
                text("a file of that name is there"),
                where=printable(str(self.path)),
                next_step=text("choose another --socket"),
            )
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
        with os.fdopen(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(address)
        self._written = self.read()

    def read(self) -> str:
        """The address; empty if it is not served."""
        try:
            return printable(self.path.read_text(encoding="utf-8")[:200])
        except (OSError, UnicodeDecodeError):
            return ""

    def remove(self) -> None:
        """It is served no more. The address of another server stays."""
        if self.read() != self._written:
            return
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()


def code_rows(address: str) -> list[str]:
    """The address as a QR code of half blocks, to be written white on black: its dark modules are blank."""
    import segno

    out = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(out, compact=True, border=2)
    *rows, lowest = out.getvalue().splitlines()
    # The border is bright to its end, although its last row may be half a row of letters.
    return [*rows, lowest.replace("▀", "█")]


def home_address(bound: str) -> str:
    """This machine's address on the home network; `bound` itself if it is one."""
    if bound not in ("", "0.0.0.0", "::"):
        return f"[{bound}]" if ":" in bound else bound
    # Nothing is sent: the system only chooses the address it would send from.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "127.0.0.1"
