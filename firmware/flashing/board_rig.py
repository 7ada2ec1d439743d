"""The rig file on a board: read back, or written alone, without flashing the program."""

import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import text
from firmware.flashing import port_survey
from firmware.flashing.board_install import await_restart, verify
from firmware.flashing.manifest import HASH, RIG
from firmware.flashing.repl_driver import Repl, reach_prompt

Say = Callable[[str], None]


def read_from_board(path: str, clock: Clock, say: Say) -> tuple[bytes, bool]:
    """(the rig file as JSON text with an end of line, whether it is the board's own), then the program runs on.

    A board without a rig file uses the recommended rig. The board's file is returned as it stands, JSON or not.
    """
    with _paused(path, clock, say) as (repl, _):
        if RIG in repl.files(RIG):
            return repl.read(RIG), True
    rig = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
    return (json.dumps(rig, indent=2) + "\n").encode(), False


def write_to_board(path: str, rig: bytes, clock: Clock, say: Say) -> None:
    """Write a checked rig file, read it back, restart and wait for the board's answer.

    SourceError if this program is not on the board, or the board did not keep the file.
    """
    with _paused(path, clock, say) as (repl, code):
        repl.write(RIG, rig)
        verify(repl.files(RIG), RIG, rig, path)
        say(text("verified: {name}", name=RIG))
    say(text("restarting"))
    firmware, stations = await_restart(path, clock, code)
    say(port_survey.running(firmware, stations))


@contextmanager
def _paused(path: str, clock: Clock, say: Say) -> Iterator[tuple[Repl, int]]:
    """The prompt of a board whose program is ours, and the hash of its code. The program starts again after
    that."""
    found = port_survey.look(path, clock, end=True)
    if found.state == port_survey.CLOSED:
        raise SourceError(
            found.detail, where=path, next_step=found.next_step or text("plug the board in again")
        )
    reach_prompt(path, clock, say)
    with Repl(path) as repl:
        try:
            yield repl, _code_hash(repl, path)
        finally:
            with suppress(SourceError):
                repl.restart()


def _code_hash(repl: Repl, path: str) -> int:
    """The hash of this program's code on the board. SourceError if it is not there, or not whole."""
    if HASH in repl.files(HASH):
        with suppress(ValueError):
            return int(repl.read(HASH), 16)
    raise SourceError(text("this program is not on the board"), where=path, next_step="companion flash")
