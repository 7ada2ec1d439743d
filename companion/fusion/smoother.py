"""The fixed-lag smoother: replays recent observations from a checkpoint when the beam contradicts the table."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.fusion.beam import Beam
from companion.fusion.clutter import is_young
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.pruning import NARROW, WIDE, Breadth
from companion.sensing.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

CONTRADICTION = 6.0
"""Unexplained cost (nats) that is more than glare or a restless scale."""
SOON_S, STEPS = 2.5, 4
"""After SOON_S of contradiction the last STEPS steps of every hypothesis are searched again."""
PATIENCE_S = (8.0, 30.0, 75.0)
"""Durations (s) of a contradiction after which it is replayed, each time from an older checkpoint."""
BETTER = 3.0
"""A replay replaces the beam if it is better by this (nats)."""
EVERY_S = 10.0
"""Least time (s) between two checkpoints."""
CHECKPOINTS = 12
MOST_POSITIONS = 10_000
"""A replay that expands more hypotheses is given up: nobody waits seconds for a table of nonsense."""
ANSWERED_POSITIONS = 20_000
"""The same after players answered a question."""


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[S, A]):
    """The beam at a time (s) when everything was explained, and how many batches had been recorded."""

    t: float
    beam: Beam[S, A]
    seen: int


class Smoother(Generic[S, A]):
    """Keeps the last checkpoints, and the observations since the oldest of them."""

    def __init__(self) -> None:
        self._checkpoints: deque[Checkpoint[S, A]] = deque()
        self._record: deque[tuple[float, Sequence[Observation]]] = deque()
        self._seen = 0
        self._since: float | None = None
        self._looks = 0

    def add(self, t: float, observations: Sequence[Observation]) -> None:
        """Record a batch."""
        if observations:
            self._record.append((t, observations))
            self._seen += 1

    def smooth(self, t: float, beam: Beam[S, A]) -> Beam[S, A]:
        """A better beam if `beam` has contradicted the table for long and a replay finds one; else `beam`."""
        if beam.unexplained(t) < CONTRADICTION:
            self._since, self._looks = None, 0
            self._keep(t, beam)
            return beam
        if self._since is None:
            self._since = t
        waits = (SOON_S, *PATIENCE_S)
        if self._looks == len(waits) or t - self._since < waits[self._looks]:
            return beam
        look = self._looks
        self._looks += 1
        before = [checkpoint for checkpoint in self._checkpoints if checkpoint.t < self._since]
        again: Beam[S, A] | None = None
        if look == 0:
            again = beam.reconsidered(t, STEPS)
        elif look <= len(before):
            again = self._replayed(before[-look], WIDE, MOST_POSITIONS)
        if again is None or again.total_cost(again.best) + BETTER > beam.total_cost(beam.best):
            return beam
        again.published = beam.published
        again.pending = True
        return again

    def without(self, beam: Beam[S, A], cost_of: Callable[[Hypothesis[S, A]], float]) -> None:
        """Add to `beam` the hypotheses of a replay from the oldest checkpoint, at `cost_of` (nats) more.

        The action that was done instead of a denied one may have led to the same table and been pruned.
        """
        if not self._checkpoints:
            return
        again = self._replayed(self._checkpoints[0], NARROW, ANSWERED_POSITIONS, cost_of)
        if again is not None:
            beam.scored += again.scored
            beam.scored.sort(key=lambda one: one[0])

    def _keep(self, t: float, beam: Beam[S, A]) -> None:
        if self._checkpoints and t - self._checkpoints[-1].t < EVERY_S:
            return
        if beam.mismatch(beam.best.state) or any(
            is_young(detection, t) for detection in beam.sensed.detections if detection.id not in beam.best.used
        ):
            return
        self._checkpoints.append(Checkpoint(t, beam.copy(), self._seen))
        if len(self._checkpoints) > CHECKPOINTS:
            self._checkpoints.popleft()
        while len(self._record) > self._seen - self._checkpoints[0].seen:
            self._record.popleft()

    def _replayed(
        self,
        checkpoint: Checkpoint[S, A],
        breadth: Breadth,
        most: int,
        cost_of: Callable[[Hypothesis[S, A]], float] | None = None,
    ) -> Beam[S, A] | None:
        """The beam after a replay from a checkpoint; None if it expands more than `most` hypotheses.

        `cost_of` (nats) is first added to the hypotheses of the checkpoint.
        """
        beam = checkpoint.beam.copy()
        if cost_of is not None:
            beam.charge(cost_of)
        for t, observations in list(self._record)[len(self._record) - (self._seen - checkpoint.seen) :]:
            beam.take(t, observations)
            if beam.pending:
                beam.expand(t, breadth)
                beam.published = beam.best
            if beam.looked > most:
                return None
        best = beam.scored[0][0]
        beam.scored = [one for one in beam.scored if one[0] <= best + NARROW.prune_nats]
        return beam
