"""What players say and ask at the table, and the game so far as hints need it."""

from collections.abc import Iterable
from typing import Any

from companion.games.engine import TableGame
from companion.journal import Line, Observed, Opened, Recorded
from companion.observation import Button, ManualEntry

FELT = "felt"
"""The manual entry by which a player tells what a mattress felt or looked like: `bed` and `smooth` of Felt."""


class TableTalk:
    """Hears every line of a game's journal and keeps those that hints are made from; sensors' are left out."""

    def __init__(self, game: TableGame[Any, Any], opened: Opened, state: Any) -> None:
        self.asked = False
        """True once somebody pressed a button that means nothing to the game: a hint is wanted at the table."""
        self._game = game
        self._opened = opened
        self._state = state
        self._lines: list[Any] = []

    @property
    def recorded(self) -> Recorded:
        """Actions and what players said, as the journal tells them."""
        return Recorded(self._opened, tuple(self._lines))

    def hear(self, lines: Iterable[Line], state: Any) -> None:
        """Lines that belong together, and the state they led to."""
        for line in lines:
            if isinstance(line, Observed):
                self.asked |= any(isinstance(seen, Button) and self._means_nothing(seen) for seen in line.o)
                said = tuple(seen for seen in line.o if isinstance(seen, ManualEntry) and seen.what == FELT)
                if said:
                    self._lines.append(Observed(line.t, said))
            elif not isinstance(line, Opened):
                self._lines.append(line)
        self._state = state

    def _means_nothing(self, press: Button) -> bool:
        return self._game.no_news(self._state, ("press", press.station, ()))
