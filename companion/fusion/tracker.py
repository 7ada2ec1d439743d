"""The tracker: settled views and traces matched against legal successors of the state."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count as counting
from typing import Any, Generic, TypeVar

from companion.fusion.evidence import Evidence, Noted
from companion.fusion.likelihood import MARGIN, TRACE_COSTS, WRONG_CARD, WRONG_COUNT
from companion.games.engine import ANY_KINDS, IllegalError, TableGame, Trace, Verdict
from companion.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

SEARCH_LIMIT = 200
"""Positions looked at for one explanation: enough for a whole missed turn, a bounded time for nonsense."""
TROUBLE = 4.0
"""A claim is not judged while so much (nats) was seen without a cause, or explained at a price."""
CLAIMS = ("press", "came")
"""Traces that belong to claims themselves."""
COSTLY = 5.0
"""From this price on (nats) an action is doubtful."""
TRACE_LIFE_S = 60.0
"""A trace that found no cause for so long is dropped: it explains nothing any more."""
REVISIONS = (1, 2, 3, 5, 8, 12)
"""How many of the last actions to take back, one after the other, when later evidence contradicts them."""
RECENT = (1, 2, 3)
"""How many actions are weighed anew when a way forward leaves something unexplained."""
REVISE_AFTER_S = 1.2
"""A contradiction that lasts so long is no half-finished movement: earlier actions may have been misread."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S, A]):
    """One believed action: when, the states around it, the traces it used up, and its cost in nats."""

    t: float
    before: S
    action: A
    after: S
    used: tuple[Noted, ...] = ()
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Change(Generic[S, A]):
    """What a batch changed: a state taken over, actions taken back (newest first), then actions believed."""

    revoked: tuple[Step[S, A], ...] = ()
    steps: tuple[Step[S, A], ...] = ()
    adopted: S | None = None


@dataclass(slots=True)
class _Path(Generic[S, A]):
    """A position in the search: where a sequence of actions leads and what it costs so far."""

    state: S
    at: int
    cost: float
    actions: tuple[tuple[A, S, int, float], ...]
    """Each action with the state after it, the traces used up to there, and the cost up to there."""


class Tracker(Generic[S, A]):
    """Follows one game through what the sensors say. Knows the rules only through `TableGame`."""

    def __init__(self, game: TableGame[S, A], variant: str, state: S) -> None:
        self.game = game
        self.state = state
        kinds = {card.code: card.kind for card in game.cards(variant)}
        self.evidence = Evidence(kinds, game.watched(variant))
        self.steps: list[Step[S, A]] = []
        self._undone: set[tuple[S, A]] = set()
        self._set_aside: list[Noted] = []
        """The traces of the step that was taken back last: the table may be right after all."""
        self._pending = False
        self._doubt = 0.0
        """What the traces cost that never found a cause, in nats."""
        self._contradicted: float | None = None
        self._floor = 0
        """Steps before this were settled by a person: no revision goes behind them."""

    def feed(self, t: float, observations: Iterable[Observation], *, hold: bool = False) -> Change[S, A]:
        """Take a batch of observations in and believe what explains them; with `hold`, only remember it."""
        self._pending |= self.evidence.feed(observations)
        self._doubt += self._ghosts(n for n in self.evidence.traces if n.t < t - TRACE_LIFE_S)
        self._pending |= self.evidence.expire(t - TRACE_LIFE_S)
        self.evidence.drop(lambda trace: self.game.no_news(self.state, trace))
        if hold:
            return Change()
        adopted = self._hedge()
        if self._pending:
            self._pending = False
            change = replace(self._explain(t), adopted=adopted)
            self._contradicted = t if self._mismatch(self.state) else None
            if self._contradicted is None:
                self._undone.clear()  # the table agrees again: what follows is new
            return change
        if self._contradicted is not None and t - self._contradicted >= REVISE_AFTER_S:
            self._contradicted = None
            return self._revise(t, REVISIONS, self._mismatch(self.state) + self._ghosts(self.evidence.traces))
        return Change()

    def _hedge(self) -> S | None:
        """A claim that comes while much is unexplained stays open until the cards are shown.

        What could settle it is forgotten: the state that is taken over so, or None.
        """
        adopted = None
        for noted in self.evidence.traces:
            if noted.trace[0] != "press":
                continue
            bed = self.game.place_of_claim(self.state, noted.trace[1])
            if bed is None or self.game.claimable(self.state, bed) is not None:
                continue
            waiting = [one for one in self.evidence.traces if one.trace[0] not in CLAIMS]
            costly = sum(step.cost for step in self.steps if step.cost >= COSTLY)
            doubt = self._doubt + costly + self._mismatch(self.state) + self._ghosts(waiting)
            if doubt >= TROUBLE or self.game.judge(self.state, bed).verdict is Verdict.CANNOT_TELL:
                forgotten = self.game.forget(self.state, bed)
                if forgotten != self.state:
                    self.state = adopted = forgotten
                    self._floor = len(self.steps)
        return adopted

    def wake(self) -> None:
        """Go on after a break: times were those of another clock, and what passed then finds no cause now."""
        self.evidence.traces.clear()
        self._contradicted = None
        self._pending = True

    def undo(self) -> Step[S, A] | None:
        """Take the last action back and do not believe it again from the same evidence."""
        if not self.steps:
            return None
        step = self.steps.pop()
        self.state = step.before
        self._undone.add((step.before, step.action))
        self._set_aside = list(step.used)
        self._floor = len(self.steps)
        self.evidence.traces.clear()
        self._contradicted = None
        return step

    def adopt(self, t: float) -> Change[S, A]:
        """What lies on the table is right: explain it, even by what was taken back, or else take it over.

        ValueError if no possible state agrees with it; then nothing has changed.
        """
        self._undone.clear()
        self.evidence.traces[:0] = self._set_aside
        self._set_aside = []
        change = self._explain(t)
        if change.steps:
            return change
        adopted = self.game.adopt(self.state, self.evidence.zones, self.evidence.counts)
        if self._mismatch(adopted):
            raise ValueError(self.differences()[0])
        self.state = adopted
        self.steps.clear()
        self._floor = 0
        self.evidence.traces.clear()
        return Change()

    def differences(self) -> tuple[str, ...]:
        """What lies elsewhere than the state says, in a few words each; empty when all agrees.

        Never how many cards a scale carries: players may not count.
        """
        expected = self.game.expected_view(self.state)
        found = []
        for zone, kinds in expected.zones.items():
            seen = self.evidence.zones.get(zone)
            if seen is not None and seen != kinds:
                extra, missing = Counter(seen) - Counter(kinds), Counter(kinds) - Counter(seen)
                if extra:
                    found.append(f"{zone}: {' '.join(sorted(extra.elements()))} too many")
                if missing:
                    found.append(f"{zone}: {' '.join(sorted(missing.elements()))} missing")
        for zone, admitted in expected.tops.items():
            seen = self.evidence.zones.get(zone)
            if seen is not None and not _top_fits(seen, admitted):
                found.append(f"{zone}: {' or '.join(sorted(admitted)) or 'nothing'} expected")
        for station, n in expected.counts.items():
            on_it = self.evidence.counts.get(station)
            if on_it is not None and on_it != n:
                found.append(f"{station}: too {'many' if on_it > n else 'few'} on the scales")
        return tuple(found)

    def _explain(self, t: float) -> Change[S, A]:
        """Believe the cheapest way forward, if it explains all that lies on the table better than waiting.

        A way that leaves something unexplained may be the fault of the action before: then ways from a
        little further back are weighed against it.
        """
        traces = list(self.evidence.traces)
        best, total = self._search(self.state, traces)
        stay = self._mismatch(self.state) + self._ghosts(traces)
        if not best.actions or self._mismatch(best.state) or total + MARGIN > stay:
            return Change()
        if total > MARGIN:
            change = self._revise(t, RECENT, total)
            if change.steps:
                return change
        return Change(steps=self._commit(t, best, traces))

    def _revise(self, t: float, depths: Iterable[int], bound: float) -> Change[S, A]:
        """Explain the traces of the last few actions anew, if that costs less than they did plus `bound`."""
        waiting = list(self.evidence.traces)
        for back in depths:
            if back > len(self.steps) - self._floor:
                break
            taken_back = self.steps[-back:]
            traces = [noted for step in taken_back for noted in step.used] + waiting
            told = [step.action for step in taken_back]
            best, total = self._search(taken_back[0].before, traces, told)
            if not best.actions or self._mismatch(best.state):
                continue
            if total + MARGIN > bound + sum(step.cost for step in taken_back):
                continue
            kept = 0
            for step, (action, *_) in zip(taken_back, best.actions, strict=False):
                if step.action != action:
                    break
                kept += 1
            del self.steps[-back:]
            self.state = taken_back[0].before
            steps = self._commit(t, best, traces)
            return Change(tuple(reversed(taken_back[kept:])), steps[kept:])
        return Change()

    def _commit(self, t: float, path: _Path[S, A], traces: list[Noted]) -> tuple[Step[S, A], ...]:
        steps = []
        at = 0
        paid = 0.0
        for action, after, upto, cost in path.actions:
            step = Step(t, self.state, action, after, tuple(traces[at:upto]), cost - paid)
            at, paid = upto, cost
            self._believe(step)
            steps.append(step)
        self.evidence.traces[:] = traces[at:]
        return tuple(steps)

    def _believe(self, step: Step[S, A]) -> None:
        self.state = step.after
        self.steps.append(step)

    def _search(self, start: S, traces: Sequence[Noted], told: Collection[A] = ()) -> tuple[_Path[S, A], float]:
        """Best-first over legal actions; the cheapest way to explain the traces and what lies on the table.

        A claim is judged by what is known only before all other actions, where its doubts were weighed, or
        if it is among those that were `told` before.
        """
        order = counting()
        root: _Path[S, A] = _Path(start, 0, 0.0, ())
        best, best_total = root, self._mismatch(start) + self._ghosts(traces)
        queue: list[tuple[float, int, _Path[S, A]]] = [(best_total, next(order), root)]
        seen: dict[tuple[S, int], float] = {(start, 0): 0.0}
        for _ in range(SEARCH_LIMIT):
            if not queue:
                break
            total, _, path = heappop(queue)
            if path.cost > best_total:
                continue
            waiting = [noted.trace for noted in traces[path.at :]]
            for action in self.game.propose(path.state, self.evidence.zones, waiting):
                if (path.state, action) in self._undone:
                    continue
                if action not in told and self._by_belief(action) and self._guessed(path):
                    continue
                found = self._follow(path, action, traces)
                if found is None or seen.get((found.state, found.at), 1e9) <= found.cost:
                    continue
                seen[found.state, found.at] = found.cost
                total = found.cost + self._ghosts(traces[found.at :]) + self._mismatch(found.state)
                if total < best_total:
                    best, best_total = found, total
                heappush(queue, (total, next(order), found))
        return best, best_total

    def _follow(self, path: _Path[S, A], action: A, traces: Sequence[Noted]) -> _Path[S, A] | None:
        """The path one action further, its traces (in any order) found among those waiting; None if illegal."""
        try:
            after = self.game.apply(path.state, action)
        except IllegalError:
            return None
        at, cost = path.at, path.cost
        used: set[int] = set()
        for wanted in self.game.traces(path.state, action):
            places = (
                n for n in range(path.at, len(traces)) if n not in used and _same(wanted, traces[n].trace)
            )
            place = next(places, None)
            if place is None:
                cost += TRACE_COSTS[wanted[0]].missed
            else:
                used.add(place)
        if used:
            at = max(used) + 1
            cost += self._ghosts(traces[n] for n in range(path.at, at) if n not in used)
        return _Path(after, at, cost, (*path.actions, (action, after, at, cost)))

    def _by_belief(self, action: A) -> bool:
        claim = self.game.claim_of(action)
        return claim is not None and claim[1] is None

    def _guessed(self, path: _Path[S, A]) -> bool:
        return any(self.game.claim_of(action) is None for action, *_ in path.actions)

    def _ghosts(self, traces: Iterable[Noted]) -> float:
        return sum(TRACE_COSTS[noted.trace[0]].ghost for noted in traces)

    def _mismatch(self, state: S) -> float:
        """Cost of everything that lies otherwise than the state says, in nats; 0 when all agrees."""
        expected = self.game.expected_view(state)
        zones, cost = self.evidence.zones, 0.0
        for zone, kinds in expected.zones.items():
            seen = zones.get(zone)
            if seen is not None and seen != kinds:
                cost += WRONG_CARD * _distance(seen, kinds)
        for zone, admitted in expected.tops.items():
            seen = zones.get(zone)
            if seen is not None and not _top_fits(seen, admitted):
                cost += WRONG_CARD
        for station, n in expected.counts.items():
            on_it = self.evidence.counts.get(station)
            if on_it is not None:
                cost += WRONG_COUNT * abs(on_it - n)
        return cost


def _same(wanted: Trace, seen: Trace) -> bool:
    return wanted == seen or (wanted[2] == ANY_KINDS and wanted[:2] == seen[:2])


def _top_fits(seen: tuple[str, ...], admitted: frozenset[str]) -> bool:
    return not admitted.isdisjoint(seen) if admitted else not seen


def _distance(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Cards to add or take away to turn one heap into the other."""
    a: Counter[Any] = Counter(one)
    b = Counter(other)
    return (a - b).total() + (b - a).total()
