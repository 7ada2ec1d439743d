"""Sources of observations: their common and their optional abilities."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from companion.core.board_state import BoardState
from companion.sensing.observation import Observation


class Source(Protocol):
    """Device or recording that observes the table, e.g. a camera."""

    def poll(self) -> list[Observation]:
        """Observations since the last call.

        Never blocks, and never raises for a sensor that is gone.
        """
        ...

    @property
    def finished(self) -> bool:
        """True after the end of a recording; devices never finish."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Warming(Protocol):
    """Source that needs some time before its first observation."""

    @property
    def ready(self) -> bool:
        """True as soon as the source can observe."""
        ...


@runtime_checkable
class Watching(Protocol):
    """Source that sees hands."""

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        ...


@runtime_checkable
class Picturing(Protocol):
    """Source that reads pictures."""

    @property
    def seen_at(self) -> float | None:
        """Time (s) of the newest processed picture; None before any."""
        ...

    @property
    def read(self) -> bool:
        """True if the newest picture was read completely: every zone of the mat is at rest and read."""
        ...


@runtime_checkable
class Hearing(Protocol):
    """Source that checks its health by other sources' observations."""

    def hear(self, others: Sequence[Observation]) -> None:
        """Receive the observations of all sources since the last call."""
        ...


@runtime_checkable
class Linked(Protocol):
    """Source behind a link (serial line) whose state screens show."""

    def link_status(self, now: float) -> BoardState | None:
        """State of the link at `now` (s); None for a link that has no port."""
        ...
