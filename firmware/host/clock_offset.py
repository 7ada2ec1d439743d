"""Maps the board's clock to the host's, by fastest pings."""

from collections import deque

BUCKET = 8  # pings, of which the fastest counts: a guess
BUCKETS = 24  # fastest pings kept, of 192 pings (3 minutes): a guess
FEWEST = 4  # fastest pings that make a line: a guess
ALIKE_S = 0.002  # a ping is good if it takes at most so much longer than the fastest: a guess
LARGEST_DRIFT = 5e-4
"""Largest believed drift (s/s).
A crystal is off by 50 parts in a million, a warm one by more. A larger drift is jitter. A guess."""


class ClockOffset:
    """Offset and drift of the board's clock against the host's.

    It converts the board's microseconds to host seconds. Of each eight round trips the fastest counts, if it
    is within 2 ms of the fastest of all. A slow one was delayed in one direction only. A line through the
    counted ones gives offset and drift. With fewer than four, the fastest of all gives the offset. Before the
    first round trip the shortest one-way delay counts as zero.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget what was learned: the board's clock started again."""
        self._bucket: list[tuple[float, float, float]] = []
        self._best: deque[tuple[float, float, float]] = deque(maxlen=BUCKETS)
        self._one_way: float | None = None
        self._line: tuple[float, float, float] | None = None

    @property
    def drift(self) -> float:
        """How much faster than the board's clock the host's clock runs (s/s); 0 while unknown."""
        return self._line[2] if self._line is not None else 0.0

    def one_way(self, device_us: int, received: float) -> None:
        """Learn the board's clock from a frame that the board sent without being asked.

        `device_us`: its time stamp (us of the board). `received`: when it arrived (s of the host).
        """
        offset = received - device_us / 1e6
        if self._one_way is None or offset < self._one_way:
            self._one_way = offset

    def round_trip(self, sent: float, device_us: int, received: float) -> None:
        """Learn the board's clock from a ping and its answer.

        `sent`, `received`: times of the ping and its answer (s of the host). `device_us`: when the board
        answered (us of the board).
        """
        device = device_us / 1e6
        self._bucket.append((received - sent, device, (sent + received) / 2 - device))
        if len(self._bucket) == BUCKET:
            self._best.append(min(self._bucket))
            self._bucket.clear()
        self._line = self._fit()

    def host_time(self, device_us: int, now: float) -> float:
        """Convert board time `device_us` to host time (s), never later than `now`.

        Before any frame was used, `now` itself is returned.
        """
        device = device_us / 1e6
        if self._line is not None:
            at, offset, drift = self._line
            return min(device + offset + drift * (device - at), now)
        return min(device + self._one_way, now) if self._one_way is not None else now

    def _fit(self) -> tuple[float, float, float]:
        """Fit a line through the fastest round trips.

        Returns (board time in s, offset there in s, drift in s/s). The drift is limited to LARGEST_DRIFT.
        """
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
