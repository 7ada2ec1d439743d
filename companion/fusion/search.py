"""The search for explanations: legal actions, best first, against facts and traces."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count as counting
from math import inf
from typing import Generic, TypeVar

from companion.fusion.evidence import Evidence, Noted
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.likelihood import (
    BEGUN,
    COVERED,
    COVERED_S,
    FUMBLED,
    HIDDEN_CARD,
    HIDDEN_ZONE,
    INVERSION,
    INVERSION_A_SECOND,
    INVERSION_MOST,
    REAPPEARED,
    RESTLESS,
    RESTLESS_S,
    SLOW,
    SLOW_S,
    STRANGE_CARD,
    SWAPPED_TAGS,
    TAKEN_UP,
    TRACE_COSTS,
    UNREAD_TOP,
    UNSEEN,
    WRONG_COUNT,
    WRONG_TOP,
    YOUNG,
)
from companion.games.engine import ANY_KINDS, UNKNOWN_KIND, Expectation, IllegalError, TableGame, Trace

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


NARROW = Breadth(200, 9.0, 16)
"""For every batch: enough for a whole missed turn."""
WIDE = Breadth(600, 30.0, 60)
"""For looking again at what led into a contradiction."""
ALIKE = 2
"""So many hypotheses with the same state are kept: they differ only in which traces they explain."""
MOST_SURPRISED = 2
"""So many cards too many or too few on a scale are no more surprising than any larger number."""
AT_ONCE_S = 0.4
"""Sensors differ in speed: traces closer together than this have no order."""

NEEDS = {"touch": "touch", "silent": "tag"}
"""The verb that must have been heard once before its absence means anything."""
SEEN_AS = {"visit": "tag", "glance": "came", "shown": "came", "top": "new"}
"""Signs that people or the camera may miss more easily, and as what they are seen."""
CARD_SIGNS = ("gone", "back", "new", "left", "reach")
"""Traces of cards: one may be swept away or laid open long after its turn."""
SCALES = ("lift", "put")
"""Traces of load cells."""
CANCELLED = {
    "lift": ("put", RESTLESS, RESTLESS_S),
    "put": ("lift", RESTLESS, RESTLESS_S),
    "left": ("again", 0.0, 0.0),
    "again": ("left", TAKEN_UP, inf),
    "gone": ("back", 0.0, 0.0),
    "back": ("gone", REAPPEARED, inf),
}
"""Verb -> the verb at the same place that it cancels, what both cost together (nats), within what time (s)."""

Waiting = dict[tuple[str, str], list[Noted]]
"""Traces that found no cause yet, by verb and place, the oldest first."""
Ranked = list[tuple[float, Hypothesis[S, A]]]
"""Hypotheses with their totals in nats, the best first."""


class Search(Generic[S, A]):
    """Explains what `evidence` holds, by the rules of `game`.

    `allowed` says whether an action may follow a hypothesis at all (claims wait for their verdict).
    """

    def __init__(
        self, game: TableGame[S, A], evidence: Evidence, allowed: Callable[[Hypothesis[S, A], A], bool]
    ) -> None:
        self._game = game
        self._evidence = evidence
        self._allowed = allowed
        self._mismatches: dict[S, float] = {}
        self.looked = 0
        """Positions looked at so far."""
        self._now = 0.0
        self._young: set[str] = set()
        """Stations whose count changed a moment ago."""

    def explain(self, t: float, roots: Iterable[Hypothesis[S, A]], breadth: Breadth) -> Ranked[S, A]:
        """The best explanations that start from `roots`, the roots themselves among them."""
        self._mismatches.clear()
        self._now = t
        self._young = {noted.trace[1] for noted in self._evidence.traces if is_young(noted, t)}
        order = counting()
        traces = self._evidence.traces
        ids = frozenset(noted.id for noted in traces)
        found: dict[tuple[S, frozenset[int]], tuple[float, Hypothesis[S, A]]] = {}
        queue: list[tuple[float, int, Hypothesis[S, A]]] = []
        best = float("inf")
        for root in roots:
            total = self.total(root)
            key = (root.state, root.used & ids)
            if key not in found or found[key][0] > total:
                found[key] = (total, root)
                best = min(best, total)
        for total, root in list(found.values()):
            heappush(queue, (total, next(order), root))
        for _ in range(breadth.limit):
            if not queue:
                break
            total, _, node = heappop(queue)
            if node.cost > best + breadth.window or found[node.state, node.used & ids][1] is not node:
                continue
            self.looked += 1
            signs: list[Trace] = []
            waiting: Waiting = {}
            for noted in traces:
                if noted.id not in node.used:
                    signs.append(noted.trace)
                    waiting.setdefault(noted.trace[:2], []).append(noted)
            for action in self._game.propose(node.state, self._evidence.zones, self._evidence.counts, signs):
                for child in self._follow(t, node, action, waiting):
                    if child.cost > best + breadth.window:
                        continue
                    key = (child.state, child.used & ids)
                    total = self.total(child)
                    if key in found and found[key][0] <= total:
                        continue
                    found[key] = (total, child)
                    best = min(best, total)
                    heappush(queue, (total, next(order), child))
        ranked = sorted(
            (one for one in found.values() if one[0] <= best + breadth.window),
            key=lambda one: (round(one[0], 6), one[1].depth),
        )
        kept: Ranked[S, A] = []
        alike: Counter[S] = Counter()
        for total, node in ranked:
            alike[node.state] += 1
            if alike[node.state] <= ALIKE:
                kept.append((total, node))
        return kept if len(kept) <= breadth.width else self._varied(kept, breadth.width)

    def _varied(self, ranked: Ranked[S, A], width: int) -> Ranked[S, A]:
        """The best of them, at most half with the same cards hidden where they are: claims rest on these."""
        kept: Ranked[S, A] = []
        alike: Counter[Hashable] = Counter()
        for total, node in ranked:
            hidden = tuple(self._game.lying(node.state).items())
            alike[hidden] += 1
            if alike[hidden] <= width // 2:
                kept.append((total, node))
        return kept[:width]

    def total(self, node: Hypothesis[S, A]) -> float:
        """The cost of a hypothesis and of everything that it leaves unexplained, in nats."""
        return node.cost + ghosts(self._evidence.traces, self._now, node.used) + self.mismatch(node.state)

    def mismatch(self, state: S) -> float:
        """Cost of everything that lies otherwise than the state says, in nats; 0 when all agrees."""
        known = self._mismatches.get(state)
        if known is not None:
            return known
        expected = self._game.expected_view(state)
        cost = sum(self._unlike(expected, zone, seen) for zone, seen in self._evidence.zones.items())
        for station, n in expected.counts.items():
            on_it = self._evidence.counts.get(station)
            if on_it is not None and on_it != n:
                young = abs(on_it - n) == 1 and station in self._young
                # A whole bed may be off its scales while it is turned up: that is one surprise.
                cost += YOUNG if young else WRONG_COUNT * min(abs(on_it - n), MOST_SURPRISED)
        self._mismatches[state] = cost
        return cost

    def passed(self, node: Hypothesis[S, A], zone: str) -> float:
        """What it costs for good (nats) that a zone, which it did not expect to be so, is about to change."""
        seen = self._evidence.zones.get(zone)
        if seen is None:
            return 0.0
        return min(FUMBLED, self._unlike(self._game.expected_view(node.state), zone, seen))

    @staticmethod
    def _unlike(expected: Expectation, zone: str, seen: tuple[str, ...]) -> float:
        kinds = expected.zones.get(zone)
        if kinds is not None:
            if seen == kinds:
                return 0.0
            there, due = Counter(seen), Counter(kinds)
            strange = STRANGE_CARD * (there - due).total()
            hidden = HIDDEN_CARD * (due - there).total()
            return (min(strange, BEGUN) if zone in expected.begun else strange) + (
                hidden if seen else min(hidden, HIDDEN_ZONE)
            )
        admitted = expected.tops.get(zone)
        if admitted is None or top_fits(seen, admitted):
            return 0.0
        return UNREAD_TOP if UNKNOWN_KIND in admitted else WRONG_TOP

    def _follow(
        self, t: float, node: Hypothesis[S, A], action: A, waiting: Waiting
    ) -> Iterator[Hypothesis[S, A]]:
        """The hypotheses one action further: its signs are the first that wait, or the last ones."""
        if not self._allowed(node, action):
            return
        try:
            after = self._game.apply(node.state, action)
        except IllegalError:
            return
        wanted = self._game.traces(node.state, action)
        first = self._matched(wanted, waiting, 1)
        yield self._stepped(t, node, action, after, first)
        if first[0]:
            last = self._matched(wanted, waiting, -1)
            if last[0] != first[0]:
                yield self._stepped(t, node, action, after, last)

    def _matched(self, wanted: Iterable[Trace], waiting: Waiting, order: int) -> tuple[list[Noted], float]:
        """The signs of an action among those that wait, the first ones (order 1) or the last (-1), and what
        it costs (nats) how they are."""
        used: list[Noted] = []
        cost = 0.0
        for sign in wanted:
            there = waiting.get((SEEN_AS.get(sign[0], sign[0]), sign[1]), ())
            fitting = [one for one in there[::order] if one not in used and fits(sign, one.trace)]
            # Each after the one before it, for no card is laid down before it was taken up; but a scale on
            # which a hand rests tells late.
            latest = used[-1].t if used else -inf
            noted = next((one for one in fitting if one.t >= latest - AT_ONCE_S), None)
            if noted is None and used and used[-1].trace[0] in SCALES:
                noted = next((one for one in fitting if one.t >= latest - SLOW_S), None)
                cost += SLOW if noted is not None else 0.0
            if noted is None:
                cost += self._missed(sign)
            else:
                used.append(noted)
                cost += HIDDEN_CARD * max(0, len(sign[2]) - len(noted.trace[2]))
        return used, cost

    def _stepped(
        self, t: float, node: Hypothesis[S, A], action: A, after: S, matched: tuple[list[Noted], float]
    ) -> Hypothesis[S, A]:
        used, cost = matched
        # An action that came before the one it follows is late once, whatever the number of its signs.
        cost += max((_lateness(noted, node.at) for noted in used), default=0.0)
        # Once something was late, what follows is in order with what came before that.
        at = max((noted.t for noted in used), default=node.at)
        if node.step is not None and node.step.t == t and not (node.step.used or self._beneath_hand(node.step)):
            cost += UNSEEN
        step = Step(t, node.state, action, after, tuple(used), cost)
        ids = node.used.union(noted.id for noted in used) if used else node.used
        return Hypothesis(after, node.cost + cost, node.paid, ids, at, step, node, node.depth + 1)

    def _covered(self, station: str) -> bool:
        return self._now - self._evidence.covered.get(station, -inf) < COVERED_S

    def _beneath_hand(self, step: Step[S, A]) -> bool:
        """Whether a hand on a scale may have hidden what a step would have shown."""
        signs = self._game.traces(step.before, step.action)
        return any(verb in SCALES and self._covered(place) for verb, place, _ in signs)

    def _missed(self, wanted: Trace) -> float:
        """The cost of a trace that is not there; nothing if its sensor may not be there either."""
        verb, place, _ = wanted
        if verb in SCALES:
            there = place in self._evidence.counts
            if self._covered(place):
                return COVERED
        else:
            there = verb not in NEEDS or NEEDS[verb] in self._evidence.heard
        return TRACE_COSTS[verb].missed if there else 0.0


def _lateness(noted: Noted, at: float) -> float:
    """What it costs (nats) that a sign came before those of the action before, the last of them at `at` (s)."""
    if noted.t >= at - AT_ONCE_S:
        return 0.0
    late = INVERSION + INVERSION_A_SECOND * (at - noted.t)
    verb = noted.trace[0]
    if verb in CARD_SIGNS:
        return min(INVERSION_MOST, late)
    return late + SWAPPED_TAGS if verb == "tag" else late


def ghosts(traces: Iterable[Noted], now: float, used: Collection[int] = frozenset()) -> float:
    """What the traces cost at `now` (s) that found no cause, in nats."""
    cost = 0.0
    loose: dict[tuple[str, tuple[str, ...]], list[Noted]] = {}
    for noted in traces:
        if noted.id in used:
            continue
        verb, place, kinds = noted.trace
        if verb not in CANCELLED:
            cost += TRACE_COSTS[verb].ghost
            continue
        others = loose.setdefault((place, kinds), [])
        undone, price, within = CANCELLED[verb]
        if others and others[-1].trace[0] == undone and noted.t - others[-1].t <= within:
            others.pop()
            cost += price
        else:
            others.append(noted)
    left = [noted for others in loose.values() for noted in others]
    lifted = min((noted.t for noted in left if noted.trace[0] == "lift"), default=inf)
    for noted in left:
        prices = TRACE_COSTS[noted.trace[0]]
        # A card that was taken up and one more elsewhere then is no scale that is restless.
        moved = noted.trace[0] == "put" and noted.t > lifted
        cost += prices.young if is_young(noted, now) and not moved else prices.ghost
    return cost


def is_young(noted: Noted, now: float) -> bool:
    """Whether a scale has changed so lately that it may change back by itself."""
    # What was seen may bear a time a little after `now`: frames and batches have clocks of their own.
    return max(0.0, now - noted.t) < TRACE_COSTS[noted.trace[0]].young_s


def fits(wanted: Trace, seen: Trace) -> bool:
    """Whether a trace that was seen may be the one that an action leaves; some of its cards may be hidden."""
    if wanted[0] in SEEN_AS:
        wanted = (SEEN_AS[wanted[0]], *wanted[1:])
    if wanted[:2] != seen[:2] or wanted[2] in (seen[2], ANY_KINDS):
        return wanted[:2] == seen[:2]
    return wanted[0] in ("left", "came") and not Counter(seen[2]) - Counter(wanted[2])


def top_fits(seen: tuple[str, ...], admitted: frozenset[str]) -> bool:
    """Whether what shows on a pile is one of the admitted; of an empty pile nothing shows."""
    return not admitted.isdisjoint(seen) if admitted else not seen
