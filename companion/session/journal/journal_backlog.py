"""Journal lines that wait for the disk.

A full disk stops no game, because refused lines wait in memory.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from companion.core.clock import Clock
from companion.core.errors import CompanionError, JournalError
from companion.core.language import text
from companion.games.table_game import TableGame
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import Line
from companion.session.stream.events import JOURNAL, SensorHealth

AGAIN_S = 2.0
"""Time (s) after which lines that the disk refused are written again. A guess."""


class JournalBacklog:
    """Queue of lines not yet in the journal's file.

    It is true (`bool`) while lines wait. `journal`: None for a replay, whose lines are dropped.
    """

    def __init__(self, journal: Journal | None, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._lines: list[Line] = []
        self._refused = False
        self._why = ""
        """Why the disk refused the last attempt."""
        self._again = 0.0

    def __bool__(self) -> bool:
        return bool(self._lines)

    @property
    def due(self) -> bool:
        """True if lines wait, and AGAIN_S have passed since the disk refused any."""
        return bool(self._lines) and self._clock.now() >= self._again

    @property
    def kept(self) -> bool:
        """True if a journal records the game; False for replays."""
        return self._journal is not None

    def add(self, lines: Sequence[Line]) -> None:
        """Add lines at the end of the queue."""
        if self._journal is not None:
            self._lines += lines

    def write(self) -> SensorHealth | None:
        """Write all waiting lines to the journal.

        Returns the journal's health when the disk first refuses, and when it works again; else None.
        """
        if self._journal is None or not self._lines:
            return None
        try:
            self._journal.write(self._lines)
        except JournalError as error:
            self._again = self._clock.now() + AGAIN_S
            self._why = error.what
            if self._refused:
                return None
            self._refused = True
            detail = text(
                "{why}: from here on nothing is kept. Play on; free some space on the disk", why=error.what
            )
            return SensorHealth(JOURNAL, False, detail)
        self._lines.clear()
        if not self._refused:
            return None
        self._refused = False
        return SensorHealth(JOURNAL, True)

    def what_is_lost(self, game: TableGame[Any, Any]) -> str:
        """Sentence for people: up to which turn `game` is on the disk, and why not further."""
        turn = 0
        if self._journal is not None:
            # Perhaps the disk refused even the first line.
            with suppress(CompanionError):
                recorded = read_journal(self._journal.path)
                state = fold(game, recorded.opened, recorded.lines).state
                turn = int(game.screen(state, "referee")["turn"])
        if not turn:
            return text("{Why}: no turn of this game is recorded.", why=self._why)
        return text(
            "{Why}: the game is recorded up to turn {turn}, the rest is lost.", why=self._why, turn=turn
        )
