"""Acknowledged streams: every frame is taken once and in order, and sent again until acknowledged.

MicroPython subset, run on both ends like the codec.
"""

from firmware.wire.codec import FLAG_SEQ

CLOCK_MASK = (1 << 30) - 1
NOTHING: list[list] = []  # type: ignore[type-arg]


class SequenceIn:
    """The receiving end of an acknowledged stream: takes each frame once, in order."""

    def __init__(self) -> None:
        self.expected = 0
        self.repeats = 0

    def take(self, seq: int) -> bool:
        """Whether the frame numbered `seq` is the next one."""
        if seq != self.expected:
            self.repeats += 1
            return False
        self.expected = (self.expected + 1) & 255
        return True

    def ack(self) -> int:
        """The number of the last frame taken."""
        return (self.expected - 1) & 255


class SequenceOut:
    """The sending end: frames wait here until acknowledged, at most `size` of them.

    A frame is [type, payload, flags, seq, time last sent or None]. Times are in microseconds and may
    wrap after 30 bits, as a board's do.
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
        """Queue a frame. Returns its number, or -1 if the queue is full."""
        if len(self.queue) >= self.size:
            return -1
        seq = self._next
        self._next = (seq + 1) & 255
        self.queue.append([kind, payload, flags | FLAG_SEQ, seq, None])
        return seq

    def base(self) -> int:
        """The number of the oldest unacknowledged frame, or of the next one."""
        return int(self.queue[0][3]) if self.queue else self._next

    def clear(self) -> None:
        """Forget the waiting frames; numbering goes on."""
        self.queue = []

    def acked(self, ack: int) -> None:
        """Everything up to number `ack` has arrived."""
        if not self.queue or (ack - self.queue[0][3]) & 255 >= min(len(self.queue), self.window):
            return  # an old acknowledgement, or one for a frame never sent
        while self.queue and (ack - self.queue[0][3]) & 255 < 128:
            self.queue.pop(0)
        self._wait_us = self.timeout_us

    def rewind(self) -> None:
        """Send everything again, because the line is new."""
        for frame in self.queue:
            frame[4] = None

    def due(self, now_us: int) -> list[list]:  # type: ignore[type-arg]
        """The frames to send now: new ones in the window, or the whole window if the oldest is overdue."""
        if not self.queue:
            return NOTHING
        out = []
        late = False
        for frame in self.queue[: self.window]:
            if frame[4] is not None and not late:
                if (now_us - frame[4]) & CLOCK_MASK < self._wait_us:
                    continue
                late = True
                # A stalled line must not be flooded: the wait grows each time.
                self._wait_us = min(self._wait_us * 2, 1000000)
            if late and frame[4] is not None:
                self.resends += 1
            frame[4] = now_us
            out.append(frame)
        return out
