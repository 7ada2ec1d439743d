"""Cameras and boards plugged in, by device names alone.

Nothing is opened.
"""

import re
from pathlib import Path

from companion.core.language import text

_SYSFS = Path("/sys/class/video4linux")
_SERIAL = Path("/dev/serial/by-id")
_NO_WEBCAM = re.compile(
    r"bcm\d+|pisp|rpivid|rpi-|rp1-|unicam|mmal service"  # a Raspberry Pi's coders and CSI receivers
    r"|hantro|rockchip|rk(vdec|venc|isp|cif)|cedrus|sun\d+i-|meson-|mtk-|qcom-|exynos|s5p-|stm32-"
    r"|(intel )?ipu\d|.*(vcodec|vdec|venc|m2m|[-_](dec|enc|decoder|encoder))\b",  # other boards and laptops
    re.IGNORECASE,
)
"""Names of video devices that are parts of a processor, not cameras (Linux drivers)."""


_RIBBON = re.compile(r"unicam(-image)?$|rp1-cfe-csi2[-_]ch0$|mmal service|bcm\d+[-_]v4l2", re.IGNORECASE)
"""Names of receivers for ribbon cameras, which exist only while a camera is connected.

Drivers: bcm2835-unicam of a Pi 4, rp1-cfe of a Pi 5, bcm2835-v4l2 of older systems.
"""
_SENSOR = re.compile(r"((?:imx|ov)\d+\w*)", re.IGNORECASE)
"""Name of a ribbon camera's sensor within a device's name."""
CSI = "csi"
"""Value of `--camera` for the ribbon camera, whose receiver has several devices."""


def cameras(sysfs: Path = _SYSFS) -> list[tuple[str, str]]:
    """Cameras plugged in: (value for `--camera`, name), in device order.

    A webcam is the first of its devices, a ribbon camera is `csi`. Coders and other parts of the processor
    are left out.
    """
    found: list[tuple[str, str]] = []
    for entry in sorted(sysfs.glob("video[0-9]*"), key=lambda path: int(path.name.removeprefix("video"))):
        try:
            name = (entry / "name").read_text(encoding="utf-8", errors="replace").strip()
            index = (entry / "index").read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            continue
        if index == "0" and (_at_usb(entry) or not _NO_WEBCAM.match(name)):
            found.append((f"/dev/{entry.name}", name))
        elif _RIBBON.match(name) and all(spec != CSI for spec, _ in found):
            found.append((CSI, _ribbon_camera(sysfs)))
    return found


def _ribbon_camera(sysfs: Path) -> str:
    """Name of the ribbon camera.

    Its sensor's name is added if the system tells it.
    """
    for entry in sorted(sysfs.glob("v4l-subdev*")):
        try:
            sensor = _SENSOR.match((entry / "name").read_text(encoding="utf-8", errors="replace").strip())
        except OSError:
            continue
        if sensor is not None:
            return text("ribbon camera {sensor}", sensor=sensor[1])
    return text("ribbon camera")


def _at_usb(entry: Path) -> bool:
    """True if a video device is at USB, where no part of the processor is."""
    return (entry / "device" / "subsystem").resolve().name == "usb"


def boards(serial: Path = _SERIAL) -> list[str]:
    """Serial devices of boards with MicroPython, as paths that stay the same when plugged in again."""
    return [str(path) for path in sorted(serial.glob("*MicroPython*"))]
