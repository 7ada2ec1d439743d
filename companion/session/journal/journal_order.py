"""The order in which journals were begun.

A file beside them holds a running number for each. File times do not show the last game: without a network the
clock of a small machine can go back.
"""

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.core.config import state_dir
from companion.core.files import read_start
from companion.session.journal.journal import Opened, opened_at_start

ORDER = "written-last"
"""Name of the file with the order of journals. A line holds a running number, a blank and the journal's
name."""
MOST_BYTES = 1 << 16
"""Longest order file (bytes), about 2,000 games. A longer one is cut to its newest lines. A guess."""


def note_begun(journal: Path) -> None:
    """Give a journal that begins the next running number.

    If the disk refuses, the journal gets none.
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
"""Journals that keep their number when the order file is cut. A guess."""


def by_writing(journals: Iterable[Path]) -> list[Path]:
    """Sort journals, the last begun first.

    Journals without a number follow, the last changed first.
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
    """Find this user's last begun journal; None without any.

    `virtual`: only games at a virtual table (True) or at a real one (False); None: both. `skipped` gets each
    journal whose first line cannot be read, and the reason.
    """
    for journal in by_writing((state_dir() / "journals").glob("*.jsonl")):
        opened = opened_at_start(journal)
        if not isinstance(opened, Opened):
            skipped(journal, opened)
        elif virtual in (None, opened.virtual):
            return journal
    return None


def _numbers(written: bytes) -> dict[str, int]:
    """Journal name -> running number; cut lines are ignored."""
    found: dict[str, int] = {}
    for line in written.decode(errors="replace").splitlines():
        number, blank, name = line.partition(" ")
        if blank and number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER:
            found[name] = int(number)
    return found


LONGEST_NUMBER = 16
"""Length (digits) from which a running number is damage. A guess."""
