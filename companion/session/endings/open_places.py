"""Open cards that contradict the state and that no move explains: after a while the table is believed."""

from math import inf
from typing import Any

from companion.fusion.tracker import Tracker
from companion.games.signs import UNKNOWN_KIND
from companion.games.table_game import TableGame

STANDS_S = 8.0
"""Time (s) for which unexplained open cards must lie unchanged until the state is corrected by them.

A move that explains open cards is published within 6 s.
"""


class OpenPlaces:
    """A watch over the open cards in front of players, for games that such cards decide.

    Games without `OpenRealms` do not need it. A slow camera misses whole turns, and reads a card long
    after it was laid. Whose turn it is may then stay unknown, but the owner of an open card is certain.
    """

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._lying: tuple[tuple[str, tuple[str, ...]], ...] = ()
        """(place, kinds) of the open cards that the published state lacks."""
        self._since = 0.0

    @property
    def contradict(self) -> bool:
        """True if a card that lies open in front of a player is missing in the published state."""
        return self._game.realms is not None and bool(self._unexplained())

    @property
    def awaited(self) -> bool:
        """True if a card that the published state has in front of a player is not seen there yet."""
        off = (one for one in self._tracker.differences() if one.missing)
        return self._game.realms is not None and any(self._is_place(one.place) for one in off)

    def due(self, t: float, *, scored: bool) -> bool:
        """True if the state must be replaced by the table as it lies, at `t` (s).

        The unexplained cards must have lain unchanged for STANDS_S. It must also be certain whose turn it is,
        or the game must be over. Returns True only once for unchanged cards.

        `scored`: the game has its score. The result is then False, because people clear the table.
        """
        if self._game.realms is None:
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
            return False  # another card is not read: the session asks people
        ends = any(self._game.outcome(one) is not None for one in (state, taken))
        due = ends or (self._turn(taken) == self._turn(state) and not self._turn_is_doubtful(t))
        if due:
            self._since = inf  # once for these cards: afterwards the session asks people
        return due

    def leave(self) -> None:
        """Ignore the cards that are unexplained now, until they change.

        People have just taken something back, so the table may differ from the state.
        """
        if self._game.realms is not None:
            self._lying, self._since = self._unexplained(), inf

    def _unexplained(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        off = ((one.place, one.extra) for one in self._tracker.differences() if self._is_place(one.place))
        return tuple((place, extra) for place, extra in off if set(extra) - {UNKNOWN_KIND})

    def _turn_is_doubtful(self, t: float) -> bool:
        """True if whole turns may have been missed by `t` (s), e.g. while a sensor was away.

        Also True if cards differ from the state at a place that belongs to no player.
        """
        if self._tracker.sensed.outages.blind_since(t) is not None:
            return True
        hidden = self._game.hidden_layout(self._tracker.state)
        places = (one.place for one in self._tracker.differences())
        return any(place not in hidden and not self._is_place(place) for place in places)

    def _is_place(self, zone: str) -> bool:
        return self._game.subject_at(self._tracker.state, zone) is not None

    def _turn(self, state: Any) -> tuple[Any, ...]:
        """Phase, player and number of the turn shown on screens."""
        shown = self._game.screen(state, "referee")
        return tuple(shown.get(one) for one in ("phase", "player", "within", "turn"))
