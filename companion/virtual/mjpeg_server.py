"""MJPEG server: JPEGs over HTTP, without threads and without blocking."""

import contextlib
import selectors
import socket
import time

_PATH = b"/table.mjpg"
_BOUNDARY = b"table"
_REQUEST_LIMIT = 8192
"""Most bytes of a request; the connection of a longer one is closed."""
_HEAD = (
    b"HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nConnection: close\r\n"
    b"Content-Type: multipart/x-mixed-replace; boundary=" + _BOUNDARY + b"\r\n\r\n"
)
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class _Viewer:
    """Connection of one viewer of the pictures.

    `request`: received so far. `watching`: it gets pictures. `last`: close it after sending. `out`: bytes
    still to send.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.request = b""
        self.watching = False
        self.last = False
        self.out = memoryview(b"")


class MjpegServer:
    """Server of live pictures at http://127.0.0.1:PORT/table.mjpg, at a free port.

    A slow viewer misses pictures. Nothing happens outside `serve`.
    """

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._viewers: list[_Viewer] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ, None)

    @property
    def url(self) -> str:
        """Address of the picture stream."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}{_PATH.decode()}"

    @property
    def watched(self) -> bool:
        """Whether any viewer waits for a picture."""
        return any(viewer.watching and not viewer.out for viewer in self._viewers)

    def show(self, jpeg: bytes) -> None:
        """Send a picture (JPEG) to every viewer that has received the last one."""
        part = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (
            _BOUNDARY,
            len(jpeg),
            jpeg,
        )
        for viewer in list(self._viewers):
            if viewer.watching and not viewer.out:
                self._queue(viewer, part)

    def serve(self, seconds: float) -> None:
        """Answer requests and send pictures for `seconds` (s)."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            for key, events in self._selector.select(max(0.0, left)):
                if key.data is None:
                    self._accept()
                    continue
                if events & selectors.EVENT_READ:
                    self._read(key.data)
                if events & selectors.EVENT_WRITE:
                    self._write(key.data)
            if left <= 0:
                return

    def close(self) -> None:
        """Close the server and all connections."""
        for viewer in list(self._viewers):
            self._drop(viewer)
        self._selector.close()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            sock, _ = self._listener.accept()
            sock.setblocking(False)
            # Buffer a whole picture, if the system allows it: fewer rounds to send it.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 21)
            viewer = _Viewer(sock)
            self._viewers.append(viewer)
            self._selector.register(sock, selectors.EVENT_READ, viewer)

    def _read(self, viewer: _Viewer) -> None:
        try:
            data = viewer.sock.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        viewer.request += data
        if not data or len(viewer.request) > _REQUEST_LIMIT:
            self._drop(viewer)
        elif b"\r\n\r\n" in viewer.request and not viewer.watching:
            words = viewer.request.split(b" ", 2)
            found = len(words) > 1 and words[0] == b"GET" and words[1].split(b"?")[0] == _PATH
            viewer.watching, viewer.last = found, not found
            self._queue(viewer, _HEAD if found else _NOT_FOUND)

    def _queue(self, viewer: _Viewer, data: bytes) -> None:
        viewer.out = memoryview(data)
        self._write(viewer)

    def _write(self, viewer: _Viewer) -> None:
        try:
            while viewer.out:
                viewer.out = viewer.out[viewer.sock.send(viewer.out) :]
        except BlockingIOError:
            self._selector.modify(viewer.sock, selectors.EVENT_READ | selectors.EVENT_WRITE, viewer)
            return
        except OSError:
            self._drop(viewer)
            return
        if viewer.last:
            self._drop(viewer)
        else:
            self._selector.modify(viewer.sock, selectors.EVENT_READ, viewer)

    def _drop(self, viewer: _Viewer) -> None:
        if viewer in self._viewers:
            self._viewers.remove(viewer)
            self._selector.unregister(viewer.sock)
            viewer.sock.close()
