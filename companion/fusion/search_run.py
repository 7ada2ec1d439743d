"""A search on its way: what it found for each hidden layout, what to expand next, what is left to try."""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from itertools import islice
from math import inf
from typing import Generic, NamedTuple

from companion.fusion.association import Associator, OpenDetections
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.pruning import PRUNE_NATS, Found
from companion.fusion.transition_cache import CachedState
from companion.games.api import A, S

CARRIED_OVER = 0.5
"""What one hidden layout is to gain at least (nats) by the steps that another one found."""
CARRIED_STEPS = 12
"""Steps before the best hypothesis of a hidden layout that are tried with the other layouts at most."""

_Heap = list[tuple[float, int]]
"""(rank in nats, number of the entry)."""


class Root(NamedTuple, Generic[S, A]):
    """A hypothesis from which a search starts: total cost (nats), its state, and what it leaves open."""

    total_cost: float
    hypothesis: Hypothesis[S, A]
    cached: CachedState[S, A]
    waiting: OpenDetections


class Group(Generic[S, A]):
    """What a search does with one hidden layout: all that comes from roots that have it."""

    def __init__(self) -> None:
        self.heap: _Heap = []
        self.roots: list[Root[S, A]] = []
        self.least = inf
        """The lowest total cost (nats) so far, which the `leader` has."""
        self.leader: Hypothesis[S, A]

    def begin(self, root: Root[S, A]) -> None:
        """The search starts from this root, too."""
        self.roots.append(root)
        self.add(root.total_cost, root.hypothesis)

    def add(self, total_cost: float, hypothesis: Hypothesis[S, A]) -> None:
        """The search found a hypothesis."""
        if total_cost < self.least:
            self.least, self.leader = total_cost, hypothesis


_Entry = tuple[Hypothesis[S, A], CachedState[S, A], OpenDetections, Group[S, A]]


class Queue(Generic[S, A]):
    """Which hypothesis to expand next: alternately the cheapest of all and the cheapest of each group in turn.

    A group is the hypotheses whose roots have the same hidden layout. Without groups, an event with hundreds of
    explanations (a row that is swept away) would use up all expansions for one hidden layout.
    """

    def __init__(self) -> None:
        self._entries: list[_Entry[S, A] | None] = []
        self._all: _Heap = []
        self._groups: dict[Hashable, Group[S, A]] = {}
        self._turn: deque[Group[S, A]] = deque()
        """The groups that have entries left."""

    @property
    def groups(self) -> list[Group[S, A]]:
        """All groups."""
        return list(self._groups.values())

    def group(self, hidden: Hashable) -> Group[S, A]:
        """The group of a hidden layout."""
        if hidden not in self._groups:
            self._groups[hidden] = Group()
        return self._groups[hidden]

    def push(
        self,
        rank: float,
        group: Group[S, A],
        hypothesis: Hypothesis[S, A],
        cached: CachedState[S, A],
        waiting: OpenDetections,
    ) -> None:
        """Add a hypothesis to the group of its root; the one of the lowest `rank` (nats) comes first."""
        number = len(self._entries)
        self._entries.append((hypothesis, cached, waiting, group))
        heappush(self._all, (rank, number))
        if not group.heap:
            self._turn.append(group)
        heappush(group.heap, (rank, number))

    def pop(self, turn: int) -> _Entry[S, A] | None:
        """The next hypothesis; None if there is none left."""
        if turn % 2 == 0:
            return self._first(self._all)
        while self._turn:
            group = self._turn.popleft()
            entry = self._first(group.heap)
            if group.heap:
                self._turn.append(group)
            if entry is not None:
                return entry
        return None

    def _first(self, heap: _Heap) -> _Entry[S, A] | None:
        """Take out the cheapest entry of a heap that was not taken out of another one."""
        while heap:
            _, number = heappop(heap)
            entry, self._entries[number] = self._entries[number], None
            if entry is not None:
                return entry
        return None


class SearchRun(Generic[S, A]):
    """A search on its way: its time (s), what it has found, and what is to be expanded."""

    def __init__(self, t: float, associator: Associator) -> None:
        self.t = t
        self.associator = associator
        self.found: Found[S, A] = {}
        self.queue: Queue[S, A] = Queue()
        self.best = inf
        """The lowest total cost (nats) so far."""
        self.turn = 0
        """Hypotheses taken from the queue so far."""

    @property
    def limit(self) -> float:
        """Hypotheses that cost more than this (nats) are dropped."""
        return self.best + PRUNE_NATS

    def untried(self) -> Iterator[tuple[Group[S, A], Root[S, A], list[Hypothesis[S, A]]]]:
        """What the best hypothesis of one hidden layout gained since a root, and another layout, from a root
        with the same detections open, may gain as well: the other's group, its root, the steps to try.

        The groups may be added to on the way.
        """
        groups = self.queue.groups
        if len(groups) < 2:
            return
        roots = defaultdict(list)
        for group in groups:
            for root in group.roots:
                roots[id(root.hypothesis.state)].append(root)
        for leader, least in [(group.leader, group.least) for group in groups]:
            for start, steps in _ways_to(leader, roots):
                gained, zones = start.total_cost - least, start.cached.expected.zones
                for group in groups:
                    for root in group.roots:
                        if root.waiting is not start.waiting or root.cached.expected.zones != zones:
                            continue
                        if root.total_cost - gained < group.least - CARRIED_OVER:
                            yield group, root, steps


def _ways_to(
    leader: Hypothesis[S, A], roots: dict[int, list[Root[S, A]]]
) -> Iterator[tuple[Root[S, A], list[Hypothesis[S, A]]]]:
    """The roots among the last hypotheses before a leader, and those between; the latest first. `roots`: the
    id of a state -> the roots with this object."""
    between: deque[Hypothesis[S, A]] = deque()
    for one in islice(leader.back(), CARRIED_STEPS):
        if one.parent is None:
            return
        between.appendleft(one)
        for root in roots.get(id(one.parent.state), ()):
            if root.hypothesis.used is one.parent.used:
                yield root, [*between]
