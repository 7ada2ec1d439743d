"""The gesture that declares the table right without a key: a token is laid where the game says."""

from collections.abc import Sequence
from typing import Any

from companion.fusion.tracker import Tracker
from companion.sensing.observation import Count, ManualEntry, Observation, Sighting, Touch

GESTURE_S = 3.0
"""GESTURE_S: time (s) for which the token must lie while nothing is moved. A guess."""


class WayBackGesture:
    """A watch for the token that declares the table right. `where`: zone and token of `Words.way_back`."""

    def __init__(self, where: tuple[str, str]) -> None:
        self._zone, self._token = where
        self._since: float | None = None
        """Time (s) since when the token lies and nothing is moved; None once the gesture has counted."""

    def made(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> bool:
        """True if people declare the table right at `t` (s) while the game is lost; once for each laying of
        the token."""
        if self._token not in tracker.sensed.zones.get(self._zone, ()):
            self._since = t  # the next batch is the earliest that can show the token
            return False
        if any(isinstance(seen, Sighting | Count | Touch | ManualEntry) for seen in observations):
            self._since = None if self._since is None else t
        if self._since is None or t - self._since < GESTURE_S or not tracker.lost(t):
            return False
        self._since = None
        return True
