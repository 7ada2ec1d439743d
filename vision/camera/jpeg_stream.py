"""Finds JPEGs in a byte stream by their own structure.

A server may write anything between two JPEGs.
"""

import re
from collections.abc import Callable

from vision.errors import LostError
from vision.photos.image_headers import JPEG
from vision.reasons import Simple

JPEG_MOST = 40_000_000
"""JPEG_MOST: most bytes of a picture, and of anything between two. A stream with more is no camera's. A
guess."""
_HEADER_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
"""JPEG markers that may stand before the pixels: all that begin a segment (ITU T.81, table B.1)."""
_SCAN_MARKER = re.compile(rb"\xff[\xc4\xd8-\xdd\xfe]")
"""JPEG markers that may follow pixels: tables, more pixels, a comment, the end, a new picture. Others are
damage."""
_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
_SEGMENT_HEAD = 4
"""Bytes of a marker and of the length that follows it."""


class JpegStream:
    """Stream of bytes, cut into JPEGs; each call returns one.

    `receive` waits for some bytes and returns them; b"" at the end of the stream. A picture ends where its own
    structure says, whatever the server writes between two. Dashes in a comment, or a thumbnail, end no
    picture.
    """

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self._receive = receive
        self._data = bytearray()

    def __call__(self) -> bytes:
        """Bytes of the next JPEG, waiting if necessary.

        LostError if the stream ends first, or contains no pictures.
        """
        self._skip_to_start()
        at, marker = 2, _HEADER_MARKER
        while True:
            at = self._find(marker, at)
            kind = self._data[at + 1]
            if kind in (_START, _END):
                return self._cut(at + 2 if kind == _END else at)
            if kind == _SCAN:
                marker = _SCAN_MARKER
            self._hold(at + _SEGMENT_HEAD)
            at += 2 + max(2, int.from_bytes(self._data[at + 2 : at + _SEGMENT_HEAD], "big"))

    def begins(self, length: int) -> bytes:
        """Wait for the stream's next bytes without consuming them.

        At least `length` bytes, or fewer if the stream ends.
        """
        while len(self._data) < length and (received := self._receive()):
            self._data += received
        return bytes(self._data)

    def put_back(self, picture: bytes) -> None:
        """Put a picture's bytes back into the stream: the next call returns them again."""
        self._data[:0] = picture

    def _skip_to_start(self) -> None:
        skipped = 0
        while (at := self._data.find(JPEG)) < 0:
            beyond = max(0, len(self._data) - len(JPEG) + 1)
            skipped += beyond
            del self._data[:beyond]
            if skipped > JPEG_MOST:
                raise LostError(Simple.NO_PICTURE_IN_STREAM)
            self._more()
        del self._data[:at]

    def _find(self, marker: re.Pattern[bytes], at: int) -> int:
        """Position of the next JPEG `marker` in the bytes, searched from position `at` on.

        Waits for more bytes if necessary; LostError if the stream ends.
        """
        while (found := marker.search(self._data, at)) is None:
            at = max(at, len(self._data) - 1)
            self._more()
        return found.start()

    def _hold(self, length: int) -> None:
        while len(self._data) < length:
            self._more()

    def _more(self) -> None:
        if len(self._data) > JPEG_MOST:
            raise LostError(Simple.PICTURE_TOO_LONG)
        received = self._receive()
        if not received:
            raise LostError(Simple.STREAM_ENDED)
        self._data += received

    def _cut(self, length: int) -> bytes:
        picture = bytes(self._data[:length])
        del self._data[:length]
        return picture
