"""Cameras and boards that are plugged in, by the names of their devices alone: nothing is opened."""

import re
from pathlib import Path

_SYSFS = Path("/sys/class/video4linux")
_SERIAL = Path("/dev/serial/by-id")
_NO_WEBCAM = re.compile(
    r"bcm\d+-(codec|isp)|pispbe|rpivid|rpi-hevc|rp1-cfe|unicam-"  # a Raspberry Pi's coders and CSI receivers
    r"|hantro|rockchip|rk(vdec|venc|isp|cif)|cedrus|sun\d+i-|meson-|mtk-|qcom-|exynos|s5p-|stm32-"
    r"|(intel )?ipu\d|.*(vcodec|vdec|venc|m2m|[-_](dec|enc|decoder|encoder))\b",  # other boards and laptops
    re.IGNORECASE,
)
"""How names of video devices begin that are parts of a processor, as their drivers in Linux call them."""


def cameras(sysfs: Path = _SYSFS) -> list[tuple[str, str]]:
    """Device and name of each camera, in the order of numbers; its further devices are left out."""
    found: list[tuple[str, str]] = []
    for entry in sorted(sysfs.glob("video[0-9]*"), key=lambda path: int(path.name.removeprefix("video"))):
        try:
            name = (entry / "name").read_text(encoding="utf-8", errors="replace").strip()
            index = (entry / "index").read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            continue
        if index == "0" and (_at_usb(entry) or not _NO_WEBCAM.match(name)):
            found.append((f"/dev/{entry.name}", name))
    return found


def _at_usb(entry: Path) -> bool:
    """Whether a video device is at USB; the parts of a processor never are."""
    return (entry / "device" / "subsystem").resolve().name == "usb"


def boards(serial: Path = _SERIAL) -> list[str]:
    """Serial devices of boards with MicroPython, by their stable names."""
    return [str(path) for path in sorted(serial.glob("*MicroPython*"))]
