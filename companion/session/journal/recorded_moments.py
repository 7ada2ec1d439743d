"""A recorded game for screens: its greeting and moments."""

from dataclasses import dataclass

from companion.session.stream.events import Said, Table, Welcome


@dataclass(frozen=True, slots=True)
class RecordedMoment:
    """A moment of a recorded game at `t` (s)."""

    t: float
    table: Table
    said: tuple[Said, ...] = ()
    verdict: str = ""
    """Verdict on a claim: proved, refuted, cannot tell, or empty."""
    hidden: tuple[str, ...] = ()
    """The hidden cards, a line for each place. Empty unless the game was played to its end."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game: its greeting, and its moments, oldest first."""

    welcome: Welcome
    moments: tuple[RecordedMoment, ...]
    over: bool
    """True if the game was played to its end."""
