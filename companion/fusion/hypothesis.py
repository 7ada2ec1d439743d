"""A hypothesis: a chain of actions that explains everything sensed so far, and its cost in nats."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from companion.fusion.detections import Detection

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, eq=False)
class Step(Generic[S, A]):
    """One action of a hypothesis: time (s), states before and after, the detections it explains, cost
    (nats)."""

    t: float
    before: S
    action: A
    after: S
    used: tuple[Detection, ...] = ()
    cost: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis(Generic[S, A]):
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

    def charged(self, cost: float) -> "Hypothesis[S, A]":
        """The same hypothesis with an additional `cost` (nats), for something that no step explains."""
        return replace(self, cost=self.cost + cost, uncaused_cost=self.uncaused_cost + cost) if cost else self

    def back(self) -> "Iterator[Hypothesis[S, A]]":
        """This hypothesis and those before it, newest first, the root left out."""
        hypothesis: Hypothesis[S, A] | None = self
        while hypothesis is not None and hypothesis.step is not None:
            yield hypothesis
            hypothesis = hypothesis.parent

    def holds(self, step: Step[S, A], depth: int) -> bool:
        """Whether this chain has that action as its step number `depth`, whatever detections it rests on."""
        for hypothesis in self.back():
            if hypothesis.depth <= depth:
                return hypothesis.depth == depth and alike(hypothesis.step, step)
        return False


def alike(one: Step[S, A] | None, other: Step[S, A]) -> bool:
    """Whether two steps are the same action with the same result, whatever detections they rest on."""
    return one is other or (one is not None and one.action == other.action and one.after == other.after)
