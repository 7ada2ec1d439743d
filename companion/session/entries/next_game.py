"""The next game's first observations, while people clear the table."""

from collections import deque
from collections.abc import Collection, Iterable
from math import inf

from companion.fusion.detections import SensedTable
from companion.sensing.observation import Count, Health, ManualEntry, Observation, Sighting

CLEAR_S = 1.0
"""Time (s) for which a table must be bare to count as cleared. A guess."""
BARE = 2
"""Number of places bared since the score from which people count as clearing the table.

A single bare place may be the last play, swept late.
"""
MOST_KEPT = 4000
"""Most observations that are kept for the next game, about ten deals. A guess."""


class NextGame:
    """A watch over the table since its game was scored.

    It keeps the first observations of the next game. The table is cleared once every place that carried cards
    has been bare, in any order. Quick people lay out the next game on places that are bare already.
    """

    def __init__(self, sensed: SensedTable, places: Collection[str], lying: Iterable[Sighting]) -> None:
        """Begin the watch when the game is scored.

        `sensed`: the table at this moment. `places`: zones and stations that belong to the scored game.
        `lying`: last sighting of each zone; cards outside `places` are kept for the next game.
        """
        self._left = {place for place in places if _carries(sensed, place)}
        """Places that have not been bare yet."""
        self._places = frozenset(places)
        self._most = len(self._left)
        there = (one for one in lying if one.zone not in self._places)
        self._kept: deque[Observation] = deque(there, maxlen=MOST_KEPT)
        self._bare_since = inf

    @property
    def begun(self) -> bool:
        """True if people have begun to clear the table.

        BARE places must have been bare since the score, or all if fewer had cards.
        """
        return self._most - len(self._left) >= min(BARE, max(1, self._most))

    def see(self, t: float, observations: Iterable[Observation], sensed: SensedTable) -> None:
        """Process `observations` of time `t` (s).

        `sensed`: the table after them.
        """
        self._left = {place for place in self._left if _carries(sensed, place)}
        for seen in observations:
            place = _place(seen)
            old = place in self._left if place else not self.begun
            if not old and not isinstance(seen, ManualEntry | Health):
                self._kept.append(seen)
        if self._left or any(_carries(sensed, place) for place in self._places):
            self._bare_since = inf
        elif self._bare_since > t:
            self._bare_since = t
            # The table is bare, so earlier observations belong to the scored game: only the last ones count.
            latest = {_place(seen): seen for seen in self._kept if isinstance(seen, Sighting | Count)}
            self._kept = deque(sorted(latest.values(), key=lambda seen: seen.t), maxlen=MOST_KEPT)

    def laid_out(self, t: float, sensed: SensedTable) -> list[Observation] | None:
        """Return the next game's observations until `t` (s), oldest first; `sensed`: the table at `t`.

        None until the table is cleared: each place was bare, and all are bare for CLEAR_S or carry cards
        again.
        """
        if self._left or not self._most:
            return None
        laid = any(_carries(sensed, place) for place in self._places)
        return list(self._kept) if laid or t - self._bare_since >= CLEAR_S else None


def _place(seen: Observation) -> str:
    """Zone or station of observed cards; empty for other observations."""
    return seen.zone if isinstance(seen, Sighting) else seen.station if isinstance(seen, Count) else ""


def _carries(sensed: SensedTable, place: str) -> bool:
    return bool(sensed.counts.get(place) or sensed.zones.get(place) or sensed.unread.get(place))
