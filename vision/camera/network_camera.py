"""Network cameras: MJPEG over HTTP, as phones and the virtual table send it."""

import base64
import socket
import threading
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    UnknownHandler,
)

import cv2

from companion.core.errors import NotThereError, SourceError
from companion.core.language import text
from vision.camera.frames import CameraInfo
from vision.camera.jpeg_picture import JpegDecoder, JpegPicture
from vision.camera.live_camera import Device, LostError
from vision.photos.image_headers import JPEG, claimed_size, jpeg_scans

_TIMEOUT_S = 5.0
"""_TIMEOUT_S: longest silence of a server (s)."""
START_S = 10.0
"""START_S: longest time from connecting to the first picture (s), also for a server that sends too slowly."""
_REASON_MOST = 80
"""_REASON_MOST: most characters that are quoted from a server."""
_JPEG_MOST = 40_000_000
"""_JPEG_MOST: most bytes of one picture. A stream that claims more is not a camera."""
_PIXELS_MOST = 40_000_000
"""_PIXELS_MOST: most pixels of one picture, more than any camera streams. Decoding that many takes 0.1 to
0.9 s and 40 to 120 MB."""
_SCANS_MOST = 50
_HEADER_MOST = 64
_CHUNK = 65536


class NotMjpegError(Exception):
    """The address answers, but not with MJPEG; OpenCV may be able to read it."""


class _SameHost(HTTPRedirectHandler):
    """Follows redirects to the same scheme, host and port only: nobody else gets user and password."""

    def redirect_request(self, req: Request, *answer: Any) -> Request | None:
        there = super().redirect_request(req, *answer)
        if there is not None and _origin(there.full_url) != _origin(req.full_url):
            there.remove_header("Authorization")
        return there


class _Deadline:
    """Ends connections after the time limit, or on demand, however slowly the server sends."""

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._twins: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self.end)
        self._timer.daemon = True
        self._timer.start()

    def connect(self, *where: Any, **how: Any) -> socket.socket:
        """Like `socket.create_connection`. The connection is ended after the time limit."""
        made = socket.create_connection(*where, **how)
        with self._lock:
            # A duplicate still reaches the connection after TLS has taken the socket over.
            self._twins.append(made.dup())
            if self.over:
                self._shut()
        return made

    def meet(self) -> None:
        """A picture came in time: cancel the limit."""
        self._timer.cancel()

    def close(self) -> None:
        """Cancel the limit and release the connections."""
        self._timer.cancel()
        with self._lock:
            for twin in self._twins:
                twin.close()
            self._twins.clear()

    def end(self) -> None:
        """Shut the connections down: a reader sees their end."""
        with self._lock:
            self.over = True
            self._shut()

    def _shut(self) -> None:
        for twin in self._twins:
            with suppress(OSError):
                twin.shutdown(socket.SHUT_RDWR)


def _opener(deadline: _Deadline) -> OpenerDirector:
    """An opener for HTTP and HTTPS with the time limit, without a proxy: cameras are in the home network."""

    def make(kind: type[HTTPConnection], *where: Any, **how: Any) -> HTTPConnection:
        connection = kind(*where, **how)
        connection._create_connection = deadline.connect  # type: ignore[attr-defined]
        return connection

    class Http(HTTPHandler):
        def http_open(self, req: Request) -> HTTPResponse:
            return self.do_open(partial(make, HTTPConnection), req)

    class Https(HTTPSHandler):
        def https_open(self, req: Request) -> HTTPResponse:
            return self.do_open(partial(make, HTTPSConnection), req)

    director = OpenerDirector()
    for handler in (Http, Https, UnknownHandler, HTTPDefaultErrorHandler, _SameHost, HTTPErrorProcessor):
        director.add_handler(handler())
    return director


class HttpMjpeg(Device):
    """A multipart/x-mixed-replace stream of JPEGs, as phones and the virtual table send it.

    Bytes are read as they come and decoded only on demand, and as far as somebody looks (`JpegPicture`).
    """

    decode_at_once = False

    def __init__(self, url: str, *, colour: bool = False) -> None:
        self._jpegs = JpegDecoder(colour=colour)
        self._where = without_password(url)
        self._deadline = _Deadline(START_S)
        try:
            self._open(url)
        except (SourceError, NotMjpegError):
            self._deadline.close()
            if self._deadline.over:
                raise NotThereError(
                    text("no picture came within {seconds} s", seconds=f"{START_S:g}"),
                    where=self._where,
                    next_step=text("look at it in a browser: the camera or the network may be too slow"),
                ) from None
            raise
        self._deadline.meet()

    def _open(self, url: str) -> None:
        try:
            self._answer: HTTPResponse = _opener(self._deadline).open(_request(url), timeout=_TIMEOUT_S)
        except HTTPError as error:
            error.close()
            raise SourceError(
                text("the camera answers {code} {why}", code=error.code, why=str(error.reason)[:_REASON_MOST]),
                where=self._where,
                next_step=text("check the path of the stream in a browser"),
            ) from error
        except (URLError, OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            # A silent host may be switched on later; one that sends nonsense will go on.
            kind_of_error = NotThereError if isinstance(error, OSError) else SourceError
            raise kind_of_error(
                text("the camera does not answer ({why})", why=str(reason)[:_REASON_MOST]),
                where=self._where,
                next_step=text("check that it is switched on and in the same network"),
            ) from error
        kind = self._answer.headers.get_content_type()
        if kind != "multipart/x-mixed-replace":
            self._answer.close()
            raise NotMjpegError(kind)
        boundary = self._answer.headers.get_param("boundary")
        self._boundary = b"--" + str(boundary or "").strip('"').removeprefix("--").encode("latin-1")
        self.info = CameraInfo(0, 0, 0.0, text("MJPEG over the network"))
        try:
            first = self.decode(self.grab()[1])
        except (LostError, OSError, HTTPException, ValueError, cv2.error) as error:
            first = None
            reason = str(error)
        else:
            reason = "no JPEG"
        if first is None:
            self.close()
            raise SourceError(
                text("the stream carries no picture ({why})", why=reason),
                where=self._where,
                next_step=text("look at it in a browser"),
            )

    def grab(self) -> tuple[float, Any]:
        length = self._skip_header()
        data = self._answer.read(length) if length else self._until_boundary()
        if len(data) < length or not data:
            raise LostError(text("the stream ended"))
        width, height = claimed_size(data)
        if width * height > _PIXELS_MOST:
            raise LostError(text("a picture of {width} x {height} px", width=width, height=height))
        if jpeg_scans(data) > _SCANS_MOST:
            raise LostError(text("a picture of {number} layers", number=jpeg_scans(data)))
        return 0.0, data

    def rest(self, *, still: bool) -> None:
        self._jpegs.still = still

    def decode(self, raw: Any) -> JpegPicture | None:
        if not raw.startswith(JPEG) or not all(claimed_size(raw)):
            return None  # another kind of file, or one that hides what it claims
        picture = self._jpegs(raw)
        if (self.info.width, self.info.height) != (picture.width, picture.height):
            self.info = CameraInfo(picture.width, picture.height, 0.0, self.info.kind)
        return picture

    def abort(self) -> None:
        self._deadline.end()

    def close(self) -> None:
        self._deadline.close()
        with suppress(OSError):
            self._answer.close()

    def _skip_header(self) -> int:
        """Read up to the body of the next part. Returns its length, or 0 if the part does not say."""
        length, inside = 0, False
        for _ in range(_HEADER_MOST):
            line = self._answer.readline(1024)
            if not line:
                raise LostError(text("the stream ended"))
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value) if value.strip().isdigit() else 0
                if length > _JPEG_MOST:
                    raise LostError(text("a picture of more than 40 MB"))
            inside = inside or line.startswith(self._boundary) or b":" in line
            if inside and not line.strip():
                return length
        raise LostError(text("no picture in the stream"))

    def _until_boundary(self) -> bytes:
        data = bytearray()
        while len(data) < _JPEG_MOST:
            line = self._answer.readline(_CHUNK)
            if not line:
                raise LostError(text("the stream ended"))
            if line.startswith(self._boundary):
                return bytes(data)
            data += line
        raise LostError(text("a picture of more than 40 MB"))


def _request(url: str) -> Request:
    """urllib does not accept user and password in an address, but phones require them."""
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    request = Request(urlunsplit(parts._replace(netloc=host)))
    if user:
        token = base64.b64encode(unquote(user).encode()).decode("ascii")
        request.add_header("Authorization", f"Basic {token}")
    return request


def _origin(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, parts.port or usual


def without_password(url: str) -> str:
    """The address without user, password and query, safe to show."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
