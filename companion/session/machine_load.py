"""The load of the machine: does the engine keep up with its camera?"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.language import text
from companion.session.stream.events import SensorHealth

COMPUTER = "computer"
"""Name of the machine in `SensorHealth.source`."""
LONGEST_PICTURE_S = 0.1
"""Longest mean time (s) that a picture may take.

Following hands needs 10 pictures a second (`vision/camera/webcam.py`, FPS_LEAST).
"""
WINDOW_S = 20.0
"""Time (s) over which the time for a picture is averaged. A guess.

One long search, or the start of another program, is no reason to complain.
"""
GIVES_WAY = 10
"""Priority levels that the last engine gives up (nice(1), of 19).

The other engines then get about nine times its processor time (sched(7): a factor of 1.25 a level).
"""


@dataclass(slots=True)
class MachineLoad:
    """A check that this machine keeps up with the pictures.

    On an overloaded machine the last engine gives way.
    """

    others: Callable[[], list[bool]]
    """For each other engine here: True if it began earlier."""
    give_way: Callable[[int], object]
    """Lowers this process's priority by some levels; called once."""
    told: SensorHealth | None = None
    """The last report; None before the first."""
    _began: float | None = None
    _pictures: int = 0
    _spent_s: float = 0.0
    _warm: bool = False
    _gave_way: bool = False

    def took(self, now: float, spent_s: float) -> SensorHealth | None:
        """Note that a picture, ready at `now` (s), took `spent_s` (s).

        Returns the machine's health if it changed.
        """
        if self._began is None:
            self._began = now
        self._pictures, self._spent_s = self._pictures + 1, self._spent_s + spent_s
        if now - self._began < WINDOW_S:
            return None
        mean = self._spent_s / self._pictures
        self._began, self._pictures, self._spent_s = now, 0, 0.0
        if not self._warm:  # the first window includes the loading of libraries
            self._warm = True
            return None
        if mean > LONGEST_PICTURE_S:
            return self._slow()
        # Hysteresis: without the half a machine at its limit would complain and recover by turns.
        if self.told is not None and not self.told.ok and mean < LONGEST_PICTURE_S / 2:
            self.told = SensorHealth(COMPUTER, True)
            return self.told
        return None

    def _slow(self) -> SensorHealth | None:
        earlier = self.others()
        if not earlier:
            why = text("too busy: I see the table late; close other programs")
        elif all(earlier):
            if not self._gave_way:
                self._gave_way = True
                self.give_way(GIVES_WAY)
            why = text("too busy for {n} tables; this last one goes on slowly: stop one", n=len(earlier) + 1)
        else:
            why = text("too busy for {n} tables: stop one", n=len(earlier) + 1)
        news = SensorHealth(COMPUTER, False, why, works=True)
        if news == self.told:
            return None
        self.told = news
        return news
