"""Rig file of a board: read back, or written alone.

The program is not flashed then.
"""

import importlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from firmware.clock import Clock
from firmware.errors import BoardError
from firmware.flashing import port_survey
from firmware.flashing.board_install import Tell, await_restart, verify
from firmware.flashing.manifest import HASH, RIG
from firmware.flashing.repl_driver import Repl, reach_prompt
from firmware.reasons import RigVerified, Running, Simple


def read_from_board(path: str, clock: Clock, tell: Tell) -> tuple[bytes, bool]:
    """Read a board's rig file.

    The file describes the board's stations and pins. Returns (JSON text, True if the board has a file of its
    own). A board without a rig file uses the recommended rig, which is returned instead. An own file is
    returned as it is, JSON or not. The board's program is stopped for reading and starts again.
    """
    with _paused(path, clock, tell) as (repl, _):
        if RIG in repl.files(RIG):
            return repl.read(RIG), True
    rig = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
    return (json.dumps(rig, indent=2) + "\n").encode(), False


def write_to_board(path: str, rig: bytes, clock: Clock, tell: Tell) -> None:
    """Write a checked rig file to a board, verify it, and restart the board.

    Returns once the board has answered. `rig`: content of the file. `tell` receives each step. BoardError if
    this program is not on the board, the file was not kept, or the board does not answer.
    """
    with _paused(path, clock, tell) as (repl, code):
        repl.write(RIG, rig)
        verify(repl.files(RIG), RIG, rig, path)
        tell(RigVerified(RIG))
    tell(Simple.RESTARTING)
    tell(Running(*await_restart(path, clock, code)))


@contextmanager
def _paused(path: str, clock: Clock, tell: Tell) -> Iterator[tuple[Repl, int]]:
    """Stop a board's program within `with`; give its prompt.

    The block gets (prompt, hash of the code on the board). The program starts again at the end. BoardError if
    the port is closed, or this program is not on the board.
    """
    found = port_survey.look(path, clock, end=True)
    if found.state == port_survey.CLOSED:
        raise BoardError(found.detail, path)
    reach_prompt(path, clock, tell)
    with Repl(path) as repl:
        try:
            yield repl, _code_hash(repl, path)
        finally:
            with suppress(BoardError):
                repl.restart()


def _code_hash(repl: Repl, path: str) -> int:
    """Read the hash of this program's code from the board.

    BoardError if the program is not there or not whole.
    """
    if HASH in repl.files(HASH):
        with suppress(ValueError):
            return int(repl.read(HASH), 16)
    raise BoardError(Simple.NOT_OUR_PROGRAM, path)
