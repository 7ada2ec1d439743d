"""Clocks that are handed in: the real one, and one moved by hand.

>>> clock = ManualClock()
>>> clock.sleep(1.5)
>>> clock.now()
1.5
"""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds since an arbitrary start, never going back."""

    def now(self) -> float:
        """Time now (s)."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...


class RealClock:
    """Monotonic clock of the machine."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class Gate:
    """Gate that keeps recordings from playing until everything that watches them is ready."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.opened: float | None = None
        """Time of opening (s on the clock).
        None while it is closed."""

    def open(self) -> None:
        """Let the recordings play from now on. Further calls do nothing."""
        if self.opened is None:
            self.opened = self._clock.now()


class ManualClock:
    """Clock for rehearsals and tests. Only `sleep` moves it, without waiting.

    ValueError for a negative time.
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError(f"time does not go back: sleep({seconds})")
        self._now += seconds
