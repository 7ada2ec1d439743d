"""Time as a thing that is handed in: the real clock, and one that only moves when told."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds since an arbitrary start, never going back."""

    def now(self) -> float:
        """The time now, in seconds."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...


class RealClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class Gate:
    """Where recordings wait until everything that watches them is ready."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.opened: float | None = None
        """When it was opened, in seconds on the clock; None while it is closed."""

    def open(self) -> None:
        """Let the recordings begin; nothing if they have begun."""
        if self.opened is None:
            self.opened = self._clock.now()


class ManualClock:
    """A clock for rehearsals and tests: `sleep` moves it at once, nothing else does."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError(f"time does not go back: sleep({seconds})")
        self._now += seconds
