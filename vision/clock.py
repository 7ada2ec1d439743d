"""Clock of vision, which is handed in: recordings and tests have their own."""

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


class Gate(Protocol):
    """Gate that holds recordings back until watchers are ready."""

    @property
    def opened(self) -> float | None:
        """Time (s on the clock) at which the gate was opened.

        None while it is closed.
        """
        ...
