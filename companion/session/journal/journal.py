"""The journal of a game: observations and believed actions, on disk before people see them.

A line is a JSON object that ends in a checksum, the field `c` of 8 hexadecimal digits. It is the CRC-32 of
the line without `c`, seeded with the checksum of the previous line. It reveals flipped bits, and lines that
are missing, doubled or out of order.
"""

import contextlib
import fcntl
import os
import stat
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path

import msgspec

from companion.core.errors import JournalError
from companion.core.files import read_start
from companion.core.language import in_english, plural, text
from companion.core.system_words import system_words
from companion.sensing.observation import UNREAD, Sighting
from companion.session.journal.journal_lines import VERSION, LaterLine, Line, Observed, Opened, people_of

_CHECK_START, _CHECK_END, _CHECK_DIGITS = b',"c":"', b'"}', 8
LATEST_S = 1e10
"""Latest time (s) that a journal line may have, about 300 years. A guess."""
_CHECK_LENGTH = len(_CHECK_START) + _CHECK_DIGITS + len(_CHECK_END)


class _Version(msgspec.Struct):
    """Version number in the first line of any journal."""

    version: int = VERSION


_decoder = msgspec.json.Decoder(Line)
_encoder = msgspec.json.Encoder(enc_hook=in_english)


class Journal:
    """A file to which the lines of a game are appended.

    `write` returns once they are on the disk.
    """

    def __init__(self, path: Path, *, sync: bool = True, resume: bool = False) -> None:
        """Open the journal at `path` for appending, and lock it.

        Only its owner can read it. JournalError if another engine has locked it, or if it cannot be written.
        JournalError, too, if it holds a game and `resume` is False. `sync`: False: do not wait until lines are
        on the disk.

        `resume`: go on with the game in the file. A last line that a power failure cut is removed. If another
        line is damaged, it and all later lines move to a file beside the journal. `salvaged` then says so in
        a sentence.
        """
        self.path = path
        self.salvaged = ""
        self._sync = sync
        self.file = _opened_alone(path, create=not resume)
        """Raw file on the disk, locked for this engine alone."""
        try:
            size = os.fstat(self.file.fileno()).st_size
            if not resume and size:
                raise JournalError(
                    text("it holds a game already"),
                    where=str(path),
                    next_step=text("add --resume, or choose another: --journal FILE"),
                )
            self._check = self._mend() if size else 0
            if sync and not resume:
                _sync_folder(path.parent)
        except BaseException:
            self.file.close()
            raise

    def _mend(self) -> int:
        """Cut off all lines from the first damaged one on; return the checksum of the last good line."""
        try:
            data = _content(self.path)
            found = scan(data)
            if not found.lines:
                raise _damaged(self.path, found)
            if found.fault:
                beside = _keep(self.path, data[found.end :])
                self.salvaged = text(
                    "Line {line} of the journal was damaged. The game goes on from what was recorded before "
                    "it; the rest is kept in {file}.",
                    line=len(found.lines) + 1,
                    file=beside.name,
                )
            if found.end < len(data):
                os.ftruncate(self.file.fileno(), found.end)
                os.fsync(self.file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from None
        return found.check

    def write(self, lines: Iterable[Line]) -> None:
        """Append lines to the journal: all of them, or none with JournalError if the disk refuses."""
        encoded, check = [], self._check
        size = os.fstat(self.file.fileno()).st_size
        for line in lines:
            raw, check = checked_line(_encoder.encode(line), check)
            encoded += [raw, b"\n"]
        data = b"".join(encoded)
        if not data:
            return
        try:
            while data:
                data = data[self.file.write(data) :]
            if self._sync:
                os.fdatasync(self.file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self.file.fileno(), size)  # a later line must not follow half a line
            raise JournalError(
                text("the journal cannot be written ({why})", why=system_words(error)),
                where=str(self.path),
                next_step=text("free some space; what was recorded so far is safe"),
            ) from None
        self._check = check

    def close(self) -> None:
        """Close the file and release its lock."""
        self.file.close()


@dataclass(frozen=True, slots=True)
class Recorded:
    """A journal that was read: first line `opened`, later `lines`.

    `lost`: sentence about an incomplete last line that was left out; empty if the journal is complete.
    """

    opened: Opened
    lines: tuple[LaterLine, ...]
    lost: str = ""
    path: Path | None = None
    """The journal's file; None if the lines do not come from a file."""


def read_journal(path: Path) -> Recorded:
    """Read a whole journal.

    An incomplete last line (after a power failure) is left out and reported in `Recorded.lost`. JournalError
    if the file cannot be read, is no journal, or has another damaged line.
    """
    found = scan(_content(path))
    if found.fault or not found.lines:
        raise _damaged(path, found)
    opened, *rest = found.lines
    assert isinstance(opened, Opened)
    later = tuple(line for line in rest if not isinstance(line, Opened))
    cut = text("line {line} was cut in the middle and left out", line=len(found.lines) + 1)
    lost = cut if found.cut else ""
    return Recorded(opened, later, lost, path)


def read_opened(path: Path) -> Opened:
    """Read the first line of a journal: what is played.

    JournalError if it cannot be read.
    """
    opened = read_good_lines(path).lines[0]
    assert isinstance(opened, Opened)
    return opened


def read_people(path: Path) -> tuple[str, ...]:
    """Read from a journal the names of its players that were entered last, player 1 first.

    Lines from the first damaged one on are ignored. JournalError if the first line is damaged.
    """
    lines = read_good_lines(path).lines
    assert isinstance(lines[0], Opened)
    return people_of(lines[0], lines)


def opened_at_start(path: Path) -> Opened | str:
    """Read only the first line of a journal; a sentence (str) if it cannot be read."""
    if not path.is_file():
        return text("not a file")
    start = read_start(path, LONGEST_FIRST_LINE)
    if start is None:
        return text("it cannot be read")
    first, end, _ = start.partition(b"\n")
    if not first:
        return text("it is empty")
    if not end:
        return text("its first line was cut in the middle")
    found = scan(first + end)
    return found.lines[0] if found.lines and isinstance(found.lines[0], Opened) else found.fault


MOST_BYTES = 1 << 26
"""Longest journal (bytes); a longer file is refused. A game of 84 minutes has 150 kB (measured once)."""
LONGEST_FIRST_LINE = 1 << 20
"""Longest first line of a journal (bytes) that is read. A guess."""


def unread_in(path: Path) -> dict[str, tuple[tuple[float, float], ...]]:
    """Find the cards that the camera saw, but could not read, at the end of a journal.

    Returns zone of the mat -> positions (x, y; mm). Lines from the first damaged one on are ignored.
    JournalError if the file cannot be read.
    """
    found: dict[str, tuple[tuple[float, float], ...]] = {}
    for line in scan(_content(path)).lines:
        for one in line.o if isinstance(line, Observed) else ():
            if isinstance(one, Sighting):
                found[one.zone] = tuple((card.x, card.y) for card in one.cards if card.card == UNREAD)
    return {zone: places for zone, places in found.items() if places}


@dataclass(slots=True)
class Scan:
    """A journal's good lines before its first damaged one."""

    lines: list[Line] = field(default_factory=list)
    end: int = 0
    """Number of bytes that `lines` have in the file."""
    check: int = 0
    """Checksum of the last good line; 0 if no line is good."""
    fault: str = ""
    """What is wrong with the first damaged line; empty for none."""
    cut: bool = False
    """True if the journal ends with an incomplete line."""


def read_good_lines(path: Path) -> Scan:
    """Read a journal's lines before the first damaged one; JournalError if none is good."""
    found = scan(_content(path))
    if not found.lines:
        raise _damaged(path, found)
    return found


def scan(data: bytes) -> Scan:
    """Decode a journal's bytes, up to the first damaged line."""
    found = Scan()
    *whole, rest = data.split(b"\n")
    for raw in whole:
        try:
            body, checked = _verified(raw, found.check)
            line = _decode(body, found.lines)
            _check_place(line, found.lines, checked=checked)
        except (ValueError, RecursionError) as error:
            found.fault = error.args[0] if error.args else str(error)
            return found
        found.lines.append(line)
        found.end += len(raw) + 1
        found.check = zlib.crc32(body, found.check)
    found.cut = bool(rest)
    return found


def _decode(body: bytes, before: Sequence[Line]) -> Line:
    """Decode a journal line whose checksum is removed (`body`).

    ValueError if it is damaged, or if the first line tells another version. `before`: lines before it; empty
    for the first line.
    """
    if not before and (theirs := msgspec.json.decode(body, type=_Version).version) != VERSION:
        raise _other_version(theirs)  # the format of another version is unknown
    line: Line = _decoder.decode(body)
    return line


def checked_line(line: bytes, before: int) -> tuple[bytes, int]:
    """Add the checksum to an encoded journal line; return the new line and its checksum.

    `before`: checksum of the previous line; 0 for the first line.
    """
    check = zlib.crc32(line, before)
    return b"%s%s%08x%s" % (line[:-1], _CHECK_START, check, _CHECK_END), check


def _verified(raw: bytes, before: int) -> tuple[bytes, bool]:
    """Remove a journal line's checksum; ValueError if it is wrong.

    Returns the line without it, and True; or the unchanged line and False if there is no checksum. `before`:
    checksum of the previous line.
    """
    body, tail = raw[:-_CHECK_LENGTH] + b"}", raw[-_CHECK_LENGTH:]
    if not (tail.startswith(_CHECK_START) and tail.endswith(_CHECK_END)):
        return raw, False
    if checked_line(body, before)[0] != raw:
        raise ValueError(text("the checksum of the line does not fit"))
    return body, True


def _check_place(line: Line, before: Sequence[Line], *, checked: bool) -> None:
    """Check that `line` may follow the lines `before`, and has a checksum; ValueError if not.

    `checked`: True if it has one.
    """
    if not before:
        if not isinstance(line, Opened):
            raise ValueError(text("a game begins with another line"))
    elif isinstance(line, Opened):
        raise ValueError(text("a second game begins"))
    elif abs(line.t) > LATEST_S:
        raise ValueError(text("an impossible time: {t} s", t=line.t))
    if not checked:
        raise ValueError(text("the line has no checksum"))


def _other_version(theirs: int) -> ValueError:
    return ValueError(
        text("written in version {theirs}, this program reads {ours}", theirs=theirs, ours=VERSION)
    )


def _damaged(path: Path, found: Scan) -> JournalError:
    if found.lines:
        return JournalError(
            plural(
                "a damaged line ({why}); the one before it is good",
                "a damaged line ({why}); the {n} before it are good",
                why=found.fault,
                n=len(found.lines),
            ),
            where=text("{file}, line {line}", file=str(path), line=len(found.lines) + 1),
            next_step=text("--resume goes on from there and keeps the rest in a file beside it"),
        )
    if not (found.fault or found.cut):
        return JournalError(text("it is empty"), where=str(path), next_step=text("name a journal.jsonl file"))
    if found.fault.startswith("written in version"):
        return JournalError(found.fault, where=str(path), next_step=text("update companion"))
    what = text("not a journal of companion")
    if found.fault:
        what = text("not a journal of companion ({why})", why=found.fault)
    return JournalError(what, where=str(path), next_step=text("name a journal.jsonl file"))


def _content(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise JournalError(text("not a file"), where=str(path), next_step=text("name a journal.jsonl file"))
    try:
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise JournalError(
                text("larger than any game"), where=str(path), next_step=text("name a journal.jsonl file")
            )
        return path.read_bytes()
    except OSError as error:
        raise JournalError(
            text("the journal cannot be read ({why})", why=system_words(error)),
            where=str(path),
            next_step=text("check the path"),
        ) from None


def _opened_alone(path: Path, *, create: bool) -> FileIO:
    """Open and lock a journal's file for appending.

    `create`: True: make the file, for its owner alone, if it is missing. JournalError if it cannot be opened,
    is no regular file, or is locked by another engine.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Non-blocking: opening a pipe that nobody reads would block.
        flags = os.O_APPEND | os.O_WRONLY | os.O_NONBLOCK | (os.O_CREAT if create else 0)
        file = os.fdopen(os.open(path, flags, 0o600), "ab", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise JournalError(
            text("not a regular file"), where=str(path), next_step=text("choose another: --journal FILE")
        )
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise JournalError(
            text("another engine writes it"), where=str(path), next_step=text("stop it first")
        ) from None
    except OSError as error:
        file.close()
        raise _unwritable(path, error) from None
    return file


def in_use(path: Path) -> bool:
    """True if an engine is writing the journal at `path`."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _sync_folder(folder: Path) -> None:
    """Flush a folder's file names to the disk.

    Errors are ignored.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _unwritable(path: Path, error: OSError) -> JournalError:
    return JournalError(
        text("the journal cannot be written ({why})", why=system_words(error)),
        where=str(path),
        next_step=text("choose another: --journal FILE"),
    )


def _keep(path: Path, data: bytes) -> Path:
    """Write damaged bytes into a new file beside the journal, for its owner alone; return its path."""
    number = 1
    while True:
        beside = path.with_name(f"{path.name}.damaged{f'-{number}' if number > 1 else ''}")
        try:
            target = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            break
        except FileExistsError:
            number += 1
    try:
        with os.fdopen(target, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        # On a full disk each attempt would leave another fragment.
        beside.unlink()
        raise
    return beside
