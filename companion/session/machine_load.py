"""Whether this machine keeps up with its tables: by the time that an engine takes from picture to picture."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.language import text
from companion.session.stream.events import SensorHealth

COMPUTER = "computer"
"""COMPUTER: name of the machine among the sensors whose health is shown."""
LONGEST_PICTURE_S = 0.1
"""LONGEST_PICTURE_S: most time (s) that a picture may take, on average: following hands needs 10 pictures a
second (`vision/camera/webcam.py`, FPS_LEAST)."""
WINDOW_S = 20.0
"""WINDOW_S: time (s) over which that average is taken. A guess: one long search among hypotheses, or the start
of another program, is no reason to complain."""
GIVES_WAY = 10
"""GIVES_WAY: by how much the table that began last lowers its priority (nice(1), of 19). The others get about
nine times its processor time where both want it (sched(7): 1.25 a level)."""


@dataclass(slots=True)
class MachineLoad:
    """Adds the times of pictures up. The table that began last goes on slowly where there are too many."""

    others: Callable[[], list[bool]]
    """The other engines at this machine: whether each began before this one."""
    give_way: Callable[[int], object]
    """Lowers this process's priority; it is called once."""
    told: SensorHealth | None = None
    """What was said last; None for nothing."""
    _began: float | None = None
    _pictures: int = 0
    _spent_s: float = 0.0
    _warm: bool = False
    _gave_way: bool = False

    def took(self, now: float, spent_s: float) -> SensorHealth | None:
        """A picture that was ready at `now` (s) took this time; what there is to say, if it is news."""
        if self._began is None:
            self._began = now
        self._pictures, self._spent_s = self._pictures + 1, self._spent_s + spent_s
        if now - self._began < WINDOW_S:
            return None
        mean = self._spent_s / self._pictures
        self._began, self._pictures, self._spent_s = now, 0, 0.0
        if not self._warm:  # libraries were loaded in the first window
            self._warm = True
            return None
        if mean > LONGEST_PICTURE_S:
            return self._slow()
        # Half of that again, or a machine at its limit would complain and recover by turns.
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
