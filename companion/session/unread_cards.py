"""Cards in an open row that the camera cannot read, until people are told which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.core.language import Text
from companion.sensing.observation import UNREAD, Observation, Sighting
from companion.session.stream.events import Said

UNREAD_S = 15.0
"""Time (s) for which a card lies unread until people are told. A hand or a lamp is moved sooner. A guess."""


@dataclass(slots=True)
class _Unread:
    """Unread cards of a zone.

    `numbers`: their positions from the left, from 1. `since`: time (s). `told`: True if people were told.
    """

    numbers: tuple[int, ...]
    since: float
    told: bool = False


class UnreadCards:
    """A watch over the zones whose cards lie open.

    `sentences`: zone -> what people are told of an unread card there, see `Words.unread`.
    """

    def __init__(self, sentences: Mapping[str, Text]) -> None:
        self._sentences = sentences
        self._unread: dict[str, _Unread] = {}

    def look(self, t: float, observations: Sequence[Observation]) -> list[Said]:
        """Process observations; return what people are told at `t` (s) of cards unread for UNREAD_S.

        One unread card of a zone is named. Another one is named only after the number of unread cards in the
        zone has changed.
        """
        for seen in observations:
            if isinstance(seen, Sighting) and seen.zone in self._sentences:
                self._note(seen)
        said = []
        for zone, one in self._unread.items():
            if not one.told and t - one.since >= UNREAD_S:
                one.told = True
                said.append(Said(t, self._sentences[zone].of(number=one.numbers[0]), "notice"))
        return said

    def _note(self, seen: Sighting) -> None:
        cards = sorted(seen.cards, key=lambda card: card.x)
        numbers = tuple(number for number, card in enumerate(cards, 1) if card.card == UNREAD)
        before = self._unread.get(seen.zone)
        if not numbers:
            self._unread.pop(seen.zone, None)
        elif before is None or len(before.numbers) != len(numbers):
            self._unread[seen.zone] = _Unread(numbers, seen.t)
        else:
            before.numbers = numbers
