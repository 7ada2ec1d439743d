"""`companion pack`: a recorded evening becomes one file to send.

Names, addresses and serial numbers are taken out.
"""

import getpass
from pathlib import Path

import click

from companion.core.config import load_config, speak_as_set
from companion.core.errors import BadInputError
from companion.core.files import check_free, write_new
from companion.core.language import text, tr
from companion.core.option_types import FILE_PATH, force_option, language_option
from companion.core.packed_folder import pack as packed_into
from companion.core.packed_folder import unpacked
from companion.core.printable import confirm, follow, say
from companion.core.system_words import system_words
from companion.sensing.recording_folder import Part

FOLDER = "companion-recording"
"""Name of the only folder inside the packed file; all files lie in it."""
MEGABYTE = 1_000_000
"""Bytes of a megabyte, in printed sizes."""


@click.command()
@click.argument("folder", type=FILE_PATH, metavar="DIR")
@click.option("-o", "--out", type=FILE_PATH, help="The file to write (tar.gz); DIR.tar.gz without it.")
@click.option("--without-hands", is_flag=True,
              help="Leave out pictures in which more than a forearm reaches in from the border (12 % of the "
                   "picture): perhaps a head. It knows no faces; look at the contact sheet.")  # fmt: skip
@click.option("--small", is_flag=True,
              help="Smaller: only what changes from picture to picture, less sharp.")  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask before it is written.")
@force_option
@language_option
def pack(folder: Path, out: Path | None, without_hands: bool, small: bool, yes: bool, force: bool) -> None:
    """Pack a recording (a folder of --record) into one file to send.

    Names of people, addresses and serial numbers of boards are taken out. What is inside is listed, and a
    contact sheet of small pictures written beside the file, before anything else is. Journals tell hidden
    cards.
    """
    from calibration.doctor.masked_text import Mask
    from companion.session.journal.recording_pack import (
        Wish,
        contact_sheet,
        files_of,
        names_in,
        prepared,
        serials_in,
    )

    speak_as_set(load_config())
    if not folder.name:  # the root folder
        raise BadInputError(
            text("not a recording of companion"),
            where=str(folder),
            next_step=text("name a folder that --record wrote"),
        )
    target = out or folder.with_name(f"{folder.name}.tar.gz")
    sheet = target.with_name(f"{target.name.removesuffix('.gz').removesuffix('.tar')}-contents.jpg")
    check_free(target, overwrite=force)
    with unpacked(folder) as source:
        secrets = [*serials_in(source), *names_in(source)]
        mask = Mask(Path.home(), _user(), secrets)
        searched = follow(tr("looking for hands"))
        ready = prepared(source, Wish(without_hands, small), mask.text, searched)
        write_new(sheet, contact_sheet(ready), overwrite=True, private=True)
        frames = ready.frames
        left_out = sum(map(len, ready.left_out.values()))
        say(tr("Inside {file} there will be:", file=str(target)))
        say("  " + tr("games: {n}, with what lay hidden in them, without names", n=len(ready.lines)))
        say("  " + tr("pictures of the mat: {n}, left out: {left_out}", n=len(frames), left_out=left_out))
        say("  " + tr("the board's bytes: {n}, without its serial number", n=_bytes_of(ready.parts)))
        say("  " + tr("settings: numbers of tags and what scales and lens measured; no address, no name"))
        for missing in ready.missing:
            say("  " + tr("note: {lost}", lost=missing))
        say(tr("Look at the pictures before you send them: {sheet}", sheet=str(sheet)))
        if not yes and not confirm(tr("Write it?"), default=False):
            say(tr("Nothing was written but {sheet}.", sheet=sheet.name))
            return
        draft = target.with_name(f".{target.name}.part")
        try:
            draft.unlink(missing_ok=True)
            packed_into(draft, FOLDER, files_of(ready))
            draft.replace(target)
        except OSError as error:
            next_step = text("name another file with {option}", option="--out")
            raise BadInputError(system_words(error), where=str(target), next_step=next_step) from None
    size = round(target.stat().st_size / MEGABYTE, 1)
    say(tr("Written: {file} ({size} MB)", file=str(target), size=size))


def _bytes_of(parts: list[Part]) -> int:
    """Number of bytes from the board in a recording.

    All its parts count.
    """
    return sum(len(data) for part in parts for _, data in part.port)


def _user() -> str:
    """Login name of this user. "" if the system does not tell it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""
