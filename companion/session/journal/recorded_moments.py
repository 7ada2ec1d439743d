"""A recorded game as screens show it: a greeting, and the table after each action."""

from dataclasses import dataclass

from companion.session.stream.events import Said, Table, Welcome


@dataclass(frozen=True, slots=True)
class RecordedMoment:
    """A recorded game at time `t` (s), after one action.

    `table`: the public state. `said`: sentences about the action.
    """

    t: float
    table: Table
    said: tuple[Said, ...] = ()
    verdict: str = ""
    """Verdict on a claim: proved, refuted, cannot tell, or empty."""
    hidden: tuple[str, ...] = ()
    """The hidden cards, a line for each place. Empty if the game was not played to its end."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game as screens show it.

    `moments`: the table after each action, oldest first.
    """

    welcome: Welcome
    moments: tuple[RecordedMoment, ...]
    over: bool
    """True if the game was played to its end."""
