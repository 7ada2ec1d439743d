"""The memory: what was seen lately, so that a contradiction can be looked at again from before it arose."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.fusion.action_search import NARROW, WIDE, Breadth
from companion.fusion.beam import Belief
from companion.fusion.clutter import is_young
from companion.fusion.hypothesis import Hypothesis
from companion.sensing.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

CONTRADICTION = 6.0
"""So much (nats) left unexplained is more than a glare or a restless scale."""
SOON_S, STEPS = 2.5, 4
"""How long a contradiction has lasted when the last few steps are weighed again."""
PATIENCE_S = (8.0, 30.0, 75.0)
"""How long when it is looked at again from before it arose, each time from further back."""
BETTER = 3.0
"""A second look counts when it explains things better by this much (nats)."""
EVERY_S = 10.0
"""The least time between two moments to go back to."""
MOMENTS = 12
MOST_POSITIONS = 10_000
"""A second look that comes to so many positions is given up: nobody waits seconds for a table of nonsense."""
ANSWERED_POSITIONS = 20_000
"""The same for those who have just answered a question."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[S, A]):
    """A time (s) at which all was explained, the belief of that time, and how much was in the record."""

    t: float
    belief: Belief[S, A]
    seen: int


class Memory(Generic[S, A]):
    """Keeps the last moments at which everything was explained, and what was seen since the oldest."""

    def __init__(self) -> None:
        self._moments: deque[Moment[S, A]] = deque()
        self._record: deque[tuple[float, Sequence[Observation]]] = deque()
        self._seen = 0
        self._since: float | None = None
        self._looks = 0

    def add(self, t: float, observations: Sequence[Observation]) -> None:
        """Remember a batch."""
        if observations:
            self._record.append((t, observations))
            self._seen += 1

    def look_again(self, t: float, belief: Belief[S, A]) -> Belief[S, A]:
        """A better belief if `belief` has contradicted the table for long and there is one, else itself."""
        if belief.unexplained(t) < CONTRADICTION:
            self._since, self._looks = None, 0
            self._keep(t, belief)
            return belief
        if self._since is None:
            self._since = t
        waits = (SOON_S, *PATIENCE_S)
        if self._looks == len(waits) or t - self._since < waits[self._looks]:
            return belief
        look = self._looks
        self._looks += 1
        before = [moment for moment in self._moments if moment.t < self._since]
        again: Belief[S, A] | None = None
        if look == 0:
            again = belief.reconsidered(t, STEPS)
        elif look <= len(before):
            again = self._replayed(before[-look], WIDE, MOST_POSITIONS)
        if again is None or again.total(again.best) + BETTER > belief.total(belief.best):
            return belief
        again.told = belief.told
        again.pending = True
        return again

    def without(self, belief: Belief[S, A], price: Callable[[Hypothesis[S, A]], float]) -> None:
        """Put beside `belief` what is believed if all that is remembered is weighed again at a `price` (nats).

        What was done instead of what somebody denied may have led to the same table, and had no place.
        """
        if not self._moments:
            return
        again = self._replayed(self._moments[0], NARROW, ANSWERED_POSITIONS, price)
        if again is not None:
            belief.ranked += again.ranked
            belief.ranked.sort(key=lambda one: one[0])

    def _keep(self, t: float, belief: Belief[S, A]) -> None:
        if self._moments and t - self._moments[-1].t < EVERY_S:
            return
        if belief.mismatch(belief.best.state) or any(
            is_young(noted, t) for noted in belief.evidence.traces if noted.id not in belief.best.used
        ):
            return
        self._moments.append(Moment(t, belief.copy(), self._seen))
        if len(self._moments) > MOMENTS:
            self._moments.popleft()
        while len(self._record) > self._seen - self._moments[0].seen:
            self._record.popleft()

    def _replayed(
        self,
        moment: Moment[S, A],
        breadth: Breadth,
        most: int,
        price: Callable[[Hypothesis[S, A]], float] | None = None,
    ) -> Belief[S, A] | None:
        """What is believed if everything since that moment is weighed again; None if that comes to more than so
        many positions. What was believed at that moment pays its `price` first."""
        belief = moment.belief.copy()
        if price is not None:
            belief.charge(price)
        for t, observations in list(self._record)[len(self._record) - (self._seen - moment.seen) :]:
            belief.take(t, observations)
            if belief.pending:
                belief.rank(t, breadth)
                belief.told = belief.best
            if belief.looked > most:
                return None
        best = belief.ranked[0][0]
        belief.ranked = [one for one in belief.ranked if one[0] <= best + NARROW.window]
        return belief
