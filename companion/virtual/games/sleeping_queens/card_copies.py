"""Which physical card is where: codes in the middle, on the discard pile, and those that nobody sees."""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.api import PhysicalCard
from companion.games.sleeping_queens.rules.kinds import KIND_TEXT, QUEEN_NAMES


class CardCopies:
    """The copies of every kind. A card that is played is any copy that lies in no pile that was seen."""

    def __init__(self, cards: Sequence[PhysicalCard], chance: Random) -> None:
        self.played: list[str] = []
        """Codes of the cards in the middle, in the order in which they were laid."""
        self.pile: list[str] = []
        """Codes of the discard pile, the newest last."""
        self._chance = chance
        self._kind = {card.code: card.kind for card in cards}
        self._queens = {card.kind: card.code for card in cards if card.kind in QUEEN_NAMES}
        self._free: dict[str, deque[str]] = {}
        for card in chance.sample(list(cards), len(cards)):
            self._free.setdefault(card.kind, deque()).append(card.code)

    @property
    def places(self) -> tuple[Any, ...]:
        """The containers that say where each copy is."""
        return self.played, self.pile, self._free

    def queen(self, number: int) -> str:
        """The code of a queen."""
        return self._queens[QUEEN_NAMES[number]]

    def next_of(self, kind: int) -> str:
        """The copy of a hand card that comes next."""
        return self._free[KIND_TEXT[kind]][0]

    def play(self, kind: int) -> str:
        """A copy comes to the middle."""
        code = self._free[KIND_TEXT[kind]].popleft()
        self.played.append(code)
        return code

    def take_up(self, code: str) -> None:
        """A card of the middle goes to a hand."""
        self.played.remove(code)
        self._free[self._kind[code]].appendleft(code)

    def sweep(self) -> list[str]:
        """What lies in the middle goes to the discard pile, in any order; its codes, the top one last."""
        swept = self._chance.sample(self.played, len(self.played))
        self.pile += swept
        self.played = []
        return swept

    def shuffle(self) -> None:
        """The discard pile becomes a draw pile."""
        for code in self.pile:
            self._free[self._kind[code]].append(code)
        self.pile = []
