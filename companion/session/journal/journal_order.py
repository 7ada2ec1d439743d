"""Which journal was written last: a running number for each, kept in a file beside them.

The clock of a small machine goes back without a network. So no time says which game was the last one.
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
"""ORDER: the file; each line is a running number, a blank and the name of the journal that was begun then."""
MOST_BYTES = 1 << 16
"""MOST_BYTES: a longer file is cut to its newest lines; it has room for about 2,000 games."""


def note_begun(journal: Path) -> None:
    """Give this journal the next running number: it is written from now on. A refusal delays no game."""
    with contextlib.suppress(OSError):
        descriptor = os.open(journal.with_name(ORDER), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            numbers = _numbers(file.read(2 * MOST_BYTES))
            if not numbers and os.fstat(file.fileno()).st_size:
                return  # a file of that name that is not ours
            numbers[journal.name] = max(numbers.values(), default=0) + 1
            line = f"{numbers[journal.name]} {journal.name}\n".encode()
            if os.fstat(file.fileno()).st_size + len(line) > MOST_BYTES:
                newest = sorted(numbers.items(), key=lambda one: one[1])[-MOST_KEPT:]
                line = "".join(f"{number} {name}\n" for name, number in newest).encode()
                file.truncate(0)
            file.write(line)
            os.fdatasync(file.fileno())


MOST_KEPT = 500
"""MOST_KEPT: journals that keep their number when the file is cut."""


def by_writing(journals: Iterable[Path]) -> list[Path]:
    """Journals, the one begun last first. Those without a number follow, by the time of their change."""
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
    """The journal of this user that was written last; None if there is none.

    `virtual`: only of games at a virtual table (True) or at a real one (False); None for both.
    A journal whose first line cannot be read is passed over: `skipped` gets it and what is wrong with it.
    """
    for journal in by_writing((state_dir() / "journals").glob("*.jsonl")):
        opened = opened_at_start(journal)
        if not isinstance(opened, Opened):
            skipped(journal, opened)
        elif virtual in (None, opened.virtual):
            return journal
    return None


def _numbers(written: bytes) -> dict[str, int]:
    """Name of a journal -> its number; half a line, which a power cut left, is passed over."""
    found: dict[str, int] = {}
    for line in written.decode(errors="replace").splitlines():
        number, blank, name = line.partition(" ")
        if blank and number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER:
            found[name] = int(number)
    return found


LONGEST_NUMBER = 16
"""LONGEST_NUMBER: digits of a number that is none of ours."""
