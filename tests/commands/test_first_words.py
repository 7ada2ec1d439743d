"""What commands say to somebody who sits in front of them for the first time."""

import io
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.clock import ManualClock
from companion.core.config import Config
from companion.core.engine_command import ENGINE, engine_command, page_command, screen_command
from companion.core.errors import SourceError
from companion.core.printable import follow
from companion.dashboard.app import Dashboard
from companion.dashboard.model import Link, WorldModel
from companion.dashboard.widgets.table_panels import status
from companion.rehearse import parallel_games
from companion.rehearse.parallel_games import Progress
from companion.session.stream.stream import connect


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_counts_games_and_says_how_long_it_still_takes() -> None:
    clock, terminal = ManualClock(), Terminal()
    with Progress(5, clock, terminal) as shown:
        clock.sleep(4)
        assert shown.words == "0 of 5 games, 4 s"
        shown.game_done()
        shown.game_done()
        clock.sleep(6)
        assert shown.words == "2 of 5 games, 10 s, about 15 s to go"
    assert "0 of 5 games" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_journal_that_is_read_says_how_far_it_is_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(follow("reading game.jsonl")([1, 2, 3])) == [1, 2, 3]
        assert ("reading game.jsonl" in stream.getvalue()) is shown


def test_progress_goes_on_while_a_game_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_games, "EVERY_S", 0.001)
    clock, terminal = ManualClock(), Terminal()
    with Progress(1, clock, terminal):
        while terminal.getvalue().count("0 of 1 games, 0 s") < 3:
            pass
        clock.sleep(7)
        while "0 of 1 games, 7 s" not in terminal.getvalue():
            pass


def test_progress_writes_nothing_into_a_file() -> None:
    stream = io.StringIO()
    with Progress(1, ManualClock(), stream) as shown:
        shown.game_done()
    assert stream.getvalue() == ""


def test_a_virtual_table_says_what_it_is_where_it_is_and_what_to_do_next(tmp_path: Path) -> None:
    card = tmp_path / "a table.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "table", "--seed", "3", "--address", str(card)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().rstrip() for _ in range(3)]
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=60)
    assert lines[0].startswith("Virtual table: Sleepless Princess (basic), 3 players, seed 3")
    assert lines[1].endswith(f": {card}")
    assert lines[2].endswith(f": companion run --table {shlex.quote(str(card))}")
    assert rest == ""


def test_an_engine_names_the_command_that_attaches_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.core.engine_command.runtime_path", lambda: tmp_path)
    assert screen_command(tmp_path / "engine.sock", "") == "companion dashboard"
    assert screen_command(Path("/a b/e.sock"), "") == "companion dashboard --socket '/a b/e.sock'"
    assert page_command(tmp_path / "engine.sock") == "companion serve"
    assert page_command(Path("/a b/e.sock")) == "companion serve --socket '/a b/e.sock'"
    assert (
        screen_command(tmp_path / "engine.sock", "/x/world.sock") == "companion dashboard --table /x/world.sock"
    )


def test_who_lacks_an_engine_is_told_the_whole_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.core.engine_command.runtime_path", lambda: tmp_path)
    monkeypatch.setattr("companion.core.engine_command.rigs_dir", lambda: tmp_path / "rigs")
    monkeypatch.setattr("companion.core.engine_command.load_config", Config)
    assert engine_command(tmp_path / "engine.sock") == "companion run --camera 0 --port auto"
    other = "companion run --camera 0 --port auto --socket '/a b/e.sock'"
    assert engine_command(Path("/a b/e.sock")) == other
    with pytest.raises(SourceError, match=f"; start the engine first: {ENGINE}"):
        connect(tmp_path / "e.sock")
    (tmp_path / "rigs").mkdir()
    (tmp_path / "rigs" / "den.toml").touch()
    assert engine_command() == "companion run"
    (tmp_path / "rigs" / "den.toml").unlink()
    monkeypatch.setattr("companion.core.engine_command.load_config", lambda: Config(camera="0"))
    assert engine_command() == "companion run"
    waiting = Dashboard(tmp_path / "e.sock", command="companion run --camera 0 --socket /e").model
    told = "Start one in another terminal: companion run --camera 0 --socket /e"
    assert told in status(waiting, WorldModel(), 120).plain
    waiting.link = Link.LOST
    assert "companion run --camera 0 --socket /e --resume" in status(waiting, WorldModel(), 120).plain
