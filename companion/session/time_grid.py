"""The grid of time: at which moments a session advances, however the batches of its sources come."""

from collections.abc import Iterator, Sequence
from math import floor, inf

from companion.sensing.observation import Observation

GRID_S = 0.25
"""Time (s) between two points of the grid."""
EVERY_POINT_S = 12.0
"""A session advances at every point for so long (s) after a report: then nothing waits for slower sensors any
more."""
THINNED = ((120.0, 4), (inf, 20))
"""(time since the last report (s), of how many points one counts)."""


class TimeGrid:
    """Turns batches into moments: a time (s), and the observations of it, none at a point of the grid.

    Passing time alone changes what is believed. A journal holds no empty batches, so the moments follow from
    the batches that are not empty. Nothing happens before the first of these.
    """

    def __init__(self) -> None:
        self._last = -inf
        """The last moment (s)."""
        self._point = 0
        """Number of the last point of the grid that was passed."""
        self._heard = -inf
        """When (s) something was reported last."""

    def skip(self, t: float) -> None:
        """The time up to `t` (s) does not count: the program did not run."""
        self._last, self._point = max(self._last, t), floor(t / GRID_S)

    def moments(
        self, t: float, observations: Sequence[Observation]
    ) -> Iterator[tuple[float, list[Observation]]]:
        """The moments up to `t` (s), when `observations` arrive.

        Each belongs to its own time, or to `t` if it is older than a moment before.
        """
        if self._heard == -inf:
            if not observations:
                return
            self._point = floor(min(t, observations[0].t) / GRID_S)
        for point in range(self._point + 1, floor(t / GRID_S) + 1):
            self._point = point
            if self._counts(point):
                self._last = point * GRID_S
                yield self._last, []
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
            self._last = self._heard = at
            yield at, together

    def _counts(self, point: int) -> bool:
        quiet = point * GRID_S - self._heard
        if quiet <= EVERY_POINT_S:
            return True
        return point % next(nth for most, nth in THINNED if quiet <= most) == 0
