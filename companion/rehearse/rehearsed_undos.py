"""Undos at a rehearsed table: the companion takes a step back, and hands lay its cards back."""

from collections.abc import Sequence
from random import Random

from companion.session.session import Session
from companion.session.stream.commands import CardsLaidBack, Command, Undo
from companion.virtual.virtual_table import VirtualTable

UNDO_EVERY_S = (8.0, 60.0)
"""Range of the time (s) from one undo to the next. A guess."""


class LaidBackSteps:
    """Virtual person who presses undo at random times.

    An undo takes the last step of the game back. Then hands lay the step's cards back on `table`, and
    `session` is told when they begin and end. `most`: greatest number of undos. `chance` draws the times
    (UNDO_EVERY_S).
    """

    def __init__(self, most: int, session: Session, table: VirtualTable, chance: Random) -> None:
        self._left = most
        self._session, self._table, self._chance = session, table, chance
        self._at = chance.uniform(*UNDO_EVERY_S)
        self._laying = False
        self.taken_back = 0
        """Number of steps taken back so far."""
        self.laid_back = 0
        """Number of times so far that hands began to lay cards back."""

    def commands(self, now: float) -> Sequence[Command]:
        """Return the session's commands at `now` (s); often none.

        Call it in each round. An Undo is due at the drawn time, if the session has a step and no hands lay
        cards. After an undo comes CardsLaidBack: "begins" if hands lay cards, "ends" once they are done, or
        "never" if no card must move.
        """
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
