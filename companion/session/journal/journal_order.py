"""The order in which journals were begun, in a file beside them.

Each journal has a running number there. File times do not tell the newest game: without a network the clock
of a small machine can go back.
"""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.core.config import state_dir
from companion.core.files import read_start
from companion.session.journal.journal import opened_at_start
from companion.session.journal.journal_lines import Opened

ORDER = "written-last"
"""Name of the file with the running numbers of journals. One line each: number, blank, journal's name."""
MOST_BYTES = 1 << 16
"""Longest file of running numbers (bytes), about 2,000 games; it is then cut to its newest lines. A guess."""


def note_begun(journal: Path) -> None:
    """Give a new journal the next running number.

    Without one if the disk refuses.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(journal.with_name(ORDER), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            numbers = _numbers(file.read(2 * MOST_BYTES))
            if not numbers and os.fstat(file.fileno()).st_size:
                return  # another program's file of this name
            numbers[journal.name] = max(numbers.values(), default=0) + 1
            line = f"{numbers[journal.name]} {journal.name}\n".encode()
            if os.fstat(file.fileno()).st_size + len(line) > MOST_BYTES:
                newest = sorted(numbers.items(), key=lambda one: one[1])[-MOST_KEPT:]
                line = "".join(f"{number} {name}\n" for name, number in newest).encode()
                file.truncate(0)
            file.write(line)
            os.fdatasync(file.fileno())


MOST_KEPT = 500
"""Number of newest journals that keep their running number when the file of numbers is cut. A guess."""


def by_writing(journals: Iterable[Path]) -> list[Path]:
    """Sort journals by their running number, the newest first.

    Journals without a number come last, the last changed one first among them.
    """
    numbers: dict[Path, dict[str, int]] = {}
    found = []
    for journal in journals:
        folder = journal.parent
        if folder not in numbers:
            numbers[folder] = _numbers(read_start(folder / ORDER, 2 * MOST_BYTES) or b"")
        with contextlib.suppress(OSError):
            found.append((numbers[folder].get(journal.name, 0), journal.stat().st_mtime, journal))
    return [journal for *_, journal in sorted(found, reverse=True)]


def newest_journal(
    skipped: Callable[[Path, str], object] = lambda _journal, _why: None, *, virtual: bool | None = None
) -> Path | None:
    """Find the journal begun last by this user's engines.

    None if there is none. `virtual`: True: only games at a virtual table; False: only at a real one; None:
    both. `skipped(journal, why)` is called for each newer journal whose first line cannot be read.
    """
    for journal in by_writing((state_dir() / "journals").glob("*.jsonl")):
        opened = opened_at_start(journal)
        if not isinstance(opened, Opened):
            skipped(journal, opened)
        elif virtual in (None, opened.virtual):
            return journal
    return None


def _numbers(written: bytes) -> dict[str, int]:
    """Decode the file of running numbers: journal's name -> number.

    Damaged lines are ignored.
    """
    found: dict[str, int] = {}
    for line in written.decode(errors="replace").splitlines():
        number, blank, name = line.partition(" ")
        if blank and number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER:
            found[name] = int(number)
    return found


LONGEST_NUMBER = 16
"""Number of digits from which a running number counts as damaged. A guess."""
