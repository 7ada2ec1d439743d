"""Address under which a table is served, beside the engine's socket."""

import contextlib
import os
from pathlib import Path

from companion.core.errors import BadInputError
from companion.core.files import read_start
from companion.core.language import text
from companion.core.printable import printable


class ServedAddress:
    """File beside an engine's socket, with the addresses of its page for phones, one a line, as long as it is
    served."""

    def __init__(self, engine: Path) -> None:
        self.path = engine.with_name(f"{engine.stem}.address")
        self._written = ""

    def write(self, *addresses: str) -> None:
        """Write the addresses, likeliest first, readable by the owner alone: who has one can open the page.

        BadInputError if something else has the file's name.
        """
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
            file.write("\n".join(addresses))
        self._written = self.read()

    def read(self) -> str:
        """The likeliest address. "" if no page is served."""
        try:
            return printable(self.path.read_text(encoding="utf-8").partition("\n")[0][:200])
        except (OSError, UnicodeDecodeError):
            return ""

    def remove(self) -> None:
        """Delete the file, unless another server has written it since."""
        if self.read() != self._written:
            return
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()


def code_rows(address: str, scale: int = 1) -> list[str]:
    """An address as a QR code of half blocks, as lines of text: white squares are drawn, dark ones left blank.

    `scale`: columns, and half rows, for each square of the code.
    """
    import segno

    made = segno.make(address, error="l", micro=False)
    halves = [[not dark for dark in row] for row in made.matrix_iter(scale=scale, border=2)]
    if len(halves) % 2:
        halves.append([True] * len(halves[0]))  # the border is bright to its end
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return [
        "".join(blocks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(halves[::2], halves[1::2], strict=True)
    ]
