"""One emulated Pico for all tests here: bare, then flashed, then at work or at its prompt."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.flashing import port_survey
from firmware.flashing.board_install import await_restart
from firmware.flashing.flash_board import Flashed, flash_board
from firmware.flashing.manifest import code_hash
from firmware.flashing.repl_driver import Repl, reach_prompt
from firmware.host.link import Link
from tests.hardware.emulated import EmulatedPico, missing

VARIABLE = "COMPANION_UF2"
PATIENCE = 60.0
"""Emulated seconds for a reset, the window for Ctrl-C, and compiling the whole program."""


def quiet(_: str) -> None:
    pass


@pytest.fixture(scope="session")
def pico() -> Iterator[EmulatedPico]:
    """Under power, as MicroPython's own file left it."""
    uf2 = Path(os.environ[VARIABLE])
    if not uf2.is_file():
        pytest.fail(f"{VARIABLE}: no such file: {uf2}")
    if problem := missing():
        pytest.fail(f"{VARIABLE} is set, but {problem}")
    with EmulatedPico(uf2.resolve()) as board:
        yield board


@contextmanager
def timed(pico: EmulatedPico, what: str) -> Iterator[None]:
    """Print what something took, in our seconds and in the board's."""
    ours, board = time.monotonic(), pico.clock.now()
    yield
    print(f"\n{what}: {time.monotonic() - ours:.0f} s, {pico.clock.now() - board:.1f} s of the board's")


@pytest.fixture(autouse=True)
def progress(pico: EmulatedPico, request: pytest.FixtureRequest) -> Iterator[None]:
    """A line for each test when it ends."""
    with timed(pico, request.node.name):
        yield


@pytest.fixture(scope="session")
def flashed(pico: EmulatedPico) -> Flashed:
    """What `companion flash` made of the bare board."""
    with timed(pico, "flashing"):
        return flash_board(pico.path, None, pico.clock, quiet, dry_run=False, force=False)


@pytest.fixture
def link(pico: EmulatedPico, flashed: Flashed) -> Iterator[Link]:
    """To the running program, before the handshake, with nothing on the table."""
    pico.clear()
    if port_survey.look(pico.path, pico.clock).state == port_survey.AT_PROMPT:
        reach_prompt(pico.path, pico.clock, quiet)
        with Repl(pico.path) as repl:
            repl.restart()
        await_restart(pico.path, pico.clock, code_hash(), PATIENCE)
    connection = Link(pico.path, pico.clock)
    yield connection
    connection.close()


@pytest.fixture
def prompt(pico: EmulatedPico, flashed: Flashed) -> Iterator[Repl]:
    """Of a board that has the program and was told to leave it, with nothing on the table."""
    pico.clear()
    port_survey.look(pico.path, pico.clock, end=True)
    reach_prompt(pico.path, pico.clock, quiet)
    with Repl(pico.path) as repl:
        yield repl
