"""Cards that lie open in front of players and that no move explains: what lies there counts."""

from math import inf
from typing import Any

from companion.fusion.tracker import Tracker
from companion.games.api import UNKNOWN_KIND, TableGame

STANDS_S = 8.0
"""STANDS_S: time (s) for which such cards lie there before they count: a move that explains them is published
within 6 s."""


class OpenPlaces:
    """Watches the places of the players of one game, where these alone decide who wins (`claims_wins`).

    A camera or a program that is too slow misses whole turns, and a card may be read long after it came. The
    turns are then followed as well as can be, but whose a card is need not be guessed.
    """

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._lying: tuple[tuple[str, tuple[str, ...]], ...] = ()
        """(place, kinds) of the cards that are read there and that the published state does not have there."""
        self._since = 0.0

    @property
    def contradict(self) -> bool:
        """Whether cards lie open that the published state has elsewhere: its score would be wrong."""
        return self._game.claims_wins and bool(self._unexplained())

    @property
    def awaited(self) -> bool:
        """Whether a card that the published state has at such a place is not read there, or not yet: who turns
        up a card lays it there soon."""
        off = (one for one in self._tracker.differences() if one.missing)
        return self._game.claims_wins and any(self._is_place(one.place) for one in off)

    def due(self, t: float, *, scored: bool) -> bool:
        """Whether at `t` (s) what lies there has to be taken over. After the score people clear the table."""
        if not self._game.claims_wins:
            return False
        lying = () if scored else self._unexplained()
        if lying != self._lying:
            self._lying, self._since = lying, t
        if not lying or t - self._since < STANDS_S or "camera" in self._tracker.sensed.silent:
            return False
        state = self._tracker.state
        try:
            taken = self._tracker.proposal(t).state
        except ValueError:
            return False  # another card is unread: people are asked
        ends = any(self._game.outcome(one) is not None for one in (state, taken))
        due = ends or (self._turn(taken) == self._turn(state) and not self._turn_is_doubtful(t))
        if due:
            self._since = inf  # once: should it not help, people are asked
        return due

    def leave(self) -> None:
        """People took something back: what lies there now does not count until it lies otherwise."""
        if self._game.claims_wins:
            self._lying, self._since = self._unexplained(), inf

    def _unexplained(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        off = ((one.place, one.extra) for one in self._tracker.differences() if self._is_place(one.place))
        return tuple((place, extra) for place, extra in off if set(extra) - {UNKNOWN_KIND})

    def _turn_is_doubtful(self, t: float) -> bool:
        """Whether whole turns may have passed unseen by `t` (s), or more differs than whose cards these are."""
        if self._tracker.sensed.outages.blind_since(t) is not None:
            return True
        hidden = self._game.hidden_layout(self._tracker.state)
        places = (one.place for one in self._tracker.differences())
        return any(place not in hidden and not self._is_place(place) for place in places)

    def _is_place(self, zone: str) -> bool:
        return self._game.subject_at(self._tracker.state, zone) is not None

    def _turn(self, state: Any) -> tuple[Any, ...]:
        """What the screen says of whose turn it is and how far it has come."""
        shown = self._game.screen(state, "referee")
        return tuple(shown.get(one) for one in ("phase", "player", "within", "turn"))
