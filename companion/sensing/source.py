"""Sources of observations: their common and their optional abilities."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from companion.core.board_state import BoardState
from companion.sensing.observation import Observation


class Source(Protocol):
    """What observes the table: camera, board, or recording."""

    def poll(self) -> list[Observation]:
        """Observations since the last call.

        Never waits, and never raises if a sensor is gone.
        """
        ...

    @property
    def finished(self) -> bool:
        """True after the end of a recording.

        Always False for a device.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class Warming(Protocol):
    """A source that needs time until its first observation."""

    @property
    def ready(self) -> bool:
        """True once the source can observe."""
        ...


@runtime_checkable
class Watching(Protocol):
    """A source that sees hands over the table."""

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        ...


@runtime_checkable
class Picturing(Protocol):
    """A source that reads pictures of the table."""

    @property
    def seen_at(self) -> float | None:
        """Time (s) of the newest processed picture.

        None before the first.
        """
        ...

    @property
    def read(self) -> bool:
        """True if all of the newest picture was read: every zone of the mat is at rest."""
        ...


@runtime_checkable
class Hearing(Protocol):
    """A source that checks itself by other sources' observations."""

    def hear(self, others: Sequence[Observation]) -> None:
        """Receive all observations since the last call.

        This source's own are included. The source compares them with its own, e.g. a camera whose picture stays
        the same notices that it is frozen.
        """
        ...


@runtime_checkable
class Linked(Protocol):
    """A source behind a serial line.

    Screens show the line's state.
    """

    def link_status(self, now: float) -> BoardState | None:
        """State of the serial line at `now` (s); None if the source has no port."""
        ...
