"""The end of a game: its score, until when that may change, and what happens on the table since."""

from collections.abc import Sequence
from typing import Any

from companion.fusion.tracker import Tracker
from companion.games.api import TableGame
from companion.sensing.observation import Observation, Sighting
from companion.session.entries.next_game import NextGame
from companion.session.stream.events import Score

CLOSED_S = 30.0
"""CLOSED_S: time (s) after which a score is final, if nobody clears the table before: the last cards are turned
up within 20 s. From then on only people change it, by a key."""


class ScoredGame:
    """Follows the table of a game, from its score on for the next one. Times are the session's."""

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self.score: Score | None = None
        """None until the game is scored."""
        self.left = False
        """Whether its players have left it as it stands: what is laid out next is another game."""
        self.lying: dict[str, Sighting] = {}
        """Zone -> what was last seen to lie there."""
        self._game = game
        self._tracker = tracker
        self._scored_at = 0.0
        self._next: NextGame | None = None
        """What happens on the table since the game was scored."""

    def scored(self, t: float, score: Score) -> None:
        """The game has this score at `t` (s)."""
        self.score, self._scored_at = score, t

    def leave(self) -> None:
        """Its players have left: from the next batch on it is watched for the next game."""
        self.left = True

    def reopen(self) -> None:
        """What led to the score did not happen, or people take it back. A game that was left stays so."""
        if not self.left:
            self.score = self._next = None

    def closed(self, t: float) -> bool:
        """Whether the score is final at `t` (s): what happens on the table belongs to the next game."""
        return self.left or (self._next is not None and (self._next.begun or t - self._scored_at >= CLOSED_S))

    def watch(self, t: float, observations: Sequence[Observation]) -> None:
        """Take a batch at `t` (s) that the tracker has taken in already."""
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
        """What was sensed of the next game by `t` (s), once the table was cleared after the score; None
        before."""
        return None if self._next is None else self._next.laid_out(t, self._tracker.sensed)
