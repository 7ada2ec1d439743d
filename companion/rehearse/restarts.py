"""Kills and restarts of the program during a rehearsed game; only the journal survives."""

from collections.abc import Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from companion.core.clock import Clock
from companion.rehearse.watched_session import WatchedSession
from companion.sensing.observation import Observation
from companion.session.journal.journal import Journal, read_journal

KILLED_S = 3.0
"""Longest time (s) from an observation to the kill of the program.

It is short, so that the kill interrupts some work.
"""

BOOT_S = 20.0
"""Time (s) that a rebooted machine's clock shows when the program starts.

A guess.
"""


class MachineClock(Enum):
    """What a machine's clock shows when the program starts again."""

    GOES_ON = "goes on"
    """The machine's clock goes on as if nothing had happened."""
    AN_HOUR_LATER = "an hour later"
    """The machine's clock has jumped ahead by 3600 s."""
    ANEW = "anew"
    """The machine was rebooted, and its clock began again at BOOT_S."""


class Restart(NamedTuple):
    """Kill of the program, and its next start.

    `down`: time (s on the table's clock) of the kill. `up`: time of the next start. `clock`: what the
    machine's clock shows at the next start.
    """

    down: float
    up: float
    clock: MachineClock


class AheadClock:
    """Clock of the machine that runs the program.

    It shows the table's `clock` plus `ahead` (s); a negative `ahead` is behind.
    """

    def __init__(self, clock: Clock, ahead: float = 0.0) -> None:
        self.ahead = ahead
        self._clock = clock

    def now(self) -> float:
        """Time (s) on the machine's clock: table time plus `ahead`."""
        return self._clock.now() + self.ahead

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass on the table's clock."""
        self._clock.sleep(seconds)

    def restart(self, then: MachineClock) -> None:
        """Set the machine's clock as after a restart.

        `then`: it goes on, jumps ahead by an hour, or begins again at BOOT_S.
        """
        if then is MachineClock.AN_HOUR_LATER:
            self.ahead += 3600.0
        elif then is MachineClock.ANEW:
            self.ahead = BOOT_S - self._clock.now()


def plan_restarts(count: int, down_s: float, signs: Sequence[Observation], chance: Random) -> list[Restart]:
    """Plan `count` kills and restarts of the program, time-ordered.

    `signs`: observations of the game, in time order, at least `count`. They are divided into `count` equal
    parts. A kill follows a random observation of each part by at most KILLED_S (s). If the last restart is too
    near, the kill waits until 2 * KILLED_S after it. The three kinds of MachineClock take turns. `down_s`:
    time (s) from the kill to the next start.
    """
    part = len(signs) // max(1, count)
    clocks = chance.sample(list(MachineClock), len(MachineClock))
    found: list[Restart] = []
    for n in range(count):
        down = signs[part * n + chance.randrange(part)].t + chance.uniform(0.0, KILLED_S)
        down = max(down, found[-1].up + 2 * KILLED_S if found else 0.0)
        found.append(Restart(down, down + down_s, clocks[n % len(clocks)]))
    return found


def started_again(session: WatchedSession, machine: AheadClock, restart: Restart) -> WatchedSession:
    """Close a session, and start a new one that knows only its journal.

    `machine`: the program's clock, which is set as `restart.clock` says. The records of the old session, such
    as its verdicts, go on in the new one, which is returned.
    """
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
