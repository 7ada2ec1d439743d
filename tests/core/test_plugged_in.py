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


Nodes = list[tuple[int, str, int]]
"""Number of a device, its name, and its index within its part, as /sys/class/video4linux has them."""


def row(first: int, *names: str) -> Nodes:
    """Devices of one part, one after another."""
    return [(first + at, name, at) for at, name in enumerate(names)]


_BACK = ("input", "tdn_input", "stitch_input", "output0", "output1", "tdn_output", "stitch_output", "config")
BACK_END = row(20, *(f"pispbe-{part}" for part in _BACK))
CODECS = [
    *row(10, "bcm2835-codec-decode", "bcm2835-codec-encode", "bcm2835-codec-isp"),
    (18, "bcm2835-codec-image_fx", 3),
    (31, "bcm2835-codec-encode_image", 4),
    *row(13, "bcm2835-isp-output0", "bcm2835-isp-capture0", "bcm2835-isp-capture1", "bcm2835-isp-stats0"),
    *row(20, "bcm2835-isp-output0", "bcm2835-isp-capture0", "bcm2835-isp-capture1", "bcm2835-isp-stats0"),
]
C920: Nodes = row(0, "HD Pro Webcam C920", "HD Pro Webcam C920")
RECEIVER = (
    *(f"csi2{{0}}ch{n}" for n in range(4)), "fe{0}image0", "fe{0}image1", "fe{0}stats", "fe{0}config",
)  # fmt: skip


def cfe(first: int, between: str) -> Nodes:
    """The receiver of a Pi 5 with a camera at its ribbon cable. Kernels write its names differently."""
    return row(first, *(f"rp1-cfe-{part.format(between)}" for part in RECEIVER))


LISTINGS: dict[str, tuple[Nodes, list[str]]] = {
    "Pi 5, nothing plugged in": ([(19, "rpivid", 0), *BACK_END], []),
    "Pi 5, kernel of 2025": ([(19, "rpi-hevc-dec", 0), *BACK_END], []),
    "Pi 5, webcam": ([(19, "rpi-hevc-dec", 0), *BACK_END, *C920], ["/dev/video0"]),
    "Pi 5, ribbon camera": ([*cfe(0, "_"), (19, "rpivid", 0), *BACK_END], ["csi"]),
    "Pi 5, ribbon camera, names with -": ([*cfe(0, "-"), (19, "rpi-hevc-dec", 0), *BACK_END], ["csi"]),
    "Pi 5, two ribbon cameras": ([*cfe(0, "_"), *cfe(36, "_"), *BACK_END], ["csi"]),
    "Pi 5, webcam, then a ribbon camera": ([*C920, *cfe(4, "_"), *BACK_END], ["/dev/video0", "csi"]),
    "Pi 4, nothing plugged in": ([*CODECS, (19, "rpivid", 0)], []),
    "Pi 4, kernel of 2025": ([*CODECS, (19, "rpi-hevc-dec", 0)], []),
    "Pi 4, two webcams": (
        [*CODECS, *C920, *row(2, "USB Camera: USB Camera", "USB Camera: USB Camera")],
        ["/dev/video0", "/dev/video2"],
    ),
    "Pi 4, ribbon camera": ([*row(0, "unicam-image", "unicam-embedded"), *CODECS], ["csi"]),
    "Pi 4, ribbon camera, then a webcam": (
        [*row(0, "unicam-image", "unicam-embedded"), *CODECS, *row(2, "C270 HD WEBCAM", "C270 HD WEBCAM")],
        ["csi", "/dev/video2"],
    ),
    "Pi 3, older camera driver": ([(0, "mmal service 16.1", 0), *CODECS], ["csi"]),
    "other boards": (
        row(0, "rkisp_mainpath", "rkvdec", "hantro-vpu-dec", "cedrus", "meson-vdec", "mtk-vcodec-enc"),
        [],
    ),
    "a laptop": ([(0, "Intel IPU6 ISYS Capture 0", 0), (1, "ipu3-cio2 0", 0)], []),
    "names like those of coders": (
        [(0, "LG UltraFine Display Camera", 0), (2, "Crisp HEVC Cam", 0), (4, "Unix Cam", 0)],
        ["/dev/video0", "/dev/video2", "/dev/video4"],
    ),
}
"""What people post of their machines: /sys/class/video4linux, and what of it is a camera."""


@pytest.mark.parametrize(("nodes", "right"), LISTINGS.values(), ids=LISTINGS)
@pytest.mark.parametrize("each_is_the_first", [False, True])
def test_cameras_of_whole_machines(
    tmp_path: Path, nodes: Nodes, right: list[str], each_is_the_first: bool
) -> None:
    for number, name, index in nodes:
        webcam = f"/dev/video{number - index}" in right  # its second device is known by its index alone
        device(tmp_path, number, name, 0 if each_is_the_first and not webcam else index)
    assert [spec for spec, _ in cameras(tmp_path)] == right


def test_a_ribbon_camera_is_called_by_its_sensor(tmp_path: Path) -> None:
    device(tmp_path, 0, "unicam-image")
    assert cameras(tmp_path) == [("csi", "ribbon camera")]
    for number, name in enumerate(("unicam", "dw9807 10-000c", "imx708_wide 10-001a")):
        (tmp_path / f"v4l-subdev{number}").mkdir()
        (tmp_path / f"v4l-subdev{number}" / "name").write_text(f"{name}\n", encoding="utf-8")
    assert cameras(tmp_path) == [("csi", "ribbon camera imx708_wide")]


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
