"""`companion dashboard`: what stands on the terminal after somebody has left its screen."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.bridges.tables.on_this_machine import engine_to_show, shown_engine
from companion.cli import cli
from companion.core.errors import BadInputError
from companion.core.table_names import TABLE
from companion.dashboard.app import Dashboard
from companion.session.stream.commands import Command, Quit
from companion.session.stream.events import JOURNAL, Event, Goodbye, SensorHealth
from companion.session.stream.stream import StreamServer

LOST = "No space left on device: the game is recorded up to turn 3, the rest is lost."


def test_who_stops_the_engine_with_a_full_disk_hears_up_to_which_turn_it_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, heard = tmp_path / "e.sock", []
    stream: StreamServer[Event, Command] = StreamServer(path, Command)

    def engine() -> None:
        while Quit() not in heard:
            heard.extend(command for _, command in stream.poll()[1])
        stream.send(Goodbye(LOST))
        stream.poll()
        stream.close()

    def left_by_e(app: Dashboard) -> None:
        app.model.take(SensorHealth(JOURNAL, False, "no room"))
        app.stops_engine = True

    monkeypatch.setattr(Dashboard, "run", left_by_e)
    monkeypatch.setenv("TEXTUAL_DRIVER", "none")
    running = threading.Thread(target=engine)
    running.start()
    told = CliRunner().invoke(cli, ["dashboard", "--socket", str(path)])
    running.join()
    assert told.exit_code == 0
    assert told.output.splitlines() == [LOST, "Goodbye!"]


@contextmanager
def engine_at(path: Path) -> Iterator[Path]:
    path.parent.mkdir(parents=True, exist_ok=True)
    stream: StreamServer[Event, Command] = StreamServer(path, Command)
    try:
        yield path
    finally:
        stream.close()


def test_a_screen_without_a_named_engine_shows_the_only_game_or_names_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, command = tmp_path / "r/engine.sock", "companion dashboard"
    monkeypatch.setenv(TABLE, "")
    usual.parent.mkdir()
    (usual.parent / "game-7").symlink_to(tmp_path / "play")
    (usual.parent / "game-8").symlink_to(tmp_path / "killed")
    assert engine_to_show(usual, command) == usual, "none runs: it may still come"
    with ExitStack() as stack:
        game = stack.enter_context(engine_at(tmp_path / "play/engine.sock"))
        assert engine_to_show(usual, command) == game
        stack.enter_context(engine_at(usual.parent / "window/engine.sock"))
        with pytest.raises(BadInputError) as told:
            engine_to_show(usual, command)
        assert str(told.value) == (
            "2 games are on at this machine; "
            f"companion dashboard --socket {game} or companion dashboard --at window"
        )
        stack.enter_context(engine_at(usual))
        assert engine_to_show(usual, command) == usual
    only = "1 game is on at this machine; companion dashboard --at window"
    with engine_at(usual.parent / "window/engine.sock"):
        with pytest.raises(BadInputError, match=only):
            engine_to_show(usual, command)
        monkeypatch.setenv(TABLE, "kitchen")
        assert engine_to_show(usual, command) == usual


def test_a_screen_goes_on_with_the_next_game_and_not_with_a_second_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = tmp_path / "r/engine.sock"
    monkeypatch.setenv(TABLE, "")
    usual.parent.mkdir()
    for game in "12":
        (usual.parent / f"game-{game}").symlink_to(tmp_path / game)
    shown = shown_engine(usual, "companion serve")
    assert shown() == usual, "it waits for a game"
    second = tmp_path / "2/engine.sock"
    with engine_at(tmp_path / "1/engine.sock") as first:
        assert shown() == first
        with engine_at(second):
            assert shown() == first
    with engine_at(second):
        assert shown() == second
