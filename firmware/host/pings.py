"""Pings: is the board alive, what does its clock show, how full is its ring."""

import struct

from firmware.host.clock_offset import ClockOffset
from firmware.wire import codec

PING_EVERY_S = 1.0  # between two pings: docs/protocol.md
PINGS_LOST = 3  # pings without any frame after them that mean a lost board: docs/protocol.md
PINGS_OPEN = 60
"""Newest pings whose answer counts: a guess.
A board that answers no ping may stay connected by other frames."""


class Pings:
    """Pings of one link, which living boards answer at once.

    `rtt_ms`: the last round trip; None before the first answer. `offset`: the board's clock, as the pings tell
    it.
    """

    def __init__(self) -> None:
        self.offset = ClockOffset()
        self.rtt_ms: float | None = None
        self._next = 0.0
        self._unanswered = 0
        self._sent: dict[int, int] = {}
        self._credit: tuple[int, int] | None = None

    def new_line(self) -> None:
        """Forget earlier pings and byte counts: the port reopened."""
        self._sent.clear()
        self._unanswered = 0
        self._credit = None

    def start(self, now: float) -> None:
        """Make a ping due now."""
        self._next = now

    def heard(self) -> None:
        """Count a good frame as a sign of life."""
        self._unanswered = 0

    @property
    def lost(self) -> bool:
        """True if PINGS_LOST (3) pings passed without any frame.

        Frames come from the board. Pings are counted, not seconds: a host that was busy must not blame the
        board.
        """
        return self._unanswered >= PINGS_LOST

    def due(self, now: float) -> bool:
        """True if the next ping is due."""
        return now >= self._next

    def make(self, now: float) -> bytes:
        """Make the next ping's payload, with time `now` (s).

        The next one is due PING_EVERY_S later.
        """
        self._next = now + PING_EVERY_S
        self._unanswered += 1
        return struct.pack("<Q", int(now * 1e6))

    def sent(self, now: float, queued: int) -> None:
        """Note how many bytes went to the board up to and with a ping.

        `now`: time (s) with which the ping was made. `queued`: bytes of the line, waiting ones included.
        """
        self._sent[int(now * 1e6)] = queued
        if len(self._sent) > PINGS_OPEN:
            del self._sent[next(iter(self._sent))]

    def answered(self, now: float, payload: bytes) -> bool:
        """Learn from the answer of a ping: the round trip, and the bytes that the board has read.

        `now`: time of arrival (s). `payload`: that of a PONG. False if it answers no open ping.
        """
        stamp, device_us, consumed, _ = codec.unpack("<QQIH", payload)
        queued = self._sent.get(stamp)
        if queued is None:
            return False
        self._sent.clear()
        then = stamp / 1e6
        self.offset.round_trip(then, device_us, now)
        self.rtt_ms = (now - then) * 1000
        # All bytes up to that ping have arrived or are lost. Both free the board's ring.
        self._credit = (queued - consumed, consumed)
        return True

    def credit(self, payload: bytes) -> None:
        """Learn from the board's CREDIT frame how many bytes it has read since its start.

        `payload`: of the frame.
        """
        if self._credit is not None:
            self._credit = (self._credit[0], codec.unpack("<I", payload)[0])

    def room(self, queued: int) -> bool:
        """Whether the board's receive buffer is less than half full.

        `queued`: bytes sent since the port was opened, waiting ones included.
        """
        base, consumed = self._credit if self._credit is not None else (0, 0)
        return queued - base - consumed < codec.RECEIVE_RING // 2
