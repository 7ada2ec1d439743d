"""The Raspberry Pi's own camera, driven by the library picamera2.

The library comes with the system and not from PyPI.
"""

import logging
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from vision.camera.frames import CameraInfo, Image, less_than_asked, noted, reduction
from vision.camera.live_camera import Device
from vision.camera.mains import mains_hz, whole_half_waves
from vision.camera.settings_plan import Exposure, SettingsPlan, SettingsStep
from vision.errors import CameraError, NotThereError
from vision.reasons import CsiBesideNumpy, CsiNotStarted, Held, Locked, Reason, Simple

SIMPLEJPEG = "simplejpeg>=1.8,<2"
"""Requirement for pip: the first simplejpeg that was built for NumPy 2. In a virtual environment it replaces
the system's, which does not fit."""
_WHERE = "csi camera"
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
"""Values of libcamera's control AfMode."""
_FLICKER_MANUAL = 1
"""Value of libcamera's control AeFlickerMode: exposures last for whole AeFlickerPeriods (us)."""
_SAME_GAINS = 0.05
"""_SAME_GAINS: share by which colour gains may differ from the locked ones and still count as locked."""
_HELD = ("busy", "acquire", "in use")
"""Words in errors of libcamera and picamera2 which mean that another program holds the camera."""
_KEPT = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
"""Values in a frame's metadata to which locking sets the controls of the same names."""


class PlanarPicture:
    """Raspberry Pi camera's picture (planar YUV 4:2:0), converted on demand.

    `planes`: all three planes, one below the other; rows may be padded. `width`, `height`: px without padding.
    `colour`: `image` is BGR, else grey.
    """

    def __init__(self, planes: Image, width: int, height: int, *, colour: bool = False) -> None:
        self._planes = planes
        self._colour = colour
        self.width, self.height = width, height

    @property
    def image(self) -> Image:
        """The whole picture, grey or BGR.

        In grey it is cut from the planes, without conversion.
        """
        if not self._colour:
            return np.ascontiguousarray(self._planes[: self.height, : self.width])
        whole = np.asarray(cv2.cvtColor(self._planes, cv2.COLOR_YUV2BGR_I420), np.uint8)
        return np.ascontiguousarray(whole[: self.height, : self.width])

    @property
    def quickest(self) -> Image:
        """The picture in BGR, reduced by the divisor `reduction(width)`."""
        by = reduction(self.width)
        size = (self.width // by, self.height // by)
        padded = self._planes.shape[1] // 2
        # The planes of colour are half as wide and high, their rows two to a row of the array.
        blue, red = self._planes[self.height :].reshape(2, -1, padded)[:, : self.height // 2, : self.width // 2]
        grey = self._planes[: self.height, : self.width]
        parts = [cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in (grey, red, blue)]
        return np.asarray(cv2.cvtColor(cv2.merge(parts), cv2.COLOR_YCrCb2BGR), np.uint8)


def _not_there(error: Exception) -> NotThereError:
    """Error for a Raspberry Pi camera that does not start.

    Every cause may pass, so the camera may be waited for.
    """
    if any(word in str(error).lower() for word in _HELD):
        return NotThereError(Held(), _WHERE)
    return NotThereError(CsiNotStarted(str(error) or type(error).__name__), _WHERE)


class CsiDevice(Device):
    """Raspberry Pi's own camera at its ribbon connector (CSI).

    `width`, `height` (px) and `fps` are requested; `info` holds what the camera gives. `colour`: pictures are
    BGR, else grey. CameraError if picamera2 is missing; NotThereError if the camera does not start.
    """

    def __init__(self, width: int, height: int, fps: float, *, colour: bool = False) -> None:
        # libcamera's own messages are suppressed: ours are clearer, and a busy camera is tried every 3 s.
        os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "*:FATAL")
        logging.getLogger("picamera2").setLevel(logging.CRITICAL)
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraError(Simple.NO_PICAMERA2, _WHERE) from error
        except ValueError as error:
            # Raspberry Pi OS Bookworm: its simplejpeg was built for NumPy 1, but OpenCV 5 needs NumPy 2.
            reason = CsiBesideNumpy(np.__version__, str(error), sys.executable, SIMPLEJPEG)
            raise CameraError(reason, _WHERE) from error
        self._colour = colour
        asked = (width, height, fps)
        self._camera: Any = None
        try:
            self._camera = Picamera2()
            self._focuses = "AfMode" in self._camera.camera_controls
            wanted = {"FrameRate": fps} | ({"AfMode": _AF_CONTINUOUS} if self._focuses else {})
            self._mains = mains_hz() if "AeFlickerPeriod" in self._camera.camera_controls else None
            if self._mains is not None:
                period = round(1e6 / (2 * self._mains))
                wanted |= {"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": period}
            setup = self._camera.create_video_configuration(
                main={"size": (width, height), "format": "YUV420"}, controls=wanted
            )
            self._camera.configure(setup)
            # Configuring changes sizes that the sensor's pipeline cannot give.
            width, height = self._camera.camera_configuration()["main"]["size"]
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            if self._camera is not None:
                self.close()  # or it stays taken, and another try cannot have it
            raise _not_there(error) from error
        self._plan = SettingsPlan()
        self._held: dict[str, Any] = {}
        self._less = less_than_asked(asked, int(width), int(height), fps)
        self.info = CameraInfo(int(width), int(height), fps, _WHERE, noted(self._less))

    def grab(self) -> tuple[float, Any]:
        """Wait for the next frame: its age (s, at most 2), and its planes."""
        request = self._camera.capture_request()
        try:
            planes = request.make_array("main")
            # The first H rows of planar YUV are the grey picture. Copied, because the buffer is reused.
            picture = np.array(planes)
            told = request.get_metadata()
        finally:
            request.release()
        with suppress(RuntimeError):
            self._do(self._plan.look(picture[: self.info.height : 16, : self.info.width : 16].mean()), told)
        # The sensor's time is that of the boot clock. A frame may be older than the call.
        taken = told.get("SensorTimestamp")
        age = 0.0 if taken is None else (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - taken) / 1e9
        return min(max(age, 0.0), 2.0), picture

    def decode(self, raw: Any) -> "PlanarPicture":
        """Make a picture from the planes `raw`.

        Pixels are converted on demand.
        """
        return PlanarPicture(raw, self.info.width, self.info.height, colour=self._colour)

    def close(self) -> None:
        """Release the camera."""
        with suppress(RuntimeError):
            self._camera.close()

    def refocus(self) -> None:
        """Have the camera focus again, during the next frames."""
        self._plan.refocus()

    def judge(self, exposure: Exposure) -> None:
        """Correct a locked exposure by the grey levels of print."""
        self._plan.judge(exposure)

    def _do(self, step: SettingsStep | None, told: dict[str, Any]) -> None:
        match step:
            case SettingsStep.LOCK:
                self._lock(told)
            case SettingsStep.FREE:
                self._free()
            case SettingsStep.REFOCUS if self._focuses:
                self._camera.set_controls({"AfMode": _AF_CONTINUOUS})
            case SettingsStep.LOCK_FOCUS if self._focuses and "LensPosition" in told:
                self._camera.set_controls({"AfMode": _AF_MANUAL, "LensPosition": told["LensPosition"]})
            case SettingsStep.DARKER | SettingsStep.BRIGHTER:
                self._expose(0.8 if step is SettingsStep.DARKER else 1.25)
            case SettingsStep.READ_BACK:
                self._read_back(told)

    def _expose(self, factor: float) -> None:
        """Multiply the locked exposure by `factor`.

        First the gain changes, down to 1, then the exposure time, up to that of a frame.
        """
        gain, duration = self._held.get("AnalogueGain", 1.0), self._held.get("ExposureTime", 0)
        if not duration:
            return
        wanted = gain * duration * factor
        longest = 1e6 / self.info.fps
        duration = min(duration if factor < 1 and gain * factor >= 1 else wanted, longest)
        if self._mains is not None:
            duration = 1e6 * whole_half_waves(duration / 1e6, self._mains, longest / 1e6)
        self._held |= {"ExposureTime": round(duration), "AnalogueGain": max(1.0, wanted / duration)}
        self._camera.set_controls({name: self._held[name] for name in ("ExposureTime", "AnalogueGain")})

    def _read_back(self, told: dict[str, Any]) -> None:
        """Note in `info` if the colour gains are no longer locked.

        `told`: metadata of a frame.
        """
        wanted, got = self._held.get("ColourGains"), told.get("ColourGains")
        if wanted and got and not np.allclose(wanted, got, rtol=_SAME_GAINS):
            locked = ("focus", "exposure") if self._focuses else ("exposure",)
            self._tell(Locked(locked, ("white balance",)))
            self.info = replace(self.info, refused=("white balance",))

    def _lock(self, told: dict[str, Any]) -> None:
        """Lock exposure, colours and focus at a frame's values.

        `told`: metadata of the frame.
        """
        kept = {name: told[name] for name in _KEPT if name in told}
        if not self._focuses:
            kept.pop("LensPosition", None)
        elif "LensPosition" in kept:
            kept["AfMode"] = _AF_MANUAL
        self._held = kept
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **kept})
        self.info = replace(self.info, refused=())
        locked = (*(("focus",) if "AfMode" in kept else ()), "exposure", "white balance")
        self._tell(Locked(locked))

    def _free(self) -> None:
        """Unlock exposure and colours because the light changed.

        The plan of settings locks them later.
        """
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
        self._tell(Simple.EXPOSING)

    def _tell(self, note: Reason) -> None:
        self.info = replace(self.info, note=noted(self._less, note))
