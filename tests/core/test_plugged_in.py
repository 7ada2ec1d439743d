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


BACK_END = [f"pispbe-{part}" for part in ("input", "tdn_input", "output0", "output1", "config")]
CODECS = ["bcm2835-codec-decode", "bcm2835-codec-encode", "bcm2835-isp-output0", "bcm2835-codec-image_fx"]
LISTINGS = {
    "Pi 5": ["rpivid", *BACK_END, "rpi-hevc-dec"],
    "Pi 5 with a CSI camera": ["rp1-cfe-csi2_ch0", "rp1-cfe-embedded", "rp1-cfe-fe_image0", *BACK_END],
    "Pi 4": [*CODECS, "rpivid", "bcm2835-isp-stats0"],
    "Pi 4 with a CSI camera": ["unicam-image", "unicam-embedded", *CODECS],
    "other boards": ["rkisp_mainpath", "rkvdec", "hantro-vpu-dec", "cedrus", "meson-vdec", "mtk-vcodec-enc"],
    "a laptop": ["Intel IPU6 ISYS Capture 0", "ipu3-cio2 0"],
}


@pytest.mark.parametrize("parts", LISTINGS.values(), ids=LISTINGS)
@pytest.mark.parametrize("webcam", ["", "HD Pro Webcam C920", "LG UltraFine Display Camera", "Crisp HEVC Cam"])
def test_parts_of_a_processor_are_no_webcams(tmp_path: Path, parts: list[str], webcam: str) -> None:
    for number, name in enumerate(parts, 2):
        device(tmp_path, number, name, index=0)
    if webcam:
        device(tmp_path, 0, webcam)
        device(tmp_path, 1, webcam, index=1)
    assert cameras(tmp_path) == ([("/dev/video0", webcam)] if webcam else [])


def test_what_is_at_usb_is_a_camera_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "bus" / "usb").mkdir(parents=True)
    device(tmp_path, 0, "HDMI-enc")
    assert cameras(tmp_path) == []
    (tmp_path / "video0" / "device").mkdir()
    (tmp_path / "video0" / "device" / "subsystem").symlink_to(tmp_path / "bus" / "usb")
    assert cameras(tmp_path) == [("/dev/video0", "HDMI-enc")]


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
