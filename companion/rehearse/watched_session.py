"""Session under rehearsal: given observations go in, verdicts and computing times are recorded."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.core.clock import Clock
from companion.fusion.hypothesis import Step
from companion.games.hidden_cards import AskableFact, numbered
from companion.games.table_game import TableGame
from companion.sensing.observation import Observation
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import Line
from companion.session.session import Session
from companion.session.stream.commands import Answer
from companion.session.stream.events import Claimed, Event, Said
from companion.virtual.companion_requests import Screen

ANSWER_S = (2.0, 5.0)
"""Range of the time (s) from a question to the key that answers it. A guess."""


class Witness(NamedTuple):
    """Virtual player who saw everything and answers questions truly.

    `askable_facts` returns all facts that are true when it is called. `chance` draws how long the player
    thinks (ANSWER_S).
    """

    askable_facts: Callable[[], Container[AskableFact]]
    chance: Random


class Pauses:
    """Times in which people waited for the companion.

    A pause delays everything that is planned for later. `total`: sum of all pauses (s).
    """

    def __init__(self) -> None:
        self.total = 0.0
        self._ends: list[tuple[float, float]] = []

    def add(self, at: float, seconds: float) -> None:
        """Add a pause of `seconds`.

        `at`: planned time (s) of the pause. Everything planned for later than `at` is delayed. Call it in the
        order of `at`.
        """
        self.total += seconds
        self._ends.append((at, self.total))

    def after(self, at: float) -> float:
        """Actual time (s) of what was planned for `at` (s).

        It is `at` plus all pauses before it.
        """
        return at + max((total for since, total in self._ends if since < at), default=0.0)

    def done(self, askable_facts: Iterable[tuple[float, AskableFact]], now: float) -> set[AskableFact]:
        """Select the facts that are true by `now` (s).

        `askable_facts`: pairs (planned time in s, fact). Each time is delayed by the sum of all pauses. Facts
        that occur several times are numbered, see `numbered`.
        """
        return set(numbered(fact for at, fact in askable_facts if at + self.total <= now))


class WatchedSession(Session):
    """Session without screens that records verdicts, questions and computing times.

    `verdicts`: pairs (time in s, verdict). `batch_ms`: processor time (ms) for each batch of observations,
    mostly spent on following the game.
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
        buttons: Collection[str] = (),
        before: "WatchedSession | None" = None,
        recorded: Sequence[Line] | None = None,
    ) -> None:
        """`witness` answers questions (None: nobody does); `screen` is what people look at (None: nothing).

        `buttons`: stations whose claim button was set up. `journal`: None keeps no journal. A restarted
        session continues the records of `before`, and the game from the lines `recorded` in its journal.
        """
        self._witness: Witness | None = witness if before is None else before._witness
        self._answer_at: float | None = None
        self._asking = False
        """Whether the last span in `asked_spans` is a question that is still open."""
        self._screen = screen
        self.verdicts: list[tuple[float, Claimed]] = [] if before is None else before.verdicts
        self.batch_ms: list[float] = [] if before is None else before.batch_ms
        self.answered: int = 0 if before is None else before.answered
        """Number of questions that people answered."""
        self.retractions: int = 0 if before is None else before.retractions
        """Number of sentences in which the companion corrected an earlier sentence."""
        self.asked_spans: list[tuple[float, float]] = [] if before is None else before.asked_spans
        """Begin and end (s) of each question to people."""
        self._steps: list[Step[Any, Any]] = []
        self._first: dict[tuple[Any, int], float] = {} if before is None else before._first
        """(action, number of equal actions before it) -> time (s) when it was first published."""
        self._written = journal
        super().__init__(
            game,
            variant,
            players,
            clock=clock,
            publish=self._hear,
            journal=journal,
            buttons=buttons,
            recorded=recorded,
        )
        if before is not None:
            self.keys_pressed += before.keys_pressed
            self.questions[:0] = before.questions

    def close(self) -> Path:
        """Close the journal as if the program were killed, and return its path.

        The session must have a journal.
        """
        assert self._written is not None
        self._written.close()
        return self._written.path

    def take(self, t: float, observations: Sequence[Observation]) -> list[Line]:
        """Process observations of `t` (s); let people answer questions.

        An open question is answered after the witness's time to think (ANSWER_S). Without a witness nobody
        answers.
        """
        concluded = super().take(t, observations)
        if not self.screens.silent:
            self._have_answered(t)
        return concluded

    def _advance(self, t: float, observations: Sequence[Observation]) -> Sequence[Line]:
        begun = time.thread_time() if observations else 0.0
        concluded = super()._advance(t, observations)
        if self.screens.silent:
            return concluded
        if observations:
            self.batch_ms.append(1000 * (time.thread_time() - begun))
        steps = self.tracker.steps
        if len(steps) != len(self._steps) or any(a is not b for a, b in zip(steps, self._steps, strict=True)):
            self._steps = list(steps)
            for key in self._numbered():
                self._first.setdefault(key, t)
        return concluded

    def _have_answered(self, t: float) -> None:
        asked = self.tracker.asked
        if asked is not None:
            since = self.asked_spans.pop()[0] if self._asking else t
            self.asked_spans.append((since, t))
        self._asking = asked is not None
        if asked is None or self._witness is None:
            self._answer_at = None
        elif self._answer_at is None:
            self._answer_at = t + self._witness.chance.uniform(*ANSWER_S)
        elif t >= self._answer_at:
            self._answer_at = None
            yes = asked.fact in self._witness.askable_facts()
            self.answered += 1
            self.step([], [Answer(asked.fact.id, yes)])

    @property
    def told(self) -> list[tuple[Any, float]]:
        """Believed actions now, as pairs (action, time in s).

        The companion believes them. The time is that of the action's first publication, even if it was revoked
        meanwhile.
        """
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
            self.retractions += event.kind == "repair"


class Told:
    """Source of observations: those that the rehearsal puts into `waiting`."""

    def __init__(self) -> None:
        self.finished = False
        self.waiting: list[Observation] = []

    def poll(self) -> list[Observation]:
        """Return the observations in `waiting`, and empty it."""
        told, self.waiting = self.waiting, []
        return told

    def close(self) -> None:
        """Do nothing: the source has no device to close."""
