"""Cameras and boards that are plugged in, by the names of their devices alone: nothing is opened."""

from pathlib import Path

_SYSFS = Path("/sys/class/video4linux")
_SERIAL = Path("/dev/serial/by-id")
_NO_CAMERAS = ("codec", "isp", "hevc")
"""Words in the names of video devices of a Raspberry Pi that are no cameras."""


def cameras(sysfs: Path = _SYSFS) -> list[tuple[str, str]]:
    """Device and name of each camera, in the order of numbers; its further devices are left out."""
    found: list[tuple[str, str]] = []
    for entry in sorted(sysfs.glob("video[0-9]*"), key=lambda path: int(path.name.removeprefix("video"))):
        try:
            name = (entry / "name").read_text(encoding="utf-8", errors="replace").strip()
            index = (entry / "index").read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            continue
        if index == "0" and not any(word in name.lower() for word in _NO_CAMERAS):
            found.append((f"/dev/{entry.name}", name))
    return found


def boards(serial: Path = _SERIAL) -> list[str]:
    """Serial devices of boards with MicroPython, by their stable names."""
    return [str(path) for path in sorted(serial.glob("*MicroPython*"))]
