"""Time, as the host's side of firmware needs it: handed in, so that captures and virtual boards have their own.

>>> clock = ManualClock()
>>> clock.sleep(1.5)
>>> clock.now()
1.5
"""

from typing import Protocol


class Clock(Protocol):
    """Clock whose time (s) runs from an arbitrary start and never goes back."""

    def now(self) -> float:
        """Time now (s)."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of this clock pass."""
        ...


class Gate(Protocol):
    """Gate that keeps a capture from playing.

    It opens when everything that watches the capture is ready. A capture is a recording of bytes from a port.
    """

    @property
    def opened(self) -> float | None:
        """Time of opening (s on the clock); None while closed."""
        ...


class ManualClock:
    """Clock that only `sleep` moves.

    It is for a virtual board without another clock. It begins at 0 s. `sleep` returns at once, without waiting
    in real time.
    """

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Time (s) slept so far."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Move the clock on by `seconds`, without waiting."""
        self._now += seconds
