"""The fixed-lag smoother: searches recent steps again when the beam contradicts the table, or after an answer.

Both go on over several batches, so that none of them takes long.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from companion.fusion.beam import Beam
from companion.fusion.clutter import is_young
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.pruning import NARROW
from companion.fusion.replay import Replay
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
CHECKPOINTS, KEPT_S = 12, 600.0
"""CHECKPOINTS: number that is kept. KEPT_S: longest time (s) for which one is; no question is that late."""
MOST_POSITIONS = 20_000
"""A replay that expands more hypotheses is given up: nobody waits seconds for a table of nonsense."""
POSITIONS_AT_ONCE = 120
"""Hypotheses that a replay expands in one batch, about; then it goes on with the next batch."""


class Smoother(Generic[S, A]):
    """Keeps the last checkpoints, each with the batches since: what a replay from there would take in."""

    def __init__(self) -> None:
        self._checkpoints: deque[Replay[S, A]] = deque(maxlen=CHECKPOINTS)
        self._most = 0.0
        """The greatest unexplained cost (nats) of this contradiction so far."""
        self._grown_at: float | None = None
        """When (s) it grew after the last look."""
        self._replay: Replay[S, A] | None = None
        self._answering = False
        """Whether the replay follows an answer of the players."""

    def add(self, t: float, observations: Sequence[Observation]) -> None:
        """Record a batch."""
        while self._checkpoints and t - self._checkpoints[0].t > KEPT_S:
            self._checkpoints.popleft()
        for replay in (*self._checkpoints, self._replay) if observations else ():
            if replay is not None:
                replay.add(t, observations)

    @property
    def answering(self) -> bool:
        """Whether a replay after an answer is on its way."""
        return self._answering

    def smooth(self, t: float, beam: Beam[S, A], *, idle: bool) -> Beam[S, A]:
        """A better beam if `beam` contradicts the table and a search of its last steps finds one; else `beam`.

        `idle`: nothing else was searched in this batch, so that there is time for it.
        """
        if self.answering:
            again = self._go_on() if idle else None
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
            self._replay = Replay(beam.reconsidering(STEPS), t)
        again = self._go_on()
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
            self._replay, self._answering = self._checkpoints[0], True
            self._replay.beam.charge(cost_of)
        self._checkpoints.clear()

    def _forget(self) -> None:
        """Nothing contradicts any more, or all is looked at anew."""
        self._most, self._grown_at = 0.0, None
        self._replay, self._answering = None, False

    def _keep(self, t: float, beam: Beam[S, A]) -> None:
        if self._checkpoints and t - self._checkpoints[-1].t < EVERY_S:
            return
        if beam.mismatch(beam.best.state) or any(
            is_young(detection, t) for detection in beam.sensed.detections if detection.id not in beam.best.used
        ):
            return
        self._checkpoints.append(Replay(beam.copy(), t))

    def _go_on(self) -> Beam[S, A] | None:
        """The beam of the replay, if there is one and it has come to its end. It is given up if it expands too
        many hypotheses."""
        replay = self._replay
        if replay is None:
            return None
        finished = replay.go_on(POSITIONS_AT_ONCE)
        if not finished and replay.beam.looked <= MOST_POSITIONS:
            return None
        self._replay, self._answering = None, False
        beam = replay.beam
        best = beam.scored[0][0]
        beam.scored = [one for one in beam.scored if one[0] <= best + NARROW.prune_nats]
        return beam if finished else None
