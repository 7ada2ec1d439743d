"""The public record of a game: what all players know.

Hints are computed from it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.signs import Sign, Verb
from companion.games.table_game import TableGame
from companion.sensing.observation import Button, ManualEntry, Observation, Sighting
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import Line, Noticed, Observed, Opened
from vision.art_codes import CardKinds, kind_by_art

TOLD = "told"
"""`ManualEntry.what` of a statement that only players can make, e.g. what a player felt."""


class PlayerStatements:
    """Collects what all players know, from a game's journal lines.

    Hints are computed from it. Of all observations it keeps only players' statements, and cards that lie face
    up for all.
    """

    def __init__(self, game: TableGame[Any, Any], opened: Opened, state: Any) -> None:
        self.asked = False
        """True after a question at the table; the engine resets it.

        A gesture asks, or a button without a meaning in the game.
        """
        self._laid: set[str] = set()
        """Zones that hold a sign which asks for a hint."""
        self._game = game
        self._opened = opened
        self._state = state
        self._lines: list[Any] = []
        cards = game.cards(opened.variant)
        self._kinds = CardKinds({card.code: card.kind for card in cards})
        self._copies = Counter(card.kind for card in cards)
        self._lying_open: dict[str, tuple[str, ...]] = {}
        """Claimed place -> kinds of its face-up cards."""
        self._turned_up: dict[str, tuple[frozenset[int], tuple[str, ...]]] = {}
        """Claimed place -> numbers of its cards, and the kinds seen; the place seen last is the last.

        As at the moment when most of them lay face up.
        """

    @property
    def turned_up(self) -> Mapping[str, tuple[str, ...]]:
        """Claimed place -> sorted kinds of cards that lay face up there, which all players know from then on.

        A place is left out once it holds other cards, and once its cards were turned up elsewhere: a move that
        nobody saw took them there.
        """
        lying = self._lying() if self._turned_up else {}
        left = self._copies.copy()
        here: dict[str, tuple[str, ...]] = {}
        for place, (cards, kinds) in reversed(self._turned_up.items()):
            if cards == lying.get(place) and left >= (seen := Counter(kinds)):
                here[place] = kinds
                left -= seen
        return here

    def look(self, observations: Sequence[Observation], state: Any) -> None:
        """Note which cards in `observations` lie face up.

        `state`: the game state after them.
        """
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
            # A move may be published after its cards were turned up: look at cards that still lie there, too.
            if cards != before or len(kinds_there) > len(seen_before):
                self._turned_up.pop(place, None)
                self._turned_up[place] = (cards, kinds_there)

    def _lying(self) -> dict[str, frozenset[int]]:
        """Place -> numbers of the hidden cards that the published state has there."""
        lying = self._game.hidden_layout(self._state)
        return {place: frozenset(number for number, _ in cards) for place, cards in lying.items()}

    @property
    def recorded(self) -> Recorded:
        """The public part of the journal, as a recorded game."""
        return Recorded(self._opened, tuple(self._lines))

    def hear(self, lines: Iterable[Line], state: Any) -> None:
        """Add the public ones of some new journal lines.

        `state`: the game state after them.
        """
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
                zone, code = self._game.words.hint_call
                codes = [kind_by_art(one.card) or one.card for one in seen.cards]
                wanted = seen.zone == zone and code in codes
                (self._laid.add if wanted else self._laid.discard)(seen.zone)
                return wanted and not before
        return False
