"""What identifies a camera, so that another one under the same name is noticed."""

import re
from pathlib import Path

from vision.camera.frames import CameraInfo

_SYSFS = Path("/sys/class/video4linux")
_NUMBER = re.compile(r"(?:/dev/video)?(\d{1,3})", re.ASCII)


def camera_fingerprint(spec: str, info: CameraInfo, sysfs: Path = _SYSFS) -> str:
    """The device's name as its driver gives it, and the size of its pictures.

    A camera that has no name of its own (an address, a recording) is known by its specification. `sysfs` is
    the folder in which Linux lists video devices.
    """
    return f"{_device_name(spec, sysfs) or spec}, {info.width} x {info.height}"


def _device_name(spec: str, sysfs: Path) -> str:
    device = str(Path(spec).resolve()) if spec.startswith("/dev/v4l/") else spec
    number = _NUMBER.fullmatch(device)
    if number is None:
        return ""
    try:
        return (sysfs / f"video{number[1]}" / "name").read_text(encoding="utf-8", errors="replace").strip()[:80]
    except OSError:
        return ""
