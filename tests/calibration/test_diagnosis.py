"""The doctor's checks: one thing broken at a time is named rightly, and nothing else is."""

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import numpy as np
import pytest

from calibration.doctor.all_checks import CHECKS, Asked, Examination, examine
from calibration.doctor.camera_checks import TableSeen
from calibration.doctor.check_words import _NAMES, _UNITS, check_called
from calibration.doctor.probes import (
    Access,
    CameraLook,
    Libraries,
    Package,
    Probes,
    device_access,
    file_system_in,
    installed_libraries,
)
from calibration.profile import RigProfile, StepRecord
from calibration.rig_store import RigStore
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.step_result import Check, StepResult, Verdict
from companion.commands.doctor import rehearsal_run
from companion.core.config import Fingerprints
from companion.core.errors import SourceError
from companion.core.language import LANGUAGES, PSEUDO, Language, Text, text
from companion.sensing.board_check import BoardReport, StationReport
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Noticed, Opened
from vision.camera.frames import CameraInfo
from vision.mat.mat_finder import Registration
from vision.reasons import MatOfOtherGame, Simple
from vision.scene.camera_reports import PictureQuality

NOW = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)
INFO = CameraInfo(1920, 1080, 30, "webcam", "locked: focus")
LIBRARIES = Libraries((Package("numpy", ">=2,<3", "2.4.0"), Package("opencv-python-headless", ">=5,<6", "5.0")))
STATIONS = (StationReport("left", ("count", "touch"), (), True, "noise 1"),
            StationReport("pad", ("reader",), (), True, "version 0x92"))  # fmt: skip
REPORT = BoardReport(
    "/dev/ttyACM0", "e66118604b4f2a2b", "1.0.0", "0011aabb", True, "1.2", (3.0,), 0, 0, STATIONS, ()
)
RIG = RigProfile(
    camera="0",
    port="/dev/ttyACM0",
    fingerprints=Fingerprints("0, 1920 x 1080", REPORT.board_id),
    steps={
        "lens": StepRecord(Verdict.GOOD, "2026-05-01T10:00:00+00:00", 0.3, "mm"),
        "rehearsal": StepRecord(Verdict.GOOD, "2026-05-01T11:00:00+00:00", 100, "%"),
    },
)


SEEN = TableSeen(
    # What the checks ask of a registration; a test of the command has a real one.
    registration=cast("Registration", SimpleNamespace(markers=4, summary="fine", px_per_mm=lambda _x, _y: 1.9)),
    why="",
    quality=PictureQuality(0.0, edge_px=2.0, black=30.0, white=210.0),
    level=90.0,
    sharpest_px=0.0,
    middle=(480.0, 270.0),
    markers=4,
    cards=(),
    heights=text("{angle} degrees {height} cm", angle=60, height=87),
)


@dataclass
class Healthy:
    """A machine, its rig and its last game, on which every check is good."""

    probes: Probes
    table: TableSeen
    store: RigStore
    journal: Path

    def set(self, **changed: Any) -> None:
        self.probes = replace(self.probes, **changed)

    def rig(self, **changed: Any) -> None:
        self.store.save("den", msgspec.structs.replace(RIG, **changed), NOW)

    def board(self, **changed: Any) -> None:
        self.set(board=lambda _port, _known: msgspec.structs.replace(REPORT, **changed))

    def look(self, **changed: Any) -> None:
        seen = self.probes.camera("0")
        self.set(camera=lambda _: dataclasses.replace(seen, **changed))

    def see(self, **changed: Any) -> None:
        self.table = replace(self.table, **changed)

    def quality(self, **changed: Any) -> None:
        assert self.table.quality is not None
        self.see(quality=replace(self.table.quality, **changed))

    def noticed(self, source: str, detail: str) -> None:
        journal = Journal(self.journal, sync=False, resume=True)
        journal.write([Noticed(1.0, source, False, detail)])
        journal.close()
        self.date_journal()

    def damage_journal(self) -> None:
        self.journal.write_bytes(self.journal.read_bytes() + b"\x00\n")
        self.date_journal()

    def date_journal(self) -> None:
        os.utime(self.journal, (NOW.timestamp(), NOW.timestamp()))

    def checks(self) -> list[Check]:
        return list(examine(Examination(Asked(), self.probes, lambda _look, _settings: self.table)))


@pytest.fixture
def healthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Healthy:
    for name in ("XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    store, path = RigStore(tmp_path / "rigs"), tmp_path / "game.jsonl"
    store.save("den", RIG, NOW)
    journal = Journal(path, sync=False)
    journal.write([Opened(VERSION, "sleepless-princess", "basic", 2)])
    journal.close()
    gray = np.full((1080, 1920), 90, np.uint8)
    probes = Probes(
        python=lambda: (3, 12, 1),
        libraries=lambda: LIBRARIES,
        library=lambda _: True,
        now=lambda: NOW + timedelta(days=3),
        free_mb=lambda _: 20_000.0,
        writable=lambda _: True,
        read_only=lambda _: False,
        file_system=lambda _: "ext4",
        access=lambda device: Access(device, True, "dialout", True),
        boards=list,
        camera=lambda _: CameraLook("fine", gray, gray, INFO, 0.0),
        board=lambda _port, _known: REPORT,
        rigs=lambda: store,
        journal=lambda: path,
        user=lambda: "ann",
        terminal=lambda: (120, 40),
    )
    machine = Healthy(probes, SEEN, store, path)
    machine.date_journal()
    return machine


def test_where_all_is_well_every_check_is_good(healthy: Healthy) -> None:
    checks = healthy.checks()
    assert {check.name: check.verdict for check in checks if check.verdict is not Verdict.GOOD} == {}
    assert {row.name for row in CHECKS} - {check.name for check in checks} == {"stations", "setup steps"}
    assert not any(check.fix or check.fault for check in checks)
    assert {check.name: escaped(check) for check in checks if escaped(check)} == {}
    assert {check.unit for check in checks if check.unit not in _UNITS} <= {"", "px", "px/mm", "%", "mm"}


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_names_of_checks_have_room_in_every_language(code: str) -> None:
    longest = max((Language(code).say(name) for name in _NAMES.values()), key=len)
    assert len(longest) < 19, longest


_DATA = re.compile(
    r"(echo|sudo|v4l2-ctl|du|companion|make|/usr) [^;]*|\S+ -m pip [^;]*|\S*[/=]\S*|"
    r"ImportError: \S+|JSON is [^;]*|"
    r"off by half a card|this is the mat of another game|HD cam|locked: focus|scale \(HX711\)|0011aabb|"
    r"\b(px|mm|cm|den|fine|webcam|textual|numpy|opencv|cv2|zxing|cpp|python|left|noise|version|dialout|"
    r"GP6|game\.jsonl|unknown|xterm|256color|truecolor|dumb|headless)\b"
)
"""What the machine of these tests says of itself, and commands: the same in every language."""


def escaped(check: Check) -> list[str]:
    """Words of a check in the tests' language that went through no catalogue."""
    tongue = Language(PSEUDO)
    said = [tongue.say(one) for one in (check_called(check.name), check.said, check.fix)]
    return [word for one in said for word in re.findall(r"[A-Za-z]{2,}", _DATA.sub("", one))]


def refused(group: str, *, member: bool = False, only: str = "/dev") -> Callable[[str], Access]:
    return lambda device: Access(device, not device.startswith(only), group, member)


def raising(what: Text) -> Callable[..., Any]:
    def probe(spec: str, _known: str = "") -> Any:
        raise SourceError(what, where=spec, next_step=text("check the cable"))

    return probe


BREAKS: dict[str, tuple[Callable[[Healthy], None], str, str, str]] = {
    "old python": (lambda at: at.set(python=lambda: (3, 9, 2)), "python", "old python", "make setup"),
    "missing package": (
        lambda at: at.set(libraries=lambda: Libraries((Package("zxing-cpp", ">=2.3,<4", ""),))),
        "packages", "missing package", "pip install 'zxing-cpp>=2.3,<4'",
    ),
    "broken package": (
        lambda at: at.set(libraries=lambda: replace(LIBRARIES, broken=(("cv2", "ImportError: libGL.so.1"),))),
        "packages", "broken package", "pip install --force-reinstall",
    ),
    "two opencvs": (
        lambda at: at.set(libraries=lambda: replace(LIBRARIES, opencvs=("opencv-python", "opencv-x"))),
        "packages", "two opencvs", "pip uninstall opencv-python",
    ),
    "missing zbar": (lambda at: at.set(library=lambda _: False), "zbar", "no zbar", "apt install libzbar0"),
    "clock in 1970": (
        lambda at: at.set(now=lambda: datetime(1970, 1, 1, tzinfo=UTC)), "clock", "wrong clock", "timedatectl",
    ),
    "clock before the last game": (
        lambda at: at.set(now=lambda: NOW - timedelta(days=9)), "clock", "wrong clock", "timedatectl",
    ),
    "full disk": (lambda at: at.set(free_mb=lambda _: 12.0), "disk", "full disk", "apt-get clean"),
    "nearly full disk": (lambda at: at.set(free_mb=lambda _: 200.0), "disk", "full disk", "apt-get clean"),
    "tmpfs": (lambda at: at.set(file_system=lambda _: "tmpfs"), "home", "forgetful home", "raspi-config"),
    "overlay": (lambda at: at.set(file_system=lambda _: "overlay"), "home", "forgetful home", "raspi-config"),
    "no camera permission": (
        lambda at: at.set(access=refused("video", only="/dev/video")),
        "camera permission", "no permission", "sudo usermod -aG video ann",
    ),
    "no port permission": (
        lambda at: at.set(access=refused("dialout", only="/dev/tty")),
        "port permission", "no permission", "sudo usermod -aG dialout ann",
    ),
    "port permission from the next login on": (
        lambda at: at.set(access=refused("dialout", member=True, only="/dev/tty")),
        "port permission", "no permission", "log out",
    ),
    "no udev rule": (
        lambda at: at.set(access=refused("", only="/dev/tty")),
        "port permission", "no permission", 'ATTRS{idVendor}=="2e8a"',
    ),
    "dead camera": (
        lambda at: at.set(camera=raising(text("check the cable"))), "camera", "camera unusable", "cable",
    ),
    "settings not held": (
        lambda at: at.look(info=replace(INFO, refused=("focus",))),
        "camera settings", "settings not held", "v4l2-ctl",
    ),
    "soft lens": (lambda at: at.quality(edge_px=4.1), "focus", "soft lens", "focus"),
    "blurred beyond the mat": (
        lambda at: at.see(registration=None, quality=None, sharpest_px=9.0), "focus", "soft lens", "focus",
    ),
    "overexposed": (lambda at: at.quality(white=254.0, edge_px=5.0), "exposure", "overexposed", "less light"),
    "hazy": (lambda at: at.quality(black=100.0, white=140.0), "exposure", "too dark", "more light"),
    "dark": (
        lambda at: at.see(registration=None, quality=None, level=9.0, sharpest_px=9.0),
        "exposure", "too dark", "more light",
    ),
    "flicker": (lambda at: at.look(flicker=0.05), "flicker", "flicker", "power_line_frequency"),
    "no mat": (
        lambda at: at.see(registration=None, quality=None, why=text("mat not found")),
        "mat", "mat not whole", "companion sheets",
    ),
    "another game's mat": (
        lambda at: at.see(registration=None, quality=None, why=MatOfOtherGame("a", "b")),
        "mat", "another mat", "lay it under the camera",
    ),
    "tilted camera": (
        lambda at: at.see(scales=(0.9, 0.9, 2.1, 2.1)), "mat", "tilted camera", "looking straight down",
    ),
    "mirrored picture": (
        lambda at: at.see(registration=None, quality=None, why=Simple.MIRRORED),
        "mat", "mirrored picture", "switch mirroring",
    ),
    "silent board": (
        lambda at: at.set(board=raising(text("check the cable"))), "board", "board unusable", "cable",
    ),
    "old firmware": (
        lambda at: at.board(same_code=False, firmware="0.1.0"), "firmware", "old firmware", "companion flash",
    ),
    "slow line": (lambda at: at.board(rtt_ms=(3.0, 400.0)), "link", "bad cable", "cable"),
    "damaged frames": (lambda at: at.board(bad_frames=7), "link", "bad cable", "cable"),
    "dead scale": (
        lambda at: at.board(stations=(StationReport("left", ("count",), ("scale (HX711)",), False, ""),)),
        "left", "dead scale (HX711)", "wires",
    ),
    "part that fails its test": (
        lambda at: at.board(stations=(StationReport("pad", ("reader",), (), False, "version 0x00"),)),
        "pad", "failed test", "its test names",
    ),
    "warning of the board": (lambda at: at.board(said=("GP6",)), "board's log", "warning", "docs/board.md"),
    "old profile": (
        lambda at: at.set(now=lambda: NOW + timedelta(days=400)),
        "rig age", "old rig profile", "companion setup",
    ),
    "unreadable profile": (
        lambda at: at.set(rigs=lambda: broken_store(at.store)), "rig", "rig unusable", "update companion",
    ),
    "residual too large": (
        lambda at: at.rig(steps=RIG.steps | {"lens": StepRecord(Verdict.NOT_GOOD, NOW.isoformat(), 2.4, "mm")}),
        "lens at setup", "lens step", "companion setup lens",
    ),
    "rehearsal failed": (
        lambda at: at.rig(steps=RIG.steps | {"rehearsal": StepRecord(Verdict.NOT_GOOD, NOW.isoformat())}),
        "rehearsal at setup", "rehearsal step", "companion setup rehearsal",
    ),
    "another camera": (
        lambda at: at.rig(fingerprints=Fingerprints("HD cam, 1280 x 720", REPORT.board_id)),
        "identity", "another camera", "companion setup",
    ),
    "another board": (
        lambda at: at.board(board_id="e66118604b4f0000"), "identity", "another board", "companion setup",
    ),
    "sensor of the last game": (
        lambda at: at.noticed("left scale", "off by half a card"), "left scale", "sensor", "companion why",
    ),
    "damaged journal": (
        lambda at: at.damage_journal(), "last game", "damaged journal", "--resume",
    ),
}  # fmt: skip


def broken_store(store: RigStore) -> RigStore:
    (store.folder / "den.toml").write_text("version = 99", encoding="utf-8")
    return store


@pytest.mark.parametrize("broken", BREAKS)
def test_one_broken_thing_is_named_and_no_other(healthy: Healthy, broken: str) -> None:
    break_it, name, fault, fix = BREAKS[broken]
    break_it(healthy)
    bad = [check for check in healthy.checks() if check.verdict in (Verdict.NOT_GOOD, Verdict.USABLE)]
    assert [(check.name, check.fault) for check in bad] == [(name, fault)], bad
    assert fix in bad[0].fix
    assert bad[0].fix or bad[0].said
    assert escaped(bad[0]) == []


def test_what_cannot_be_asked_is_not_judged(healthy: Healthy) -> None:
    """The camera may not be opened: nobody opens it, and what depends on it is neither good nor bad."""
    healthy.set(access=refused("video"), camera=raising(text("it was opened all the same")))
    checks = {check.name: check for check in healthy.checks()}
    waiting = {name for name, check in checks.items() if check.said.startswith("needs: ")}
    assert {"camera", "focus", "exposure", "mat", "flicker", "cards", "board", "firmware"} <= waiting
    assert all(checks[name].verdict is Verdict.NOT_TESTED for name in waiting)


def test_folders_that_cannot_be_written_to_are_told_with_the_command(healthy: Healthy) -> None:
    healthy.set(writable=lambda _: False)
    bad = [check for check in healthy.checks() if check.verdict is Verdict.NOT_GOOD]
    assert [check.name for check in bad] == ["journals", "sockets"]
    assert all(check.fix.startswith("sudo chown ann /") for check in bad)


def test_a_disk_that_is_mounted_read_only_is_no_matter_of_its_owner(healthy: Healthy) -> None:
    healthy.set(writable=lambda _: False, read_only=lambda _: True)
    bad = [check for check in healthy.checks() if check.verdict is Verdict.NOT_GOOD]
    assert {check.name: check.fault for check in bad} == dict.fromkeys(
        ("journals", "sockets"), "read-only disk"
    )
    assert all("fsck" in check.fix for check in bad)


def test_a_machine_whose_opencv_does_not_load_is_examined_all_the_same() -> None:
    said = """
import sys
sys.modules["cv2"] = None
from click.testing import CliRunner
from companion.cli import cli
print(CliRunner().invoke(cli, ["doctor", "--camera", "0"]).output)
"""
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True, timeout=60)
    assert re.search(r"^not good +packages: .*cv2 does not load", done.stdout, re.MULTILINE), done.stdout
    assert "camera (needs: packages)" in done.stdout
    assert re.search(r"^good +disk", done.stdout, re.MULTILINE)


def test_several_rigs_ask_for_a_name(healthy: Healthy) -> None:
    healthy.store.save("attic", RIG, NOW)
    bad = [check for check in healthy.checks() if check.verdict is Verdict.NOT_GOOD]
    assert [(check.name, check.fix) for check in bad] == [("rig", "add --rig NAME")]
    named = {check.name: check for check in examine(Examination(Asked(rig="den"), healthy.probes))}
    assert named["rig"].verdict is Verdict.GOOD


def test_a_machine_without_parts_or_rig_is_not_faulty(healthy: Healthy, tmp_path: Path) -> None:
    healthy.set(rigs=lambda: RigStore(tmp_path / "none"), access=lambda _: None, journal=lambda: None)
    checks = {check.name: check for check in healthy.checks()}
    assert {check.verdict for check in checks.values()} == {Verdict.GOOD, Verdict.NOT_TESTED}
    assert {"camera", "board", "rig"} <= {n for n, one in checks.items() if one.verdict is Verdict.NOT_TESTED}
    assert checks["rig"].fix == "companion setup"
    assert "focus" not in checks


def test_an_unforeseen_fault_of_the_system_is_one_line(healthy: Healthy) -> None:
    def fail(_: Path) -> float:
        raise PermissionError(13, "Permission denied", "/var")

    healthy.set(free_mb=fail)
    bad = [check for check in healthy.checks() if check.verdict is Verdict.NOT_GOOD]
    assert [(check.name, check.said) for check in bad] == [("disk", "/var: Permission denied")]


def test_the_real_probes_answer_of_this_machine(tmp_path: Path) -> None:
    found = installed_libraries()
    assert {"numpy", "textual"} <= {one.name for one in found.packages if one.version and one.accepted}
    assert (found.broken, found.opencvs) == ((), ("opencv-python-headless",))
    assert device_access(str(tmp_path)) is None
    assert device_access(str(tmp_path / "none")) is None
    access = device_access("/dev/null")
    assert access is not None
    assert access.allowed


def test_the_rehearsal_of_the_doctor_is_kept_in_the_rig(healthy: Healthy) -> None:
    examination = Examination(Asked(), healthy.probes, lambda _look, _settings: healthy.table)
    table = VirtualSetup(
        "sleepless-princess", "basic", seed=5, noise="clean", has_camera=False, has_board=False
    )
    run = rehearsal_run(examination, table, table, table.clock)
    run.note(StepResult("rehearsal", Verdict.USABLE, 60, "%"))
    kept = healthy.store.load("den")
    assert kept.steps["rehearsal"] == StepRecord(Verdict.USABLE, "2026-05-04T12:00:00+00:00", 60, "%")
    assert kept.steps["lens"] == RIG.steps["lens"]


MOUNTS = """\
22 1 179:2 / / rw,noatime shared:1 - overlay overlay rw,lowerdir=/lower
23 22 0:5 / /tmp rw - tmpfs tmpfs rw
24 22 8:1 / /home/an\\040old\\040disk rw - ext4 /dev/sda1 rw
25 22 8:2 / /home/ann rw - ext4 /dev/sda2 rw
26 22 0:9 / /home/ann rw master:3 - tmpfs tmpfs rw
nonsense
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/home/pi/.local/state", "overlay"),
        ("/tmp/x", "tmpfs"),
        ("/tmpfile", "overlay"),
        ("/home/an old disk/companion", "ext4"),
        ("/home/ann", "tmpfs"),
        ("/home/anna", "overlay"),
    ],
)
def test_the_file_system_is_that_of_the_nearest_mount(folder: str, kind: str) -> None:
    assert file_system_in(MOUNTS, Path(folder)) == kind
    assert file_system_in("", Path(folder)) == ""
