"""Webcams and other OpenCV devices: size and rate are negotiated, focus and exposure locked."""

import errno
import fcntl
import os
import re
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.camera.frames import CameraInfo, Image, less_than_asked, noted
from vision.camera.http_address import without_password
from vision.camera.jpeg_picture import JpegDecoder, JpegPicture
from vision.camera.live_camera import Device
from vision.camera.mains import ask_for_mains, mains_hz, whole_half_waves
from vision.camera.settings_plan import Exposure, SettingsPlan, SettingsStep
from vision.errors import LostError, NotThereError
from vision.reasons import Held, Locked, Reason, Simple
from vision.reasons import Webcam as WebcamKind

SMALLER = ((1920, 1080), (1280, 720), (640, 480))
"""Sizes (px) tried in turn if a webcam is too slow at the size asked for. Only smaller ones are tried."""
FPS_LEAST = 10.0
"""FPS_LEAST: frames a second from which on hands can be followed. A slower webcam is asked for a smaller
size."""
_MANUAL, _AUTOMATIC = 1, 3
"""Values of V4L2's control exposure_auto."""
_EXPOSURE_UNITS = 10_000
"""Exposure of 1 s in units of V4L2's exposure_absolute (100 us)."""
_LOCKS = {
    "focus": (cv2.CAP_PROP_AUTOFOCUS, 0),
    "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL),
    "white balance": (cv2.CAP_PROP_AUTO_WB, 0),
}
"""Setting of a camera -> (OpenCV property, value that locks the setting)."""

_BUFFERS = struct.Struct("=III8x")
"""struct v4l2_requestbuffers of linux/videodev2.h: count, type and memory."""
_REQUEST_BUFFERS, _VIDEO_CAPTURE, _MAPPED = 0xC0145608, 1, 1
"""VIDIOC_REQBUFS, V4L2_BUF_TYPE_VIDEO_CAPTURE and V4L2_MEMORY_MMAP."""
_FORMATS = "asf,avi,flv,h264,hevc,jpeg_pipe,matroska,webm,mjpeg,mov,mp4,mpeg,mpegts,mpjpeg,ogg"
"""Formats that FFmpeg accepts over HTTP, each a single stream.

Playlists (HLS, DASH, concat) and session descriptions are refused: with them a server chooses which other
servers are contacted.
"""
_HTTP_OPTIONS = f"protocol_whitelist;http,https,tcp,tls|format_whitelist;{_FORMATS}"
_RTSP_OPTIONS = "rtsp_flags;prefer_tcp|protocol_whitelist;rtsp,rtsps,rtp,tcp,tls,udp|format_whitelist;rtsp"
_OPTIONS_NAME = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""Environment variable from which OpenCV takes FFmpeg's options when it opens a stream."""
_opening = threading.Lock()
"""_opening: lock held while a stream is opened, because environment variables belong to the whole process."""
# FFmpeg's own messages quote the server, with its escape sequences.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

BY_ID = Path("/dev/v4l/by-id")
"""Folder in which Linux names cameras by maker and serial number."""
_DEVICE = re.compile(r"(?:/dev/video)?(\d{1,3})", re.ASCII)


class Webcam:
    """Webcam whose device number may change when plugged in again.

    `name`: a number, /dev/videoN, or a link to it below /dev/v4l. `by_id`: folder of names by serial number.
    """

    def __init__(self, name: str, by_id: Path = BY_ID) -> None:
        self._by_id = by_id
        found = _DEVICE.fullmatch(name)
        self._path = Path(f"/dev/video{found[1]}") if found else Path(name)

    def number(self) -> int:
        """Device number now (3 for /dev/video3).

        NotThereError if the webcam is not plugged in.
        """
        names = sorted(self._by_id.iterdir()) if self._by_id.is_dir() else []
        # Once its own name is known, the number no longer matters.
        self._path = next((name for name in names if name.resolve() == self._path), self._path)
        found = _DEVICE.fullmatch(str(self._path.resolve()))
        if found is None:
            raise NotThereError(Simple.NOT_PLUGGED_IN, str(self._path))
        return int(found[1])


class OpenCvDevice(Device):
    """Webcam, or stream that OpenCV's FFmpeg opens.

    `source`: the webcam's number, or the stream's address. `width`, `height` (px) and `fps` are upper limits;
    `info` holds what the camera gives. `colour`: pictures are BGR, else grey. NotThereError if the device
    cannot be opened.
    """

    def __init__(self, source: int | str, width: int, height: int, fps: float, *, colour: bool = False) -> None:
        # OpenCV's own messages are suppressed: ours are clearer.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._webcam = isinstance(source, int)
        self._colour = colour
        self._jpegs = JpegDecoder(colour=colour)
        self._asked = (width, height, fps)
        if isinstance(source, int):
            where = f"/dev/video{source}"
            self._video = cv2.VideoCapture(source, cv2.CAP_V4L2)
        else:
            where = without_password(source)
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
            with _only_one_stream(source):
                self._video = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
        if not self._video.isOpened():
            if self._webcam:
                raise _not_opened(where)
            raise NotThereError(Simple.STREAM_NOT_OPENED, where)
        self._undecoded = False
        if self._webcam:
            self._negotiate(width, height, fps)
        self._plan = SettingsPlan()
        self._exposure = 0.0  # as locked; 0: the driver does not say
        self._mains = ask_for_mains(Path(f"/dev/video{source}"), mains_hz()) if self._webcam else None
        self._note: Reason | None = None
        self._refused: tuple[str, ...] = ()
        self._level = 128.0
        self.info = self._negotiated()

    def grab(self) -> tuple[float, Any]:
        """Wait for the next frame; return (age 0 s, None), because OpenCV keeps the frame itself.

        LostError if none comes.
        """
        if not self._video.grab():
            raise LostError(Simple.NO_MORE_FRAMES)
        if self._webcam:
            self._do(self._plan.look(self._level))
        return 0.0, None

    def refocus(self) -> None:
        """Have the camera focus again, during the next frames."""
        self._plan.refocus()

    def judge(self, exposure: Exposure) -> None:
        """Correct a locked exposure by the grey levels of print."""
        self._plan.judge(exposure)

    def _do(self, step: SettingsStep | None) -> None:
        match step:
            case SettingsStep.LOCK:
                self._lock()
            case SettingsStep.FREE:
                self._free()
            case SettingsStep.REFOCUS:
                self._video.set(cv2.CAP_PROP_AUTOFOCUS, 1)
                self.info = self._negotiated(Simple.FOCUSING)
            case SettingsStep.LOCK_FOCUS:
                self._video.set(cv2.CAP_PROP_AUTOFOCUS, 0)
                self.info = self._negotiated(self._note)
            case SettingsStep.DARKER:
                self._expose(0.8)
            case SettingsStep.BRIGHTER:
                self._expose(1.25)
            case SettingsStep.READ_BACK:
                self._read_back()

    def _expose(self, factor: float) -> None:
        """Multiply the locked exposure by `factor`.

        It is at most the time of a frame.
        """
        wanted = self._steady(self._exposure * factor, up=factor > 1)
        if self._exposure > 0 and wanted >= 1:
            self._video.set(cv2.CAP_PROP_EXPOSURE, wanted)
            self._exposure = float(wanted)

    def _steady(self, exposure: float, *, up: bool = False) -> float:
        """Shorten an exposure so that lamps do not flicker.

        `up`: lengthen it instead. The unit is 100 us, as V4L2's. It is at most the time of a frame.
        """
        longest = 1 / max(self.info.fps, FPS_LEAST)
        seconds = min(exposure / _EXPOSURE_UNITS, longest)
        if self._mains is not None:
            seconds = whole_half_waves(seconds, self._mains, longest, up=up)
        return round(seconds * _EXPOSURE_UNITS)

    def rest(self, *, still: bool) -> None:
        """Tell the webcam whether nothing moves in its newest pictures (`still`).

        Fewer pictures are then reduced in colour.
        """
        self._jpegs.still = still

    def decode(self, raw: Any) -> Image | JpegPicture | None:
        """Decode the frame grabbed last, perhaps only on demand.

        None if it is damaged. `raw` is not used.
        """
        good, picture = self._video.retrieve()
        if not good or picture is None:
            return None
        if self._undecoded and picture.size == max(picture.shape):
            jpeg = self._jpegs(picture.tobytes())
            self._level = float(jpeg.quickest[::4, ::4].mean())
            return jpeg
        self._level = float(picture[::16, ::16].mean())
        grey_wanted = picture.ndim == 3 and not self._colour
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if grey_wanted else picture, np.uint8)

    def close(self) -> None:
        """Release the camera."""
        self._video.release()

    def _negotiate(self, width: int, height: int, fps: float) -> None:
        # MJPEG first: raw 1080p needs more than USB 2 has above 5 fps.
        self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        for size in _sizes(width, height):
            self._ask(*size, fps)
            if not 0 < self._video.get(cv2.CAP_PROP_FPS) < min(fps, FPS_LEAST):
                break
        else:
            self._ask(width, height, fps)
        # The JPEGs themselves, if the driver gives them: a picture in which nothing moves need not be decoded.
        jpeg = self._letters() == "MJPG"
        self._undecoded = jpeg and bool(self._video.set(cv2.CAP_PROP_CONVERT_RGB, 0))

    def _letters(self) -> str:
        """Webcam's pixel format as four letters, such as "MJPG"."""
        return (int(self._video.get(cv2.CAP_PROP_FOURCC)) & 0xFFFFFFFF).to_bytes(4, "little").decode("latin-1")

    def _ask(self, width: int, height: int, fps: float) -> None:
        self._video.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._video.set(cv2.CAP_PROP_FPS, fps)

    def _negotiated(self, note: Reason | None = None) -> CameraInfo:
        width, height = (
            int(self._video.get(size)) for size in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        )
        fps = max(0.0, float(self._video.get(cv2.CAP_PROP_FPS)))
        if not self._webcam:
            return CameraInfo(width, height, fps, Simple.NETWORK_STREAM, noted(note), self._refused)
        letters = self._letters()
        kind = WebcamKind(letters if letters.isascii() and letters.isalnum() else "")
        less = less_than_asked(self._asked, width, height, fps)
        return CameraInfo(width, height, fps, kind, noted(less, note), self._refused)

    def _lock(self) -> None:
        """Lock focus, exposure and white balance as they are.

        `info` tells which ones the camera refuses.
        """
        self._exposure = self._video.get(cv2.CAP_PROP_EXPOSURE)
        warmth = self._video.get(cv2.CAP_PROP_WB_TEMPERATURE)
        kept = {name: self._holds(*wish) for name, wish in _LOCKS.items()}
        if self._exposure > 0:
            self._exposure = self._steady(self._exposure) if self._mains is not None else self._exposure
            self._video.set(cv2.CAP_PROP_EXPOSURE, self._exposure)
        if warmth > 0:  # without the automatic some drivers go back to a value of their own
            self._video.set(cv2.CAP_PROP_WB_TEMPERATURE, warmth)
        self._tell(kept)

    def _read_back(self) -> None:
        """Note in `info` which settings are still locked.

        Some drivers undo a lock after a few frames.
        """
        self._tell({name: self._video.get(prop) == value for name, (prop, value) in _LOCKS.items()})

    def _tell(self, kept: dict[str, bool]) -> None:
        """Note in `info` which settings are locked.

        `kept`: setting ("focus", ...) -> whether it is.
        """
        self._refused = tuple(name for name in kept if not kept[name])
        self._note = Locked(tuple(name for name in kept if kept[name]), self._refused)
        self.info = self._negotiated(self._note)

    def _holds(self, setting: int, value: int) -> bool:
        """Set an OpenCV property; True if the camera has it afterwards.

        Some drivers accept it but keep the old one.
        """
        return bool(self._video.set(setting, value)) and self._video.get(setting) == value

    def _free(self) -> None:
        """Unlock exposure and white balance because the light changed.

        The plan of settings locks them later.
        """
        self._video.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
        self._video.set(cv2.CAP_PROP_AUTO_WB, 1)
        self.info = self._negotiated(Simple.EXPOSING)


def _not_opened(device: str) -> NotThereError:
    """Build the error that says why a webcam cannot be opened now: held by a program, forbidden, or else."""
    reason: Reason = Simple.WEBCAM_NOT_OPENED
    match trial(device):
        case errno.EBUSY:
            reason = Held(device)
        case errno.EACCES | errno.EPERM:
            reason = Simple.NO_PERMISSION
    return NotThereError(reason, device)


def trial(device: str) -> int:
    """Ask a webcam whether it would give pictures: the error number (errno) of its refusal.

    0 if it does not refuse. The device is asked for zero buffers: this changes nothing, and is refused while
    another program has some.
    """
    try:
        file = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.ioctl(file, _REQUEST_BUFFERS, _BUFFERS.pack(0, _VIDEO_CAPTURE, _MAPPED))
        finally:
            os.close(file)
    except OSError as error:
        return error.errno or 0
    return 0


@contextmanager
def _only_one_stream(address: str) -> Iterator[None]:
    """Context in which FFmpeg opens `address` only by that address's protocols.

    Playlists are refused, because with them a server would choose other servers.
    """
    with _opening:
        before = os.environ.get(_OPTIONS_NAME)
        os.environ[_OPTIONS_NAME] = _RTSP_OPTIONS if address.lower().startswith("rtsp") else _HTTP_OPTIONS
        try:
            yield
        finally:
            if before is None:
                del os.environ[_OPTIONS_NAME]
            else:
                os.environ[_OPTIONS_NAME] = before


def _sizes(width: int, height: int) -> Iterator[tuple[int, int]]:
    yield width, height
    yield from (size for size in SMALLER if size[0] * size[1] < width * height)
