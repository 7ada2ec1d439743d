"""A scored game: its score, and the clearing of its table."""

from collections.abc import Sequence
from typing import Any

from companion.fusion.tracker import Tracker
from companion.games.table_game import TableGame
from companion.sensing.observation import Observation, Sighting
from companion.session.entries.next_game import NextGame
from companion.session.stream.events import Score

CLOSED_S = 30.0
"""Time (s) after a score at which it becomes final, if people do not clear the table before.

The last cards are turned up within 20 s (a guess). Later only a person changes the score, by a key.
"""


class ScoredGame:
    """The end of a game: its score, and a watch over the table until the next game begins.

    All times are session time (s), which leaves out breaks of the program.
    """

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self.score: Score | None = None
        """The score; None until the game is scored."""
        self.left = False
        """True if the players have left the game."""
        self.lying: dict[str, Sighting] = {}
        """Zone of the mat -> the last sighting of its cards."""
        self._game = game
        self._tracker = tracker
        self._scored_at = 0.0
        self._next: NextGame | None = None
        """Watch for the next game; None before the score."""

    def scored(self, t: float, score: Score) -> None:
        """Record the game's score, given at `t` (s)."""
        self.score, self._scored_at = score, t

    def leave(self) -> None:
        """Record that the players leave the game to others."""
        self.left = True

    def reopen(self) -> None:
        """Remove the score, because the game's end was revoked.

        The action that ended the game was undone or revised. Nothing happens if the players have left the
        game.
        """
        if not self.left:
            self.score = self._next = None

    def closed(self, t: float) -> bool:
        """True if the score is final at `t` (s), or if the players have left.

        Cards on the table then belong to the next game.
        """
        return self.left or (self._next is not None and (self._next.begun or t - self._scored_at >= CLOSED_S))

    def watch(self, t: float, observations: Sequence[Observation]) -> None:
        """Process `observations` of time `t` (s), to notice the clearing of the table.

        The tracker has processed them before. Before the score, only the last sighting of each zone is kept.
        """
        self.lying |= {seen.zone: seen for seen in observations if isinstance(seen, Sighting)}
        if self.score is None and not self.left:
            return
        state, sensed = self._tracker.state, self._tracker.sensed
        if self._next is None:
            view = self._game.expected_view(state)
            zones = [zone for zone in sensed.zones if self._game.subject_at(state, zone) is not None]
            places = {*view.zones, *view.tops, *view.face_down, *sensed.counts, *zones}
            self._next, self._scored_at = NextGame(sensed, places, self.lying.values()), t
        self._next.see(t, observations, sensed)

    def laid_out(self, t: float) -> list[Observation] | None:
        """Return the next game's observations until `t` (s), oldest first.

        None until the table of the scored game is cleared.
        """
        return None if self._next is None else self._next.laid_out(t, self._tracker.sensed)
