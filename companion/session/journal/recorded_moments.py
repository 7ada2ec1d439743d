"""A recorded game as screens show it: what was played, and its moments."""

from dataclasses import dataclass

from companion.session.stream.events import Said, Table, Welcome


@dataclass(frozen=True, slots=True)
class RecordedMoment:
    """A moment: its time (s), the public table, and what was said then."""

    t: float
    table: Table
    said: tuple[Said, ...] = ()
    verdict: str = ""
    """proved, refuted or cannot tell if a claim was judged; else empty."""
    hidden: tuple[str, ...] = ()
    """What lay where, a line for each place; empty unless the game was played to its end."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """What was played, and its moments from the first."""

    welcome: Welcome
    moments: tuple[RecordedMoment, ...]
    over: bool
    """Whether it was played to its end."""
