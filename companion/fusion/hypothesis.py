"""One way in which everything seen so far may have come about: a chain of believed actions and its cost."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from companion.fusion.detections import Noted

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, eq=False)
class Step(Generic[S, A]):
    """One believed action: when, the states around it, the traces it used up, and its cost in nats."""

    t: float
    before: S
    action: A
    after: S
    used: tuple[Noted, ...] = ()
    cost: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis(Generic[S, A]):
    """A state, the step that led there, and the hypothesis before that step; the root has neither."""

    state: S
    cost: float = 0.0
    """Nats of all that was missed or made up on the way here, and of what passed without a cause."""
    paid: float = 0.0
    """The part of `cost` that no step caused."""
    used: frozenset[int] = frozenset()
    """Numbers of the waiting traces that have found their cause here."""
    at: float = float("-inf")
    """When the last sign of the last action that left any was made, at the earliest, in seconds."""
    step: Step[S, A] | None = None
    parent: "Hypothesis[S, A] | None" = None
    depth: int = 0
    """Steps from the root."""

    def charged(self, price: float) -> "Hypothesis[S, A]":
        """The same, after something without a cause."""
        return replace(self, cost=self.cost + price, paid=self.paid + price) if price else self

    def back(self) -> "Iterator[Hypothesis[S, A]]":
        """This hypothesis and those before it, newest first, the root left out."""
        node: Hypothesis[S, A] | None = self
        while node is not None and node.step is not None:
            yield node
            node = node.parent

    def holds(self, step: Step[S, A], depth: int) -> bool:
        """Whether that step is part of this chain, as its step number `depth`, for whatever reasons."""
        for node in self.back():
            if node.depth <= depth:
                return node.depth == depth and alike(node.step, step)
        return False


def alike(one: Step[S, A] | None, other: Step[S, A]) -> bool:
    """Whether a step is the same action with the same end, for the same reasons or others."""
    return one is other or (one is not None and one.action == other.action and one.after == other.after)
