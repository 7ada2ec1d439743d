"""The record that hints are made from: actions, what players said, and cards turned up for all to see."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.core.art_codes import CardKinds, kind_by_art
from companion.games.api import TableGame
from companion.games.signs import Sign, Verb
from companion.sensing.observation import Button, ManualEntry, Observation, Sighting
from companion.session.journal.journal import Line, Noticed, Observed, Opened, Recorded

TOLD = "told"
"""`ManualEntry.what` of a statement that only a player can make; see `Tell`."""


class PlayerStatements:
    """Collects the lines of a game's journal that hints are made from. Of all observations only cards turned
    up for all to see are kept."""

    def __init__(self, game: TableGame[Any, Any], opened: Opened, state: Any) -> None:
        self.asked = False
        """True once somebody asked for a hint at the table: by a gesture, or by a button without a meaning
        in the game."""
        self._laid: set[str] = set()
        """Zones in which a sign lies that asks for a hint."""
        self._game = game
        self._opened = opened
        self._state = state
        self._lines: list[Any] = []
        self._kinds = CardKinds({card.code: card.kind for card in game.cards(opened.variant)})
        self._lying_open: dict[str, tuple[str, ...]] = {}
        """Place of a claim -> kinds of the cards that lie face up there now."""
        self._turned_up: dict[str, tuple[frozenset[int], tuple[str, ...]]] = {}
        """Place of a claim -> numbers of the cards that lay there when most of them were face up, and the
        kinds seen."""

    @property
    def turned_up(self) -> Mapping[str, tuple[str, ...]]:
        """Place of a claim -> kinds of the cards that the camera has seen face up there, sorted.

        Everybody knows them from then on. They count as long as exactly these cards lie there.
        """
        lying = self._lying() if self._turned_up else {}
        return {place: kinds for place, (cards, kinds) in self._turned_up.items() if cards == lying.get(place)}

    def look(self, observations: Sequence[Observation], state: Any) -> None:
        """Take what the camera sees face up, and the state published by then."""
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
            # The move may be published only after the cards were turned up: they still lie there.
            if cards != before or len(kinds_there) > len(seen_before):
                self._turned_up[place] = (cards, kinds_there)

    def _lying(self) -> dict[str, frozenset[int]]:
        """Place -> numbers of the hidden cards that lie there in the published state."""
        lying = self._game.hidden_layout(self._state)
        return {place: frozenset(number for number, _ in cards) for place, cards in lying.items()}

    @property
    def recorded(self) -> Recorded:
        """The journal's lines about actions, players' statements and turned up cards."""
        return Recorded(self._opened, tuple(self._lines))

    def hear(self, lines: Iterable[Line], state: Any) -> None:
        """Take lines that belong together, and the state that they led to."""
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
                return self._game.already_known(self._state, Sign(Verb.PRESS, seen.station))
            case Sighting():
                before = seen.zone in self._laid
                wanted = self._game.wants_hint(
                    seen.zone, [kind_by_art(one.card) or one.card for one in seen.cards]
                )
                (self._laid.add if wanted else self._laid.discard)(seen.zone)
                return wanted and not before
        return False
