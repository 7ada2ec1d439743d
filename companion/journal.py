"""The journal: every observation batch and every believed action, one JSON line each, on disk before shown."""

import fcntl
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import JournalError
from companion.games.engine import IllegalError, TableGame
from companion.observation import Observation

VERSION = 1


class Opened(msgspec.Struct, frozen=True, tag="open", tag_field="j"):
    """First line: what is played."""

    version: int
    game: str
    variant: str
    players: int
    program: str = ""
    silent: bool = False
    """What a player felt or saw is theirs alone."""


class Observed(msgspec.Struct, frozen=True, tag="seen", tag_field="j"):
    """One batch of observations at time t (s)."""

    t: float
    o: tuple[Observation, ...]


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="j"):
    """An action was believed, in the game's notation."""

    t: float
    a: str


class Revoked(msgspec.Struct, frozen=True, tag="back", tag_field="j"):
    """The last n actions were taken back."""

    t: float
    n: int


class Adopted(msgspec.Struct, frozen=True, tag="adopt", tag_field="j"):
    """The table was taken over: the state from here on, in the game's notation."""

    t: float
    s: str


class Noticed(msgspec.Struct, frozen=True, tag="sensor", tag_field="j"):
    """A sensor was found to get worse, or to be well again: its name, and what was seen and helps."""

    t: float
    source: str
    ok: bool
    detail: str = ""


class Contradicted(msgspec.Struct, frozen=True, tag="contradicted", tag_field="j"):
    """Cards that were turned up on a bed (from 1) showed something else than was believed: the verdict that was
    given, the one that they give, and the sensors that had been believed."""

    t: float
    bed: int
    said: str
    shown: str
    sensors: tuple[str, ...]


Line = Opened | Observed | Done | Revoked | Adopted | Noticed | Contradicted

_decoder = msgspec.json.Decoder(Line)
_encoder = msgspec.json.Encoder()


class Journal:
    """An append-only file of lines. `write` returns only when the lines are on the disk."""

    def __init__(self, path: Path, *, sync: bool = True, resume: bool = False) -> None:
        """Open for appending; the file is readable by its owner alone, for it holds every secret.

        A file that holds a game already is refused unless that game is to go on.
        A last line that a power failure cut in the middle is removed, so that what follows can be read.
        """
        self.path = path
        self._sync = sync
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not resume and path.is_file() and path.stat().st_size:
                raise JournalError(
                    "it holds a game already",
                    where=str(path),
                    next_step="add --resume, or choose another: --journal FILE",
                )
            _mend_end(path)
            self._file = os.fdopen(
                os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab", buffering=0
            )
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError("another engine writes it", where=str(path), next_step="stop it first") from None
        except OSError as error:
            raise JournalError(
                f"the journal cannot be written ({error.strerror})",
                where=str(path),
                next_step="choose another: --journal FILE",
            ) from None

    def write(self, lines: Iterable[Line]) -> None:
        """Append lines that belong together; JournalError when the disk refuses."""
        data = b"".join(_encoder.encode(line) + b"\n" for line in lines)
        if not data:
            return
        try:
            while data:
                data = data[self._file.write(data) :]
            if self._sync:
                os.fdatasync(self._file.fileno())
        except OSError as error:
            raise JournalError(
                f"the journal cannot be written ({error.strerror})",
                where=str(self.path),
                next_step="free some space; what was recorded so far is safe",
            ) from None

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True, slots=True)
class Recorded:
    """A journal as read: its first line, the rest, and what was lost at the end (empty if nothing)."""

    opened: Opened
    lines: tuple[Observed | Done | Revoked | Adopted | Noticed, ...]
    lost: str = ""


def _mend_end(path: Path) -> None:
    if path.is_file() and (data := path.read_bytes()) and not data.endswith(b"\n"):
        os.truncate(path, data.rfind(b"\n") + 1)


def read_journal(path: Path) -> Recorded:
    """Read a whole journal. A last line that was cut by a power failure is left out and named in `lost`."""
    try:
        if path.exists() and not path.is_file():
            raise JournalError("not a file", where=str(path), next_step="name a journal.jsonl file")
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(
            f"the journal cannot be read ({error.strerror})", where=str(path), next_step="check the path"
        ) from None
    raw = data.split(b"\n")
    cut = raw.pop()
    lost = f"line {len(raw) + 1} was cut in the middle and left out" if cut else ""
    lines = []
    for number, text in enumerate(raw, 1):
        try:
            lines.append(_decoder.decode(text))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            if number == 1:
                raise JournalError(
                    "not a journal of companion", where=str(path), next_step="name a journal"
                ) from None
            raise JournalError(
                f"not a line of a journal ({error})",
                where=f"{path}, line {number}",
                next_step="cut the file there to keep what is before",
            ) from None
    if not lines or not isinstance(lines[0], Opened):
        raise JournalError("not a journal of companion", where=str(path), next_step="name a journal.jsonl file")
    opened, *rest = lines
    if opened.version != VERSION:
        raise JournalError(
            f"written in version {opened.version}, this program reads {VERSION}",
            where=str(path),
            next_step="update companion",
        )
    found: list[Any] = []
    for number, line in enumerate(rest, 2):
        if isinstance(line, Opened):
            raise JournalError(
                "a second game begins", where=f"{path}, line {number}", next_step="cut the file there"
            )
        found.append(line)
    return Recorded(opened, tuple(found), lost)


@dataclass(slots=True)
class Fold:
    """The state as a fold over journal lines."""

    game: TableGame[Any, Any]
    state: Any
    before: list[Any] = field(default_factory=list)
    actions: int = 0

    def take(self, line: Line) -> None:
        """Fold one line in; JournalError if the rules refuse what it says."""
        match line:
            case Done(_, text):
                try:
                    after = self.game.apply(self.state, self.game.read_action(text))
                except (IllegalError, ValueError) as error:
                    raise JournalError(f"an impossible action was recorded: {text!r} ({error})") from None
                self.before.append(self.state)
                self.state = after
                self.actions += 1
            case Revoked(_, n):
                if not 0 < n <= len(self.before):
                    raise JournalError(f"{n} actions taken back, only {len(self.before)} were recorded")
                self.state = self.before[-n]
                del self.before[-n:]
                self.actions -= n
            case Adopted(_, text):
                try:
                    self.state = self.game.read_state(text)
                except ValueError as error:
                    raise JournalError(f"not a state: {text[:60]!r} ({error})") from None
                if faults := self.game.status(self.state):
                    raise JournalError(f"an impossible state was recorded ({faults[0].text})")
                self.before.clear()


def fold(game: TableGame[Any, Any], opened: Opened, lines: Sequence[Line]) -> Fold:
    """The state after all lines, starting from an empty table."""
    result = Fold(game, game.empty_table(opened.variant, opened.players))
    for line in lines:
        result.take(line)
    return result
