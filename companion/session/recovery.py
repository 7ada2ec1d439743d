"""Recovery of a session from its journal, after the program ended."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.fusion.explain.sensor_health import SensorWatch
from companion.session.journal.followed_lines import FollowedLines
from companion.session.journal.journal_fold import Fold, fold_if_legal
from companion.session.journal.journal_lines import Adopted, Line, Observed, Opened, sources_in
from companion.session.journal.reading_effort import ReadingEffort

if TYPE_CHECKING:
    from companion.session.session import Session

BREAK_S, REBOOT_S = 30.0, 10.0
"""A break between two runs of the program counts as session time up to BREAK_S (s).

REBOOT_S: time (s) that it counts if the clock went back. Guesses. So a claim from just before the break stays
recent.
"""


class Recovered(NamedTuple):
    """Result of a recovery.

    `ended`: session time (s) of the last observation. `cut_off`: conclusions from the last observations that
    the journal lacks, e.g. because of a power failure. `adopted`: the state that is believed instead of the
    one that the observations lead to; None if both are equal. `sensors`: sensors that had reported.
    """

    ended: float
    cut_off: Sequence[Line]
    adopted: Adopted | None
    sensors: Sequence[str]

    def resumed_at(self, clock_s: float) -> float:
        """Session time (s) at which the game goes on, at clock time `clock_s` (s).

        The break counts for at most BREAK_S, and for REBOOT_S if the clock went back.
        """
        passed = clock_s - self.ended
        return self.ended + (REBOOT_S if passed < 0 else min(passed, BREAK_S))


class Recovery:
    """Takes a recorded game into a session silently: no screen and no journal hears of it.

    `session`: stands at the game's empty table. `lines`: the journal after its first line, `opened`. `along`:
    yields the lines one by one, e.g. to show progress. `effort`: limits the work of the session; None: no
    limit.
    """

    def __init__(
        self,
        session: "Session",
        opened: Opened,
        lines: Sequence[Line],
        along: Callable[[Sequence[Line]], Iterable[Line]] = iter,
        effort: ReadingEffort | None = None,
    ) -> None:
        self._session = session
        self._opened = opened
        self._lines = lines
        self._along = along
        self._effort = effort

    def recover(self) -> Recovered:
        """Bring the session to the published state at the journal's end.

        JournalError if it would take too much work.
        """
        session = self._session
        observed = (line.t for line in reversed(self._lines) if isinstance(line, Observed))
        ended = next(observed, session.now())
        cut_off = self.read_back(deal=True)
        published = self._published(cut_off)
        if published is not None and published.state != session.tracker.state:
            session.begin(self._opened)
            session.monitor.sensors = SensorWatch()
            cut_off = self.read_back(followed=False)
            published = self._published(cut_off)
        # Another version of the program may draw other conclusions from the observations. The published state
        # stands, and a line that revokes an action must not revoke another action.
        unlike = published is None or published.state != session.tracker.state
        if session.entries.keep_unlike(() if published is None else published.before) or unlike:
            session.tracker.settle()
        if unlike and published is not None:
            self._go_on_from(published.state)
        adopted = Adopted(ended, session.game.write_state(session.tracker.state)) if unlike else None
        return Recovered(ended, cut_off, adopted, sources_in(self._lines))

    def read_back(self, *, followed: bool = True, deal: bool = False) -> list[Line]:
        """Let the session conclude from the journal's observations.

        `followed`: believe what was published, and search in full only the last minute; False: search all in
        full. `deal`: search also the deal in full. Returns what is concluded from the last observations and
        not recorded. JournalError if it would take too much work.
        """
        session = self._session
        session.screens.silent = True
        bound = None
        if followed:
            bound = FollowedLines(session.game, self._opened, self._lines, session.tracker, deal=deal)
        concluded: list[Line] = []
        recorded = 0
        for index, line in enumerate(self._along(self._lines)):
            if self._effort is not None:
                self._effort.line = index + 2
            if isinstance(line, Observed):
                take = session.follow if bound is not None and bound.follow(index, line.t) else session.take
                concluded, recorded = take(line.t, line.o), 0
            else:
                recorded += 1
                if isinstance(line, Adopted) and line not in concluded:
                    self._go_on_from(session.game.read_state(line.s))
        session.tracker.recorded.leave()
        return concluded[recorded:]

    def _published(self, cut_off: Sequence[Line]) -> Fold | None:
        """The game by the journal's actions and `cut_off`; None if the rules refuse them."""
        return fold_if_legal(self._session.game, self._opened, [*self._lines, *cut_off])

    def _go_on_from(self, published: Any) -> None:
        """Believe the recorded state `published`, because the observations led to another one."""
        self._session.tracker.begin(published)
        self._session.entries.begin_anew()
