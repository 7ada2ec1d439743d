"""What players say, ask and turn up at the table, and the game so far as hints need it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.api import TableGame
from companion.sensing.observation import Button, ManualEntry, Observation, Sighting
from companion.session.journal import Line, Noticed, Observed, Opened, Recorded

TOLD = "told"
"""The manual entry by which a player tells what only players can know: `id` of Tell."""


class TableTalk:
    """Hears every line of a game's journal and keeps those that hints are made from: of what sensors tell only
    what was turned up for all to see."""

    def __init__(self, game: TableGame[Any, Any], opened: Opened, state: Any) -> None:
        self.asked = False
        """True once somebody made the gesture or pressed a button that means nothing to the game: a hint is
        wanted at the table."""
        self._laid: set[str] = set()
        """Zones in which a sign lies that asks for a hint."""
        self._game = game
        self._opened = opened
        self._state = state
        self._lines: list[Any] = []
        self._kinds = {card.code: card.kind for card in game.cards(opened.variant)}
        self._lying_open: dict[str, tuple[str, ...]] = {}
        """Place of a claim -> kinds of the cards that show their faces there now."""
        self._turned_up: dict[str, tuple[frozenset[int], tuple[str, ...]]] = {}
        """Place of a claim -> the numbers of the cards that lay there when most of them showed their faces, and
        the kinds of those."""

    @property
    def turned_up(self) -> Mapping[str, tuple[str, ...]]:
        """Place of a claim -> kinds of the cards that the camera has seen there face up, sorted.

        Everybody knows them from then on. What was seen counts as long as just these cards lie there.
        """
        lying = self._lying() if self._turned_up else {}
        return {place: kinds for place, (cards, kinds) in self._turned_up.items() if cards == lying.get(place)}

    def look(self, observations: Sequence[Observation], state: Any) -> None:
        """What the camera sees turned up, and the state that is told by then."""
        for seen in observations:
            if isinstance(seen, Sighting) and self._game.subject_at(state, seen.zone) is not None:
                kinds = sorted(self._kinds[one.card] for one in seen.cards if one.card in self._kinds)
                self._lying_open[seen.zone] = tuple(kinds)
        self._state = state
        open_now = {place: kinds for place, kinds in self._lying_open.items() if kinds}
        lying = self._lying() if open_now else {}
        for place, kinds_there in open_now.items():
            cards = lying.get(place, frozenset())
            before, seen_before = self._turned_up.get(place, (frozenset(), ()))
            # A move may be told only after the cards were turned up: they lie there still.
            if cards != before or len(kinds_there) > len(seen_before):
                self._turned_up[place] = (cards, kinds_there)

    def _lying(self) -> dict[str, frozenset[int]]:
        """Place -> the numbers of the hidden cards that are told to lie there."""
        lying = self._game.hidden_layout(self._state)
        return {place: frozenset(number for number, _ in cards) for place, cards in lying.items()}

    @property
    def recorded(self) -> Recorded:
        """Actions, what players said and what they turned up, as the journal tells them."""
        return Recorded(self._opened, tuple(self._lines))

    def hear(self, lines: Iterable[Line], state: Any) -> None:
        """Lines that belong together, and the state they led to."""
        for line in lines:
            if isinstance(line, Observed):
                for seen in line.o:
                    self.asked |= self._asks(seen)
                kept = tuple(seen for seen in line.o if self._is_public(seen))
                if kept:
                    self._lines.append(Observed(line.t, kept))
            elif not isinstance(line, Opened | Noticed):
                self._lines.append(line)
        self._state = state

    def _is_public(self, seen: Observation) -> bool:
        match seen:
            case ManualEntry(what=what):
                return what == TOLD
            case Sighting(zone=zone, cards=cards):
                return bool(cards) and self._game.subject_at(self._state, zone) is not None
        return False

    def _asks(self, seen: Observation) -> bool:
        match seen:
            case Button():
                return self._game.already_known(self._state, ("press", seen.station, ()))
            case Sighting():
                before = seen.zone in self._laid
                wanted = self._game.wants_hint(seen.zone, [card.card for card in seen.cards])
                (self._laid.add if wanted else self._laid.discard)(seen.zone)
                return wanted and not before
        return False
