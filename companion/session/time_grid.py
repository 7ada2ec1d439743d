"""The grid of time: at which moments a session advances, however the batches of its sources come."""

from collections.abc import Iterator, Sequence
from math import floor, inf

from companion.sensing.observation import Observation

GRID_S = 0.25
"""Time (s) between two points of the grid, which begins anew with every report."""
EVERY_POINT_S = 12.0
"""A session advances at every point for so long (s) after a report: then nothing waits for slower sensors any
more."""
THINNED = ((120.0, 4), (inf, 20))
"""(time since the last report (s), of how many points one counts)."""
QUIET_S = 86_400.0
"""QUIET_S: after so long (s) without a report no point counts, for nothing is open any more. Else a damaged
journal whose times jump would be read for ever."""
ROUNDING_S = 1e-6
"""ROUNDING_S: what sums of times differ by (s)."""


class TimeGrid:
    """Turns batches into moments: a time (s), and the observations of it, none at a point of the grid.

    Passing time alone changes what is believed. A journal holds no empty batches, so the moments follow from
    the batches that are not empty. Nothing happens before the first of these.
    """

    def __init__(self) -> None:
        self._last = -inf
        """The last moment (s)."""
        self._heard: float | None = None
        """When (s) something was reported last, or the program went on: here the grid begins."""
        self._point = 0
        """Number of points that have passed since."""

    def skip(self, t: float) -> None:
        """The time up to `t` (s) does not count: the program did not run."""
        if self._heard is not None:
            self._begin(max(self._last, t))

    def moments(
        self, t: float, observations: Sequence[Observation]
    ) -> Iterator[tuple[float, list[Observation]]]:
        """The moments up to `t` (s), when `observations` arrive.

        Each belongs to its own time, or to `t` if it is older than a moment before.
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
        """The points of the grid up to `t` (s)."""
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
    """Whether a session advances at this point."""
    quiet = point * GRID_S
    return quiet <= EVERY_POINT_S or point % next(nth for most, nth in THINNED if quiet <= most) == 0
