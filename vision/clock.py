"""Time, as vision needs it: handed in, so that recordings and tests have their own."""

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
    """Gate that keeps recordings from playing until everything that watches them is ready."""

    @property
    def opened(self) -> float | None:
        """Time of opening (s on the clock); None while it is closed."""
        ...
