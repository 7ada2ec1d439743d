"""An engine's replay progress, in a file for waiting screens.

The file lies beside the engine's socket and holds a percentage.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.core.files import read_start

_T = TypeVar("_T")


def noting(engine: Path) -> Callable[[Sequence[_T]], Iterator[_T]]:
    """Make a function that yields journal lines, and writes the percentage yielded into a file for screens.

    `engine`: path of the engine's future socket, beside which the file lies. Nothing is written on a full
    disk, or over another program's file.
    """
    file = _file(engine)
    ours = not file.exists() or (read_start(file) or b"").isdigit()

    def along(lines: Sequence[_T]) -> Iterator[_T]:
        noted = -1
        try:
            for number, line in enumerate(lines):
                percent = 100 * number // len(lines)
                if percent != noted and ours:
                    # A full disk delays no game.
                    with suppress(OSError):
                        file.write_text(str(percent), encoding="ascii")
                    noted = percent
                yield line
        finally:
            with suppress(OSError):
                if ours:
                    file.unlink(missing_ok=True)

    return along


def percent_read(engine: Path) -> int | None:
    """Share (per cent) of a journal that a resuming engine has replayed; None if no engine resumes.

    `engine`: path of the engine's socket.
    """
    try:
        return int(_file(engine).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _file(engine: Path) -> Path:
    return engine.with_suffix(".progress")
