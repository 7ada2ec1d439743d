"""Types of command-line options that several commands share."""

import math
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from companion.core.config import THEMES, checked_names, load_config
from companion.core.errors import BadInputError, CompanionError
from companion.core.files import name_fault
from companion.core.language import CHOSEN, LANGUAGES, choose, text, use
from companion.core.table_names import TABLE, checked_name

MOST_GAMES = 10_000_000
"""Largest number of games in one run."""


class FiniteRange(click.FloatRange):
    """Option type: a number within bounds.

    Unlike click's own type it rejects nan and infinity.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Typed number; fails for nan, infinity, and beyond bounds."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a number that can be used.", param, ctx)
        return number


class FilePath(click.Path):
    """Option type: a path that a file system can hold.

    The file need not exist.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Typed path; BadInputError for an impossible file name."""
        given = os.fspath(value)
        if fault := name_fault(given):
            where = param.opts[0] if param else ""
            raise BadInputError(fault, where=where, next_step=text("name a file"))
        return Path(given)


class PlayerNamesType(click.ParamType[tuple[str, ...]]):
    """Option type: names of players, separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The names typed; BadInputError for too many, or for one that cannot be used."""
        if isinstance(value, tuple):
            return value
        try:
            return checked_names([name.strip() for name in str(value).split(",")])
        except ValueError as error:
            where = param.opts[0] if param else ""
            raise BadInputError(error.args[0], where=where, next_step=text("--names Anna,Ben,Cleo")) from None


def players_named(players: int | None, names: Sequence[str] | None, usual: int) -> int:
    """Number of players: `players`, else number of `names`, else `usual`.

    BadInputError for more names than players.
    """
    if players is None:
        return len(names) if names else usual
    if names and len(names) > players:
        raise BadInputError(
            text("{given} names for {players} players", given=len(names), players=players),
            where="--names",
            next_step=text("--players {given}, or leave the names of others out", given=len(names)),
        )
    return players


FILE_PATH = FilePath()
PLAYER_NAMES = PlayerNamesType()


def _speak(_ctx: click.Context, _option: click.Parameter, code: str | None) -> None:
    if code is not None:
        os.environ[CHOSEN] = code  # for the processes that this one starts
        use(code)


class _LanguageChoice(click.Choice[str]):
    """Option type: a language of this program.

    Another is refused in the settings' language, which the command has not read yet.
    """

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """BadInputError for a language that this program does not speak."""
        if value not in LANGUAGES:
            with suppress(CompanionError):
                use(choose(load_config().language))
            raise BadInputError(
                text("no language is called {name}", name=repr(value[:20])),
                where="--language",
                next_step=text("choose one of: {names}", names=tuple(LANGUAGES)),
            )
        return value


language_option = click.option(
    "--language",
    type=_LanguageChoice(list(LANGUAGES)),
    expose_value=False,
    is_eager=True,
    callback=_speak,
    help="Language of what is shown, this time; without it, the settings' or the system's.",
)
"""Option `--language` for a command's output. It acts at once, so the command gets no argument."""


def _sit(_ctx: click.Context, _option: click.Parameter, name: str | None) -> None:
    if name is not None:
        os.environ[TABLE] = checked_name(name)  # for the processes that this one starts, too


at_option = click.option(
    "--at",
    metavar="TABLE",
    expose_value=False,
    is_eager=True,
    callback=_sit,
    help="Of several tables at this machine, the one of this name: settings, rig, journals, socket.",
)
"""Option `--at`: one of several tables at this machine. It goes into the environment, so the command gets no
argument."""


names_option = click.option(
    "--names",
    type=PLAYER_NAMES,
    help="Their names, with commas between them; without --players they are counted.",
)
"""Option `--names`: the players' names."""


force_option = click.option("--force", is_flag=True, help="Write over a file that is there.")
"""Option `--force`: a file that exists may be written over."""


LEAST_MB, MOST_MB = 10, 1_000_000
"""Bounds (megabytes) for the size of a recording."""


def record_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator with a recording's options: `record` and `record_mb`."""
    for option in (
        click.option("--record-mb", type=click.IntRange(LEAST_MB, MOST_MB), default=2000, show_default=True,
                     help="With --record: most megabytes of that folder."),
        click.option("--record", type=FILE_PATH, metavar="DIR",
                     help="Record into this folder: journal, the board's bytes, pictures of the mat."),
    ):  # fmt: skip
        command = option(command)
    return command


def screen_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator that adds the options for a screen's look: `theme`, `switch`, `calm`, `big`, `children`,
    language."""
    for option in (
        language_option,
        click.option("--children", is_flag=True, help="For children from 5: pictures, hardly a word."),
        click.option("--big", is_flag=True, help="For a television: what to do next fills the screen."),
        click.option("--calm", is_flag=True, help="No motion: verdicts come at once."),
        click.option(
            "--switch",
            metavar="KEY",
            help="For one switch: choices light up, and this key takes the lit one; space, enter, f12.",
        ),
        click.option("--theme", type=click.Choice(THEMES), help="Colours; F2 changes them while it runs."),
    ):
        command = option(command)
    return command


def plain_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator that adds the options for a screen read by hand or by ear: `plain` and `aloud`."""
    for option in (
        click.option("--aloud", is_flag=True,
                     help="Speak every line of --plain, hints and choices too; also: F4 in a game."),
        click.option("--plain", is_flag=True,
                     help="Lines of text and typed words: for a screen reader or a braille line."),
    ):  # fmt: skip
        command = option(command)
    return command


def is_host(name: str) -> bool:
    """True if this can be the name or address of a machine on a network."""
    if not name or any(sign.isspace() or sign in "/@" for sign in name):
        return False
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True
