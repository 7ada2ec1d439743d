"""History of games: a SQLite table with one row per game, made from the journals.

A row is made again if its journal has changed, and deleted if the journal is gone. A damaged history, or one
of another version, is replaced, because the journals hold everything. A file of another program with the
history's name is never changed: rows are then kept in memory.
"""

import contextlib
import os
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
    from companion.history.game_course import Course

APPLICATION_ID = 0x436D706E
"""Mark in the header of a SQLite file by which a history is known: the letters "Cmpn"."""
VERSION = 7
"""Version of the database's table. A file of another version is made anew."""
EVENING_BREAK_S = 3 * 3600.0
"""After a pause (s) of this length a new evening begins. A guess."""
LOOKED_AT = 8
"""Number of newest journals that are read for a start screen. A new one takes 40 to 70 ms on a PC."""
_DATED = re.compile(r"^(\d{4}-\d\d-\d\d-\d{6})(?:-1)?$")
"""Name of a journal that says when its game began. Names of further games of one engine (`-2`, `-3`)
may not."""


class GameRecord(msgspec.Struct, frozen=True):
    """A recorded game, as a row of the history."""

    journal: str
    began: float
    """Beginning of the game (Unix time, s): by the journal's name, else by its last change and the game's
    duration."""
    lasted_s: float
    game: str
    variant: str
    players: int
    people: tuple[str, ...]
    turns: int
    actions: int
    score: int | None
    """Points at the end. None if the game did not end, or nobody knows them."""
    out_of: int | None
    headline: str
    winners: tuple[int, ...]
    """Winning players, from 1."""
    proved: int
    refuted: int
    open: int
    """Number of claims with the verdict "cannot tell", those that nothing answered included."""
    turn_s: dict[int, tuple[int, float]]
    """Player (from 1) -> (number of turns, their total duration in s)."""
    virtual: bool = False
    """The game was at a virtual table, so no statistics count it."""
    fault: str = ""
    """What is wrong with the journal; "": nothing. The row covers the lines before."""

    @property
    def read(self) -> bool:
        """True if the journal's first line could be read."""
        return bool(self.game)

    @property
    def over(self) -> bool:
        """True if the game ended."""
        return self.out_of is not None

    @property
    def begun(self) -> bool:
        """True if cards were laid out or something was done.

        A failed start leaves a journal without either.
        """
        return self.actions > 0 or self.turns > 0

    def person(self, player: int) -> str:
        """Name of a player (from 1), or "Player 2" if the player has none."""
        named = self.people[player - 1] if player <= len(self.people) else ""
        return named or localized(player_number(player))

    @property
    def end(self) -> str:
        """Result in a sentence, with the players' names. "" if the game did not end."""
        return PlayerNames(self.people).put_into(localized(self.headline))

    @property
    def when(self) -> str:
        """Day and time of the beginning, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.began))


def in_words(one: GameRecord) -> str:
    """A game as one line of a list."""
    players = localized(plural("{n} player", "{n} players", n=one.players))
    who = ", ".join(map(one.person, range(1, one.players + 1))) if any(one.people) else players
    where = tr("virtual table") if one.virtual else ""
    return ", ".join(filter(None, (title(one.game), one.when, one.end, who, where)))


def record_of(course: "Course", changed: float) -> GameRecord:
    """Row of the history for a game.

    `changed`: when its journal was changed last (Unix time, s).
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
"""A journal without a first line belongs to a game that is just starting, up to this age (s). A guess: an
engine needs 9 s on a slow machine."""


def _begins(path: Path, state: tuple[int, int]) -> bool:
    """True if a journal has no whole first line yet because its game is just starting.

    `state`: when it was changed last (ns), and its size (bytes).
    """
    changed_ns, _ = state
    start = read_start(path, LONGEST_FIRST_LINE)
    return start is not None and b"\n" not in start and abs(time.time() - changed_ns / 1e9) < BEGINS_S


def began(path: Path, guess: float | None = None) -> float:
    """Beginning of a game (Unix time, s) by its journal's name; else `guess`, or without one the file's last
    change."""
    dated = _DATED.match(path.name.partition(".")[0])
    if dated:
        with contextlib.suppress(ValueError, OverflowError):
            return time.mktime(time.strptime(dated[1], "%Y-%m-%d-%H%M%S"))
    return path.stat().st_mtime if guess is None else guess


class History:
    """All games in a folder of journals, by default the user's, kept up to date in a database.

    `file`: the database, by default beside the journals.
    """

    def __init__(self, journals: Path | None = None, file: Path | None = None) -> None:
        self.journals = journals or state_dir() / "journals"
        self.file = file or self.journals.parent / "history.sqlite"
        self.unkept = "" if is_history(self.file) else foreign(self.file).told
        """Reason why the rows are kept nowhere, "" if they are kept."""
        self._base = _connected(":memory:") if self.unkept else _opened(self.file)

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(self, newest: int | None = None, *, anew: bool = False) -> int:
        """Read new and changed journals into the database.

        Returns how many were read.

        `newest`: only so many newest ones. `anew`: all of them. A damaged database is replaced. On a full
        disk rows are kept in memory.
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
        from companion.history.game_course import course_of

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
        """Games in which something was done, newest first.

        `game`: only this one; `person`: only with a player of this name; "": all.
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
        """Names of all people who played, in alphabetical order."""
        return sorted({name for one in self.games() for name in one.people if name}, key=str.casefold)

    def faults(self) -> list[GameRecord]:
        """Rows of all journals that are damaged or cannot be read."""
        rows = self._base.execute("SELECT record FROM games ORDER BY began DESC")
        return [one for (row,) in rows if (one := _read(row)) and one.fault]


def _current(row: tuple[int, int, bytes] | None, state: tuple[int, int]) -> GameRecord | None:
    """The game in a database row, if its journal is unchanged since.

    None otherwise.
    """
    return _read(row[2]) if row is not None and row[:2] == state else None


def _read(row: bytes) -> GameRecord | None:
    """The game in a database row, sentences in the reader's language.

    None if the row is damaged.
    """
    try:
        return msgspec.convert(rendered(msgspec.json.decode(row)), GameRecord, str_keys=True)
    except (msgspec.MsgspecError, TypeError, UnicodeDecodeError):
        return None


def last_games(most: int, journals: Path | None = None) -> list[GameRecord]:
    """At most `most` last games, newest first.

    Only the LOOKED_AT newest journals are read.
    """
    with History(journals) as history:
        history.update(newest=LOOKED_AT)
        games = history.games()
    order = {path: at for at, path in enumerate(by_writing(Path(one.journal) for one in games))}
    return sorted(games, key=lambda one: order.get(Path(one.journal), len(order)))[:most]


def at_real_tables(games: Sequence[GameRecord]) -> list[GameRecord]:
    """Games at a real table; at virtual ones most players are software."""
    return [one for one in games if not one.virtual]


def left_open(games: Sequence[GameRecord]) -> GameRecord | None:
    """The game at a real table that goes on; None if the last one ended, or there is none.

    `games`: newest first. A last game without a turn makes room for one of the same evening that was left in
    the middle: after a power cut the usual command begins anew at a table that is laid out.
    """
    real = at_real_tables(games)
    if not real or real[0].over:
        return None
    left = next((one for one in real if one.turns), None)
    if left is None or left.over or real[0].began - left.began - left.lasted_s > EVENING_BREAK_S:
        return real[0]
    return left


def evenings(games: Sequence[GameRecord]) -> list[list[GameRecord]]:
    """The games grouped by evening, newest evening first, in each the first game first."""
    found: list[list[GameRecord]] = []
    for one in sorted(games, key=lambda game: game.began):
        if found and one.began - (found[-1][-1].began + found[-1][-1].lasted_s) <= EVENING_BREAK_S:
            found[-1].append(one)
        else:
            found.append([one])
    return found[::-1]


def is_history(file: Path) -> bool:
    """True if the file is a history, even a damaged one, or is missing."""
    start = read_start(file, _HEADER_BYTES)
    if not start:
        return True
    if not start.startswith(b"SQLite format 3\0"):
        return False
    application = int.from_bytes(start[68:72], "big")
    return application == APPLICATION_ID or (not application and _is_unmarked_history(file))


_HEADER_BYTES = 100
"""Length (bytes) of the header of a SQLite file. Bytes 68 to 71 hold the application id."""
_COLUMNS = ["journal", "changed", "size", "began", "record"]


def _is_unmarked_history(file: Path) -> bool:
    """True if a database has exactly a history's table, but no mark: early versions wrote none."""
    try:
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as base:
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = [row[1] for row in base.execute("PRAGMA table_info(games)")]
    except sqlite3.DatabaseError:
        return False
    return tables == ["games"] and columns == _COLUMNS


def foreign(file: Path) -> BadInputError:
    """The error for another program's file where the history should be."""
    return BadInputError(
        text("not a history of companion: it stays as it is, and no history is kept"),
        where=str(file),
        next_step=text("move it to another folder"),
    )


def _opened(file: Path) -> sqlite3.Connection:
    """Open the database, after replacing it if damaged.

    In memory if no file can be written.
    """
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(2):
        _make_private(file)
        try:
            return _connected(str(file))
        except sqlite3.DatabaseError as error:
            if not _removed(file, error):
                break
    return _connected(":memory:")


def _make_private(file: Path) -> None:
    """Let the owner alone read a database, which names people; an absent one becomes an empty file."""
    with contextlib.suppress(OSError):  # as another user's, or in a folder that cannot be written
        opened = os.open(file, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            os.fchmod(opened, 0o600)
        finally:
            os.close(opened)


def _instead(file: Path, error: sqlite3.DatabaseError) -> sqlite3.Connection:
    """Database in place of `file` after an error: a new file if it was damaged; in memory if the disk is full
    or not writable."""
    return _opened(file) if _removed(file, error) else _connected(":memory:")


def _removed(file: Path, error: sqlite3.DatabaseError) -> bool:
    """Delete a database if the error shows damage.

    False if it stays, because the disk is full or the folder not writable.
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
