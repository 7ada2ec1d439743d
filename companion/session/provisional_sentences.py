"""Sentences about actions that may still be revised, announced later."""

from collections.abc import Iterable
from typing import NamedTuple

from companion.games.narrator import Message

FIRM_S = 8.0
"""Age (s) from which a believed action counts as firm (measured).

Of 68 revisions in 16 games at home, 67 came within 7.1 s. The age counts from the action, not from its
publication, whose time may depend on hidden cards.
"""


class Pending(NamedTuple):
    """The sentence (`message`) about an action at time `at` (s) that may still be revised."""

    at: float
    message: Message


class ProvisionalMessages:
    """Sentences about actions that may still be revised, kept until these are firm.

    The oldest sentence comes first.
    """

    def __init__(self) -> None:
        self._pending: list[Pending] = []

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences that wait until their actions are firm, oldest first."""
        return tuple(one.message.text for one in self._pending)

    def add(self, at: float, message: Message) -> None:
        """Add the sentence about an action at time `at` (s)."""
        self._pending.append(Pending(at, message))

    def withdraw(self, messages: Iterable[Message | None]) -> list[Pending]:
        """Remove and return waiting sentences whose actions were revoked.

        None are announced. `messages`: the revoked ones; None stands for an action without a sentence. Of
        equal waiting sentences the newest is removed.
        """
        withdrawn = []
        for message in messages:
            found = next((one for one in reversed(self._pending) if one.message == message), None)
            if found is not None:
                self._pending.remove(found)
                withdrawn.append(found)
        return withdrawn

    def firm(self, t: float) -> list[Pending]:
        """Remove and return the sentences whose actions are at least FIRM_S old at `t` (s), oldest first.

        A sentence never overtakes an older one.
        """
        count = 0
        while count < len(self._pending) and t - self._pending[count].at >= FIRM_S:
            count += 1
        return self._cut(count)

    def all(self) -> list[Pending]:
        """Remove and return all waiting sentences, oldest first."""
        return self._cut(len(self._pending))

    def _cut(self, count: int) -> list[Pending]:
        gone, self._pending[:count] = self._pending[:count], []
        return gone
