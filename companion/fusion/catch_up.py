"""Catching up: a beam takes in recorded batches, a part at each batch of the game, so that none takes long."""

from collections import deque
from collections.abc import Iterable, Sequence
from math import inf
from typing import Generic

from companion.fusion.beam import Beam
from companion.games.rules import A, S
from companion.sensing.observation import Observation

Batch = tuple[float, Sequence[Observation]]
"""The observations of a batch, and its time (s)."""


class CatchUp(Generic[S, A]):
    """A `beam`, as it was at `t` (s), that is to take in the `batches` since, and what comes meanwhile."""

    def __init__(self, beam: Beam[S, A], t: float, batches: Iterable[Batch] = ()) -> None:
        self.beam = beam
        self.t = t
        """Time (s) of the last batch that the beam has taken in."""
        self._left = deque(batches)

    def add(self, t: float, observations: Sequence[Observation]) -> None:
        """Another batch has come."""
        self._left.append((t, observations))

    def go_on(self, at_once: float = inf) -> bool:
        """Go on until the budget of this batch ends, or about `at_once` hypotheses are expanded; whether the
        beam has explained everything."""
        beam, looked = self.beam, self.beam.looked
        while beam.pending or beam.unfinished or self._left:
            if beam.budget.spent or beam.looked - looked >= at_once:
                return False
            if not beam.pending and not beam.unfinished:
                self.t, observations = self._left.popleft()
                beam.take(self.t, observations)
            if beam.pending or beam.unfinished:
                beam.think(self.t)
                if not beam.unfinished:
                    beam.published = beam.best
        return True
