"""The gesture with a token on the mat: a lost companion goes on from the table as it lies."""

from collections.abc import Sequence
from typing import Any

from companion.fusion.tracker import Tracker
from companion.sensing.observation import Count, ManualEntry, Observation, Sighting, Touch

GESTURE_S = 3.0
"""Time (s) for which the token must lie on a quiet table. A guess."""


class WayBackGesture:
    """A watch for a token on the mat: a lost companion is to believe the table as it lies.

    `where`: (zone of the mat, kind of card that is the token).
    """

    def __init__(self, where: tuple[str, str]) -> None:
        self._zone, self._token = where
        self._since: float | None = None
        """Time (s) since when the token lies undisturbed. None once the gesture has counted."""

    def made(self, t: float, observations: Sequence[Observation], tracker: Tracker[Any, Any]) -> bool:
        """True if the token has lain for GESTURE_S on a quiet table at `t` (s), while the game is lost.

        True once each time that the token is laid down. `observations`: those of time `t`, already processed
        by `tracker`.
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
