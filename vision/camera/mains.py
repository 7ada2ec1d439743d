"""Mains frequency: exposures of whole half-waves hide lamp flicker."""

import fcntl
import math
import os
import struct
from contextlib import suppress
from pathlib import Path

_CONTROL = struct.Struct("=Ii")
_GET, _SET = 0xC008561B, 0xC008561C
"""VIDIOC_G_CTRL and VIDIOC_S_CTRL of linux/videodev2.h, for a struct v4l2_control."""
_LINE_FREQUENCY = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY of linux/v4l2-controls.h: the control for the mains frequency."""
_OFF = 0
_HZ = {1: 50.0, 2: 60.0}
"""Value of the webcam's mains control -> mains frequency (Hz). Value 3 lets the camera decide."""
_AT_60_HZ = (
    *("America/", "US/", "Canada/", "Mexico/", "Brazil/", "Cuba", "Jamaica"),
    *("Asia/Seoul", "Asia/Taipei", "Asia/Manila", "Asia/Riyadh", "Pacific/Honolulu", "Pacific/Guam"),
)
_AT_50_HZ = tuple(
    f"America/{name}"
    for name in ("Argentina", "Buenos_Aires", "Santiago", "Asuncion", "Montevideo", "La_Paz", "Cayenne")
)
"""Time zones by the frequency of their mains (source: IEC, World plugs). Zones not listed have 50 Hz."""
_LOCALTIME = Path("/etc/localtime")
_SAME = 0.01
"""_SAME: share of a half-wave by which an exposure may be off, because drivers round."""


def mains_hz(zone: str | None = None) -> float:
    """Mains frequency (50 or 60 Hz) of a time zone.

    `zone`: IANA name such as "Europe/Berlin"; None: the zone of this machine. Unknown zones have 50 Hz.

    >>> mains_hz("Europe/Berlin"), mains_hz("America/New_York")
    (50.0, 60.0)
    """
    name = _zone() if zone is None else zone
    return 60.0 if name.startswith(_AT_60_HZ) and not name.startswith(_AT_50_HZ) else 50.0


def ask_for_mains(device: Path, hz: float) -> float | None:
    """Tell a webcam the mains frequency `hz` (50 or 60), unless one is set.

    Returns the frequency that the camera assumes now. None if it decides by itself, or cannot be told.
    """
    with suppress(OSError):
        file = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        try:
            if _get(file) == _OFF:
                _set(file, next(value for value, one in _HZ.items() if one == hz))
            return _HZ.get(_get(file))
        finally:
            os.close(file)
    return None


def whole_half_waves(seconds: float, hz: float, most: float, *, up: bool = False) -> float:
    """Shorten an exposure (s) to whole half-waves of the mains, against flicker of lamps.

    `hz`: mains frequency. `most`: longest exposure (s). `up`: lengthen instead of shorten. An exposure below
    one half-wave stays as it is: the light is too strong for a longer one.

    >>> whole_half_waves(0.034, 50.0, 0.066), whole_half_waves(0.034, 50.0, 0.066, up=True)
    (0.03, 0.04)
    """
    half = 1 / (2 * hz)
    if seconds < half * (1 - _SAME):
        return seconds
    number = math.ceil(seconds / half - _SAME) if up else math.floor(seconds / half + _SAME)
    return half * max(1, min(number, math.floor(most / half + _SAME)))


def _zone() -> str:
    name = os.environ.get("TZ", "").removeprefix(":")
    with suppress(OSError):
        name = name or str(_LOCALTIME.readlink()).partition("zoneinfo/")[2]
    return name


def _get(file: int) -> int:
    answer = fcntl.ioctl(file, _GET, _CONTROL.pack(_LINE_FREQUENCY, 0))
    return int(_CONTROL.unpack(answer)[1])


def _set(file: int, value: int) -> None:
    fcntl.ioctl(file, _SET, _CONTROL.pack(_LINE_FREQUENCY, value))
