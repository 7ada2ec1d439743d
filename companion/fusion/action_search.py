"""The search for explanations: legal actions, best first, against facts and traces."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from math import inf
from typing import Generic, TypeVar

from companion.fusion.absences import SCALES
from companion.fusion.association import CHECK_SIGNS, UNSEEN_SIGNS, Match, Matching, Waiting
from companion.fusion.clutter import ghosts, is_young
from companion.fusion.detections import Evidence
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.likelihood import (
    BEGUN,
    FUMBLED,
    HASTY,
    HIDDEN_CARD,
    HIDDEN_ZONE,
    STRANGE_CARD,
    TRACE_COSTS,
    UNREAD_TOP,
    UNSEEN,
    WRONG_COUNT,
    WRONG_TOP,
    YOUNG,
)
from companion.fusion.transition_cache import Position, Positions
from companion.games.api import UNKNOWN_KIND, Expectation, TableGame

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Breadth:
    """How far a search goes. `limit`: positions looked at for one explanation, a bounded time for nonsense;
    `window`: explanations worse than the best by more than this (nats) are given up; `width`: so many are
    kept at most."""

    limit: int
    window: float
    width: int


NARROW = Breadth(300, 9.0, 80)
"""For every batch: enough for a whole missed turn."""
WIDE = Breadth(600, 30.0, 60)
"""For looking again at what led into a contradiction."""
ALIKE = 2
"""So many hypotheses with the same state are kept: they differ only in which traces they explain."""
MOST_SURPRISED = 2
"""So many cards too many or too few on a scale are no more surprising than any larger number."""

Ranked = list[tuple[float, Hypothesis[S, A]]]
"""Hypotheses with their totals in nats, the best first."""
Found = dict[tuple[Position[S, A], Waiting], tuple[float, Hypothesis[S, A]]]
"""The best hypothesis with a position and what waits there, and its total in nats."""


class Search(Generic[S, A]):
    """Explains what `evidence` holds, by the rules of `game`.

    `allowed` says whether an action may follow a hypothesis at all (claims wait for their verdict).
    `positions` may be shared with other searches of the same game.
    """

    def __init__(
        self,
        game: TableGame[S, A],
        evidence: Evidence,
        allowed: Callable[[Hypothesis[S, A], A], bool],
        positions: Positions[S, A],
    ) -> None:
        self._game = game
        self._evidence = evidence
        self._allowed = allowed
        self._positions = positions
        self._mismatches: dict[Position[S, A], float] = {}
        self.looked = 0
        """Positions looked at so far."""
        self._now = 0.0
        self._young: set[str] = set()
        """Stations whose count changed a moment ago."""

    def explain(self, t: float, roots: Iterable[Hypothesis[S, A]], breadth: Breadth) -> Ranked[S, A]:
        """The best explanations that start from `roots`, the roots themselves among them."""
        self._mismatches.clear()
        self._positions.forget()
        self._now = t
        # What a scale shows since a hand has left it, it shows for good.
        self._young = {
            noted.trace[1]
            for noted in self._evidence.traces
            if noted.trace[0] in SCALES
            and is_young(noted, t)
            and self._evidence.covered.get(noted.trace[1], -inf) <= noted.t
        }
        matching = Matching(self._evidence, t)
        found: Found[S, A] = {}
        queue: _Queue[S, A] = _Queue()
        best = float("inf")
        for root in roots:
            position, waiting = self._positions.at(root.state), matching.waiting(root.used)
            total = root.cost + waiting.cost + self._unlikely(position)
            if (position, waiting) not in found or found[position, waiting][0] > total:
                found[position, waiting] = (total, root)
                best = min(best, total)
        for (position, waiting), (total, root) in found.items():
            queue.push(total, queue.group(self._positions.hidden(root.state)), root, position, waiting)
        for turn in range(breadth.limit):
            entry = queue.pop(turn)
            if entry is None:
                break
            node, position, waiting, group = entry
            if node.cost > best + breadth.window or found[position, waiting][1] is not node:
                continue
            self.looked += 1
            unseen = UNSEEN if self._unseen(t, node.step, matching) else 0.0
            checks = self._unseen_checks(node.step)
            for action in self._game.propose(
                node.state, self._evidence.zones, self._evidence.counts, waiting.signs
            ):
                move = self._positions.move(position, action)
                if move is None:
                    continue
                for match in matching.matches(waiting, move.signs):
                    price = match.cost + match.late(node.at) + unseen
                    if match.used:
                        price += sum(self._not_away(check, match.earliest) for check in checks)
                        price += HASTY if checks and match.hasty(node.at) else 0.0
                    cost = node.cost + price
                    if cost > best + breadth.window:
                        continue
                    left = matching.after(waiting, match)
                    key = (move.after, left)
                    total = cost + left.cost + self._unlikely(move.after)
                    if (key in found and found[key][0] <= total) or not self._allowed(node, action):
                        continue
                    child = _stepped(t, node, action, move.after.state, match, price)
                    found[key] = (total, child)
                    best = min(best, total)
                    queue.push(total, group, child, *key)
        return self._kept(found, best, breadth)

    def _kept(self, found: Found[S, A], best: float, breadth: Breadth) -> Ranked[S, A]:
        ranked = sorted(
            (
                (total, position, node)
                for (position, _), (total, node) in found.items()
                if total <= best + breadth.window
            ),
            key=lambda one: (round(one[0], 6), one[2].depth),
        )
        kept: Ranked[S, A] = []
        alike: Counter[Position[S, A]] = Counter()
        for total, position, node in ranked:
            alike[position] += 1
            if alike[position] <= ALIKE:
                kept.append((total, node))
        return kept if len(kept) <= breadth.width else self._varied(kept, breadth.width)

    def _varied(self, ranked: Ranked[S, A], width: int) -> Ranked[S, A]:
        """The better half as it comes, then the best of each that has other cards hidden in place, the second
        best, and so on: claims rest on these, and what a moment leaves open elsewhere has many stories."""
        alike: Counter[Hashable] = Counter()
        turn: list[tuple[int, int]] = []
        for n, (_, node) in enumerate(ranked):
            hidden = self._positions.hidden(node.state)
            turn.append((0 if n < width // 2 else alike[hidden], n))
            alike[hidden] += 1
        return [ranked[n] for n in sorted(n for _, n in sorted(turn)[:width])]

    def total(self, node: Hypothesis[S, A]) -> float:
        """The cost of a hypothesis and of everything that it leaves unexplained, in nats."""
        return node.cost + ghosts(self._evidence.traces, self._now, node.used) + self.mismatch(node.state)

    def mismatch(self, state: S) -> float:
        """Cost of everything that lies otherwise than the state says, in nats; 0 when all agrees."""
        return self._unlikely(self._positions.at(state))

    def _unlikely(self, position: Position[S, A]) -> float:
        known = self._mismatches.get(position)
        if known is not None:
            return known
        expected = position.expected
        cost = 0.0
        for zone, seen in self._evidence.zones.items():
            if zone in expected.zones or zone in expected.tops:
                cost += _unlike(expected, zone, seen)
        for station, n in expected.counts.items():
            on_it = self._evidence.counts.get(station)
            if on_it is not None and on_it != n:
                young = abs(on_it - n) == 1 and station in self._young
                # A whole bed may be off its scales while it is turned up: that is one surprise.
                cost += YOUNG if young else WRONG_COUNT * min(abs(on_it - n), MOST_SURPRISED)
        self._mismatches[position] = cost
        return cost

    def passed(self, node: Hypothesis[S, A], zone: str) -> float:
        """What it costs for good (nats) that a zone, which it did not expect to be so, is about to change."""
        seen = self._evidence.zones.get(zone)
        if seen is None:
            return 0.0
        return min(FUMBLED, _unlike(self._positions.at(node.state).expected, zone, seen))

    def _unseen_checks(self, step: Step[S, A] | None) -> tuple[tuple[str, float], ...]:
        """If a step was a mattress that was felt, or looked at, of which no sensor told: which one would have
        told, and what it costs (nats), beside what was paid, if that was there."""
        if step is None or step.used:
            return ()
        signs = (verb for verb, _, _ in self._game.traces(step.before, step.action) if verb in CHECK_SIGNS)
        return tuple((CHECK_SIGNS[verb], max(0.0, TRACE_COSTS[verb].missed - step.cost)) for verb in signs)

    def _not_away(self, check: tuple[str, float], before: float) -> float:
        """What a check pays (nats) that was excused because board or camera were away, and that had been made
        before a time (s) when they were still there."""
        source, cost = check
        return cost if before < self._evidence.away[source] else 0.0

    def _unseen(self, t: float, step: Step[S, A] | None, matching: Matching) -> bool:
        """Whether a step that was believed at `t` (s) left no sign although no hand can have hidden it."""
        if step is None or step.t != t or step.used:
            return False
        signs = self._game.traces(step.before, step.action)
        return not matching.covered(signs) and all(verb not in UNSEEN_SIGNS for verb, _, _ in signs)


class _Queue(Generic[S, A]):
    """What is to be looked at next: by turns the best of all, and the best of each group of roots in its turn.
    Else a moment that has hundreds of explanations, as a row that is swept away, would leave no time for those
    who have something else in hidden places."""

    def __init__(self) -> None:
        self._entries: list[_Entry[S, A] | None] = []
        self._all: _Heap = []
        self._groups: dict[Hashable, _Heap] = {}
        self._turn: deque[_Heap] = deque()
        """Of each group that has any left."""

    def group(self, hidden: Hashable) -> "_Heap":
        """The group of the roots that have the same in hidden places."""
        return self._groups.setdefault(hidden, [])

    def push(
        self,
        total: float,
        group: "_Heap",
        node: Hypothesis[S, A],
        position: Position[S, A],
        waiting: Waiting,
    ) -> None:
        """Add a hypothesis with its total to the group of its root."""
        number = len(self._entries)
        self._entries.append((node, position, waiting, group))
        heappush(self._all, (total, number))
        if not group:
            self._turn.append(group)
        heappush(group, (total, number))

    def pop(self, turn: int) -> "_Entry[S, A] | None":
        """The next one, by the one order or the other; None if there is none left."""
        if turn % 2 == 0:
            return self._first(self._all)
        while self._turn:
            heap = self._turn.popleft()
            entry = self._first(heap)
            if heap:
                self._turn.append(heap)
            if entry is not None:
                return entry
        return None

    def _first(self, heap: "_Heap") -> "_Entry[S, A] | None":
        """Take out the best of a heap that was not taken out of another."""
        while heap:
            _, number = heappop(heap)
            entry, self._entries[number] = self._entries[number], None
            if entry is not None:
                return entry
        return None


_Heap = list[tuple[float, int]]
"""Totals in nats, and the numbers of entries."""
_Entry = tuple[Hypothesis[S, A], Position[S, A], Waiting, _Heap]


def _stepped(
    t: float, node: Hypothesis[S, A], action: A, after: S, match: Match, price: float
) -> Hypothesis[S, A]:
    """The hypothesis one action further."""
    # Once something was late, what follows is in order with what came before that.
    at = match.latest if match.used else node.at
    step = Step(t, node.state, action, after, match.used, price)
    ids = node.used.union(noted.id for noted in match.used) if match.used else node.used
    return Hypothesis(after, node.cost + price, node.paid, ids, at, step, node, node.depth + 1)


def top_fits(seen: tuple[str, ...], admitted: frozenset[str]) -> bool:
    """Whether what shows on a pile is one of the admitted; of an empty pile nothing shows."""
    return not admitted.isdisjoint(seen) if admitted else not seen


def _unlike(expected: Expectation, zone: str, seen: tuple[str, ...]) -> float:
    """The cost of what a zone shows, in nats."""
    kinds = expected.zones.get(zone)
    if kinds is None:
        admitted = expected.tops.get(zone)
        if admitted is None or top_fits(seen, admitted):
            return 0.0
        return UNREAD_TOP if UNKNOWN_KIND in admitted else WRONG_TOP
    return 0.0 if seen == kinds else _differs(kinds, seen, zone in expected.begun)


@lru_cache(maxsize=1 << 12)
def _differs(due: tuple[str, ...], seen: tuple[str, ...], begun: bool) -> float:
    """Nats for cards that lie otherwise than they should; more may lie there of what has `begun`."""
    more = (Counter(seen) - Counter(due)).total()
    strange = (min(STRANGE_CARD, BEGUN) if begun else STRANGE_CARD) * more
    hidden = HIDDEN_CARD * (Counter(due) - Counter(seen)).total()
    return strange + (hidden if seen else min(hidden, HIDDEN_ZONE))
