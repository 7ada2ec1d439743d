"""The parts as processes of their own: table, engine and a screen that reads the stream."""

import contextlib
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.address_card import AddressCard, wait_for_card
from companion.core.clock import RealClock
from companion.core.errors import SourceError
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_lines import Observed
from companion.session.stream.commands import Claim, Pause
from companion.session.stream.events import Event, Refused, Said, SensorHealth, Table, Welcome
from companion.session.stream.stream import connect, decode_line, encode_line

PATIENCE_S = 240
"""PATIENCE_S: longest wait (s) for what any machine does, however busy; shorter than a test may take."""


def part(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "companion", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def table_at(card: Path, table: subprocess.Popen[bytes]) -> AddressCard:
    """The address card of a table, as soon as it is there, however slow the machine."""
    until = time.monotonic() + PATIENCE_S
    return wait_for_card(card, RealClock(), lambda: table.poll() is None and time.monotonic() < until)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[Path, AddressCard, list[subprocess.Popen[bytes]]]]:
    """A fast virtual table and an engine that watches it."""
    card = tmp_path / "table.json"
    parts = [part("table", "--variant", "5+", "--players", "2", "--speed", "8", "--address", str(card))]
    address = table_at(card, parts[0])
    parts.append(
        part(
            *("run", "--table", str(card), "--socket", str(tmp_path / "engine.sock")),
            *("--journal", str(tmp_path / "journal.jsonl")),
        )
    )
    yield tmp_path, address, parts
    for process in parts:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)


def screen(path: Path, engine: subprocess.Popen[bytes]) -> socket.socket:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            client = connect(path)
        except SourceError:
            assert engine.poll() is None, "the engine has ended"
            assert time.monotonic() < until, "the engine never served its stream"
            time.sleep(0.05)
        else:
            client.settimeout(PATIENCE_S)
            return client


def events(client: socket.socket) -> Iterator[Any]:
    with client.makefile("rb") as lines:
        for line in lines:
            yield decode_line(line, Event)


def wait_for(stream: Iterator[Any], wanted: Any) -> Any:
    return next(event for event in stream if wanted(event))


@pytest.mark.long
@pytest.mark.quick(1)
def test_a_screen_sees_the_princesses_sit_down(
    running: tuple[Path, AddressCard, list[subprocess.Popen[bytes]]],
) -> None:
    folder, _, parts = running
    client = screen(folder / "engine.sock", parts[1])
    stream = events(client)
    assert isinstance(next(stream), Welcome)
    assert isinstance(next(stream), Table)
    wait_for(stream, lambda event: event == SensorHealth("board", True))
    wait_for(stream, lambda event: isinstance(event, Said) and "belongs to" in event.text)
    client.sendall(encode_line(Claim(1)) + b"not json\n" + encode_line(Pause(True)))
    refused = {wait_for(stream, lambda event: isinstance(event, Refused)).text for _ in range(2)}
    assert any("Nothing can be claimed yet." in text for text in refused)
    assert any("not a command" in text for text in refused)
    wait_for(stream, lambda event: isinstance(event, Table) and event.paused)
    second = screen(folder / "engine.sock", parts[1])
    again = events(second)
    assert isinstance(next(again), Welcome)
    assert next(again).paused

    # Killed in the middle: what was believed until then is in the journal, to the last whole line.
    parts[1].kill()
    parts[1].wait()
    recorded = read_journal(folder / "journal.jsonl")
    assert any(isinstance(line, Observed) for line in recorded.lines)


@pytest.mark.quick(1)
def test_the_board_that_vanishes_is_said(
    running: tuple[Path, AddressCard, list[subprocess.Popen[bytes]]],
) -> None:
    folder, _, parts = running
    stream = events(screen(folder / "engine.sock", parts[1]))
    wait_for(stream, lambda event: event == SensorHealth("board", True))
    parts[0].kill()
    parts[0].wait()
    lost = set()
    while lost != {"board", "camera"}:
        event = wait_for(stream, lambda event: isinstance(event, SensorHealth) and not event.ok)
        assert event.detail
        lost.add(event.source)


def test_a_screen_that_was_left_says_goodbye_on_the_terminal(tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if not pid:
        socket = str(tmp_path / "engine.sock")
        os.execv(sys.executable, [sys.executable, "-m", "companion", "dashboard", "--socket", socket])
    shown = b""
    with contextlib.suppress(OSError):  # the far end closes a terminal with an error
        while more := os.read(terminal, 4096):
            shown += more
            if b"No engine answers" in shown:
                os.write(terminal, b"qq")
    assert os.waitpid(pid, 0)[1] == 0
    left = shown.rpartition(b"\x1b[?1049l")[2]
    assert b"Goodbye!" in left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_screen_that_is_told_to_end_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    pid, terminal = pty.fork()
    if not pid:
        signal.signal(number, signal.SIG_DFL)  # as in a terminal: under nohup it would be ignored
        socket = str(tmp_path / "engine.sock")
        os.execv(sys.executable, [sys.executable, "-m", "companion", "dashboard", "--socket", socket])
    before = termios.tcgetattr(terminal)
    shown = b""
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 4096):
            told = b"No engine answers" in shown
            shown += more  # a sentence may come in two pieces
            if b"No engine answers" in shown and not told:
                assert termios.tcgetattr(terminal) != before
                os.kill(pid, number)
            if b"Goodbye!" in shown:
                assert termios.tcgetattr(terminal) == before
    assert os.waitpid(pid, 0)[1] == 0
    left = shown.rpartition(b"\x1b[?1049l")[2]
    assert b"Goodbye!" in left
    assert b"\x1b[?1003h" not in left


def test_a_screen_ends_with_its_terminal_though_nobody_tells_it(tmp_path: Path) -> None:
    """`make` is told of a closed window and waits for its command, which is not."""
    pid, terminal = pty.fork()
    if not pid:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        socket = str(tmp_path / "engine.sock")
        os.execv(sys.executable, [sys.executable, "-m", "companion", "dashboard", "--socket", socket])
    shown = b""
    while b"No engine answers" not in shown:
        shown += os.read(terminal, 4096)
    os.close(terminal)
    end = time.monotonic() + PATIENCE_S
    ended = (0, 0)
    while ended[0] == 0 and time.monotonic() < end:
        time.sleep(0.1)
        ended = os.waitpid(pid, os.WNOHANG)
    if ended[0] == 0:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert ended == (pid, signal.SIGHUP)


def test_parts_end_when_their_parent_does(tmp_path: Path) -> None:
    process = part("table", "--address", str(tmp_path / "table.json"))
    table_at(tmp_path / "table.json", process)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=PATIENCE_S) == 0
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - nothing left behind
