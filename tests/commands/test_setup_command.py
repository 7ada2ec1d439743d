"""`companion setup`: rigs are shown, moved and restored; a wrong name is one clear line."""

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.profile import RigProfile
from calibration.real_devices import RealDevices, Terminal
from calibration.rig_store import RigStore
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable
from calibration.wizard.setup_run import SetupRun
from calibration.wizard.step_result import StepResult
from calibration.wizard.steps.names_step import name_characters
from companion.commands.rehearse import rehearse
from companion.commands.setup import setup
from companion.core.clock import ManualClock
from companion.core.config import StationConfig
from companion.core.errors import BadInputError
from companion.games.registry import give_names, load_game

NOON = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path / "rigs")
    monkeypatch.setattr("companion.core.config.config_file", lambda: tmp_path / "companion.toml")
    return tmp_path


def asked(*arguments: object) -> Any:
    done = CliRunner().invoke(setup, ["--json", *map(str, arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return json.loads(done.stdout)


def test_an_older_settings_file_becomes_a_rig_and_moves_on(folder: Path) -> None:
    old = folder / "old.toml"
    old.write_text('port = "auto"\n[tags]\n"04aa" = "X1"\n', encoding="utf-8")
    assert asked("--import", old, "--rig", "den")["tags"] == 1
    asked("--export", folder / "den.rig")
    taken = asked("--import", folder / "den.rig", "--rig", "hall")
    assert (taken["rig"], taken["port"], taken["rigs"]) == ("hall", "auto", ["den", "hall"])


def test_a_former_version_comes_back() -> None:
    RigStore().save("den", RigProfile(stations={"left": StationConfig()}), NOON)
    RigStore().save("den", RigProfile(), NOON)
    (date,) = asked("--show")["backups"]
    assert asked("--restore", date)["stations"] == 1


def test_a_damaged_rig_is_listed_as_damaged_beside_the_others() -> None:
    store = RigStore()
    store.save("den", RigProfile(), NOON)
    (store.folder / "den.toml").write_text("camera = [", encoding="utf-8")
    assert list(asked("--show")["damaged"]) == ["den"]
    store.save("hall", RigProfile(), NOON)
    found = asked("--show")
    assert (found["rigs"], list(found["damaged"])) == (["den", "hall"], ["den"])
    with pytest.raises(BadInputError, match="setup --rig den --import FILE"):
        asked("--show", "--rig", "den")


def test_a_drawing_needs_no_choice_between_rigs(folder: Path) -> None:
    for name in ("den", "hall"):
        RigStore().save(name, RigProfile(), NOON)
    asked("--drawing", folder / "wiring.svg")
    assert (folder / "wiring.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["find", "--show"], "one thing at a time"),
        (["--auto"], "only a virtual table"),
        (["--defect", "soft lens"], "only a virtual table"),
        (["bake", "--table", "virtual"], "no step 'bake'"),
        (["--table", "virtual", "--defect", "ghosts"], "no defect"),
        (["--show", "--restore", "last"], "one thing at a time"),
        (["--show"], "no rig was set up"),
        (["--show", "--rig", "attic"], "no such rig"),
        (["--import", "nix"], "nix: no such file; check --import"),
        (["--import", "/dev/null"], "not a file|tells nothing"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        asked(*arguments)


def test_a_step_on_the_virtual_table_prints_its_numbers_and_is_kept_under_its_name() -> None:
    found = asked("find", "--table", "virtual", "--rig", "tried", "--variant", "5+")
    (step,) = found["steps"]
    assert (found["verdict"], step["name"], step["verdict"]) == ("go_without", "find", "good")
    assert {"number", "unit", "fix"} <= set(step)
    assert found["profile"] == str(RigStore().folder / "tried.toml")
    assert RigStore().load("tried").virtual_seed == 1


def test_a_rig_that_must_not_be_played_with_ends_with_status_1() -> None:
    done = CliRunner().invoke(setup, ["find", "--table", "virtual", "--defect", "full disk", "--variant", "5+"])
    assert done.exit_code == 1
    assert "full disk" not in done.output
    assert "free some space" in done.output
    assert "not finished: 8 steps left\n    Camera: aim, focus, light (camera)\n" in done.output
    assert done.output.count("A virtual rig without a name keeps nothing.") == 2, "at the beginning and the end"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--profile", "tried", "--through", "bytes"], "through pixels"),
        (["--profile", "tried", "--record", "somewhere"], "leave out --profile"),
        (["--profile", "tried", "--variant", "5+", "--games", "1"], "was not set up on a virtual table"),
    ],
)
def test_a_profile_that_cannot_be_rehearsed_is_refused(arguments: list[str], says: str) -> None:
    RigStore().save("tried", RigProfile(game="sleepless-princess", variant="5+"), NOON)
    done = CliRunner().invoke(rehearse, arguments)
    assert isinstance(done.exception, BadInputError)
    assert says in str(done.exception)


class Interrupted:
    """A terminal at which somebody pressed Ctrl-D at the first question."""

    def __init__(self) -> None:
        read, write = os.pipe()
        os.close(write)
        self._end = os.fdopen(read)
        self.fileno, self.readline = self._end.fileno, self._end.readline

    def isatty(self) -> bool:
        return True


def test_the_end_of_the_input_leaves_the_wizard_and_confirms_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Interrupted())
    done = []

    def run(self: SetupRun, names: object) -> list[StepResult]:
        done.append(self.bench.ask(ClearTable()))
        return []

    monkeypatch.setattr(SetupRun, "run", run)
    RigStore().save("den", RigProfile(), NOON)
    with pytest.raises(click.Abort):
        setup(["cards", "--rig", "den"], standalone_mode=False)
    assert done == []
    assert capsys.readouterr().err.split("\n")[1:] == ["left; nothing new is kept", "", ""]


def test_a_picture_as_camera_is_seen_also_after_somebody_has_looked(folder: Path) -> None:
    (folder / "pictures").mkdir()
    cv2.imwrite(str(folder / "pictures" / "1.png"), np.zeros((48, 64, 3), np.uint8))
    clock = ManualClock()
    devices = RealDevices(str(folder / "pictures"), "", clock)
    seen = []
    for _ in range(30):
        clock.sleep(0.1)
        seen += [frame for frame in [devices.frame()] if frame is not None]
    devices.close()
    assert len(seen) > 1
    assert seen[-1].t == clock.now()


class Typist(Terminal):
    """A person at a terminal who answers what is asked for from a list; None is the end of the input."""

    def __init__(self, *lines: str | None) -> None:
        super().__init__()
        self._lines = list(lines)

    def answered(self) -> bool:
        line = self._lines.pop(0)
        self._line = line or ""
        return line is not None


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ((None,), ("Kites", "Foxes", "Moons")),
        (("Clouds", None), ("Clouds", "Foxes", "Moons")),
        (("Foxes", None), ("Foxes",)),  # Moons is not to move to another place
        (("", "", "Clouds", None), ("Kites", "Foxes", "Clouds")),
        (("Bats", "Bats", "Bats"), ("Kites", "Foxes", "Moons")),
    ],
)
def test_no_more_names_leave_those_that_were_given_before(
    lines: tuple[str | None, ...], names: tuple[str, ...]
) -> None:
    game, clock = load_game("sleepless-princess"), ManualClock()
    profile = RigProfile(names=("Kites", "Foxes", "Moons"))
    bench = SetupBench(game, "basic", RealDevices("", "", clock), Typist(*lines), clock, profile=profile)
    result = name_characters(bench)
    give_names(game, ())
    assert bench.profile.names == names
    assert result.number == len(names)
