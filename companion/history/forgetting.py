"""Finds and deletes data about people: journals, recordings, souvenirs, names."""

import os
import shutil
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from companion.core.config import load_config
from companion.core.files import read_start
from companion.core.last_start import forget_names, remembered
from companion.core.settings_file import before, write_entries
from companion.history.database import History, began
from companion.history.souvenir import GENERATOR
from companion.sensing.recording_folder import (
    JOURNALS,
    Part,
    forget_recordings,
    is_recording,
    noted_recordings,
    read_parts,
    remove_empty,
)
from companion.session.journal.journal import in_use

_JOURNALS = ("*.jsonl", "*.jsonl.damaged*")
"""File names of journals, and of the damaged ends that were cut off."""
_HEAD_BYTES = 1000
"""A souvenir page says what it is within so many first bytes."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be deleted: data about one player, from before a day, or both at once.

    Without either: everything.
    """

    player: str = ""
    before: date | None = None

    def has(self, path: Path) -> bool:
        """True if a file contains data to delete.

        OSError if it cannot be read.
        """
        if self.before is not None and datetime.fromtimestamp(began(path)).date() >= self.before:  # noqa: DTZ006
            return False
        return not self.player or _names(path.read_bytes(), self.player)


@dataclass(frozen=True, slots=True)
class Found:
    """What will be deleted: files, recordings and names.

    Also what stays.
    """

    files: tuple[Path, ...]
    in_use: tuple[Path, ...]
    """Journals of games in progress, which stay."""
    recorded: tuple[Path, ...]
    """Folders of single runs of recordings to delete. A run has one game."""
    recordings: tuple[Path, ...]
    """Recordings to delete as a whole, because all of their runs are."""
    moved: tuple[Path, ...]
    """Recordings that are no longer where they were made."""
    names: tuple[str, ...]
    """Players' names to delete from the settings, and from the choices of the last start."""


Place = tuple[Path, Path]
"""(journal folder, settings file) of one table."""


def find(wanted: Wanted, places: Sequence[Place], named: Sequence[Path]) -> Found:
    """Find what is to be deleted at some tables: journals, recordings, names, and files among `named`.

    `named`: souvenirs, folders of souvenirs, and recordings that were moved. A recording counts once, even if
    it is named, and two tables have noted it.
    """
    noted = list(dict.fromkeys(one for journals, _ in places for one in noted_recordings(journals.parent)))
    by_place: dict[str, Path] = {}
    for one in (*noted, *map(Path.absolute, named)):
        by_place.setdefault(os.path.realpath(one), one)
    recordings = list(filter(is_recording, by_place.values()))
    of_tables = [path for journals, _ in places for path in _journals(journals)]
    used = {path.name for path in of_tables if in_use(path)}
    parts, empty = _recorded(wanted, recordings, used)
    within = (path for one in recordings for path in sorted((one / JOURNALS).glob("*.jsonl")))
    files = list(filter(wanted.has, [*of_tables, *_souvenirs(named), *within]))
    playing = tuple(path for path in files if path.name in used or in_use(path))
    going = tuple(path for path in files if path not in playing)
    moved = tuple(one for one in noted if not is_recording(one))
    names = dict.fromkeys(name for place in places for name in _player_names(wanted, *place))
    return Found(going, playing, parts, empty, moved, tuple(names))


def _player_names(wanted: Wanted, journals: Path, settings: Path) -> tuple[str, ...]:
    """Names of players to delete, out of the settings and of the names remembered from game to game."""
    if wanted.before is not None and not wanted.player:
        return ()
    names = load_config(settings).player_names if settings.exists() else ()
    names = tuple(dict.fromkeys((*names, *remembered(journals.parent).names)))
    if wanted.player:
        names = tuple(name for name in names if name.casefold() == wanted.player.casefold())
    return tuple(filter(None, names))


def remove(found: Found, places: Sequence[Place]) -> None:
    """Delete all that was found at some tables, and update their histories.

    What cannot be deleted stays, and the rest goes all the same. OSError then names the first such file.
    """
    kept: list[OSError] = []
    for path in (*found.recorded, *found.files):
        try:
            if path in found.recorded:
                shutil.rmtree(path)
            else:
                path.unlink()
        except FileNotFoundError:
            continue  # somebody else removed it meanwhile
        except OSError as error:
            kept.append(error)
    for recording in found.recordings:
        if not any(part.parent == recording and part.exists() for part in found.recorded):
            remove_empty(recording)
    for journals, settings in places:
        try:
            _forget_in_lists(found, journals, settings)
        except OSError as error:
            kept.append(error)
    if kept:
        raise kept[0]


def _forget_in_lists(found: Found, journals: Path, settings: Path) -> None:
    """Delete what was found from one table's history, settings and lists."""
    gone = [one for one in found.recordings if not is_recording(one)]
    forget_recordings(journals.parent, gone)
    if journals.is_dir():
        with History(journals) as history:
            history.update(newest=0)  # removes rows of journals that are gone, and makes none
    forget_names(found.names.__contains__, journals.parent)
    there = load_config(settings).player_names if settings.exists() else ()
    kept = [name for name in there if name not in found.names]
    if len(kept) < len(there):
        write_entries(settings, {("player_names",): kept})
        before(settings).unlink()


def _recorded(
    wanted: Wanted, recordings: Sequence[Path], used: Set[str]
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """(runs of recordings to delete, recordings left empty by that).

    A run belongs to all who played in it, so it goes as a whole. `used`: journals' names of games in
    progress, whose runs stay.
    """
    going, empty = [], []
    for recording in recordings:
        parts = read_parts(recording)
        found = [part for part in parts if _belongs(wanted, recording, part, used)]
        going += [part.folder for part in found]
        if len(found) == len(parts):
            empty.append(recording)
    return tuple(going), tuple(empty)


def _belongs(wanted: Wanted, recording: Path, part: Part, used: Set[str]) -> bool:
    journals = [recording / JOURNALS / Path(game.journal).name for game in part.games]
    there = [path for path in journals if path.is_file()]
    if any(path.name in used or in_use(path) for path in there):
        return False
    if not there:  # without a journal nobody knows who played, so only a date or all can be meant
        return not wanted.player and wanted.has(part.folder)
    return (any if wanted.player else all)(map(wanted.has, there))


def _journals(folder: Path) -> Iterator[Path]:
    """A table's journals, and the damaged ends that were cut off."""
    for pattern in _JOURNALS:
        yield from sorted(folder.glob(pattern))


def _souvenirs(named: Sequence[Path]) -> Iterator[Path]:
    """Souvenir pages among `named`, and in folders named there."""
    for given in named:
        for path in sorted(given.glob("*.html")) if given.is_dir() else [given]:
            if GENERATOR.encode() in (read_start(path, _HEAD_BYTES) or b""):
                yield path


def _names(content: bytes, player: str) -> bool:
    """True if a file contains a player's name as a whole word.

    Bytes are searched, so damaged journals too.
    """
    text, name = content.decode(errors="replace").casefold(), player.casefold()
    at = text.find(name)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(name) : at + len(name) + 1]
        if not any(letter.isalnum() for letter in around):
            return True
        at = text.find(name, at + 1)
    return False
