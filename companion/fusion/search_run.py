"""A search on its way: what it found for each hidden layout, what to expand next, what is left to try."""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import islice
from math import inf
from typing import Generic, NamedTuple

from companion.fusion.association import Associator, OpenDetections
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.parameters.search import SEARCH
from companion.fusion.pruning import Found
from companion.fusion.transition_cache import CachedState, TransitionCache
from companion.games.rules import A, S
from companion.games.signs import Sign

_Heap = list[tuple[float, int]]
"""(rank in nats, number of the entry)."""


class Root(NamedTuple, Generic[S, A]):
    """A hypothesis from which a search starts: total cost (nats), its state, and what it leaves open."""

    total_cost: float
    hypothesis: Hypothesis[S, A]
    cached: CachedState[S, A]
    waiting: OpenDetections

    @property
    def likeness(self) -> Hashable:
        """Equal for roots that leave the same open and predict the same cards in all zones."""
        return self.waiting, tuple(self.cached.expected.zones.items())


class Story(NamedTuple, Generic[S, A]):
    """How a hypothesis came about: the root, what was gained since then (nats), and the hypotheses on the way,
    each with the signs of its last step."""

    start: Root[S, A]
    gained: float
    steps: Sequence[tuple[Hypothesis[S, A], tuple[Sign, ...]]]


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

    def __init__(self, t: float, associator: Associator, cache: TransitionCache[S, A]) -> None:
        self.t = t
        self.associator = associator
        self._cache = cache
        self.found: Found[S, A] = {}
        self.queue: Queue[S, A] = Queue()
        self.best = inf
        """The lowest total cost (nats) so far."""
        self.turn = 0
        """Hypotheses taken from the queue so far."""
        self.untried = self._untried()
        """What the best hypothesis of one hidden layout gained since a root, and another layout may gain as
        well: the group of the other one, a root like that one, the story to try from there."""

    @property
    def limit(self) -> float:
        """Hypotheses that cost more than this (nats) are dropped."""
        return self.best + SEARCH.prune_nats

    def _untried(self) -> "Iterator[tuple[Group[S, A], Root[S, A], Story[S, A]]]":
        """See `untried`, which may add to the groups on its way."""
        groups = self.queue.groups
        if len(groups) < 2:
            return
        by_state: dict[int, list[Root[S, A]]] = defaultdict(list)
        alike: dict[Hashable, list[tuple[Group[S, A], Root[S, A]]]] = defaultdict(list)
        for group in groups:
            for root in group.roots:
                by_state[id(root.hypothesis.state)].append(root)
                alike[root.likeness].append((group, root))
        for story in self._stories(groups, by_state):
            for group, root in alike[story.start.likeness]:
                if root.total_cost - story.gained < group.least - SEARCH.carried_over:
                    yield group, root, story

    def _stories(
        self, groups: Sequence[Group[S, A]], roots: Mapping[int, Sequence[Root[S, A]]]
    ) -> "list[Story[S, A]]":
        """How the leaders of these groups came about, from each root among their last hypotheses; of those that
        are alike the one that gained most. `roots`: the id of a state -> the roots with this object."""
        best: dict[Hashable, Story[S, A]] = {}
        for group in groups:
            steps: deque[tuple[Hypothesis[S, A], tuple[Sign, ...]]] = deque()
            told: tuple[Hashable, ...] = ()
            for one in islice(group.leader.back(), SEARCH.carried_steps):
                if one.step is None or one.parent is None:
                    break
                transition = self._cache.transition(self._cache.at(one.step.before), one.step.action)
                signs = () if transition is None else transition.signs
                steps.appendleft((one, signs))
                told = (one.step.action, signs, *(used.id for used in one.step.used), *told)
                for start in roots.get(id(one.parent.state), ()):
                    if start.hypothesis.used is not one.parent.used:
                        continue
                    gained, key = start.total_cost - group.least, (start.likeness, told)
                    if key not in best or best[key].gained < gained:
                        best[key] = Story(start, gained, [*steps])
        return list(best.values())
