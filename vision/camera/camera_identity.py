"""Text that identifies a camera, so that another one under its name is noticed."""

import re
from pathlib import Path

from vision.camera.frames import CameraInfo

_SYSFS = Path("/sys/class/video4linux")
_NUMBER = re.compile(r"(?:/dev/video)?(\d{1,3})", re.ASCII)


def camera_fingerprint(spec: str, info: CameraInfo, sysfs: Path = _SYSFS) -> str:
    """Text that identifies a camera: its driver's name and picture size.

    `spec`: the camera, as for `open_camera`; used in place of the driver for an address or a recording.
    `sysfs`: where Linux lists video devices.
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
