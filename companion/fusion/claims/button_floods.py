"""Button floods: presses at several places in a row, which are no claims until cards are turned up there."""

from collections.abc import Collection, Iterable
from math import inf
from typing import Any, Self

from companion.fusion.parameters.people import PEOPLE
from companion.games.signs import Verb
from companion.games.table_game import TableGame
from companion.sensing.observation import Button, ManualEntry, Observation


class ButtonFloods:
    """Knows which presses belong to a flood. `places`: those whose buttons count."""

    def __init__(self, places: Collection[str] = ()) -> None:
        self.found: list[tuple[float, float, frozenset[str]]] = []
        """Of each flood its first and last press (s), and its places; the oldest first."""
        self._places = places
        self._lately: list[tuple[float, str]] = []
        """The presses of the last 2 `PEOPLE.flood_s`: time (s) and place."""

    @classmethod
    def of(cls, game: TableGame[Any, Any], variant: str) -> Self:
        """Those of a game. What lies open may be claimed at several places in a row."""
        pressed = (place for verb, place in game.watched(variant) if verb == Verb.PRESS)
        return cls(frozenset(() if game.realms else pressed))

    def hear(self, observations: Iterable[Observation]) -> None:
        """Take the presses of a batch, by button or key."""
        for seen in observations:
            match seen:
                case Button(t, place) | ManualEntry(t, "claim", {"station": str(place)}) if (
                    place in self._places
                ):
                    self._press(t, place)

    def includes(self, t: float) -> bool:
        """Whether a press at `t` (s) belongs to a flood."""
        return any(first <= t <= last for first, last, _ in self.found)

    def may_include(self, t: float, place: str, now: float) -> bool:
        """Whether a press at `t` (s) belongs to a flood, or the next press after `now` (s) may make it one:
        another button was pressed shortly before it or after it."""
        others = [at for at, other in self._lately if other != place and abs(at - t) <= PEOPLE.flood_s]
        return self.includes(t) or now <= min(t, max(others, default=-inf)) + PEOPLE.flood_s

    def _press(self, t: float, place: str) -> None:
        self._lately = [
            one for one in self._lately[1 - PEOPLE.presses_kept :] if t - one[0] <= 2 * PEOPLE.flood_s
        ]
        self._lately.append((t, place))
        there = [(at, other) for at, other in self._lately if t - at <= PEOPLE.flood_s]
        places = frozenset(other for _, other in there)
        if len(places) < PEOPLE.flood_places:
            return
        first = min(at for at, _ in there)
        if self.found and first <= self.found[-1][1]:
            first, _, before = self.found.pop()
            places |= before
        self.found.append((first, t, places))
