"""`companion rig`: a board's rig file is read into a file, or written onto the board."""

from pathlib import Path

import click

from companion.core.clock import RealClock
from companion.core.errors import BadInputError
from companion.core.files import check_free, write_new
from companion.core.language import text
from companion.core.option_types import FILE_PATH
from companion.core.printable import say
from companion.sensing.board_words import in_words, parts_of
from firmware.flashing.board_rig import read_from_board, write_to_board
from firmware.flashing.flash_board import find_port, read_rig
from firmware.reasons import Reason


@click.command()
@click.option("--read", "read_to", type=FILE_PATH, help="Write the board's rig file into this new file.")
@click.option(
    "--write",
    "write_from",
    type=FILE_PATH,
    help="Write this rig file (JSON), or full, judge or pad, onto the board.",
)
@click.option("--port", default="auto", show_default=True, help="The board's port, or auto for the only one.")
@click.option("--force", is_flag=True, help="Replace the file of --read if it exists.")
@in_words()
def rig(read_to: Path | None, write_from: Path | None, port: str, force: bool) -> None:
    """Read the rig file of a board, or write another one.

    A rig file (JSON) says what is wired to which pin of the board.
    """
    if (read_to is None) == (write_from is None):
        raise BadInputError(
            text("say what to do with the board's rig file"),
            where="rig",
            next_step=text("use {names}", names="--read FILE, --write FILE"),
        )
    clock = RealClock()
    wiring = None if write_from is None else read_rig(write_from)
    if read_to is not None:
        check_free(read_to, overwrite=force, option="--read")
    path = find_port(port)
    if wiring is not None:
        write_to_board(path, wiring, clock, _tell)
    elif read_to is not None:
        data, own = read_from_board(path, clock, _tell)
        write_new(read_to, data, overwrite=force, option="--read")
        if own:
            say(text("{file}: the board's rig file", file=str(read_to)))
        else:
            said = text(
                "{file}: the recommended rig, as the board has no rig file of its own", file=str(read_to)
            )
            say(said)


def _tell(step: Reason | str) -> None:
    say(parts_of(step)[0])
