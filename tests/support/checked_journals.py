"""Journals whose lines are as a test wants them, under checksums that fit."""

from collections.abc import Iterable

from companion.session.journal.journal import checked_line


def checked_journal(lines: Iterable[bytes]) -> bytes:
    """The bytes of a journal of these lines (JSON objects, with or without a line end)."""
    found, check = b"", 0
    for line in lines:
        raw, check = checked_line(line.rstrip(b"\n"), check)
        found += raw + b"\n"
    return found
