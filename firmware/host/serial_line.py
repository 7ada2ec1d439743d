"""Host's serial line: reopened with growing pauses, never blocking."""

import errno
from collections.abc import Callable

from firmware.host.port_recording import PortRecorder
from firmware.host.ports import EndingPort, Port, SerialPort, explain
from firmware.reasons import At, Reason

Opener = Callable[[str], Port]
"""Function that opens a port by its name; OSError if that fails."""

BACKOFF_FIRST_S, BACKOFF_LAST_S = 0.2, 3.0  # first and longest pause between two attempts to open: a guess
OUTGOING_LIMIT = 4096  # bytes that may wait for the port: a guess


class Line:
    """Port that is reopened whenever it is lost.

    `name`: of the port. `problem`: why it is not open; None before the first problem. `capture` records all
    bytes read. `received`, `sent`: bytes since the port was opened. `last_byte`: time (s) of the last byte
    read.
    """

    def __init__(self, name: str, opener: Opener = SerialPort, capture: PortRecorder | None = None) -> None:
        self.name = name
        self.problem: At | None = None
        self.received = 0  # bytes since the port was opened
        self.sent = 0
        self.last_byte = 0.0
        self._opener = opener
        self._capture = capture
        self._port: Port | None = None
        self._next_try = float("-inf")
        self._backoff = BACKOFF_FIRST_S
        self._outgoing = bytearray()

    @property
    def is_open(self) -> bool:
        """True while the port can be read and written."""
        return self._port is not None

    @property
    def queued(self) -> int:
        """Number of bytes sent since the port was opened, plus bytes that still wait."""
        return self.sent + len(self._outgoing)

    @property
    def finished(self) -> bool:
        """True if the port is a recording that has ended."""
        return isinstance(self._port, EndingPort) and self._port.finished

    def open(self, now: float) -> bool:
        """Try to open the port if a try is due; True if it is open now.

        `now`: time (s). After a failure the pause before the next try doubles, from BACKOFF_FIRST_S to
        BACKOFF_LAST_S.
        """
        if now < self._next_try:
            return False
        try:
            self._port = self._opener(self.name)
        except OSError as error:
            if error.errno == errno.ENOENT:
                # Looking for the port costs nothing, and a family waits for it.
                self._backoff = BACKOFF_FIRST_S
            self.lose(now, explain(error))
            return False
        self._outgoing.clear()
        self.received = self.sent = 0
        self.last_byte = now
        return True

    def read(self, now: float) -> bytes:
        """Read the bytes since the last call (64 KiB maximum).

        b"" if none came, or the port was lost. `now`: time (s), for the capture.
        """
        out = bytearray()
        while self._port is not None and len(out) < 65536:
            try:
                data = self._port.read()
            except OSError as error:
                self.lose(now, explain(error))
                break
            out += data
            if len(data) < 1024:
                break
        if out:
            self.received += len(out)
            self.last_byte = now
            if self._capture is not None:
                self._capture.record(now, bytes(out))
        return bytes(out)

    def put(self, data: bytes) -> None:
        """Queue bytes for `flush`."""
        self._outgoing += data

    def flush(self, now: float) -> int:
        """Write what the port takes now; return its byte count.

        If more than OUTGOING_LIMIT bytes wait, all are discarded first.
        """
        if len(self._outgoing) > OUTGOING_LIMIT:
            self._outgoing.clear()  # nobody reads; important frames are sent again anyway
        if self._port is None or not self._outgoing:
            return 0
        try:
            taken = self._port.write(bytes(self._outgoing))
        except OSError as error:
            self.lose(now, explain(error))
            return 0
        del self._outgoing[:taken]
        self.sent += taken
        return taken

    def lose(self, now: float, why: Reason, pause: float = 0.0) -> None:
        """Close the port, and try again later.

        `why`: the reason, kept in `problem`. `pause`: least time (s) before the next try.
        """
        if self._port is not None:
            self._port.close()
            self._port = None
        self.problem = At(self.name, why)
        self._next_try = now + max(self._backoff, pause)
        self._backoff = min(self._backoff * 2, BACKOFF_LAST_S)

    def works(self) -> None:
        """Make the next pause before reopening the port short again, because a board has answered."""
        self._backoff = BACKOFF_FIRST_S

    def close(self) -> None:
        """Close the port for good."""
        if self._port is not None:
            self._port.close()
            self._port = None
        self._next_try = float("inf")
