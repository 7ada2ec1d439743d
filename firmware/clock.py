"""Time, as the host's side of firmware needs it: handed in, so that captures and virtual boards have their own.

>>> clock = ManualClock()
>>> clock.sleep(1.5)
>>> clock.now()
1.5
"""

from typing import Protocol


class Clock(Protocol):
    """Seconds since an arbitrary start, never going back."""

    def now(self) -> float:
        """Time now (s)."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...


class Gate(Protocol):
    """Gate that keeps captures from playing until everything that watches them is ready."""

    @property
    def opened(self) -> float | None:
        """Time of opening (s on the clock); None while it is closed."""
        ...


class ManualClock:
    """Clock of a virtual board without another one. Only `sleep` moves it, without waiting."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds
