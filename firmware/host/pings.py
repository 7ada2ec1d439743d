"""Pings: whether the board is alive, what its clock shows, and how much of its receive ring is free."""

import struct

from firmware.host.clock_offset import ClockOffset
from firmware.wire import codec

PING_EVERY = 1.0
PINGS_LOST = 3
PINGS_OPEN = 60
"""PINGS_OPEN: newest pings whose answer counts. A board may answer none and stay connected by other frames."""


class Pings:
    """Bookkeeping of one link's pings. `rtt_ms` is None before the first answer."""

    def __init__(self) -> None:
        self.offset = ClockOffset()
        self.rtt_ms: float | None = None
        self._next = 0.0
        self._unanswered = 0
        self._sent: dict[int, int] = {}
        self._credit: tuple[int, int] | None = None

    def new_line(self) -> None:
        """The port was opened: forget earlier pings and byte counts."""
        self._sent.clear()
        self._unanswered = 0
        self._credit = None

    def start(self, now: float) -> None:
        """Ping at once."""
        self._next = now

    def heard(self) -> None:
        """Any good frame is a sign of life."""
        self._unanswered = 0

    @property
    def lost(self) -> bool:
        """Whether too many pings stayed unanswered.

        Counts pings, not seconds: a host that was busy must not blame the board.
        """
        return self._unanswered >= PINGS_LOST

    def due(self, now: float) -> bool:
        """Whether the next ping is due."""
        return now >= self._next

    def make(self, now: float) -> bytes:
        """The next ping's payload."""
        self._next = now + PING_EVERY
        self._unanswered += 1
        return struct.pack("<Q", int(now * 1e6))

    def sent(self, now: float, queued: int) -> None:
        """The ping made at `now` is byte number `queued` of the line."""
        self._sent[int(now * 1e6)] = queued
        if len(self._sent) > PINGS_OPEN:
            del self._sent[next(iter(self._sent))]

    def answered(self, now: float, payload: bytes) -> bool:
        """Take a PONG. Returns whether it answers an open ping."""
        stamp, device_us, consumed, _ = codec.unpack("<QQIH", payload)
        queued = self._sent.get(stamp)
        if queued is None:
            return False
        self._sent.clear()
        then = stamp / 1e6
        self.offset.round_trip(then, device_us, now)
        self.rtt_ms = (now - then) * 1000
        # Bytes sent before that ping have arrived or are lost; both free the board's ring.
        self._credit = (queued - consumed, consumed)
        return True

    def credit(self, payload: bytes) -> None:
        """Take a CREDIT: the number of bytes that the board has consumed since its start."""
        if self._credit is not None:
            self._credit = (self._credit[0], codec.unpack("<I", payload)[0])

    def room(self, queued: int) -> bool:
        """Whether the board can take a few more commands after `queued` bytes."""
        base, consumed = self._credit if self._credit is not None else (0, 0)
        return queued - base - consumed < codec.RECEIVE_RING // 2
