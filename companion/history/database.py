"""History of games: one SQLite row each, made of the journals at any time anew.

A row is made again when its journal has changed, and goes with its journal. A damaged history, or one of
another version, is replaced, because the journals hold everything. Another program's file of that name is never
changed: rows are then made in memory.
"""

import contextlib
import re
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.core.config import state_dir
from companion.core.errors import BadInputError, CompanionError
from companion.core.files import read_start
from companion.core.language import localized, on_wire, plural, rendered, text, tr
from companion.core.language import player as player_number
from companion.dashboard.labels import title
from companion.dashboard.player_names import PlayerNames
from companion.session.journal.journal import LONGEST_FIRST_LINE
from companion.session.journal.journal_order import by_writing

if TYPE_CHECKING:
    from companion.history.course import Course

APPLICATION_ID = 0x436D706E
"""Application id that marks a SQLite file as a history: the letters Cmpn."""
VERSION = 7
"""Version of the database's table.
A file of another version is replaced."""
EVENING_BREAK_S = 3 * 3600.0
"""Pause (s) between two games that begins another evening.
A guess."""
LOOKED_AT = 8
"""Journals read for a start screen.
A new one takes 40 to 70 ms (PC)."""
_DATED = re.compile(r"^(\d{4}-\d\d-\d\d-\d{6})(?:-1)?$")
"""Name of a journal with the time when its game began. An engine's further games (`-2`, `-3`) may have the
first game's time."""


class GameRecord(msgspec.Struct, frozen=True):
    """Row of the history: one game."""

    journal: str
    began: float
    """Unix time (s): by the journal's name, else by its last change and duration."""
    lasted_s: float
    game: str
    variant: str
    players: int
    people: tuple[str, ...]
    turns: int
    actions: int
    score: int | None
    """Points at the end. None for a game that did not end, and where nobody knows the score."""
    out_of: int | None
    headline: str
    winners: tuple[int, ...]
    """Players (from 1) who won."""
    proved: int
    refuted: int
    open: int
    """Number of claims that stayed open."""
    turn_s: dict[int, tuple[int, float]]
    """Player (from 1) -> number of turns and their whole time (s)."""
    virtual: bool = False
    """True for a virtual table, which counts in no statistics."""
    fault: str = ""
    """Fault of the journal.
    The row tells what lies before it."""

    @property
    def read(self) -> bool:
        """True if anything of the journal could be read."""
        return bool(self.game)

    @property
    def over(self) -> bool:
        """True if the game ended."""
        return self.out_of is not None

    @property
    def begun(self) -> bool:
        """True if anything was laid out or done.

        A failed start leaves an empty journal.
        """
        return self.actions > 0 or self.turns > 0

    def person(self, player: int) -> str:
        """Name of a player (from 1), or "Player 2" without one."""
        named = self.people[player - 1] if player <= len(self.people) else ""
        return named or localized(player_number(player))

    @property
    def end(self) -> str:
        """Result with the players' names, "" for a game that did not end."""
        return PlayerNames(self.people).put_into(localized(self.headline))

    @property
    def when(self) -> str:
        """Day and time of the beginning, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.began))


def in_words(one: GameRecord) -> str:
    """Game in a few words for a list."""
    players = localized(plural("{n} player", "{n} players", n=one.players))
    who = ", ".join(map(one.person, range(1, one.players + 1))) if any(one.people) else players
    where = tr("virtual table") if one.virtual else ""
    return ", ".join(filter(None, (title(one.game), one.when, one.end, who, where)))


def record_of(course: "Course", changed: float) -> GameRecord:
    """Row of a course.

    `changed` is the journal's last change (Unix time, s).
    """
    opened = course.opened
    return GameRecord(
        str(course.path),
        began(course.path, changed - course.lasted_s),
        round(course.lasted_s, 1),
        opened.game,
        opened.variant,
        opened.players,
        opened.people,
        course.turns,
        course.actions,
        course.score,
        course.out_of,
        course.headline,
        course.winners,
        course.claims("proved"),
        course.claims("refuted"),
        course.claims("cannot tell"),
        course.turn_s,
        opened.virtual,
        course.fault,
    )


BEGINS_S = 60.0
"""Age (s) below which a journal without a first line is a game that begins. A guess: an engine needs 9 s on a
slow machine."""


def _begins(path: Path, state: tuple[int, int]) -> bool:
    """True if a journal has no whole first line yet.

    `state`: its change (ns), its size (bytes).
    """
    changed_ns, _ = state
    start = read_start(path, LONGEST_FIRST_LINE)
    return start is not None and b"\n" not in start and abs(time.time() - changed_ns / 1e9) < BEGINS_S


def began(path: Path, guess: float | None = None) -> float:
    """Beginning of a game (Unix time, s) by its journal's name, else `guess`, else the file's last change."""
    dated = _DATED.match(path.name.partition(".")[0])
    if dated:
        with contextlib.suppress(ValueError, OverflowError):
            return time.mktime(time.strptime(dated[1], "%Y-%m-%d-%H%M%S"))
    return path.stat().st_mtime if guess is None else guess


class History:
    """History of the journals in a folder, in the database `file` (by default beside them)."""

    def __init__(self, journals: Path | None = None, file: Path | None = None) -> None:
        self.journals = journals or state_dir() / "journals"
        self.file = file or self.journals.parent / "history.sqlite"
        self.unkept = "" if is_history(self.file) else foreign(self.file).told
        """Reason why the rows are kept nowhere, "" if they are kept."""
        self._base = _connected(":memory:") if self.unkept else _opened(self.file)

    def close(self) -> None:
        self._base.close()

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(self, newest: int | None = None, *, anew: bool = False) -> int:
        """Make rows of new and changed journals. Returns their number.

        Only of the `newest` journals if given, of all of them if `anew`. A damaged database is replaced. On a
        full disk rows are made in memory.
        """
        try:
            return self._update(newest, anew=anew)
        except sqlite3.DatabaseError as error:
            self.close()
            self._base = _instead(self.file, error)
            return self._update(newest, anew=anew)

    def _update(self, newest: int | None, *, anew: bool) -> int:
        found = {}
        for file in self.journals.glob("*.jsonl"):
            with contextlib.suppress(OSError):
                found[str(file)] = (file.stat().st_mtime_ns, file.stat().st_size)
        rows = self._base.execute("SELECT journal, changed, size, record FROM games").fetchall()
        known = {} if anew else {path: (changed, size, row) for path, changed, size, row in rows}
        with self._base:
            gone = [(path,) for path, *_ in rows if path not in found]
            self._base.executemany("DELETE FROM games WHERE journal = ?", gone)
        latest = [str(path) for path in by_writing(map(Path, found))][:newest]
        current = {path: _current(known.get(path), found[path]) for path in latest}
        for path, record in current.items():
            # An unreadable journal is tried again, because another version of this program may read it.
            if record is None or not record.read:
                with self._base:
                    self._keep(path, found[path])
        return sum(record is None for record in current.values())

    def _keep(self, path: str, state: tuple[int, int]) -> None:
        # Imported late, because a start screen mostly finds every row made.
        from companion.history.course import course_of

        try:
            record = record_of(course_of(Path(path)), state[0] / 1e9)
        except CompanionError as error:
            if _begins(Path(path), state):
                return
            at = state[0] / 1e9
            record = GameRecord(
                path, at, 0.0, "", "", 0, (), 0, 0, None, None, "", (), 0, 0, 0, {}, fault=error.told
            )
        row = (path, *state, record.began, msgspec.json.encode(record, enc_hook=on_wire))
        self._base.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?)", row)

    def games(self, game: str = "", person: str = "") -> list[GameRecord]:
        """Games that were begun, the newest first.

        Of one `game`, or with one `person`.
        """
        found = []
        for (row,) in self._base.execute("SELECT record FROM games ORDER BY began DESC, journal DESC"):
            if (one := _read(row)) is None:
                continue
            named = {name.casefold() for name in one.people}
            if one.game and one.begun and game in ("", one.game) and (not person or person.casefold() in named):
                found.append(one)
        return found

    def people(self) -> list[str]:
        """Names of all who played, in alphabetical order."""
        return sorted({name for one in self.games() for name in one.people if name}, key=str.casefold)

    def faults(self) -> list[GameRecord]:
        """Journals that are damaged, or cannot be read at all."""
        rows = self._base.execute("SELECT record FROM games ORDER BY began DESC")
        return [one for (row,) in rows if (one := _read(row)) and one.fault]


def _current(row: tuple[int, int, bytes] | None, state: tuple[int, int]) -> GameRecord | None:
    """Record of a row if it tells of the journal as it is now, else None."""
    return _read(row[2]) if row is not None and row[:2] == state else None


def _read(row: bytes) -> GameRecord | None:
    """Record with its sentences in the reader's language.

    None if damaged.
    """
    try:
        return msgspec.convert(rendered(msgspec.json.decode(row)), GameRecord, str_keys=True)
    except (msgspec.MsgspecError, TypeError, UnicodeDecodeError):
        return None


def last_games(most: int, journals: Path | None = None) -> list[GameRecord]:
    """Games played last, the newest first.

    Only the newest journals are read.
    """
    with History(journals) as history:
        history.update(newest=LOOKED_AT)
        games = history.games()
    order = {path: at for at, path in enumerate(by_writing(Path(one.journal) for one in games))}
    return sorted(games, key=lambda one: order.get(Path(one.journal), len(order)))[:most]


def at_real_tables(games: Sequence[GameRecord]) -> list[GameRecord]:
    """Games that people played.

    At virtual tables most players are software.
    """
    return [one for one in games if not one.virtual]


def evenings(games: Sequence[GameRecord]) -> list[list[GameRecord]]:
    """Games of each evening, the newest evening first, each evening's first game first."""
    found: list[list[GameRecord]] = []
    for one in sorted(games, key=lambda game: game.began):
        if found and one.began - (found[-1][-1].began + found[-1][-1].lasted_s) <= EVENING_BREAK_S:
            found[-1].append(one)
        else:
            found.append([one])
    return found[::-1]


def is_history(file: Path) -> bool:
    """True if a file is a history, even a damaged one, or no file is there."""
    start = read_start(file, _HEADER_BYTES)
    if not start:
        return True
    if not start.startswith(b"SQLite format 3\0"):
        return False
    application = int.from_bytes(start[68:72], "big")
    return application == APPLICATION_ID or (not application and _is_unmarked_history(file))


_HEADER_BYTES = 100
"""Length of a SQLite header.
Bytes 68 to 71 are the application id."""
_COLUMNS = ["journal", "changed", "size", "began", "record"]


def _is_unmarked_history(file: Path) -> bool:
    """True if a database has the one table of a history. Early versions wrote no application id."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as base:
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = [row[1] for row in base.execute("PRAGMA table_info(games)")]
    except sqlite3.DatabaseError:
        return False
    return tables == ["games"] and columns == _COLUMNS


def foreign(file: Path) -> BadInputError:
    """Error for another program's file with the history's name."""
    return BadInputError(
        text("not a history of companion: it stays as it is, and no history is kept"),
        where=str(file),
        next_step=text("move it to another folder"),
    )


def _opened(file: Path) -> sqlite3.Connection:
    """Open the database, a new one if damaged, in memory if none can be written."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(2):
        try:
            return _connected(str(file))
        except sqlite3.DatabaseError as error:
            if not _removed(file, error):
                break
    return _connected(":memory:")


def _instead(file: Path, error: sqlite3.DatabaseError) -> sqlite3.Connection:
    """Database that replaces another one after an error."""
    return _opened(file) if _removed(file, error) else _connected(":memory:")


def _removed(file: Path, error: sqlite3.DatabaseError) -> bool:
    """Remove a damaged database.

    False for a full disk or a folder that cannot be written.
    """
    if isinstance(error, sqlite3.OperationalError):
        return False
    with contextlib.suppress(OSError):
        file.unlink()
        return True
    return False


def _connected(name: str) -> sqlite3.Connection:
    base = sqlite3.connect(name, timeout=10)
    try:
        base.execute("PRAGMA secure_delete = ON")  # a forgotten name must not stay in the file
        if base.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            with base:
                base.execute("DROP TABLE IF EXISTS games")
        with base:
            base.execute(
                "CREATE TABLE IF NOT EXISTS games "
                "(journal TEXT PRIMARY KEY, changed INTEGER, size INTEGER, began REAL, record BLOB)"
            )
            base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            base.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.DatabaseError:
        base.close()
        raise
    return base
