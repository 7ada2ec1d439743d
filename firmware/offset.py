"""The board's clock on the host's: the offset that the fastest ping shows."""

from collections import deque


class ClockOffset:
    """Device microseconds to host seconds.

    The fastest of the last 16 round trips counts: a slow one was delayed on one way only. Before the
    first one, the shortest one-way delay seen is taken for none.
    """

    def __init__(self) -> None:
        self._trips: deque[tuple[float, float]] = deque(maxlen=16)
        self._one_way: float | None = None

    def reset(self) -> None:
        """The board's clock started again."""
        self._trips.clear()
        self._one_way = None

    def one_way(self, device_us: int, received: float) -> None:
        """A frame stamped `device_us` came at `received`."""
        offset = received - device_us / 1e6
        if self._one_way is None or offset < self._one_way:
            self._one_way = offset

    def round_trip(self, sent: float, device_us: int, received: float) -> None:
        """A ping sent at `sent` was answered at `device_us`; the answer came at `received`."""
        self._trips.append((received - sent, (sent + received) / 2 - device_us / 1e6))

    def host_time(self, device_us: int, now: float) -> float:
        """`device_us` on the host's clock, never later than `now`."""
        if self._trips:
            offset = min(self._trips)[1]
        elif self._one_way is not None:
            offset = self._one_way
        else:
            return now
        return min(device_us / 1e6 + offset, now)
