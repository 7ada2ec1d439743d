"""`companion flash`: copies the board's program onto a Pico, checks it and starts it."""

import json
from pathlib import Path

import click

from companion.core.clock import Clock, RealClock
from companion.core.language import text
from companion.core.option_types import FILE_PATH
from companion.core.printable import say
from companion.sensing.board_words import HOW, in_words, parts_of
from firmware.errors import BoardError
from firmware.flashing import bootsel, port_survey
from firmware.flashing.flash_board import Flashed, find_board, flash_board, plan_new_board, read_rig
from firmware.flashing.manifest import code_hash
from firmware.host.ports import list_ports
from firmware.reasons import Reason, Simple


@click.command()
@click.option("--port", default="auto", show_default=True, help="The board's port, or auto for the only one.")
@click.option("--rig", type=FILE_PATH, help="What is wired where: a file (JSON), or full, judge or pad.")
@click.option("--uf2", type=FILE_PATH, help="MicroPython, for a board without it.")
@click.option("--list", "listing", is_flag=True, help="Say which boards there are and what runs on them.")
@click.option("--dry-run", is_flag=True, help="Write nothing, say what would be done.")
@click.option("--force", is_flag=True, help="Write every file again, over another program too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@in_words()
def flash(
    port: str, rig: Path | None, uf2: Path | None, listing: bool, dry_run: bool, force: bool, as_json: bool
) -> None:
    """Install the board's program over USB.

    Only files that differ are written, and the program is started. A board without MicroPython gets it first,
    with --uf2.
    """
    clock = RealClock()

    def tell(step: Reason | str) -> None:
        say(parts_of(step)[0], err=as_json)

    if listing:
        _print_list(port, clock, as_json)
        return
    wiring = None if rig is None else read_rig(rig)
    if uf2 is not None:
        bootsel.check_uf2(uf2)
    try:
        path = find_board(port, uf2, clock, tell, dry_run=dry_run)
    except BoardError as error:
        if not dry_run or error.reason is not Simple.NO_BOARD_TO_FLASH:
            raise
        tell(text("no board found; a new one would get these files:"))
        result = plan_new_board(wiring, tell)
    else:
        if path is None:
            result = Flashed("", "planned", f"{code_hash():08x}", "", [], [], None, [])
        else:
            result = flash_board(path, wiring, clock, tell, dry_run=dry_run, force=force)
    if as_json:
        click.echo(json.dumps(result._asdict()))


def _print_list(port: str, clock: Clock, as_json: bool) -> None:
    """Print boards, what they run, and drives awaiting MicroPython.

    `port`: the only port to look at; "auto": all ports. `as_json`: one JSON object with the keys "boards",
    "boot_drives" and "code" (this program's hash, 8 hex digits).
    """
    names = [found.best for found in list_ports()] if port == "auto" else [port]
    boards = [port_survey.look(name, clock) for name in names]
    drives = bootsel.find_drives()
    if as_json:
        listed = [
            {
                "port": board.port,
                "state": board.state,
                "detail": parts_of(board.detail)[0],
                "firmware": board.firmware,
                "board": board.board_id,
                "code": None if board.code_hash is None else f"{board.code_hash:08x}",
                "current": board.code_hash == code_hash(),
            }
            for board in boards
        ]
        waiting = [{"drive": str(drive.path), "chip": drive.chip} for drive in drives]
        click.echo(json.dumps({"boards": listed, "boot_drives": waiting, "code": f"{code_hash():08x}"}))
        return
    for board in boards:
        newer = board.code_hash is not None and board.code_hash != code_hash()
        found = text("{where}: {what}", where=board.port, what=parts_of(board.detail)[0])
        say(text("{found}; this program has other code for it", found=found) if newer else found)
    for drive in drives:
        say(
            text(
                "{path}: {chip} in its boot loader, waits for MicroPython",
                path=str(drive.path),
                chip=drive.chip,
            )
        )
    if not boards and not drives:
        say(text("no board found; if MicroPython is not on it yet: {how}", how=HOW))
