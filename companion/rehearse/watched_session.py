"""A session that is rehearsed: told what to see, its verdicts noted, the cost of every batch measured."""

import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.core.clock import Clock
from companion.fusion.hypothesis import Step
from companion.games.api import AskableFact, TableGame
from companion.sensing.observation import Observation
from companion.session.events import Answer, Claimed, Event, Said
from companion.session.journal import Journal, Line
from companion.session.session import Session
from companion.virtual.prompts import Screen

ANSWER_S = (2.0, 5.0)
"""How long people take to read a question, agree, and press a key."""


class Witness(NamedTuple):
    """Somebody at the table who saw all of it: every deed so far, and chance for how long they think."""

    deeds: Callable[[], Container[AskableFact]]
    chance: Random


class Pauses:
    """How long people have waited for the companion, and when: all that was to come comes later. In seconds."""

    def __init__(self) -> None:
        self.total = 0.0
        self._ends: list[tuple[float, float]] = []

    def add(self, at: float, seconds: float) -> None:
        """They wait after what was to happen at this time."""
        self.total += seconds
        self._ends.append((at, self.total))

    def after(self, at: float) -> float:
        """When that happens which was to happen at this time."""
        return at + max((total for since, total in self._ends if since < at), default=0.0)

    def done(self, deeds: Iterable[tuple[float, AskableFact]], now: float) -> set[AskableFact]:
        """Of deeds and when each was to happen, those that have happened by now (s)."""
        return {fact for at, fact in deeds if at + self.total <= now}


class WatchedSession(Session):
    """A session without screens. `verdicts` are those it gave, each with its time (s).

    `batch_ms` is the time of this thread's processor (ms) for each batch that brought anything: the tracker,
    and the little that the session adds.
    """

    def __init__(
        self,
        game: TableGame[Any, Any],
        variant: str,
        players: int,
        *,
        clock: Clock,
        journal: Journal | None = None,
        witness: Witness | None = None,
        screen: Screen | None = None,
        before: "WatchedSession | None" = None,
        recorded: Sequence[Line] | None = None,
    ) -> None:
        """`witness` answers what is asked; without one nobody does. `screen` is what they
        look at.

        A session that was started again has what was noted `before`, and the game from its `recorded` lines.
        """
        self._witness: Witness | None = witness if before is None else before._witness
        self._answer_at: float | None = None
        self._screen = screen
        self.verdicts: list[tuple[float, Claimed]] = [] if before is None else before.verdicts
        self.batch_ms: list[float] = [] if before is None else before.batch_ms
        self.answered: int = 0 if before is None else before.answered
        """Questions that got an answer."""
        self.repairs: int = 0 if before is None else before.repairs
        """Sentences that put right what was said before."""
        self._steps: list[Step[Any, Any]] = []
        self._first: dict[tuple[Any, int], float] = {} if before is None else before._first
        """When an action was told first (s), by the action and how many of its like were told before it."""
        super().__init__(
            game, variant, players, clock=clock, publish=self._hear, journal=journal, recorded=recorded
        )
        if before is not None:
            self.keys_pressed += before.keys_pressed
            self.questions[:0] = before.questions

    def close(self) -> Path:
        """Let the journal go, as the kernel does when a process is killed; its path."""
        assert self._journal is not None
        self._journal.close()
        return self._journal.path

    def take(self, t: float, observations: Sequence[Observation]) -> None:
        """As ever, with a stop watch."""
        begun = time.thread_time()
        super().take(t, observations)
        if self._remembering:
            return
        if observations:
            self.batch_ms.append(1000 * (time.thread_time() - begun))
        steps = self.tracker.steps
        if len(steps) != len(self._steps) or any(a is not b for a, b in zip(steps, self._steps, strict=True)):
            self._steps = list(steps)
            for key in self._numbered():
                self._first.setdefault(key, t)
        self._have_answered(t)

    def _have_answered(self, t: float) -> None:
        asked = self.tracker.asked
        if asked is None or self._witness is None:
            self._answer_at = None
        elif self._answer_at is None:
            self._answer_at = t + self._witness.chance.uniform(*ANSWER_S)
        elif t >= self._answer_at:
            self._answer_at = None
            yes = asked.fact in self._witness.deeds()
            self.answered += 1
            self.step([], [Answer(asked.fact.id, yes)])

    @property
    def told(self) -> list[tuple[Any, float]]:
        """The actions that are told at last, and when each was told first (s): an action that finds another
        explanation later was told all the same."""
        return [(key[0], self._first[key]) for key in self._numbered()]

    def _numbered(self) -> Iterator[tuple[Any, int]]:
        alike: Counter[Any] = Counter()
        for step in self._steps:
            yield step.action, alike[step.action]
            alike[step.action] += 1

    def _hear(self, event: Event) -> None:
        if self._screen is not None:
            self._screen.take(event)
        if isinstance(event, Claimed):
            self.verdicts.append((self.now(), event))
        elif isinstance(event, Said):
            self.repairs += event.kind == "repair"


class Told:
    """A source whose observations are put into its mouth."""

    def __init__(self) -> None:
        self.finished = False
        self.waiting: list[Observation] = []

    def poll(self) -> list[Observation]:
        """What it was told since."""
        told, self.waiting = self.waiting, []
        return told

    def close(self) -> None:
        """Nothing to let go."""
