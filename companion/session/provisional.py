"""Messages of steps that may still be revised: shown as provisional, said once they are firm."""

from collections.abc import Iterable
from typing import NamedTuple

from companion.games.api import Message

FIRM_S = 8.0
"""Time (s) after a step at which it is firm. It does not count from when the step was published, which may
depend on hidden cards. Of 68 revisions in 16 games at home 67 came within 7.1 s of that."""


class Pending(NamedTuple):
    """A message, and the time of its step (s)."""

    at: float
    message: Message


class ProvisionalMessages:
    """The messages that are not firm yet, oldest first."""

    def __init__(self) -> None:
        self._pending: list[Pending] = []

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences, oldest first."""
        return tuple(one.message.text for one in self._pending)

    def add(self, at: float, message: Message) -> None:
        """A step of time `at` (s) was published."""
        self._pending.append(Pending(at, message))

    def withdraw(self, messages: Iterable[Message | None]) -> list[Pending]:
        """Take back the newest of these messages that are not firm, without a word."""
        withdrawn = []
        for message in messages:
            found = next((one for one in reversed(self._pending) if one.message == message), None)
            if found is not None:
                self._pending.remove(found)
                withdrawn.append(found)
        return withdrawn

    def firm(self, t: float) -> list[Pending]:
        """Remove and return what is firm at `t` (s). A message waits for those before it."""
        count = 0
        while count < len(self._pending) and t - self._pending[count].at >= FIRM_S:
            count += 1
        return self._cut(count)

    def all(self) -> list[Pending]:
        """Remove and return everything: nothing of it is revised any more, or only aloud."""
        return self._cut(len(self._pending))

    def _cut(self, count: int) -> list[Pending]:
        gone, self._pending[:count] = self._pending[:count], []
        return gone
