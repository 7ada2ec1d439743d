"""What is plugged in, by the names of devices: cameras alone, each once; boards with MicroPython."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.commands import play as play_command
from companion.core import plugged_in
from companion.core.plugged_in import boards, cameras


def device(sysfs: Path, number: int, name: str, index: int = 0) -> None:
    folder = sysfs / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n", encoding="utf-8")
    (folder / "index").write_text(f"{index}\n", encoding="ascii")


def test_a_camera_is_named_once_and_codecs_are_none(tmp_path: Path) -> None:
    device(tmp_path, 10, "bcm2835-codec-decode")
    device(tmp_path, 2, "HD Webcam")
    device(tmp_path, 3, "HD Webcam", index=1)
    device(tmp_path, 0, "Other cam")
    assert cameras(tmp_path) == [("/dev/video0", "Other cam"), ("/dev/video2", "HD Webcam")]
    assert cameras(tmp_path / "nothing") == []


def test_boards_are_known_by_their_program(tmp_path: Path) -> None:
    for name in ("usb-MicroPython_Board_in_FS_mode_e661-if00", "usb-Some_Printer-if00"):
        (tmp_path / name).touch()
    assert boards(tmp_path) == [str(tmp_path / "usb-MicroPython_Board_in_FS_mode_e661-if00")]


@pytest.mark.parametrize(("answer", "rigs", "started"), [("y", 0, True), ("n", 0, False), ("y", 1, False)])
def test_play_offers_setup_while_no_rig_is_known(
    answer: str, rigs: int, started: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugged_in, "cameras", lambda: [("/dev/video0", "HD Webcam")])
    monkeypatch.setattr("companion.core.config.rigs_dir", lambda: tmp_path)
    for number in range(rigs):
        (tmp_path / f"rig{number}.toml").touch()
    called: list[list[str]] = []

    def call(command: list[str]) -> int:
        called.append(command[1:])
        return 0

    monkeypatch.setattr(play_command.subprocess, "call", call)

    done = CliRunner().invoke(click.command()(play_command._offer_setup), input=f"{answer}\n")
    assert done.exit_code == 0
    assert called == ([["-m", "companion", "setup"]] if started else [])
    assert ("HD Webcam" in done.output) == (rigs == 0)
