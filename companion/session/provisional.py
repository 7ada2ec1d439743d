"""Provisional messages of steps, announced once they are firm."""

from collections.abc import Iterable
from typing import NamedTuple

from companion.games.api import Message

FIRM_S = 8.0
"""Age (s) at which a step is firm (measured).

Of 68 revisions in 16 games at home, 67 came within 7.1 s. The age counts from the step, not from its
publication, which may depend on hidden cards.
"""


class Pending(NamedTuple):
    """A message that may still be revised.

    `at`: time (s) of its step.
    """

    at: float
    message: Message


class ProvisionalMessages:
    """The messages that may still be revised, oldest first."""

    def __init__(self) -> None:
        self._pending: list[Pending] = []

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences of all messages, oldest first."""
        return tuple(one.message.text for one in self._pending)

    def add(self, at: float, message: Message) -> None:
        """Add the message of a step of time `at` (s)."""
        self._pending.append(Pending(at, message))

    def withdraw(self, messages: Iterable[Message | None]) -> list[Pending]:
        """Remove revoked messages silently, and return them.

        Of equal messages the newest goes.
        """
        withdrawn = []
        for message in messages:
            found = next((one for one in reversed(self._pending) if one.message == message), None)
            if found is not None:
                self._pending.remove(found)
                withdrawn.append(found)
        return withdrawn

    def firm(self, t: float) -> list[Pending]:
        """Remove and return the messages that are firm at `t` (s).

        A message waits for those before it.
        """
        count = 0
        while count < len(self._pending) and t - self._pending[count].at >= FIRM_S:
            count += 1
        return self._cut(count)

    def all(self) -> list[Pending]:
        """Remove and return all messages, firm or not."""
        return self._cut(len(self._pending))

    def _cut(self, count: int) -> list[Pending]:
        gone, self._pending[:count] = self._pending[:count], []
        return gone
