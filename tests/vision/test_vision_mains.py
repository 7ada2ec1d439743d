"""Cameras are told the frequency of the mains, and their locked exposures last for whole half-waves."""

import errno
import struct
import sys
import types
from pathlib import Path

import cv2
import pytest

from companion.core.clock import RealClock
from tests.vision.test_vision_capture import FakePicamera2, says, until, webcam  # noqa: F401
from vision.camera import mains
from vision.camera.mains import ask_for_mains, mains_hz, whole_half_waves
from vision.camera.open_camera import open_camera
from vision.camera.pi_camera import CsiDevice
from vision.camera.settings_plan import LOCK_AFTER, Exposure


class Driver:
    """V4L2's power_line_frequency: takes the values it has, and refuses others as Linux does."""

    def __init__(self, value: int | None, takes: tuple[int, ...] = (0, 1, 2)) -> None:
        self.value, self._takes = value, takes

    def ioctl(self, _: int, request: int, data: bytes) -> bytes:
        control, value = struct.unpack("=Ii", data)
        if self.value is None or control != 0x00980918:
            raise OSError(errno.EINVAL, "no such control")
        if request == 0xC008561C:
            if value not in self._takes:
                raise OSError(errno.ERANGE, "not in its range")
            self.value = value
        return struct.pack("=Ii", control, self.value)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Ask a camera whose control has this value now."""
    device = tmp_path / "video0"
    device.touch()

    def ask(driver: Driver, hz: float) -> float | None:
        monkeypatch.setattr(mains.fcntl, "ioctl", driver.ioctl)
        return ask_for_mains(device, hz)

    return ask


@pytest.mark.parametrize(
    ("before", "hz", "after", "told"),
    [(0, 50.0, 1, 50.0), (0, 60.0, 2, 60.0), (2, 50.0, 2, 60.0), (3, 50.0, 3, None), (None, 50.0, None, None)],
    ids=["off", "off, 60 Hz", "somebody has set it", "the camera decides", "no such control"],
)
def test_a_webcam_is_told_the_mains_unless_somebody_has_done_so(asked, before, hz, after, told):
    driver = Driver(before)
    assert asked(driver, hz) == told
    assert driver.value == after


def test_a_device_that_refuses_or_is_not_there_is_left_alone(asked, tmp_path):
    assert asked(Driver(0, takes=(0,)), 50.0) is None
    assert ask_for_mains(tmp_path / "nothing", 50.0) is None


@pytest.mark.parametrize(
    ("zone", "hz"),
    [
        ("Europe/Berlin", 50),
        ("America/New_York", 60),
        ("America/Argentina/Salta", 50),
        ("Asia/Seoul", 60),
        ("", 50),
    ],
)
def test_the_mains_follow_from_the_time_zone(zone, hz, monkeypatch):
    assert mains_hz(zone) == hz
    monkeypatch.setenv("TZ", f":{zone}")
    assert mains_hz() == hz


@pytest.mark.parametrize(
    ("ms", "hz", "shorter", "longer"),
    [
        (25, 50, 20, 30),
        (20, 50, 20, 20),
        (4, 50, 4, 4),
        (25, 60, 25, 25),
        (90, 50, 60, 60),
        (11, 60, 8.333, 16.667),
    ],
)
def test_exposures_last_for_whole_half_waves(ms, hz, shorter, longer):
    assert 1000 * whole_half_waves(ms / 1000, hz, 1 / 15) == pytest.approx(shorter, abs=0.05)
    assert 1000 * whole_half_waves(ms / 1000, hz, 1 / 15, up=True) == pytest.approx(longer, abs=0.05)


def test_a_webcam_locks_an_exposure_that_shows_no_flicker(webcam, monkeypatch):  # noqa: F811
    monkeypatch.setattr("vision.camera.webcam.ask_for_mains", lambda device, hz: 50.0)
    with open_camera("0", RealClock()) as camera:
        until(lambda: says(camera, "locked: focus"))
        values = webcam.made.values
        assert values[cv2.CAP_PROP_EXPOSURE] == 200, "it exposed for 25 ms"
        camera.judge(Exposure(60, 255))
        until(lambda: values[cv2.CAP_PROP_EXPOSURE] == 100)


def test_the_pis_camera_is_told_the_mains(monkeypatch):
    class Newer(FakePicamera2):
        def __init__(self):
            super().__init__()
            self.camera_controls |= {"AeFlickerMode": (0, 1, 0), "AeFlickerPeriod": (100, 1_000_000, None)}

        def get_metadata(self):
            return super().get_metadata() | {"ExposureTime": 20000, "AnalogueGain": 1.0}

    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=Newer))
    monkeypatch.setenv("TZ", "Europe/Paris")
    device = CsiDevice(1920, 1080, 15.0)
    made = FakePicamera2.made.controls
    assert (made["AeFlickerMode"], made["AeFlickerPeriod"]) == (1, 10_000)
    for _ in range(2 * LOCK_AFTER):
        device.grab()
    device.judge(Exposure(40, 255))
    for _ in range(LOCK_AFTER):
        device.grab()
    assert made["ExposureTime"] == pytest.approx(10_000)
    assert made["ExposureTime"] * made["AnalogueGain"] == pytest.approx(16_000, rel=0.01)
