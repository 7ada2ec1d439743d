"""The fixed-lag smoother: searches recent steps again when the beam contradicts the table.

That goes on over several batches, so that none of them takes long.
"""

from collections.abc import Sequence
from typing import Generic

from companion.fusion.beam import Beam
from companion.fusion.catch_up import CatchUp
from companion.fusion.parameters.search import SMOOTHING
from companion.games.rules import A, S
from companion.sensing.observation import Observation


class Smoother(Generic[S, A]):
    """Watches one contradiction after the other."""

    def __init__(self) -> None:
        self._most = 0.0
        """The greatest unexplained cost (nats) of this contradiction so far."""
        self._grown_at: float | None = None
        """When (s) it grew after the last look."""
        self._again: CatchUp[S, A] | None = None

    def add(self, t: float, observations: Sequence[Observation]) -> None:
        """What comes while recent steps are searched again is taken in afterwards."""
        if self._again is not None and observations:
            self._again.add(t, observations)

    def smooth(self, t: float, beam: Beam[S, A], *, idle: bool) -> Beam[S, A]:
        """A better beam if `beam` contradicts the table and a search of its last steps finds one; else `beam`.

        `idle`: nothing else was searched in this batch, so that there is time for it.
        """
        unexplained = beam.unexplained(t)
        if unexplained < SMOOTHING.contradiction:
            self._most, self._grown_at, self._again = 0.0, None, None
            return beam
        if unexplained > self._most + SMOOTHING.better:
            self._most, self._grown_at = unexplained, t
        if not idle:
            return beam
        if self._again is None and self._grown_at is not None and t - self._grown_at >= SMOOTHING.soon_s:
            # Slow players lay a card down long after its other signs: what is new deserves a look of its own.
            self._grown_at = None
            self._again = CatchUp(beam.reconsidering(SMOOTHING.steps_again), t)
        if self._again is None:
            return beam
        finished, again = self._again.go_on(SMOOTHING.positions_at_once), self._again.beam
        if finished or again.looked > SMOOTHING.most_positions:
            self._again = None
        # Amid what people do only much better ones count.
        if not finished or again.total_cost(again.best) + SMOOTHING.contradiction > beam.total_cost(beam.best):
            return beam
        again.published, again.pending = beam.published, True
        return again
