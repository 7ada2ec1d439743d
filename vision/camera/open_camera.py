"""Opens the camera or recording that a text names.

The text is a number, a device, an address, a file, a folder, or the Raspberry Pi's own camera.
"""

import os
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from vision.camera.frames import Camera, CameraInfo, CameraStatus, Frame
from vision.camera.live_camera import Device, LiveCamera
from vision.camera.network_camera import HttpMjpeg, NotMjpegError
from vision.camera.pi_camera import CsiDevice
from vision.camera.recorded_camera import open_folder, open_video
from vision.camera.webcam import OpenCvDevice, Webcam
from vision.clock import Clock, Gate
from vision.errors import CameraError, NotThereError
from vision.reasons import OtherKind, Simple, SourceUnreadable

__all__ = ["Camera", "CameraInfo", "CameraStatus", "Frame", "open_camera"]

_WEBCAM = re.compile(r"(?:/dev/video)?\d{1,3}|/dev/v4l/.+", re.ASCII)
_ADDRESS = re.compile(r"(https?|rtsps?)://.+", re.IGNORECASE | re.DOTALL)


def open_camera(
    spec: str,
    clock: Clock,
    *,
    width: int = 1920,
    height: int = 1080,
    fps: float = 15.0,
    paced: bool = True,
    colour: bool = False,
    gate: Gate | None = None,
    wait: bool = False,
) -> Camera:
    """Open the camera or recording that `spec` names.

    CameraError says why that fails. `spec` is `0`, `/dev/video0` or `/dev/v4l/by-id/...` for a webcam,
    `http://...` for a phone's MJPEG stream, `rtsp://...` for another stream, `csi` or `picamera2` for the
    Raspberry Pi's camera. Anything else is the path of a video file, or of a folder of pictures.

    `width`, `height` (px) and `fps` are requested from cameras; `fps` is also the rate of a folder. `paced`: a
    recording plays in real time; False: every frame in order, as fast as it is read. `colour`: pictures are
    BGR where possible; False: grey where grey is cheaper. `gate`: a paced recording shows its first picture
    until the gate opens. `wait`: a camera that is missing, or held by another program, is no error; it is
    opened once it is free.
    """
    spec = spec.strip()
    # FFmpeg's own messages are suppressed: ours are clearer.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if spec.lower() in ("csi", "picamera2"):
        return LiveCamera(lambda: CsiDevice(width, height, fps, colour=colour), clock, wait=wait)
    if _WEBCAM.fullmatch(spec):
        webcam = Webcam(spec)
        return LiveCamera(
            lambda: OpenCvDevice(webcam.number(), width, height, fps, colour=colour), clock, wait=wait
        )
    if _ADDRESS.fullmatch(spec):
        _check_address(spec)
        return LiveCamera(lambda: _stream(spec, width, height, fps, colour), clock, wait=wait)
    path = Path(spec)
    with suppress(RuntimeError):  # a home of nobody: then it is a name like others
        path = path.expanduser()
    if not spec or not _exists(path):
        raise CameraError(Simple.NO_SUCH_CAMERA, repr(spec[:80]))
    try:
        if path.is_dir():
            return open_folder(path, clock, paced=paced, fps=fps, colour=colour, gate=gate)
        return open_video(path, clock, paced=paced, gate=gate)
    except OSError as error:
        raise CameraError(SourceUnreadable(error.strerror or ""), str(path)) from error


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _check_address(url: str) -> None:
    """Raise CameraError if an address lacks a host or valid port."""
    try:
        parts = urlsplit(url)
        possible = bool(parts.hostname) and parts.port != 0 and url.isprintable()
    except ValueError:
        possible = False
    if not possible:
        # The address may contain a password and is not quoted.
        raise CameraError(Simple.NO_ADDRESS, url.partition("//")[0] + "//...")


def _stream(url: str, width: int, height: int, fps: float, colour: bool) -> Device:
    kind = ""
    if url.lower().startswith("http"):
        try:
            return HttpMjpeg(url, colour=colour)
        except NotMjpegError as error:
            kind = str(error)  # perhaps a video: OpenCV knows many kinds
    try:
        return OpenCvDevice(url, width, height, fps, colour=colour)
    except NotThereError as error:
        if not kind:
            raise
        raise NotThereError(OtherKind(kind[:40]), error.where) from error
