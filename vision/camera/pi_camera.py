"""The Raspberry Pi's camera by picamera2, which comes with the system, not from PyPI."""

import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.core.errors import SourceError
from vision.camera.frames import CameraInfo, Image, less_than_asked
from vision.camera.live_camera import Device
from vision.camera.webcam import LOCK_AFTER, TOO_BRIGHT, TOO_DARK

SIMPLEJPEG = "simplejpeg>=1.8,<2"
"""The first version built for NumPy 2. In the virtual environment it precedes the system's."""
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
"""libcamera's AfMode."""
_KEPT = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
"""Names of a frame's metadata that are also controls: they are locked to the frame's values."""


class CsiDevice(Device):
    """`width`, `height` (px) and `fps` are requested; pictures are grey unless `colour` is set."""

    def __init__(self, width: int, height: int, fps: float, *, colour: bool = False) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise SourceError(
                "picamera2 is not to be found",
                where="csi camera",
                next_step="apt install python3-picamera2, and make the venv with --system-site-packages",
            ) from error
        except ValueError as error:
            # Raspberry Pi OS Bookworm: its simplejpeg was built for NumPy 1, but OpenCV 5 needs NumPy 2.
            raise SourceError(
                f"picamera2 cannot be used beside NumPy {np.__version__} ({error})",
                where="csi camera",
                next_step=f'install a newer simplejpeg: {sys.executable} -m pip install "{SIMPLEJPEG}"',
            ) from error
        self._colour = colour
        asked = (width, height, fps)
        try:
            self._camera = Picamera2()
            self._focuses = "AfMode" in self._camera.camera_controls
            wanted = {"FrameRate": fps} | ({"AfMode": _AF_CONTINUOUS} if self._focuses else {})
            setup = self._camera.create_video_configuration(
                main={"size": (width, height), "format": "YUV420"}, controls=wanted
            )
            self._camera.configure(setup)
            # Configuring changes sizes that the sensor's pipeline cannot give.
            width, height = self._camera.camera_configuration()["main"]["size"]
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            raise SourceError(
                f"the camera does not start ({error})",
                where="csi camera",
                next_step="check the ribbon cable; rpicam-hello --list-cameras should name it",
            ) from error
        self._frames = 0  # since exposure was locked or set free
        self._locked = False
        self._less = less_than_asked(asked, int(width), int(height), fps)
        self.info = CameraInfo(int(width), int(height), fps, "csi camera", self._less)

    def grab(self) -> tuple[float, Any]:
        request = self._camera.capture_request()
        try:
            planes = request.make_array("main")
            # The first H rows of planar YUV are the grey picture. Copied, because the buffer is reused.
            picture = np.array(planes if self._colour else planes[: self.info.height, : self.info.width])
            told = request.get_metadata()
        finally:
            request.release()
        self._frames += 1
        if self._frames >= LOCK_AFTER:
            fits = TOO_DARK <= picture[: self.info.height : 16, ::16].mean() <= TOO_BRIGHT
            if fits and not self._locked:
                self._lock(told)
            elif self._locked and not fits:
                self._free()
        # The sensor's time is that of the boot clock. A frame may be older than the call.
        taken = told.get("SensorTimestamp")
        age = 0.0 if taken is None else (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - taken) / 1e9
        return min(max(age, 0.0), 2.0), picture

    def decode(self, raw: Any) -> Image | None:
        if not self._colour:
            return np.asarray(raw, np.uint8)
        # Rows may be padded, and the half rows of the colour planes behind them, too.
        whole = np.asarray(cv2.cvtColor(raw, cv2.COLOR_YUV2BGR_I420), np.uint8)
        return np.ascontiguousarray(whole[: self.info.height, : self.info.width])

    def close(self) -> None:
        with suppress(RuntimeError):
            self._camera.close()

    def _lock(self, told: dict[str, Any]) -> None:
        """Lock exposure, colours and focus to the values of this frame."""
        kept = {name: told[name] for name in _KEPT if name in told}
        if not self._focuses:
            kept.pop("LensPosition", None)
        elif "LensPosition" in kept:
            kept["AfMode"] = _AF_MANUAL
        self._locked, self._frames = True, 0
        with suppress(RuntimeError):
            self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **kept})
            self._tell(f"locked: {'focus, ' if 'AfMode' in kept else ''}exposure, white balance")

    def _free(self) -> None:
        """The light changed: unlock exposure, to be locked again later."""
        self._locked, self._frames = False, 0
        with suppress(RuntimeError):
            self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
            self._tell("exposing anew")

    def _tell(self, note: str) -> None:
        self.info = replace(self.info, note=", ".join(filter(None, (self._less, note))))
