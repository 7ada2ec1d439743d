"""How far a resumed journal is read: a number in a file beside the engine's socket, for a screen that waits."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.core.files import read_start

_T = TypeVar("_T")


def noting(engine: Path) -> Callable[[Sequence[_T]], Iterator[_T]]:
    """A function that hands out lines one by one and notes how many per cent it has. `engine`: socket of the
    engine, which is not there yet."""
    file = _file(engine)
    ours = not file.exists() or (read_start(file) or b"").isdigit()

    def along(lines: Sequence[_T]) -> Iterator[_T]:
        noted = -1
        try:
            for number, line in enumerate(lines):
                percent = 100 * number // len(lines)
                if percent != noted and ours:
                    # A disk without room delays no game.
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
    """How much of its journal the engine with this socket has read (per cent); None while it reads none."""
    try:
        return int(_file(engine).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _file(engine: Path) -> Path:
    return engine.with_suffix(".progress")
