"""Clocks to hand in: a real one, a manual one.

The manual clock is moved by hand.

>>> clock = ManualClock()
>>> clock.sleep(1.5)
>>> clock.now()
1.5
"""

import time
from typing import Protocol


class Clock(Protocol):
    """A clock in seconds since an arbitrary start.

    It never goes back.
    """

    def now(self) -> float:
        """Time (s) since the clock's start."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait until `seconds` have passed on this clock."""
        ...


class RealClock:
    """Monotonic clock of the machine."""

    def now(self) -> float:
        """Time (s) by the machine's monotonic clock."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let the process wait.

        Returns at once for 0 or less.
        """
        if seconds > 0:
            time.sleep(seconds)


class Gate:
    """Holds recordings back until everything that watches them is ready."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.opened: float | None = None
        """Time of opening (s on the clock).
        None while it is closed."""

    def open(self) -> None:
        """Let the recordings start now. A second call changes nothing."""
        if self.opened is None:
            self.opened = self._clock.now()


class ManualClock:
    """Clock for rehearsals and tests: `sleep` advances it without waiting."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        """Time (s): the start, plus all that was slept."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Move the clock on by `seconds`.

        ValueError for a negative number.
        """
        if seconds < 0:
            raise ValueError(f"time does not go back: sleep({seconds})")
        self._now += seconds
