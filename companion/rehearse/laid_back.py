"""Somebody at a rehearsed table takes steps back, and hands lay the cards back."""

from collections.abc import Sequence
from random import Random

from companion.session.session import Session
from companion.session.stream.commands import CardsLaidBack, Command, Undo
from companion.virtual.virtual_table import VirtualTable

UNDO_EVERY_S = (8.0, 60.0)
"""UNDO_EVERY_S: range of the time (s) from one undo to the next."""


class LaidBackSteps:
    """Takes a step back now and then, `most` times, and relays between session and table as its server does."""

    def __init__(self, most: int, session: Session, table: VirtualTable, chance: Random) -> None:
        self._left = most
        self._session, self._table, self._chance = session, table, chance
        self._at = chance.uniform(*UNDO_EVERY_S)
        self._laying = False
        self.taken_back = 0
        """Number of steps taken back."""
        self.laid_back = 0
        """Number of times that cards were laid back."""

    def commands(self, now: float) -> Sequence[Command]:
        """What is pressed at `now` (s), and what the table says of its cards."""
        commands: list[Command] = []
        if (undone := self._session.to_lay_back()) is not None:
            self.taken_back += 1
            begins = self._table.lay_back(*undone)
            self._laying |= begins
            self.laid_back += begins
            commands.append(CardsLaidBack("begins" if self._laying else "never"))
        elif self._laying and not self._table.laying_back:
            self._laying = False
            commands.append(CardsLaidBack("ends"))
        elif self._left and now >= self._at and not self._laying and self._session.tracker.steps:
            self._left -= 1
            self._at = now + self._chance.uniform(*UNDO_EVERY_S)
            verdict = self._session.table.verdict
            commands.append(Undo("" if verdict is None else verdict.id))
        return commands
