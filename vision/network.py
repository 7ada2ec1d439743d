"""Cameras on the network: MJPEG over HTTP, as phones and the virtual table send it."""

import base64
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import ProxyHandler, Request, build_opener

import cv2
import numpy as np

from companion.errors import NotThereError, SourceError
from vision.claims import JPEG, claimed_size, jpeg_scans
from vision.frames import CameraInfo, Image
from vision.live import Device, LostError

_TIMEOUT_S = 5.0
_JPEG_MOST = 40_000_000
"""Bytes of one picture; a stream that claims more is no camera."""
_PIXELS_MOST = 40_000_000
"""Of one picture: more than any camera streams. One of that size takes 0.1 to 0.9 s, and 40 to 120 MB."""
_SCANS_MOST = 50
_HEADER_MOST = 64
_CHUNK = 65536


class NotMjpegError(Exception):
    """The address answers, but with something OpenCV may know better."""


class HttpMjpeg(Device):
    """A multipart/x-mixed-replace stream of JPEGs, as phones and the virtual table send it.

    Bytes are read as they come, decoded only when asked for, and straight to grey unless `colour` is
    wanted: 5.7 ms for a 1080p frame where FFmpeg takes 10 (and 7 for one that is thrown away).
    """

    decode_at_once = False

    def __init__(self, url: str, *, colour: bool = False) -> None:
        self._flag = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
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
            # A host that is silent may be switched on later; one that talks nonsense will go on with it.
            kind_of_error = NotThereError if isinstance(error, OSError) else SourceError
            raise kind_of_error(
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
        width, height = claimed_size(data)
        if width * height > _PIXELS_MOST:
            raise LostError(f"a picture of {width} x {height} px")
        if jpeg_scans(data) > _SCANS_MOST:
            raise LostError(f"a picture of {jpeg_scans(data)} layers")
        return 0.0, data

    def decode(self, raw: Any) -> Image | None:
        if not raw.startswith(JPEG) or not all(claimed_size(raw)):
            return None  # another kind of file, or one that hides what it claims
        picture = cv2.imdecode(np.frombuffer(raw, np.uint8), self._flag)
        if picture is None:
            return None
        if (self.info.height, self.info.width) != picture.shape[:2]:
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
