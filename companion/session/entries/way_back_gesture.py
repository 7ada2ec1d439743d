"""The gesture that says without a key that the table is right: a token laid where a game's words say."""

from collections.abc import Sequence
from typing import Any

from companion.fusion.tracker import Tracker
from companion.sensing.observation import Count, ManualEntry, Observation, Sighting, Touch

GESTURE_S = 3.0
"""GESTURE_S: time (s) for which the token lies there, while nothing is moved."""


class WayBackGesture:
    """Watches for the token. `where` is the zone and the token of `Words.way_back`."""

    def __init__(self, where: tuple[str, str]) -> None:
        self._zone, self._token = where
        self._since: float | None = None
        """Since when (s) the token lies and nothing was moved; None once it counted."""

    def made(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> bool:
        """Whether people say at `t` (s) that the table is right, while the game is lost."""
        if self._token not in tracker.sensed.zones.get(self._zone, ()):
            self._since = t  # it is not laid down before the next batch
            return False
        if any(isinstance(seen, Sighting | Count | Touch | ManualEntry) for seen in observations):
            self._since = None if self._since is None else t
        if self._since is None or t - self._since < GESTURE_S or not tracker.lost(t):
            return False
        self._since = None
        return True
