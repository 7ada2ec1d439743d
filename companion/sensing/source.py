"""Where observations come from: what every source of them gives, and what only some do."""

from typing import Protocol, runtime_checkable

from companion.sensing.link_status import LinkStatus
from companion.sensing.observation import Observation


class Source(Protocol):
    """Anything that observes the table. What only some can do is declared: see Warming, Watching, Linked."""

    def poll(self) -> list[Observation]:
        """What is new since the last call; never blocks, never raises for a sensor that is gone."""
        ...

    @property
    def finished(self) -> bool:
        """True when a recording has come to its end."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


@runtime_checkable
class Warming(Protocol):
    """A source that takes a while until it observes."""

    @property
    def ready(self) -> bool:
        """False until then."""
        ...


@runtime_checkable
class Watching(Protocol):
    """A source that sees hands."""

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        ...


@runtime_checkable
class Linked(Protocol):
    """A source at the end of a link of which screens show how it stands."""

    def link_status(self, now: float) -> LinkStatus | None:
        """How the link stands at `now` (s); None for one that keeps no statistics."""
        ...
