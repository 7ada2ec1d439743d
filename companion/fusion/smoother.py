"""The fixed-lag smoother: replays recent observations from a checkpoint when the beam contradicts the table.

A replay goes on over several batches, so that none of them takes long.
"""

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
"""SOON_S after a contradiction began, or grew by BETTER, the last STEPS steps of every hypothesis are searched
again."""
PATIENCE_S = (8.0, 30.0, 75.0)
"""Durations (s) of a contradiction after which it is replayed, each time from an older checkpoint."""
BETTER = 3.0
"""A replay replaces the beam if it is better by this (nats); a look after SOON_S, by CONTRADICTION."""
EVERY_S = 10.0
"""Least time (s) between two checkpoints."""
CHECKPOINTS = 12
MOST_POSITIONS = 10_000
"""A replay that expands more hypotheses is given up: nobody waits seconds for a table of nonsense."""
POSITIONS_AT_ONCE = 120
"""Hypotheses that a replay expands in one batch, about; then it goes on with the next batch."""
ANSWERED_POSITIONS = 20_000
"""The same after players answered a question."""


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[S, A]):
    """The beam at a time (s) when everything was explained, and how many batches had been recorded."""

    t: float
    beam: Beam[S, A]
    seen: int


@dataclass(slots=True)
class Replay(Generic[S, A]):
    """A replay on its way: its beam, the number of the next recorded batch, and how far it may go."""

    beam: Beam[S, A]
    next: int
    breadth: Breadth
    most: int
    """Most hypotheses that it may expand."""
    t: float
    """Time (s) of the last batch that its beam has taken in."""
    better: float = BETTER
    """How much better (nats) it has to be to replace the beam. A look amid what people do needs more."""
    answered: bool = False
    """Whether it follows an answer of the players."""


class Smoother(Generic[S, A]):
    """Keeps the last checkpoints, and the observations since the oldest of them."""

    def __init__(self) -> None:
        self._checkpoints: deque[Checkpoint[S, A]] = deque()
        self._record: deque[tuple[float, Sequence[Observation]]] = deque()
        self._seen = 0
        self._since: float | None = None
        self._looks = 0
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
        """A better beam if `beam` has contradicted the table for long and a replay finds one; else `beam`.

        `idle`: nothing else was searched in this batch, so that there is time for a replay.
        """
        if self._replay is not None and self._replay.answered:
            again = self._go_on(self._replay, POSITIONS_AT_ONCE) if idle else None
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
        if self._since is None:
            self._since = t
        if (replay := self._replay or self._looked_again(t, beam, self._since)) is None:
            return beam
        again = self._go_on(replay, POSITIONS_AT_ONCE)
        if again is None or again.total_cost(again.best) + replay.better > beam.total_cost(beam.best):
            return beam
        again.published = beam.published
        again.pending = True
        return again

    def _looked_again(self, t: float, beam: Beam[S, A], since: float) -> Replay[S, A] | None:
        """A search of the beam's last steps again, or a replay, if it is time for that: the beam has
        contradicted the table `since` (s)."""
        if self._grown_at is not None and t - self._grown_at >= SOON_S:
            # Slow players lay a card down long after its other signs: what is new deserves a look of its own.
            self._grown_at = None
            again = beam.reconsidering(STEPS)
            return Replay(again, self._seen, NARROW, MOST_POSITIONS, t, better=CONTRADICTION)
        if self._looks == len(PATIENCE_S) or t - since < PATIENCE_S[self._looks]:
            return None
        self._looks += 1
        before = [checkpoint for checkpoint in self._checkpoints if checkpoint.t < since]
        if self._looks > len(before):
            return None
        checkpoint = before[-self._looks]
        return Replay(checkpoint.beam.copy(), checkpoint.seen, WIDE, MOST_POSITIONS, checkpoint.t)

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
                NARROW,
                ANSWERED_POSITIONS,
                checkpoint.t,
                answered=True,
            )
            self._replay.beam.charge(cost_of)
        self._checkpoints.clear()

    def _forget(self) -> None:
        """Nothing contradicts any more, or all is looked at anew."""
        self._since, self._looks, self._replay = None, 0, None
        self._most, self._grown_at = 0.0, None

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

    def _go_on(self, replay: Replay[S, A], at_once: int) -> Beam[S, A] | None:
        """The beam of a replay that has come to its end; None while it is on its way, and if it expands too
        many hypotheses. It expands about `at_once` now, less if the budget ends."""
        beam, looked = replay.beam, replay.beam.looked
        self._replay = None
        while beam.pending or beam.unfinished or replay.next < self._seen:
            if beam.budget.spent or beam.looked - looked >= at_once:
                self._replay = replay
                return None
            if not beam.pending and not beam.unfinished:
                replay.t, observations = self._record[len(self._record) - (self._seen - replay.next)]
                beam.take(replay.t, observations)
                replay.next += 1
            if beam.pending or beam.unfinished:
                beam.think(replay.t, replay.breadth)
                if not beam.unfinished:
                    beam.published = beam.best
            if beam.looked > replay.most:
                return None
        best = beam.scored[0][0]
        beam.scored = [one for one in beam.scored if one[0] <= best + NARROW.prune_nats]
        return beam
