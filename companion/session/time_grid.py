"""The time grid: points in time at which a session (a running game) draws conclusions.

Conclusions change with time alone, e.g. because a sensor is slow. So a session needs points without
observations.
"""

from collections.abc import Iterator, Sequence
from math import floor, inf

from companion.sensing.observation import Observation

GRID_S = 0.25
"""Time (s) between two points of the grid. A guess. The grid begins anew at every observation."""
EVERY_POINT_S = 12.0
"""Time (s) after an observation during which every point of the time grid (GRID_S apart) is a moment.

At a moment the session draws conclusions. All slow sensors have reported by then, so THINNED leaves out most
later points. A guess.
"""
THINNED = ((120.0, 4), (inf, 20))
"""(t, n): until `t` (s) after the last observation, only every n-th point of the time grid is a moment.

Used after EVERY_POINT_S. Guesses.
"""
QUIET_S = 86_400.0
"""Time (s) after an observation from which no point of the time grid is a moment. A guess.

No claim is open by then. Without this limit a damaged journal with jumping times would be replayed for ever.
"""
ROUNDING_S = 1e-6
"""Largest rounding error (s) in a sum of times."""


class TimeGrid:
    """Converts observations to moments: points in time at which a session (a running game) draws conclusions.

    A moment has its time (s) and observations; a point of the grid has no observations. The grid depends only
    on the times of observations. So a replayed journal, which records no other points, has equal moments.
    """

    def __init__(self) -> None:
        self._last = -inf
        """Time (s) of the last moment."""
        self._heard: float | None = None
        """Time (s) of the last observation, where the grid begins."""
        self._point = 0
        """Number of points since the grid began."""

    def skip(self, t: float) -> None:
        """Leave out the points of the grid up to `t` (s), because the program did not run."""
        if self._heard is not None:
            self._begin(max(self._last, t))

    def moments(
        self, t: float, observations: Sequence[Observation]
    ) -> Iterator[tuple[float, list[Observation]]]:
        """Yield (time in s, observations of this time) up to `t` (s), when `observations` arrived.

        An observation keeps its own time. If it is older than the last moment, it gets time `t`.
        """
        yield from self._passing(t)
        together: list[Observation] = []
        at = self._last
        for seen in observations:
            own = seen.t if self._last < seen.t < t else max(self._last, t)
            if own > at and together:
                yield from self._heard_at(at, together)
                together = []
            at = max(at, own)
            together.append(seen)
        yield from self._heard_at(at, together)

    def _heard_at(self, at: float, together: list[Observation]) -> Iterator[tuple[float, list[Observation]]]:
        if together:
            yield from self._passing(at)
            self._begin(max(at, self._last))
            yield self._last, together

    def _passing(self, t: float) -> Iterator[tuple[float, list[Observation]]]:
        """Yield grid points without observations up to `t` (s)."""
        if self._heard is None:
            return
        begun = self._heard
        passed = min(t - begun, QUIET_S)
        for point in range(self._point + 1, floor((passed + ROUNDING_S) / GRID_S) + 1):
            self._point = point
            if _counts(point):
                self._last = begun + point * GRID_S
                yield self._last, []

    def _begin(self, t: float) -> None:
        self._last = self._heard = t
        self._point = 0


def _counts(point: int) -> bool:
    """True if point number `point` of the time grid (from its last observation) is used for conclusions."""
    quiet = point * GRID_S
    return quiet <= EVERY_POINT_S or point % next(nth for most, nth in THINNED if quiet <= most) == 0
