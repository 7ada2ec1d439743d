"""`companion forget`: remove what is kept about people who played."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.config import kept_places, load_config, speak_as_set
from companion.core.errors import BadInputError
from companion.core.language import text, tr
from companion.core.option_types import FILE_PATH, at_option, language_option
from companion.core.printable import say
from companion.core.system_words import system_words

if TYPE_CHECKING:
    from companion.history.forgetting import Found


class _Day(click.ParamType[date]):
    """Option type: a day, written as 2026-01-31."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The typed day; BadInputError for anything else."""
        try:
            return value if isinstance(value, date) else date.fromisoformat(value)
        except ValueError:
            raise BadInputError(
                text("{day} is no day", day=repr(value)),
                where="--before",
                next_step=text("write it like {example}", example="2026-01-31"),
            ) from None


@click.command()
@click.option("--player", default="", help="All games of this person; capital or small letters are the same.")
@click.option("--before", type=_Day(), help="All games before this day, e.g. 2026-01-31.")
@click.option("--all", "everything", is_flag=True, help="All games.")
@click.option("--yes", is_flag=True, help="Remove what is listed; otherwise it is only listed.")
@click.option("--own", is_flag=True, hidden=True, help="Not at other tables of this machine.")
@click.argument("souvenirs", type=FILE_PATH, nargs=-1)
@language_option
@at_option
def forget(
    player: str, before: date | None, everything: bool, yes: bool, own: bool, souvenirs: tuple[Path, ...]
) -> None:
    """Remove games with their journals, recordings and history, names in the settings, and SOUVENIRS.

    A journal belongs to all who played: the whole game goes, with its part of a recording. SOUVENIRS are pages,
    or recordings that were moved: they are found only if they are named. Rigs, stickers and other settings
    stay. Without --at: at all tables of this machine.
    """
    from companion.history.forgetting import Wanted, find, remove

    speak_as_set(load_config())
    _check_wanted(player, before=before is not None, everything=everything)
    wanted = Wanted(player.strip(), before)
    places = kept_places(own_alone=own)
    try:
        found = find(wanted, places, souvenirs)
    except OSError as error:
        raise _forbidden(error) from None
    _say_found(found)
    if not (found.files or found.recorded or found.names):
        say(
            tr("Nothing else of it is kept: end the game first.")
            if found.in_use
            else tr("No game and no name like that is kept here.")
        )
    elif not yes:
        say(tr("Nothing was removed yet. The same with --yes removes it for good."))
    else:
        try:
            remove(found, places)
        except OSError as error:
            raise _forbidden(error) from None
        say(tr("Removed."))


def _say_found(found: "Found") -> None:
    """Print the files and names that would be removed.

    On stderr: journals that stay because their game is on, and recordings that are not found any more.
    """
    for path in (*found.files, *found.recorded):
        say(str(path))
    if found.names:
        say(tr("Names of players in the settings: {names}", names=", ".join(found.names)))
    for path in found.in_use:
        say(text("companion: {journal} stays: its game is on", journal=str(path)), err=True)
    for path in found.moved:
        gone = text("companion: {recording} lies there no more; if it was moved, name it", recording=str(path))
        say(gone, err=True)


def _check_wanted(player: str, *, before: bool, everything: bool) -> None:
    """Raise BadInputError unless the options say what to forget.

    `player`: a name, "" for none. `before`: a day is given. `everything`: --all is given. A name and a day may
    be given together; --all goes with neither.
    """
    if not (player.strip() or before or everything):
        raise BadInputError(
            text("nothing to forget is named"),
            next_step="companion forget --player NAME | --before DATE | --all",
        )
    if everything and (player or before):
        raise BadInputError(text("--all goes with no other choice"), next_step=text("leave one of them out"))


def _forbidden(error: OSError) -> BadInputError:
    """Error for a file that must not be read or removed.

    It names the file of `error`. It is returned, not raised.
    """
    return BadInputError(
        system_words(error), where=str(error.filename), next_step=text("allow it, and try again")
    )
