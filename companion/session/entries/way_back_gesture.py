"""The gesture that declares the table right: a token laid down."""

from collections.abc import Sequence
from typing import Any

from companion.fusion.tracker import Tracker
from companion.sensing.observation import Count, ManualEntry, Observation, Sighting, Touch

GESTURE_S = 3.0
"""Time (s) for which the token lies undisturbed. A guess."""


class WayBackGesture:
    """A watch for the token that declares the table right.

    `where`: zone and token of `Words.way_back`.
    """

    def __init__(self, where: tuple[str, str]) -> None:
        self._zone, self._token = where
        self._since: float | None = None
        """Time (s) since when the token lies undisturbed. None once the gesture has counted."""

    def made(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> bool:
        """True if people declare the table right at `t` (s).

        Only while the game is lost, and once for each laying of the token.
        """
        if self._token not in tracker.sensed.zones.get(self._zone, ()):
            self._since = t  # the next batch is the earliest that can show the token
            return False
        if any(isinstance(seen, Sighting | Count | Touch | ManualEntry) for seen in observations):
            self._since = None if self._since is None else t
        if self._since is None or t - self._since < GESTURE_S or not tracker.lost(t):
            return False
        self._since = None
        return True
