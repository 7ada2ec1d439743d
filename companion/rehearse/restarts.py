"""Kills and restarts the program during a rehearsed game; only the journal is left."""

from collections.abc import Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from companion.core.clock import Clock
from companion.rehearse.watched_session import WatchedSession
from companion.sensing.observation import Observation
from companion.session.journal.journal import Journal, read_journal

KILLED_S = 3.0
"""KILLED_S: longest time (s) from an observation to the kill, so that something is going on."""

BOOT_S = 20.0
"""BOOT_S: the clock (s) when the program starts on a machine that was restarted."""


class MachineClock(Enum):
    """A machine's clock when the program is started again."""

    GOES_ON = "goes on"
    AN_HOUR_LATER = "an hour later"
    ANEW = "anew"
    """The machine was restarted, and its clock with it."""


class Restart(NamedTuple):
    """The program is killed at `down` and started again at `up` (s, table time)."""

    down: float
    up: float
    clock: MachineClock


class AheadClock:
    """A machine's clock that is `ahead` of the table's (s)."""

    def __init__(self, clock: Clock, ahead: float = 0.0) -> None:
        self.ahead = ahead
        self._clock = clock

    def now(self) -> float:
        """The machine's time (s)."""
        return self._clock.now() + self.ahead

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._clock.sleep(seconds)

    def restart(self, then: MachineClock) -> None:
        """Start the program again, and perhaps the machine."""
        if then is MachineClock.AN_HOUR_LATER:
            self.ahead += 3600.0
        elif then is MachineClock.ANEW:
            self.ahead = BOOT_S - self._clock.now()


def plan_restarts(count: int, down_s: float, signs: Sequence[Observation], chance: Random) -> list[Restart]:
    """`count` restarts, one in each equal part of a game's `signs`; the clock after each is another kind of
    MachineClock."""
    part = len(signs) // max(1, count)
    clocks = chance.sample(list(MachineClock), len(MachineClock))
    found: list[Restart] = []
    for n in range(count):
        down = signs[part * n + chance.randrange(part)].t + chance.uniform(0.0, KILLED_S)
        down = max(down, found[-1].up + 2 * KILLED_S if found else 0.0)
        found.append(Restart(down, down + down_s, clocks[n % len(clocks)]))
    return found


def started_again(session: WatchedSession, machine: AheadClock, restart: Restart) -> WatchedSession:
    """A new session that knows only the journal of the game so far; `session` is closed."""
    path = session.close()
    machine.restart(restart.clock)
    recorded = read_journal(path)
    return WatchedSession(
        session.game,
        session.variant,
        session.players,
        clock=machine,
        journal=Journal(path, sync=False, resume=True),
        buttons=recorded.opened.buttons,
        before=session,
        recorded=recorded.lines,
    )
