"""The fixed-lag smoother: searches recent steps again when the beam contradicts the table, or after an answer.

Both go on over several batches, so that none of them takes long.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.fusion.beam import Beam
from companion.fusion.clutter import is_young
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.pruning import NARROW
from companion.sensing.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

CONTRADICTION = 6.0
"""Unexplained cost (nats) that is more than glare or a restless scale."""
SOON_S, STEPS = 2.5, 4
"""SOON_S after a contradiction began, or grew by BETTER, the last STEPS steps of every hypothesis are searched
again."""
BETTER = 3.0
"""A contradiction has grown once it costs more by this (nats)."""
EVERY_S = 10.0
"""Least time (s) between two checkpoints."""
CHECKPOINTS = 12
MOST_POSITIONS = 20_000
"""A replay that expands more hypotheses is given up: nobody waits seconds for a table of nonsense."""
POSITIONS_AT_ONCE = 120
"""Hypotheses that a replay expands in one batch, about; then it goes on with the next batch."""


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[S, A]):
    """The beam at a time (s) when everything was explained, and how many batches had been recorded."""

    t: float
    beam: Beam[S, A]
    seen: int


@dataclass(slots=True)
class Replay(Generic[S, A]):
    """A search of recent steps on its way: its beam, and the number of the next recorded batch."""

    beam: Beam[S, A]
    next: int
    t: float
    """Time (s) of the last batch that its beam has taken in."""
    answered: bool = False
    """Whether it follows an answer of the players."""


class Smoother(Generic[S, A]):
    """Keeps the last checkpoints, and the observations since the oldest of them."""

    def __init__(self) -> None:
        self._checkpoints: deque[Checkpoint[S, A]] = deque()
        self._record: deque[tuple[float, Sequence[Observation]]] = deque()
        self._seen = 0
        self._most = 0.0
        """The greatest unexplained cost (nats) of this contradiction so far."""
        self._grown_at: float | None = None
        """When (s) it grew after the last look."""
        self._replay: Replay[S, A] | None = None

    def add(self, t: float, observations: Sequence[Observation]) -> None:
        """Record a batch."""
        if observations:
            self._record.append((t, observations))
            self._seen += 1

    @property
    def answering(self) -> bool:
        """Whether a replay after an answer is on its way."""
        return self._replay is not None and self._replay.answered

    def smooth(self, t: float, beam: Beam[S, A], *, idle: bool) -> Beam[S, A]:
        """A better beam if `beam` contradicts the table and a search of its last steps finds one; else `beam`.

        `idle`: nothing else was searched in this batch, so that there is time for it.
        """
        if self._replay is not None and self._replay.answered:
            again = self._go_on(self._replay) if idle else None
            if again is not None:
                beam.scored += again.scored
                beam.scored.sort(key=lambda one: one[0])
                beam.pending = True
            return beam
        unexplained = beam.unexplained(t)
        if unexplained < CONTRADICTION:
            self._forget()
            self._keep(t, beam)
            return beam
        if unexplained > self._most + BETTER:
            self._most, self._grown_at = unexplained, t
        if not idle:
            return beam
        if self._replay is None and self._grown_at is not None and t - self._grown_at >= SOON_S:
            # Slow players lay a card down long after its other signs: what is new deserves a look of its own.
            self._grown_at = None
            self._replay = Replay(beam.reconsidering(STEPS), self._seen, t)
        again = None if self._replay is None else self._go_on(self._replay)
        # Amid what people do only much better ones count.
        if again is None or again.total_cost(again.best) + CONTRADICTION > beam.total_cost(beam.best):
            return beam
        again.published = beam.published
        again.pending = True
        return again

    def answered(self, cost_of: Callable[[Hypothesis[S, A]], float] | None = None) -> None:
        """Players answered a question: forget what was before. With `cost_of` (nats) begin a replay from the
        oldest checkpoint at this cost, which adds its hypotheses to the beam.

        The action that was done instead of a denied one may have led to the same table and been pruned.
        """
        self._forget()
        if cost_of is not None and self._checkpoints:
            checkpoint = self._checkpoints[0]
            self._replay = Replay(
                checkpoint.beam.copy(),
                checkpoint.seen,
                checkpoint.t,
                answered=True,
            )
            self._replay.beam.charge(cost_of)
        self._checkpoints.clear()

    def _forget(self) -> None:
        """Nothing contradicts any more, or all is looked at anew."""
        self._most, self._grown_at, self._replay = 0.0, None, None

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

    def _go_on(self, replay: Replay[S, A]) -> Beam[S, A] | None:
        """The beam of a replay that has come to its end; None while it is on its way, and if it expands too
        many hypotheses. It expands about POSITIONS_AT_ONCE now, less if the budget ends."""
        beam, looked = replay.beam, replay.beam.looked
        self._replay = None
        while beam.pending or beam.unfinished or replay.next < self._seen:
            if beam.budget.spent or beam.looked - looked >= POSITIONS_AT_ONCE:
                self._replay = replay
                return None
            if not beam.pending and not beam.unfinished:
                replay.t, observations = self._record[len(self._record) - (self._seen - replay.next)]
                beam.take(replay.t, observations)
                replay.next += 1
            if beam.pending or beam.unfinished:
                beam.think(replay.t, NARROW)
                if not beam.unfinished:
                    beam.published = beam.best
            if beam.looked > MOST_POSITIONS:
                return None
        best = beam.scored[0][0]
        beam.scored = [one for one in beam.scored if one[0] <= best + NARROW.prune_nats]
        return beam
