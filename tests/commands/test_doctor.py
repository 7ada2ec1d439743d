"""The doctor meets boards: good ones, lame ones, crashed ones, foreign ones, and ports where nobody is."""

import importlib
import os
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.doctor.all_checks import Asked, Examination, examine
from calibration.doctor.camera_checks import flicker
from calibration.doctor.probes import Probes, limited, watch_camera
from calibration.profile import RigProfile
from calibration.real_devices import RealDevices
from calibration.rig_store import RigStore
from calibration.wizard.step_result import Check, Verdict
from companion.cli import cli
from companion.commands import doctor
from companion.core.clock import RealClock
from companion.core.config import Fingerprints
from companion.core.errors import SourceError
from companion.sensing.board_check import BoardReport, examine_board
from firmware.errors import BoardError
from firmware.host.link import Link
from firmware.simulator.virtual_board import VirtualBoard
from tests.support.board_hello import packed_hello
from tests.vision.test_vision_scene import Table

wire = importlib.import_module("firmware.wire.codec")


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    one = VirtualBoard(clock=RealClock(), seed=3)
    yield one
    one.close()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def found_by(asked: Asked) -> tuple[dict[str, Check], BoardReport | None]:
    examination = Examination(asked, Probes())
    return {check.name: check for check in examine(examination)}, examination.known_board


def at_port(port: str) -> tuple[dict[str, Check], BoardReport | None]:
    return found_by(Asked(port=port))


def test_a_board_is_shown_with_its_program_line_and_stations(board: VirtualBoard) -> None:
    board.run_in_thread(0.002)
    found, report = at_port(board.path)
    assert report is not None
    assert {found[name].verdict for name in ("board", "firmware", "link", "pad", "bed 1")} == {Verdict.GOOD}
    assert "the same as this program's" in found["firmware"].said
    assert found["link"].unit == "ms round trip"
    assert "version 0x92" in found["pad"].said
    assert [station.name for station in report.stations] == [*(f"bed {n}" for n in range(1, 6)), "pad"]
    assert report.same_code
    assert report.rtt_ms
    assert (report.bad_frames, report.said) == (0, ())


def test_parts_that_do_not_answer_are_named(board: VirtualBoard) -> None:
    board.misbehave("reader", "pad", "dead", True)
    board.misbehave("count", "bed 3", "dead", True)
    board.run_in_thread(0.002)
    found, report = at_port(board.path)
    assert report is not None
    broken = {name: check.said for name, check in found.items() if check.verdict is Verdict.NOT_GOOD}
    assert set(broken) == {"pad", "bed 3"}
    assert "reader" in broken["pad"]
    assert "scale (HX711)" in broken["bed 3"]
    assert report.stations[2].missing == ("scale (HX711)",)


def test_other_code_is_to_be_flashed(board: VirtualBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.sensing.board_check.code_hash", lambda: 1)
    board.run_in_thread(0.002)
    found, _ = at_port(board.path)
    assert (found["firmware"].fault, found["firmware"].fix) == ("old firmware", "companion flash")


class Pty:
    """A port on which one fixed text is said as soon as somebody opens it and speaks."""

    def __init__(self, answer: bytes) -> None:
        self.master, slave = os.openpty()
        self.path = os.ttyname(slave)
        self._slave = slave
        self._answer = answer
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def _talk(self) -> None:
        try:
            while os.read(self.master, 4096):
                os.write(self.master, self._answer)
                time.sleep(0.1)
        except OSError:
            return

    def close(self) -> None:
        os.close(self._slave)
        os.close(self.master)


@pytest.mark.parametrize(
    ("answer", "what", "fix"),
    [
        (b"Traceback (most recent call last):\r\n  File\r\nValueError: boom\r\n>>> ", "boom", "flash"),
        (b"\r\n>>> ", "prompt", "flash"),
    ],
)
def test_a_board_without_our_program_is_named(answer: bytes, what: str, fix: str) -> None:
    pty = Pty(answer)
    found, report = at_port(pty.path)
    pty.close()
    assert report is None
    assert found["board"].verdict is Verdict.NOT_GOOD
    assert what in found["board"].said
    assert fix in found["board"].fix
    assert found["board"].said.count(pty.path) == 1


def test_a_newer_protocol_says_what_to_update() -> None:
    newer = bytes((wire.PROTOCOL_MAJOR + 1,)) + packed_hello()[1:]
    pty = Pty(wire.encode(wire.HELLO, newer, 0, 0, 0))
    found, _ = at_port(pty.path)
    pty.close()
    assert "protocol" in found["board"].said
    assert found["board"].fix == "update companion"


def test_a_port_that_is_not_there_is_said_once(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such port"):
        examine_board(str(tmp_path / "tty"), RealClock())
    found, _ = at_port(str(tmp_path / "tty"))
    assert found["board"].said == f"{tmp_path / 'tty'}: no such port"
    assert found["board"].fix


def test_looking_leaves_no_folder_behind(tmp_path: Path) -> None:
    found, _ = found_by(Asked())
    assert (found["journals"].verdict, found["sockets"].verdict) == (Verdict.GOOD, Verdict.GOOD)
    assert list(tmp_path.iterdir()) == []


def test_what_hangs_is_given_up() -> None:
    never = threading.Event()
    with pytest.raises(SourceError, match="no word from it"):
        limited(lambda _: never.wait(), "camera", 0.05)
    never.set()


def with_camera(folder: Path, settings: str = "") -> dict[str, Check]:
    config = folder / "companion.toml"
    config.write_text(settings)
    return found_by(Asked(config, camera=str(folder)))[0]


def test_the_camera_and_the_mat_it_sees_are_told(tmp_path: Path) -> None:
    table = Table()
    table.put("H04B", 345, 297, 12)
    cv2.imwrite(str(tmp_path / "1.png"), table.picture())
    found = with_camera(tmp_path)
    assert found["camera"].said == f"{tmp_path}: pictures, 1920 x 1080, frame 1"
    assert found["mat"].verdict is Verdict.GOOD
    assert found["mat"].said == "found by 4 markers, 1.9 px per mm, stickers from 14 mm on are read"
    assert found["cards"].said == "H04B (row)"
    assert found["exposure"].verdict is Verdict.GOOD
    assert (found["focus"].verdict, found["focus"].unit) == (Verdict.GOOD, "px")
    assert found["flicker"].verdict is Verdict.NOT_TESTED
    lens = "[lens]\nwidth = 640\nheight = 480\nfocal = 500\ncx = 320\ncy = 240\n"
    other = with_camera(tmp_path, lens)
    assert "measured with 640 x 480" in other["mat"].said
    assert {name for name, check in other.items() if check.verdict is Verdict.NOT_GOOD} == {"mat"}


def test_a_table_without_a_mat_is_told(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((480, 640), 90, np.uint8))
    mat = with_camera(tmp_path)["mat"]
    assert (mat.verdict, mat.said) == (Verdict.NOT_GOOD, "mat not found: 0 of 4 corner markers in sight")
    assert mat.fix


@pytest.mark.parametrize("strength", [0.0, 0.08])
def test_a_lamp_that_flickers_is_measured(tmp_path: Path, strength: float) -> None:
    picture = cv2.resize(Table().picture(), (960, 540))
    rows = np.arange(540) / 540
    for number in range(20):
        wave = 1 + strength * np.sin(2 * np.pi * (1.7 * rows + 0.37 * number))
        lit = np.clip(picture * wave[:, None] if picture.ndim == 2 else picture * wave[:, None, None], 0, 255)
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), lit.astype(np.uint8))
    look = watch_camera(str(tmp_path))
    assert look.flicker is not None
    assert (flicker(look).fault == "flicker") == (strength > 0)
    if strength:
        assert look.flicker == pytest.approx(strength, rel=0.3)


def test_settings_for_a_game_that_does_not_exist_are_told(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('variant = "zzz"')
    found, _ = found_by(Asked(config))
    assert found["settings"].verdict is Verdict.NOT_GOOD
    assert "zzz" in found["settings"].said


def test_settings_that_name_no_variant_mean_the_first_of_their_game(tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text('game = "sleeping-queens-2"')
    found, _ = found_by(Asked(config))
    assert found["settings"].verdict is Verdict.GOOD


def test_where_nothing_is_set_up_it_says_what_to_do_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "cameras", lambda: [("/dev/video7", "HD Webcam")])
    done = CliRunner().invoke(cli, ["doctor"])
    checks, _, first = done.output.partition("\n\n")
    assert "not tested" not in checks
    assert "not good" not in checks
    assert "Nothing is set up yet" in first
    commands = [line.rpartition(": ")[2] for line in first.splitlines()[1:]]
    assert commands == [
        "companion play --table virtual",
        "companion play --camera /dev/video7",
        "companion setup",
    ]


def test_a_camera_that_is_named_is_examined_instead(tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["doctor", "--camera", str(tmp_path / "none.png")]).output
    assert "not good    camera" in told
    assert "To begin" not in told


@pytest.mark.parametrize("words", [["doctor"], ["press", "3t"]], ids=" ".join)
def test_the_board_that_was_set_up_is_asked_for(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    rig = RigProfile(game="sleepless-princess", variant="basic", port="/dev/ttyACM0")
    rig = msgspec.structs.replace(rig, fingerprints=Fingerprints(board="e66118604b"))
    RigStore().save("den", rig, datetime(2026, 5, 1, tzinfo=UTC))
    asked: list[tuple[str, str]] = []

    def no_link(spec: str, _clock: object, *, expected: str = "") -> Link:
        asked.append((spec, expected))
        raise BoardError("not plugged in", spec)

    for module in ("firmware.host.link", "companion.sensing.board_check", "calibration.real_devices"):
        monkeypatch.setattr(f"{module}.open_link", no_link)
    CliRunner().invoke(cli, words)
    RealDevices("none.png", "auto", RealClock(), "e66118604b").close()  # what doctor --rehearse plays with
    assert asked == [("/dev/ttyACM0", "e66118604b"), ("auto", "e66118604b")]
