"""Network cameras that send JPEGs over HTTP, called MJPEG.

Phones and the virtual table are such cameras.
"""

import re
from contextlib import suppress
from functools import partial
from http.client import HTTPException, HTTPResponse
from typing import Any

import cv2

from vision.camera.frames import CameraInfo
from vision.camera.http_address import TIMEOUT_S, Deadline, ask, without_password
from vision.camera.jpeg_picture import JpegDecoder, JpegPicture
from vision.camera.jpeg_stream import JpegStream
from vision.camera.live_camera import Device
from vision.errors import CameraError, LostError, NotThereError
from vision.photos.image_headers import JPEG, claimed_size, jpeg_scans
from vision.reasons import (
    NoPictureWithin,
    PictureTooLarge,
    Reason,
    Silent,
    Simple,
    StreamWithoutPicture,
    TooManyLayers,
    WebPage,
)

START_S = 10.0
"""START_S: time (s) without a first picture after which a connection fails, even if the server sends slowly. A
guess."""
_PIXELS_MOST = 40_000_000
"""_PIXELS_MOST: size (px) above which a picture is refused; no camera streams as many. Decoding them takes 0.1
to 0.9 s and 40 to 120 MB."""
_SCANS_MOST = 50
"""_SCANS_MOST: scans (passes over the picture) above which a JPEG is refused. Progressive files have about
ten."""
_CHUNK = 65536
"""_CHUNK: most bytes that are received at once."""
_PAGE_MOST = 80
"""_PAGE_MOST: most characters that are quoted of a web page."""
_START_LEAST, _PAGE_READ = 16, 4096
"""_START_LEAST: number of first bytes that tell a stream from a picture or a page. _PAGE_READ: bytes of a page
from which words are quoted."""
_PART = re.compile(rb"\s*--|.*content-type:\s*image/jpe?g", re.IGNORECASE | re.DOTALL)
"""Start of a multipart stream (RFC 2046, 5.1.1), even if the server names another content type."""
_PAGE = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_MARKUP = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>|\s+", re.IGNORECASE | re.DOTALL)


class NotMjpegError(Exception):
    """An address answers, but not with MJPEG; OpenCV may be able to read it.

    The error's text is the content type.
    """


class HttpMjpeg(Device):
    """Network camera that sends JPEGs over HTTP (multipart/x-mixed-replace).

    They are decoded on demand only. `url`: its address. `colour`: whole pictures are BGR, else grey. The
    constructor connects; CameraError if that fails, NotMjpegError for another kind of answer.
    """

    decode_at_once = False

    def __init__(self, url: str, *, colour: bool = False) -> None:
        self._jpegs = JpegDecoder(colour=colour)
        self._where = without_password(url)
        self._answer: HTTPResponse | None = None
        self._deadline = Deadline(START_S)
        try:
            self._open(url)
        except (CameraError, NotMjpegError):
            self.close()
            if self._deadline.over:
                raise NotThereError(NoPictureWithin(START_S), self._where) from None
            raise
        self._deadline.meet()

    def _open(self, url: str) -> None:
        answer = self._answer = ask(url, self._deadline)
        self._pictures = JpegStream(partial(_received, answer))
        self.info = CameraInfo(0, 0, 0.0, Simple.NETWORK_MJPEG)
        why: Reason | str = "no JPEG"
        first = None
        try:
            if answer.headers.get_content_maintype() == "multipart" and not answer.chunked:
                answer.length = None  # of the first part, or a guess: the pictures say how long they are
            self._check_kind(answer.headers.get_content_type())
            first = self.decode(self.grab()[1])
        except (LostError, ValueError, cv2.error) as error:
            why = error.reason if isinstance(error, LostError) else str(error)
        if first is None:
            raise CameraError(StreamWithoutPicture(why), self._where)

    def _check_kind(self, kind: str) -> None:
        """Check that the answer is a stream of JPEGs.

        `kind`: content type. CameraError for a web page or a single picture, NotMjpegError for a possible
        video.
        """
        start = self._pictures.begins(_START_LEAST)
        if kind.startswith("multipart/") or _PART.match(start):
            return
        if start.startswith(JPEG):
            first = self._pictures()
            with suppress(LostError):  # silent after the first: no stream
                if self._pictures.begins(1):
                    self._pictures.put_back(first)
                    return  # pictures one after another, with nothing between
        if start.startswith(JPEG) or kind.startswith("image/"):
            raise CameraError(Simple.SINGLE_PICTURE, self._where)
        if kind == "text/html" or _PAGE.match(start):
            with suppress(LostError):
                start = self._pictures.begins(_PAGE_READ)
            words = " ".join(_MARKUP.sub(" ", start[:_PAGE_READ].decode("utf-8", "replace")).split())[
                :_PAGE_MOST
            ]
            # A phone's app answers so while another viewer has the camera.
            raise NotThereError(WebPage(words), self._where)
        raise NotMjpegError(kind)

    def grab(self) -> tuple[float, Any]:
        """Wait for the next JPEG; return (age 0 s, its bytes).

        LostError if none comes, or if it has too many pixels or scans.
        """
        data = self._pictures()
        width, height = claimed_size(data)
        if width * height > _PIXELS_MOST:
            raise LostError(PictureTooLarge(width, height))
        if jpeg_scans(data) > _SCANS_MOST:
            raise LostError(TooManyLayers(jpeg_scans(data)))
        return 0.0, data

    def rest(self, *, still: bool) -> None:
        """Tell the camera whether nothing moves in its newest pictures (`still`).

        Fewer pictures are then reduced in colour.
        """
        self._jpegs.still = still

    def decode(self, raw: Any) -> JpegPicture | None:
        """Make a picture of a JPEG (`raw`).

        None for another kind of file. ValueError if the JPEG is damaged.
        """
        if not raw.startswith(JPEG) or not all(claimed_size(raw)):
            return None  # another kind of file, or one that hides what it claims
        picture = self._jpegs(raw)
        if (self.info.width, self.info.height) != (picture.width, picture.height):
            self.info = CameraInfo(picture.width, picture.height, 0.0, self.info.kind)
        return picture

    def abort(self) -> None:
        """End the connection, so that a waiting `grab` raises LostError."""
        self._deadline.end()

    def close(self) -> None:
        """Release the connection to the camera."""
        self._deadline.close()
        if self._answer is not None:
            with suppress(OSError):
                self._answer.close()


def _received(answer: HTTPResponse) -> bytes:
    """Wait for the next bytes of a server's answer; b"" at its end or if the connection breaks.

    LostError after 5 s of silence.
    """
    try:
        return answer.read1(_CHUNK)
    except TimeoutError:
        raise LostError(Silent(TIMEOUT_S)) from None
    except (OSError, HTTPException, ValueError, OverflowError):
        return b""
