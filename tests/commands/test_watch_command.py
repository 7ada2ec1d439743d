"""`companion watch` at a virtual board: lines, JSON, bench tests with their exit status, and its screen."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from calibration.watch.live_values import LiveValues
from calibration.watch.values_screen import ValuesScreen, WatchApp
from calibration.watch.virtual_bench import Deed, VirtualBench
from companion.cli import cli
from companion.commands import watch as watch_command
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError, SourceError
from firmware.board.default_rig import COUNTS_PER_GRAM
from tests.support.terminal_text import screen_text


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_command, "RealClock", ManualClock)


def watch(*words: str) -> Result:
    return CliRunner().invoke(cli, ["watch", *words])


def virtual(*words: str) -> Result:
    return watch("--table", "virtual", *words)


def test_json_has_every_sensor_with_its_numbers() -> None:
    told = json.loads(virtual("--json").stdout)
    assert told["board"]["protocol"] == "1.2"
    assert len(told["sensors"]) == 18
    keys = {"station", "part", "value", "baseline", "threshold", "noise", "rate_hz", "ok", "fault", "felt"}
    assert all(keys <= set(one) and one["ok"] for one in told["sensors"])
    assert told["camera"] is None
    assert len(told["not_reached"]["pad"]["rows"]) == 16


def test_one_part_of_one_station_is_shown_alone() -> None:
    done = virtual("touch", "--station", "bed 2", "--seconds", "1", "--defect", "foil too large")
    lines = [line for line in done.stdout.splitlines() if line]
    assert len(lines) == 1
    assert lines[0].startswith("bed 2, touch: value 70")
    assert lines[0].endswith("62.1 pF: foil too large to feel a finger: 62 pF, at most 45")


def test_a_bench_test_ends_well_only_inside_the_range() -> None:
    good = virtual("scale", "--bench", "--station", "bed 1", "--grams", "50")
    assert good.exit_code == 0
    assert "bed 1, scale: passed" in good.stdout
    assert re.search(r"counts a gram (2099|210[01])\b", good.stdout)
    assert "lay 50 g on it, and let go." in good.stderr
    bad = virtual("touch", "--bench", "--station", "bed 2", "--defect", "foil too large", "--json")
    assert bad.exit_code == 1
    told = json.loads(bad.stdout)
    assert not told["passed"]
    assert [one["station"] for one in told["tests"]] == ["bed 2"]
    (foil,) = next(one["numbers"] for one in told["tests"] if not one["passed"])
    assert (foil["low"], foil["high"], foil["ok"]) == (4.0, 45.0, False)


@pytest.mark.parametrize(
    ("words", "error", "says"),
    [
        (["--defect", "moths"], BadInputError, "add --table virtual"),
        (
            ["--table", "virtual", "--station", "bed 9"],
            BadInputError,
            "no such station; choose one of: bed 1, bed 2",
        ),
        (["--port", "/dev/nobody"], SourceError, "/dev/nobody"),
        (["--port", "/dev/nobody", "--bench"], SourceError, "/dev/nobody"),
        (["camera"], SourceError, "no camera found"),
    ],
)
def test_what_cannot_be_watched_is_said_in_a_line(
    words: list[str], error: type[Exception], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_command, "cameras", list)
    done = watch(*words)
    assert isinstance(done.exception, error)
    assert says in str(done.exception)


class Screen:
    """The screen of `companion watch` before a virtual board."""

    def __init__(self, defect: str = "", part: str = "") -> None:
        self.clock = ManualClock()
        self.board = VirtualBench(self.clock, defect=defect)
        self.values = LiveValues()
        self.screen = ValuesScreen(self.values, self.clock, self.move, part)
        self.app = WatchApp(self.screen)

    def move(self) -> None:
        self.clock.sleep(0.05)
        self.values.ask(self.board.link, self.clock.now())
        self.values.take(self.board.poll())

    async def after(self, pilot: Any, seconds: float) -> str:
        for _ in range(round(seconds / 0.05)):
            self.move()
        self.screen.draw()
        await pilot.pause()
        return screen_text(self.app)


async def test_the_screen_has_a_bar_for_each_sensor_and_says_what_is_wrong() -> None:
    one = Screen("foil too large")
    async with one.app.run_test(size=(80, 30)) as pilot:
        seen = await one.after(pilot, 3.0)
        assert "└ foil too large to feel a finger: 62 pF, at most 45" in seen
        assert sum("┃" in row for row in seen.splitlines()) == 18
        one.board.do(Deed("touch", "bed 1", on=True))
        seen = await one.after(pilot, 1.0)
        (row,) = (row for row in seen.splitlines() if "bed 1 touch" in row)
        assert "┃" not in row
        assert "█████" in row
        await pilot.press("q")
    assert one.app._exit
    one.board.close()


async def test_the_matrix_says_which_lines_were_reached_and_begins_anew() -> None:
    one = Screen("dead matrix line", "matrix")
    async with one.app.run_test(size=(80, 30)) as pilot:
        assert "rows 0 of 16, columns 0 of 16 reached" in await one.after(pilot, 2.0)
        one.board.do(Deed("matrix", "pad", on=True))
        seen = await one.after(pilot, 2.0)
        assert "rows 15 of 16, columns 16 of 16 reached" in seen
        assert "open: rows 7" in seen
        one.board.do(Deed("matrix", "pad", on=False))
        await one.after(pilot, 1.0)
        await pilot.press("r")
        assert "rows 0 of 16" in await one.after(pilot, 1.0)
    one.board.close()


def test_thresholds_are_those_of_a_game_with_this_rig(tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text(
        '[electrodes."bed 2"]\nrest = 713.0\ntouched = 570.0\nshare = 100\n[stations."bed 3"]\ncard_g = 8.0\n'
    )
    told = json.loads(virtual("--json", "--config", str(settings)).stdout)
    found = {(one["station"], one["part"]): one for one in told["sensors"]}
    rest = found["bed 2", "touch"]["baseline"]
    assert found["bed 2", "touch"]["threshold"] == pytest.approx(0.9 * rest, abs=1)
    assert found["bed 1", "touch"]["threshold"] > 0.95 * rest
    step = found["bed 3", "scale"]["threshold"] - found["bed 3", "scale"]["baseline"]
    assert step == pytest.approx(0.45 * 8.0 * COUNTS_PER_GRAM, rel=0.01)


async def test_a_board_that_is_pulled_out_is_told_and_comes_back() -> None:
    one = Screen()
    async with one.app.run_test(size=(80, 30)) as pilot:
        assert "bed 1 scale" in await one.after(pilot, 3.0)
        one.board.board.unplug()
        gone = await one.after(pilot, 1.0)
        assert "bed 1 scale" not in gone
        assert "check the cable" in gone or "plug the board in" in gone
        one.board.board.plug()
        assert "20.0 pF" in await one.after(pilot, 8.0)
    one.board.close()
