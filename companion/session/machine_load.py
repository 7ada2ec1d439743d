"""The load of the machine: is it fast enough for the camera pictures of its engines?"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.language import text
from companion.session.stream.events import SensorHealth

COMPUTER = "computer"
"""`SensorHealth.source` of a report on the machine itself."""
LONGEST_PICTURE_S = 0.1
"""Mean time (s) for processing a camera picture above which the machine counts as too slow.

Following hands needs 10 pictures a second (`vision/camera/webcam.py`, FPS_LEAST).
"""
WINDOW_S = 20.0
"""Time (s) over which the time for a camera picture is averaged. A guess.

One long search, or the start of another program, is no reason to complain.
"""
GIVES_WAY = 10
"""Priority levels (of 19, nice(1)) by which the engine begun last lowers itself on a slow machine.

The other engines then get about nine times its processor time (sched(7): a factor of 1.25 a level).
"""


@dataclass(slots=True)
class MachineLoad:
    """A check that this machine processes camera pictures fast enough.

    On a slow machine with several engines, the engine begun last lowers its priority.
    """

    others: Callable[[], list[bool]]
    """Returns, for each other engine on this machine, True if it began before this one."""
    give_way: Callable[[int], object]
    """Lowers the priority of this process by the given number of levels; called at most once."""
    told: SensorHealth | None = None
    """The last report on the machine; None before the first."""
    _began: float | None = None
    _pictures: int = 0
    _spent_s: float = 0.0
    _warm: bool = False
    _gave_way: bool = False

    def took(self, now: float, spent_s: float) -> SensorHealth | None:
        """Note that processing a camera picture took `spent_s` (s) and ended at `now` (s).

        Returns a report when the machine becomes too slow, or fast enough again; else None.
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
