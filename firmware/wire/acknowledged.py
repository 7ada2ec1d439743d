"""Acknowledged streams: frames arrive once, in order, and are sent again until acknowledged.

MicroPython subset: board and host run the same file. docs/protocol.md describes the streams.
"""

from firmware.wire.codec import FLAG_SEQ

CLOCK_MASK = (1 << 30) - 1  # the board's microsecond counter wraps at 30 bits (MicroPython's ticks_us)
# returned when no frame is due, so that a board at rest allocates nothing
NOTHING: list[list] = []  # type: ignore[type-arg]


class SequenceIn:
    """Receiving end of an acknowledged stream.

    It accepts each frame once, in order. `expected`: number (0 to 255) of the next frame. `repeats`: how many
    frames were refused.
    """

    def __init__(self) -> None:
        self.expected = 0
        self.repeats = 0

    def take(self, seq: int) -> bool:
        """Accept frame number `seq`; False unless it is the next."""
        if seq != self.expected:
            self.repeats += 1
            return False
        self.expected = (self.expected + 1) & 255
        return True

    def ack(self) -> int:
        """Number of the last accepted frame (0 to 255), as the peer wants to hear it."""
        return (self.expected - 1) & 255


class SequenceOut:
    """Sending end of an acknowledged stream.

    It is a queue of at most `size` frames. At most `window` frames are on their way. After `timeout_us` without
    an acknowledgement all of them are due again. `resends` counts repeated frames. A queued frame is [type,
    payload, flags, seq, last time sent in us or None]. Times may wrap after 30 bits.
    """

    def __init__(self, size: int, window: int, timeout_us: int) -> None:
        self.size = size
        self.window = window
        self.timeout_us = timeout_us
        self.resends = 0
        self.queue: list[list] = []  # type: ignore[type-arg]
        self._next = 0
        self._wait_us = timeout_us

    def put(self, kind: int, payload: bytes, flags: int = 0) -> int:
        """Queue a frame and return its number (0 to 255), or -1 if the queue is full."""
        if len(self.queue) >= self.size:
            return -1
        seq = self._next
        self._next = (seq + 1) & 255
        self.queue.append([kind, payload, flags | FLAG_SEQ, seq, None])
        return seq

    def base(self) -> int:
        """Number of the oldest unacknowledged frame, or of the next frame if none waits."""
        return int(self.queue[0][3]) if self.queue else self._next

    def clear(self) -> None:
        """Discard all waiting frames. Numbering goes on."""
        self.queue = []

    def acked(self, ack: int) -> None:
        """Remove all frames up to number `ack` from the queue."""
        if not self.queue or (ack - self.queue[0][3]) & 255 >= min(len(self.queue), self.window):
            return  # an old acknowledgement, or one for a frame that was never sent
        while self.queue and (ack - self.queue[0][3]) & 255 < 128:
            self.queue.pop(0)
        self._wait_us = self.timeout_us

    def rewind(self) -> None:
        """Mark all waiting frames unsent: the line was reopened."""
        for frame in self.queue:
            frame[4] = None

    def due(self, now_us: int) -> list[list]:  # type: ignore[type-arg]
        """Frames to send at `now_us` (us): unsent ones in the window, or all of it after a timeout.

        Returns queued frames as lists (see the class). Each counts as sent. The timeout doubles with every
        repeat, up to 1 s.
        """
        if not self.queue:
            return NOTHING
        out = []
        late = False
        for frame in self.queue[: self.window]:
            if frame[4] is not None and not late:
                if (now_us - frame[4]) & CLOCK_MASK < self._wait_us:
                    continue
                late = True
                # A stalled line must not be flooded, so the timeout doubles.
                self._wait_us = min(self._wait_us * 2, 1000000)
            if late and frame[4] is not None:
                self.resends += 1
            frame[4] = now_us
            out.append(frame)
        return out
