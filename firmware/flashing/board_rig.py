"""Rig file of a board: read back, or written without flashing the program."""

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
    """Read a board's rig file: (JSON text, True if it is the board's own).

    A board without a rig file uses the recommended one. An own file is returned as it is, JSON or not. The
    program then runs on.
    """
    with _paused(path, clock, tell) as (repl, _):
        if RIG in repl.files(RIG):
            return repl.read(RIG), True
    rig = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
    return (json.dumps(rig, indent=2) + "\n").encode(), False


def write_to_board(path: str, rig: bytes, clock: Clock, tell: Tell) -> None:
    """Write a checked rig file, verify it, restart, and wait for the board's answer.

    BoardError if this program is not on the board, or the file was not kept.
    """
    with _paused(path, clock, tell) as (repl, code):
        repl.write(RIG, rig)
        verify(repl.files(RIG), RIG, rig, path)
        tell(RigVerified(RIG))
    tell(Simple.RESTARTING)
    tell(Running(*await_restart(path, clock, code)))


@contextmanager
def _paused(path: str, clock: Clock, tell: Tell) -> Iterator[tuple[Repl, int]]:
    """Prompt of a board that has this program, with the hash of its code (context manager).

    The board's program is stopped, and starts again at the end.
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
    """Hash of this program's code on the board.

    BoardError if it is not there or not whole.
    """
    if HASH in repl.files(HASH):
        with suppress(ValueError):
            return int(repl.read(HASH), 16)
    raise BoardError(Simple.NOT_OUR_PROGRAM, path)
