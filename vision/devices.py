"""The devices behind live cameras: MJPEG over HTTP, whatever OpenCV opens, and the Pi's own camera."""

import base64
import time
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import ProxyHandler, Request, build_opener

import cv2
import numpy as np

from companion.errors import SourceError
from vision.frames import CameraInfo
from vision.live import Device, LostError
from vision.stickers import Gray

_TIMEOUT_S = 5.0
_JPEG_MOST = 40_000_000
"""Bytes of one picture; a stream that claims more is no camera."""
_HEADER_MOST = 64
_CHUNK = 65536
_LOCK_AFTER = 45
"""Frames a webcam gets to focus and to expose before both are locked."""


class HttpMjpeg(Device):
    """A multipart/x-mixed-replace stream of JPEGs, as phones and the virtual table send it.

    Bytes are read as they come, decoded only when asked for, and straight to grey: 5.7 ms for a
    1080p frame where FFmpeg takes 10 (and 7 for one that is thrown away).
    """

    decode_at_once = False

    def __init__(self, url: str) -> None:
        self._where = without_password(url)
        try:
            # No proxy: cameras are at home.
            opener = build_opener(ProxyHandler({}))
            self._answer: HTTPResponse = opener.open(_request(url), timeout=_TIMEOUT_S)
        except HTTPError as error:
            raise SourceError(
                f"the camera answers {error.code} {error.reason}",
                where=self._where,
                next_step="check the path of the stream in a browser",
            ) from error
        except (URLError, OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise SourceError(
                f"the camera does not answer ({reason})",
                where=self._where,
                next_step="check that it is switched on and in the same network",
            ) from error
        kind = self._answer.headers.get_content_type()
        if kind != "multipart/x-mixed-replace":
            self._answer.close()
            raise NotMjpegError(kind)
        boundary = self._answer.headers.get_param("boundary")
        self._boundary = b"--" + str(boundary or "").strip('"').removeprefix("--").encode("latin-1")
        self.info = CameraInfo(0, 0, 0.0, "MJPEG over the network")
        try:
            first = self.decode(self.grab()[1])
        except (LostError, OSError, HTTPException) as error:
            first = None
            reason = str(error)
        else:
            reason = "no JPEG"
        if first is None:
            self.close()
            raise SourceError(
                f"the stream carries no picture ({reason})",
                where=self._where,
                next_step="look at it in a browser",
            )

    def grab(self) -> tuple[float, Any]:
        length = self._skip_header()
        data = self._answer.read(length) if length else self._until_boundary()
        if len(data) < length or not data:
            raise LostError("the stream ended")
        return 0.0, data

    def decode(self, raw: Any) -> Gray | None:
        picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_GRAYSCALE)
        if picture is None:
            return None
        if (self.info.height, self.info.width) != picture.shape:
            self.info = CameraInfo(picture.shape[1], picture.shape[0], 0.0, self.info.kind)
        return np.asarray(picture, np.uint8)

    def close(self) -> None:
        with suppress(OSError):
            self._answer.close()

    def _skip_header(self) -> int:
        """Read on to the next part's body; its length, or 0 if the part does not say."""
        length, inside = 0, False
        for _ in range(_HEADER_MOST):
            line = self._answer.readline(1024)
            if not line:
                raise LostError("the stream ended")
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value) if value.strip().isdigit() else 0
                if length > _JPEG_MOST:
                    raise LostError("a picture of more than 40 MB")
            inside = inside or line.startswith(self._boundary) or b":" in line
            if inside and not line.strip():
                return length
        raise LostError("no picture in the stream")

    def _until_boundary(self) -> bytes:
        data = bytearray()
        while len(data) < _JPEG_MOST:
            line = self._answer.readline(_CHUNK)
            if not line:
                raise LostError("the stream ended")
            if line.startswith(self._boundary):
                return bytes(data)
            data += line
        raise LostError("a picture of more than 40 MB")


class NotMjpegError(Exception):
    """The address answers, but with something OpenCV may know better."""


class OpenCvDevice(Device):
    """A webcam (`source` is its number) or a stream address that OpenCV's FFmpeg opens."""

    def __init__(self, source: int | str, width: int, height: int, fps: float) -> None:
        # What OpenCV would print about a missing camera is said better below.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._webcam = isinstance(source, int)
        where = f"/dev/video{source}" if isinstance(source, int) else without_password(source)
        if isinstance(source, int):
            self._video = cv2.VideoCapture(source, cv2.CAP_V4L2)
        else:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
            self._video = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
        if not self._video.isOpened():
            step = (
                "check the plug, and that no other program uses it (v4l2-ctl --list-devices lists cameras)"
                if self._webcam
                else "check that it is switched on, and the address"
            )
            raise SourceError("no camera can be opened", where=where, next_step=step)
        if self._webcam:
            # MJPEG: raw 1080p does not fit through USB 2 at more than 5 fps.
            for prop, value in (
                (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")),
                (cv2.CAP_PROP_FRAME_WIDTH, width),
                (cv2.CAP_PROP_FRAME_HEIGHT, height),
                (cv2.CAP_PROP_FPS, fps),
                (cv2.CAP_PROP_BUFFERSIZE, 1),
            ):
                self._video.set(prop, value)
        self._grabbed = 0
        self.info = CameraInfo(
            int(self._video.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(self._video.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            max(0.0, float(self._video.get(cv2.CAP_PROP_FPS))),
            "webcam" if self._webcam else "network stream",
        )

    def grab(self) -> tuple[float, Any]:
        if not self._video.grab():
            raise LostError("no more frames")
        self._grabbed += 1
        if self._webcam and self._grabbed == _LOCK_AFTER:
            self._lock()
        return 0.0, None

    def decode(self, raw: Any) -> Gray | None:
        good, picture = self._video.retrieve()
        if not good or picture is None:
            return None
        gray = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        return np.asarray(gray, np.uint8)

    def close(self) -> None:
        self._video.release()

    def _lock(self) -> None:
        """Keep focus, exposure and white balance as they are; cameras that cannot simply do not."""
        exposure = self._video.get(cv2.CAP_PROP_EXPOSURE)
        self._video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        self._video.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._video.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2: 1 is manual, 3 automatic
        if exposure > 0:
            self._video.set(cv2.CAP_PROP_EXPOSURE, exposure)


class CsiDevice(Device):
    """The Raspberry Pi's camera by picamera2, which comes with the system, not from PyPI."""

    def __init__(self, width: int, height: int, fps: float) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise SourceError(
                "picamera2 is not to be found",
                where="csi camera",
                next_step="apt install python3-picamera2, and make the venv with --system-site-packages",
            ) from error
        try:
            self._camera = Picamera2()
            setup = self._camera.create_video_configuration(
                main={"size": (width, height), "format": "YUV420"}, controls={"FrameRate": fps}
            )
            self._camera.configure(setup)
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            raise SourceError(
                f"the camera does not start ({error})",
                where="csi camera",
                next_step="check the ribbon cable; rpicam-hello --list-cameras should name it",
            ) from error
        self._grabbed = 0
        self.info = CameraInfo(width, height, fps, "csi camera")

    def grab(self) -> tuple[float, Any]:
        request = self._camera.capture_request()
        try:
            # The first H rows of planar YUV are the grey picture.
            picture = np.array(request.make_array("main")[: self.info.height, : self.info.width])
            taken = request.get_metadata().get("SensorTimestamp")
        finally:
            request.release()
        self._grabbed += 1
        if self._grabbed == _LOCK_AFTER:
            with suppress(RuntimeError):
                self._camera.set_controls({"AeEnable": False, "AwbEnable": False})
        # The sensor's time is that of the boot clock; a frame may be older than the call.
        age = 0.0 if taken is None else (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - taken) / 1e9
        return min(max(age, 0.0), 2.0), picture

    def decode(self, raw: Any) -> Gray | None:
        return np.asarray(raw, np.uint8)

    def close(self) -> None:
        with suppress(RuntimeError):
            self._camera.close()


def _request(url: str) -> Request:
    """urllib takes no user and password in an address, but phones ask for them."""
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    request = Request(urlunsplit(parts._replace(netloc=host)))
    if user:
        token = base64.b64encode(unquote(user).encode()).decode("ascii")
        request.add_header("Authorization", f"Basic {token}")
    return request


def without_password(url: str) -> str:
    """The address as it may be shown: no user, no password, no query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
