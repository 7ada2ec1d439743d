"""A hypothesis: a chain of actions that explains everything sensed so far, and its cost in nats."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import takewhile
from typing import Generic

import msgspec
from msgspec.structs import replace

from companion.fusion.detections import Detection
from companion.games.rules import A, S


# Structs: a search makes many thousands a second, and a frozen dataclass takes ten times as long to make.
class Step(msgspec.Struct, Generic[S, A], frozen=True, eq=False):
    """One action of a hypothesis: time (s), states before and after, the detections it explains, cost
    (nats)."""

    t: float
    before: S
    action: A
    after: S
    used: tuple[Detection, ...] = ()
    cost: float = 0.0


class Hypothesis(msgspec.Struct, Generic[S, A], frozen=True, eq=False):
    """A state, the step that led there, and the hypothesis before that step; the root has neither."""

    state: S
    cost: float = 0.0
    """Cost (nats) of every step and of the clutter that was settled on the way."""
    uncaused_cost: float = 0.0
    """The part of `cost` (nats) that belongs to no step: settled clutter and contradictions."""
    used: frozenset[int] = frozenset()
    """Numbers of the open detections that a step of this chain explains."""
    at: float = float("-inf")
    """Earliest time (s) of the last sign of the newest action that left any."""
    step: Step[S, A] | None = None
    parent: "Hypothesis[S, A] | None" = None
    depth: int = 0
    """Steps from the root."""
    arrived: tuple[tuple[str, float], ...] = ()
    """The places to which a card was moved, each with when (s) one came last, unless that one has gone on."""
    merged: "list[tuple[float, Hypothesis[S, A]]]" = msgspec.field(default_factory=list)
    """Other chains that led to the same state and left the same detections open, and by how much (nats) they
    cost more. They are no hypotheses of their own, until players say that this one is not what was done."""

    def charged(self, cost: float) -> "Hypothesis[S, A]":
        """The same hypothesis with an additional `cost` (nats), for something that no step explains."""
        return replace(self, cost=self.cost + cost, uncaused_cost=self.uncaused_cost + cost) if cost else self

    def back(self) -> "Iterator[Hypothesis[S, A]]":
        """This hypothesis and those before it, newest first, the root left out."""
        hypothesis: Hypothesis[S, A] | None = self
        while hypothesis is not None and hypothesis.step is not None:
            yield hypothesis
            hypothesis = hypothesis.parent

    def steps(self) -> Iterator[Step[S, A]]:
        """The steps of this chain, newest first."""
        return (one.step for one in self.back() if one.step is not None)

    def otherwise(self, most: int) -> "Iterator[tuple[float, Hypothesis[S, A]]]":
        """At most so many hypotheses for the same state by chains that were merged with this one, and by how
        much (nats) each costs more; the cheapest first."""
        ways: list[tuple[float, int, Hypothesis[S, A], Hypothesis[S, A], Hypothesis[S, A]]] = []
        more, hypothesis, number = 0.0, self, 0
        for _ in range(most):
            for node in hypothesis.back():
                for extra, other in node.merged:
                    number += 1
                    heappush(ways, (more + extra, number, hypothesis, node, other))
            if not ways:
                return
            more, _, above, node, other = heappop(ways)
            hypothesis = above.grafted(node, other, self.cost + more - above.cost)
            yield more, hypothesis

    def grafted(self, node: "Hypothesis[S, A]", other: "Hypothesis[S, A]", extra: float) -> "Hypothesis[S, A]":
        """This hypothesis with another chain up to one of its nodes, which costs more by `extra` (nats)."""
        grown = other.charged(node.cost + extra - other.cost)
        uncaused_cost, depth = grown.uncaused_cost - node.uncaused_cost, grown.depth - node.depth
        for one in reversed([*takewhile(lambda one: one is not node, self.back())]):
            grown = replace(
                one,
                cost=one.cost + extra,
                uncaused_cost=one.uncaused_cost + uncaused_cost,
                used=(one.used - node.used) | other.used,
                parent=grown,
                depth=one.depth + depth,
            )
        return grown

    def taken_from(self, parent: "Hypothesis[S, A]", before: S, after: S) -> "Hypothesis[S, A]":
        """The last step of this one, explaining the same detections, taken from another hypothesis instead."""
        step = self.step
        if step is None:
            return parent
        return replace(
            self,
            state=after,
            cost=parent.cost + step.cost,
            uncaused_cost=parent.uncaused_cost,
            used=parent.used.union(detection.id for detection in step.used),
            step=replace(step, before=before, after=after),
            parent=parent,
            depth=parent.depth + 1,
            merged=[],
        )

    def holds(self, step: Step[S, A], depth: int) -> bool:
        """Whether this chain has that action as its step number `depth`, whatever detections it rests on."""
        for hypothesis in self.back():
            if hypothesis.depth <= depth:
                return hypothesis.depth == depth and alike(hypothesis.step, step)
        return False


def alike(one: Step[S, A] | None, other: Step[S, A]) -> bool:
    """Whether two steps are the same action with the same result, whatever detections they rest on."""
    return one is other or (one is not None and one.action == other.action and one.after == other.after)
