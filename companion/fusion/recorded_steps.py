"""Published steps of a journal; searches are bound to them while it is read back."""

from collections.abc import Collection, Iterable
from typing import Generic

from companion.games.rules import A, S


class RecordedSteps(Generic[S, A]):
    """The steps of a journal, (state before, action) each, that searches follow while it is read back.

    A search that follows them tries no other action, and the publisher publishes each when the journal did.
    That takes a tenth of the time. Hypotheses of another hidden layout follow the same actions; new ones are
    not found. Searches are free before `follow` and after `leave`.
    """

    def __init__(self) -> None:
        self._actions: dict[S, set[A]] = {}
        """State -> the actions that were published after it; empty if searches are free."""
        self._all: set[A] = set()
        """All published actions."""
        self._published: set[tuple[S, A]] = set()
        """The steps that were published so far."""

    @property
    def followed(self) -> bool:
        """True if searches follow these steps."""
        return bool(self._actions)

    def follow(self, steps: Iterable[tuple[S, A]], last: Iterable[S]) -> None:
        """Bind searches to these steps. `last`: states after which nothing may have been published."""
        self._actions.update((state, set()) for state in last)
        for before, action in steps:
            self._actions.setdefault(before, set()).add(action)
            self._all.add(action)

    def publish(self, steps: Iterable[tuple[S, A]]) -> None:
        """Note steps that the journal publishes with the next batch of observations."""
        self._published.update(steps)

    def leave(self) -> None:
        """Let searches try every action from now on."""
        self._actions.clear()
        self._all.clear()
        self._published.clear()

    def after(self, state: S) -> Collection[A]:
        """The actions that were published after a state; all of them after a state that never was published."""
        return self._actions.get(state, self._all)

    def is_published(self, before: S, action: A) -> bool:
        """True if the journal has published a step by now."""
        return (before, action) in self._published
