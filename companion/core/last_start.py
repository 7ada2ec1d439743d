"""Choices of the last start; the first screen offers them."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.config import state_dir
from companion.core.files import replace_file


class LastStart(msgspec.Struct, frozen=True):
    """Game that was started last, and its players.

    Empty fields, or 0: unknown.
    """

    game: str = ""
    variant: str = ""
    players: int = 0
    names: tuple[str, ...] = ()
    asked: bool = False
    """The family was asked what shall be kept of an evening."""


def remembered(folder: Path | None = None) -> LastStart:
    """Choices of the last start; empty if unreadable.

    `folder`: state folder of another table; None: that of this process's table.
    """
    try:
        return msgspec.json.decode(_file(folder).read_bytes(), type=LastStart)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return LastStart()


def remember(chosen: LastStart, folder: Path | None = None) -> None:
    """Keep these choices for the next start.

    If they cannot be written, nothing happens.
    """
    with suppress(OSError):
        _file(folder).parent.mkdir(parents=True, exist_ok=True)
        replace_file(_file(folder), msgspec.json.encode(chosen))


def forget_names(forgotten: Callable[[str], bool] = lambda _name: True, folder: Path | None = None) -> None:
    """Remove forgotten players' names from the last start.

    A name is forgotten if `forgotten` is True for it. Other choices stay.
    """
    last = remembered(folder)
    kept = tuple(name for name in last.names if not forgotten(name))
    if kept != last.names:
        remember(msgspec.structs.replace(last, names=kept), folder)


def rename_players(names: tuple[str, ...], folder: Path | None = None) -> None:
    """Replace the players' names of the last start, if any.

    Empty: no names.
    """
    last = remembered(folder)
    if last.game and last.names != names:
        remember(msgspec.structs.replace(last, names=names), folder)


def _file(folder: Path | None) -> Path:
    return (folder or state_dir()) / "last_start.json"
