"""The history: one row a game in SQLite, beside the journals and made of them, at any time anew.

A row is made again when its journal has changed, and goes when its journal has gone. A history that is damaged
or of another version is replaced: nothing is in it that the journals do not say. Another program's file with
its name is never changed: then the rows are made in memory.
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
"""APPLICATION_ID: marks a SQLite file as a history (the letters Cmpn)."""
VERSION = 7
"""VERSION: of the table; another one is replaced."""
EVENING_BREAK_S = 3 * 3600.0
"""EVENING_BREAK_S: a game that begins longer after the one before begins another evening (s)."""
LOOKED_AT = 8
"""LOOKED_AT: journals that are looked at for a start screen. Each takes 40 to 70 ms if it is new (PC)."""
_DATED = re.compile(r"^(\d{4}-\d\d-\d\d-\d{6})(?:-1)?$")
"""_DATED: name of a journal with the time when its game began. The name of a further game of one engine (`-2`,
`-3`) may have the time of the first game."""


class GameRecord(msgspec.Struct, frozen=True):
    """What the history knows of a game."""

    journal: str
    began: float
    """Unix time (s): of the journal's name, else of its last change less how long it lasted."""
    lasted_s: float
    game: str
    variant: str
    players: int
    people: tuple[str, ...]
    turns: int
    actions: int
    score: int | None
    """None for a game that did not come to its end, and where nobody knows the score."""
    out_of: int | None
    headline: str
    winners: tuple[int, ...]
    """Players (from 1)."""
    proved: int
    refuted: int
    open: int
    """Claims that stayed open."""
    turn_s: dict[int, tuple[int, float]]
    """Player (from 1) -> turns, and the time they took together (s)."""
    virtual: bool = False
    """Whether it was played at a virtual table, which counts in no statistics."""
    fault: str = ""
    """What is wrong with the journal; the row tells what lies before that."""

    @property
    def read(self) -> bool:
        """Whether anything of the journal could be read."""
        return bool(self.game)

    @property
    def over(self) -> bool:
        """Whether the game came to its end."""
        return self.out_of is not None

    @property
    def begun(self) -> bool:
        """Whether anything was laid out or done. A start that failed leaves a journal in which nothing was."""
        return self.actions > 0 or self.turns > 0

    def person(self, player: int) -> str:
        """The name of a player (from 1), if they had one."""
        named = self.people[player - 1] if player <= len(self.people) else ""
        return named or localized(player_number(player))

    @property
    def end(self) -> str:
        """How it ended, with the players' names; empty if it did not."""
        return PlayerNames(self.people).put_into(localized(self.headline))

    @property
    def when(self) -> str:
        """Day and time of the beginning, where this machine is."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.began))


def in_words(one: GameRecord) -> str:
    """A game in a few words, for a list."""
    players = localized(plural("{n} player", "{n} players", n=one.players))
    who = ", ".join(map(one.person, range(1, one.players + 1))) if any(one.people) else players
    where = tr("virtual table") if one.virtual else ""
    return ", ".join(filter(None, (title(one.game), one.when, one.end, who, where)))


def record_of(course: "Course", changed: float) -> GameRecord:
    """The row of a course. `changed`: when its journal was written last (Unix time, s)."""
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
"""BEGINS_S: a journal without a first line that was written to this lately is a game that begins (s). A guess:
an engine needs 9 s on a slow machine."""


def _begins(path: Path, state: tuple[int, int]) -> bool:
    """Whether a journal (`state`: its time of change in ns, its bytes) has no whole first line yet."""
    changed_ns, _ = state
    start = read_start(path, LONGEST_FIRST_LINE)
    return start is not None and b"\n" not in start and abs(time.time() - changed_ns / 1e9) < BEGINS_S


def began(path: Path, guess: float | None = None) -> float:
    """When a game began (Unix time, s), by its journal's name; else this guess, or the file's last change."""
    dated = _DATED.match(path.name.partition(".")[0])
    if dated:
        with contextlib.suppress(ValueError, OverflowError):
            return time.mktime(time.strptime(dated[1], "%Y-%m-%d-%H%M%S"))
    return path.stat().st_mtime if guess is None else guess


class History:
    """The history of the journals in a folder. `file` is the database, the usual one without it."""

    def __init__(self, journals: Path | None = None, file: Path | None = None) -> None:
        self.journals = journals or state_dir() / "journals"
        self.file = file or self.journals.parent / "history.sqlite"
        self.unkept = "" if is_history(self.file) else foreign(self.file).told
        """Why the rows are kept nowhere, in a sentence; empty if they are kept."""
        self._base = _connected(":memory:") if self.unkept else _opened(self.file)

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(self, newest: int | None = None, *, anew: bool = False) -> int:
        """Make rows of journals that are new or have changed; the number of them.

        `newest`: of so many journals only, those written last. `anew`: of all, whatever was there. A database
        that turns out to be damaged is replaced; on a full disk the rows are made in memory.
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
            # One of which nothing could be read is tried again: another version of this program may know it.
            if record is None or not record.read:
                with self._base:
                    self._keep(path, found[path])
        return sum(record is None for record in current.values())

    def _keep(self, path: str, state: tuple[int, int]) -> None:
        # A start screen mostly finds every row made: then no rules and no tracker are loaded for it.
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
        """The games that were begun, the newest first; only of one game or with one person (by name)."""
        found = []
        for (row,) in self._base.execute("SELECT record FROM games ORDER BY began DESC, journal DESC"):
            if (one := _read(row)) is None:
                continue
            named = {name.casefold() for name in one.people}
            if one.game and one.begun and game in ("", one.game) and (not person or person.casefold() in named):
                found.append(one)
        return found

    def people(self) -> list[str]:
        """The names of all who played a game that was begun, in the order of the alphabet."""
        return sorted({name for one in self.games() for name in one.people if name}, key=str.casefold)

    def faults(self) -> list[GameRecord]:
        """Journals that are damaged, or of which nothing can be read."""
        rows = self._base.execute("SELECT record FROM games ORDER BY began DESC")
        return [one for (row,) in rows if (one := _read(row)) and one.fault]


def _current(row: tuple[int, int, bytes] | None, state: tuple[int, int]) -> GameRecord | None:
    """The record of a row that tells of a journal as it is now; None if it does not, or cannot be read."""
    return _read(row[2]) if row is not None and row[:2] == state else None


def _read(row: bytes) -> GameRecord | None:
    """A record, its sentences in the language of this process; None for a damaged one."""
    try:
        return msgspec.convert(rendered(msgspec.json.decode(row)), GameRecord, str_keys=True)
    except (msgspec.MsgspecError, TypeError, UnicodeDecodeError):
        return None


def last_games(most: int, journals: Path | None = None) -> list[GameRecord]:
    """The games played last, the newest first, for a start screen: only the newest journals are looked at."""
    with History(journals) as history:
        history.update(newest=LOOKED_AT)
        games = history.games()
    order = {path: at for at, path in enumerate(by_writing(Path(one.journal) for one in games))}
    return sorted(games, key=lambda one: order.get(Path(one.journal), len(order)))[:most]


def at_real_tables(games: Sequence[GameRecord]) -> list[GameRecord]:
    """Those that people played: at a virtual table most players are software."""
    return [one for one in games if not one.virtual]


def evenings(games: Sequence[GameRecord]) -> list[list[GameRecord]]:
    """The games of each evening, the newest evening first; within one the first game first."""
    found: list[list[GameRecord]] = []
    for one in sorted(games, key=lambda game: game.began):
        if found and one.began - (found[-1][-1].began + found[-1][-1].lasted_s) <= EVENING_BREAK_S:
            found[-1].append(one)
        else:
            found.append([one])
    return found[::-1]


def is_history(file: Path) -> bool:
    """Whether this file is a history, also a damaged one, or may become one: nothing is there."""
    start = read_start(file, _HEADER_BYTES)
    if not start:
        return True
    if not start.startswith(b"SQLite format 3\0"):
        return False
    application = int.from_bytes(start[68:72], "big")
    return application == APPLICATION_ID or (not application and _is_unmarked_history(file))


_HEADER_BYTES = 100
"""_HEADER_BYTES: length of the header of a SQLite file; bytes 68 to 71 are the id of its application."""
_COLUMNS = ["journal", "changed", "size", "began", "record"]


def _is_unmarked_history(file: Path) -> bool:
    """Whether this database has the one table of a history and no other. Earlier versions wrote no id."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as base:
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = [row[1] for row in base.execute("PRAGMA table_info(games)")]
    except sqlite3.DatabaseError:
        return False
    return tables == ["games"] and columns == _COLUMNS


def foreign(file: Path) -> BadInputError:
    """The error for a file that has the name of the history and is none."""
    return BadInputError(
        text("not a history of companion: it stays as it is, and no history is kept"),
        where=str(file),
        next_step=text("move it to another folder"),
    )


def _opened(file: Path) -> sqlite3.Connection:
    """The database; a new one in the place of one that cannot be read, in memory where none can be written."""
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
    """What takes the place of a database after an error."""
    return _opened(file) if _removed(file, error) else _connected(":memory:")


def _removed(file: Path, error: sqlite3.DatabaseError) -> bool:
    """Remove a database that is damaged; False for a folder that cannot be written, or a full disk."""
    if isinstance(error, sqlite3.OperationalError):
        return False
    with contextlib.suppress(OSError):
        file.unlink()
        return True
    return False


def _connected(name: str) -> sqlite3.Connection:
    base = sqlite3.connect(name, timeout=10)
    try:
        base.execute("PRAGMA secure_delete = ON")  # a name that was to be forgotten is not left in the file
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
