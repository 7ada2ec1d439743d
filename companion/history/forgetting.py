"""What is kept of people, found by name or by date, to be removed: journals, history, souvenirs, names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from companion.core.config import load_config
from companion.core.files import read_start
from companion.core.last_start import forget_names, remembered
from companion.core.settings_file import before, write_entries
from companion.history.database import History, began
from companion.history.souvenir import GENERATOR
from companion.session.journal import in_use

_JOURNALS = ("*.jsonl", "*.jsonl.damaged*")
"""Journals, and what was cut off damaged ones."""
_HEAD_BYTES = 1000
"""A souvenir says in so many bytes that it is one."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be forgotten: everything of a person, everything before a day, or both; all without them."""

    player: str = ""
    before: date | None = None

    def has(self, path: Path) -> bool:
        """Whether a file belongs to it. OSError if it cannot be read: nobody knows then."""
        if self.before is not None and datetime.fromtimestamp(began(path)).date() >= self.before:  # noqa: DTZ006
            return False
        return not self.player or _names(path.read_bytes(), self.player)


@dataclass(frozen=True, slots=True)
class Found:
    """What would be removed."""

    files: tuple[Path, ...]
    in_use: tuple[Path, ...]
    """Journals of games that are on: they stay."""
    names: tuple[str, ...]
    """Names of players in the settings and of the last start."""


def find(wanted: Wanted, journals: Path, souvenirs: Sequence[Path], settings: Path) -> Found:
    """What there is in the folder of the journals, among these souvenirs or folders of them, and in the
    settings."""
    files = [path for path in _candidates(journals, souvenirs) if wanted.has(path)]
    playing = tuple(path for path in files if in_use(path))
    names = load_config(settings).player_names if settings.exists() else ()
    names = tuple(dict.fromkeys((*names, *remembered(journals.parent).names)))
    if wanted.player:
        names = tuple(name for name in names if name.casefold() == wanted.player.casefold())
    elif wanted.before is not None:
        names = ()
    return Found(tuple(path for path in files if path not in playing), playing, tuple(filter(None, names)))


def remove(found: Found, journals: Path, settings: Path) -> None:
    """Remove it, and bring the history up to date. OSError names the first file that could not be removed."""
    for path in found.files:
        path.unlink(missing_ok=True)
    if journals.is_dir():
        with History(journals) as history:
            history.update(newest=0)  # rows of what is gone go; none is made now
    forget_names(found.names.__contains__, journals.parent)
    there = load_config(settings).player_names if settings.exists() else ()
    kept = [name for name in there if name not in found.names]
    if len(kept) < len(there):
        write_entries(settings, {("player_names",): kept})
        before(settings).unlink()


def _candidates(journals: Path, souvenirs: Sequence[Path]) -> Iterator[Path]:
    for pattern in _JOURNALS:
        yield from sorted(journals.glob(pattern))
    for given in souvenirs:
        for path in sorted(given.glob("*.html")) if given.is_dir() else [given]:
            if GENERATOR.encode() in (read_start(path, _HEAD_BYTES) or b""):
                yield path


def _names(content: bytes, player: str) -> bool:
    """Whether a file holds a name of its own: in quotation marks of a journal, or among the words of a page.

    So it is found in damaged journals, too.
    """
    text, name = content.decode(errors="replace").casefold(), player.casefold()
    at = text.find(name)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(name) : at + len(name) + 1]
        if not any(letter.isalnum() for letter in around):
            return True
        at = text.find(name, at + 1)
    return False
