"""The next game: notices that the table of a scored game is cleared, and keeps what is laid out there anew."""

from collections import deque
from collections.abc import Collection, Iterable
from math import inf

from companion.fusion.detections import SensedTable
from companion.sensing.observation import Count, Health, ManualEntry, Observation, Sighting

CLEAR_S = 1.0
"""CLEAR_S: a table that is bare for this long (s) was cleared for a new game."""
BARE = 2
"""Places bared after the score from which on the table is being cleared. One alone may be a play swept late."""
MOST_KEPT = 4000
"""Most observations that are kept: about ten deals."""


class NextGame:
    """Watches a table since its game was scored.

    The table is cleared when every place that carried something then has been bare once, in any order: a quick
    family lays out the next game on the places that are free already.
    """

    def __init__(self, sensed: SensedTable, places: Collection[str], lying: Iterable[Sighting]) -> None:
        """`places`: where cards of the game lie. `lying`: what lies elsewhere, and stays for the next game."""
        self._left = {place for place in places if _carries(sensed, place)}
        """Places that have not been bare yet."""
        self._places = frozenset(places)
        self._most = len(self._left)
        there = (one for one in lying if one.zone not in self._places)
        self._kept: deque[Observation] = deque(there, maxlen=MOST_KEPT)
        self._bare_since = inf

    @property
    def begun(self) -> bool:
        """Whether somebody has begun to clear the table."""
        return self._most - len(self._left) >= min(BARE, max(1, self._most))

    def see(self, t: float, observations: Iterable[Observation], sensed: SensedTable) -> None:
        """Take a batch at `t` (s) that `sensed` has taken in already."""
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
            # Nothing of the next game lies there yet: what was done before belongs to the last one.
            latest = {_place(seen): seen for seen in self._kept if isinstance(seen, Sighting | Count)}
            self._kept = deque(sorted(latest.values(), key=lambda seen: seen.t), maxlen=MOST_KEPT)

    def laid_out(self, t: float, sensed: SensedTable) -> list[Observation] | None:
        """What was sensed of the next game by `t` (s), oldest first, once the table was cleared; else None."""
        if self._left or not self._most:
            return None
        laid = any(_carries(sensed, place) for place in self._places)
        return list(self._kept) if laid or t - self._bare_since >= CLEAR_S else None


def _place(seen: Observation) -> str:
    """The zone or the station of what lies somewhere; empty for anything else."""
    return seen.zone if isinstance(seen, Sighting) else seen.station if isinstance(seen, Count) else ""


def _carries(sensed: SensedTable, place: str) -> bool:
    return bool(sensed.counts.get(place) or sensed.zones.get(place) or sensed.unread.get(place))
