"""What players say and ask at the table, and the game so far as hints need it."""

from collections.abc import Iterable
from typing import Any

from companion.games.engine import TableGame
from companion.journal import Line, Noticed, Observed, Opened, Recorded
from companion.observation import Button, ManualEntry, Observation, Sighting

FELT = "felt"
"""The manual entry by which a player tells what a mattress felt or looked like: `bed` and `smooth` of Felt."""
GESTURE = ("pad", "G")
"""A card of the catalogue laid on a place where the game never wants it: the looking glass on the pad."""


class TableTalk:
    """Hears every line of a game's journal and keeps those that hints are made from: of what sensors tell only
    what was turned up on a bed, for all to see."""

    def __init__(self, game: TableGame[Any, Any], opened: Opened, state: Any) -> None:
        self.asked = False
        """True once somebody made the gesture or pressed a button that means nothing to the game: a hint is
        wanted at the table."""
        self._laid = False
        self._game = game
        self._opened = opened
        self._state = state
        self._lines: list[Any] = []

    @property
    def recorded(self) -> Recorded:
        """Actions, what players said and what they turned up, as the journal tells them."""
        return Recorded(self._opened, tuple(self._lines))

    def hear(self, lines: Iterable[Line], state: Any) -> None:
        """Lines that belong together, and the state they led to."""
        for line in lines:
            if isinstance(line, Observed):
                for seen in line.o:
                    self.asked |= self._asks(seen)
                kept = tuple(seen for seen in line.o if self._is_public(seen))
                if kept:
                    self._lines.append(Observed(line.t, kept))
            elif not isinstance(line, Opened | Noticed):
                self._lines.append(line)
        self._state = state

    def _is_public(self, seen: Observation) -> bool:
        match seen:
            case ManualEntry(what=what):
                return what == FELT
            case Sighting(zone=zone, cards=cards):
                return bool(cards) and self._game.place_of_claim(self._state, zone) is not None
        return False

    def _asks(self, seen: Observation) -> bool:
        match seen:
            case Button():
                return self._game.no_news(self._state, ("press", seen.station, ()))
            case Sighting() if seen.zone == GESTURE[0]:
                before, self._laid = self._laid, any(card.card == GESTURE[1] for card in seen.cards)
                return self._laid and not before
        return False
