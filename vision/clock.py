"""Clock of vision, which is handed in: recordings and tests have their own."""

from typing import Protocol


class Clock(Protocol):
    """Clock in seconds since any start; never goes back."""

    def now(self) -> float:
        """Time now (s since the clock's start)."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass on this clock."""
        ...


class Gate(Protocol):
    """Gate that keeps recordings from playing until everything that watches them is ready."""

    @property
    def opened(self) -> float | None:
        """Time (s on the clock) at which the gate was opened; None while it is closed."""
        ...
