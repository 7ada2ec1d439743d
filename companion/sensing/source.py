"""Sources of observations: what every source does, and what only some do."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from companion.core.board_state import BoardState
from companion.sensing.observation import Observation


class Source(Protocol):
    """Anything that observes the table. Optional abilities are declared by Warming, Watching and Linked."""

    def poll(self) -> list[Observation]:
        """Observations since the last call. Never blocks, and never raises for a sensor that is gone."""
        ...

    @property
    def finished(self) -> bool:
        """True when a recording has ended."""
        ...

    def close(self) -> None:
        """Close the device."""
        ...


@runtime_checkable
class Warming(Protocol):
    """A source that takes a while before it observes."""

    @property
    def ready(self) -> bool:
        """False before that."""
        ...


@runtime_checkable
class Watching(Protocol):
    """A source that sees hands."""

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        ...


@runtime_checkable
class Picturing(Protocol):
    """A source that reads pictures."""

    @property
    def seen_at(self) -> float | None:
        """Time (s) of the newest picture that was taken in; None before the first one."""
        ...

    @property
    def read(self) -> bool:
        """Whether everything in it was read."""
        ...


@runtime_checkable
class Hearing(Protocol):
    """A source that judges itself by what the other ones report."""

    def hear(self, others: Sequence[Observation]) -> None:
        """Take the observations of all sources since the last call."""
        ...


@runtime_checkable
class Linked(Protocol):
    """A source behind a link whose state screens show."""

    def link_status(self, now: float) -> BoardState | None:
        """State of the link at `now` (s); None for a link that keeps no statistics."""
        ...
