"""A session that is rehearsed: told what to see, its verdicts noted, the cost of every batch measured."""

import time
from collections.abc import Sequence
from typing import Any

from companion.clock import Clock
from companion.events import Claimed, Event
from companion.games.engine import TableGame
from companion.journal import Journal
from companion.observation import Observation
from companion.session import Session


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
    ) -> None:
        self.verdicts: list[tuple[float, Claimed]] = []
        self.batch_ms: list[float] = []
        super().__init__(game, variant, players, clock=clock, publish=self._hear, journal=journal)

    def take(self, t: float, observations: Sequence[Observation]) -> None:
        """As ever, with a stop watch."""
        begun = time.thread_time()
        super().take(t, observations)
        if observations:
            self.batch_ms.append(1000 * (time.thread_time() - begun))

    def _hear(self, event: Event) -> None:
        if isinstance(event, Claimed):
            self.verdicts.append((self._clock.now(), event))


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
