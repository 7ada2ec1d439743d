"""A recorded game for screens: the greeting, and each moment of the game."""

from dataclasses import dataclass

from companion.session.stream.events import Said, Table, Welcome


@dataclass(frozen=True, slots=True)
class RecordedMoment:
    """A moment of a recorded game at time `t` (s): the public table, and the sentences said."""

    t: float
    table: Table
    said: tuple[Said, ...] = ()
    verdict: str = ""
    """proved, refuted or cannot tell if a claim was judged; else empty."""
    hidden: tuple[str, ...] = ()
    """The hidden cards, a line for each place; empty unless the game was played to its end."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game: its greeting, and its moments, oldest first."""

    welcome: Welcome
    moments: tuple[RecordedMoment, ...]
    over: bool
    """True if the game was played to its end."""
