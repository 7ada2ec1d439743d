"""Maps the board's clock to the host's: offset and drift, estimated from the fastest pings."""

from collections import deque

BUCKET = 8
BUCKETS = 24
FEWEST = 4
ALIKE_S = 0.002
LARGEST_DRIFT = 5e-4
"""LARGEST_DRIFT: in s/s. A crystal is off by 50 parts in a million, a warm one by more; beyond this limit it
is jitter."""


class ClockOffset:
    """Converts device microseconds to host seconds.

    The fastest of each eight round trips counts, if it is about as fast as the fastest of all: a slow one was
    delayed in one direction only. A line through the last of those gives offset and drift. With fewer than
    four, the fastest of all gives the offset. Before the first round trip, the shortest one-way delay is taken
    as zero.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """The board's clock started again."""
        self._bucket: list[tuple[float, float, float]] = []
        self._best: deque[tuple[float, float, float]] = deque(maxlen=BUCKETS)
        self._one_way: float | None = None
        self._line: tuple[float, float, float] | None = None

    @property
    def drift(self) -> float:
        """Rate of the host's clock relative to the board's, minus 1; 0 while unknown."""
        return self._line[2] if self._line is not None else 0.0

    def one_way(self, device_us: int, received: float) -> None:
        """A frame stamped `device_us` came at `received` (s)."""
        offset = received - device_us / 1e6
        if self._one_way is None or offset < self._one_way:
            self._one_way = offset

    def round_trip(self, sent: float, device_us: int, received: float) -> None:
        """A ping sent at `sent` (s) was answered at `device_us`; the answer came at `received` (s)."""
        device = device_us / 1e6
        self._bucket.append((received - sent, device, (sent + received) / 2 - device))
        if len(self._bucket) == BUCKET:
            self._best.append(min(self._bucket))
            self._bucket.clear()
        self._line = self._fit()

    def host_time(self, device_us: int, now: float) -> float:
        """`device_us` on the host's clock (s), never later than `now`."""
        device = device_us / 1e6
        if self._line is not None:
            at, offset, drift = self._line
            return min(device + offset + drift * (device - at), now)
        return min(device + self._one_way, now) if self._one_way is not None else now

    def _fit(self) -> tuple[float, float, float]:
        """(device seconds, offset there, drift)."""
        fastest = min([*self._best, *self._bucket])
        good = [(device, offset) for trip, device, offset in self._best if trip <= fastest[0] + ALIKE_S]
        if len(good) < FEWEST:
            return fastest[1], fastest[2], 0.0
        at = sum(device for device, _ in good) / len(good)
        offset = sum(one for _, one in good) / len(good)
        spread = sum((device - at) ** 2 for device, _ in good)
        if not spread:  # a board whose clock stands still
            return at, offset, 0.0
        slope = sum((device - at) * (one - offset) for device, one in good) / spread
        return at, offset, max(-LARGEST_DRIFT, min(LARGEST_DRIFT, slope))
