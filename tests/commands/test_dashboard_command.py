"""`companion dashboard`: what stands on the terminal after somebody has left its screen."""

import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.dashboard.app import Dashboard
from companion.session.stream.events import JOURNAL, Command, Event, Goodbye, Quit, SensorHealth
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
