"""The choices of the last start, which the first screen offers again."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.config import state_dir
from companion.core.files import replace_file


class LastStart(msgspec.Struct, frozen=True):
    """What was played last, and by whom; empty for not known."""

    game: str = ""
    variant: str = ""
    players: int = 0
    names: tuple[str, ...] = ()
    asked: bool = False
    """Whether it was asked what is kept of an evening."""


def remembered(folder: Path | None = None) -> LastStart:
    """The choices of last time; none where none can be read. `folder`: that of another table."""
    try:
        return msgspec.json.decode(_file(folder).read_bytes(), type=LastStart)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return LastStart()


def remember(chosen: LastStart, folder: Path | None = None) -> None:
    """Keep these choices. Where nothing can be written the game is played all the same."""
    with suppress(OSError):
        _file(folder).parent.mkdir(parents=True, exist_ok=True)
        replace_file(_file(folder), msgspec.json.encode(chosen))


def forget_names(forgotten: Callable[[str], bool] = lambda _name: True, folder: Path | None = None) -> None:
    """Forget names of players; the other choices stay."""
    last = remembered(folder)
    kept = tuple(name for name in last.names if not forgotten(name))
    if kept != last.names:
        remember(msgspec.structs.replace(last, names=kept), folder)


def rename_players(names: tuple[str, ...], folder: Path | None = None) -> None:
    """The players of the last start have these names now (empty: none); nothing where nothing was started."""
    last = remembered(folder)
    if last.game and last.names != names:
        remember(msgspec.structs.replace(last, names=names), folder)


def _file(folder: Path | None) -> Path:
    return (folder or state_dir()) / "last_start.json"
