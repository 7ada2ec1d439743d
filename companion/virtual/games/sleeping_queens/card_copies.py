"""A ledger of physical cards: codes in the middle, on the discard pile, or out of sight."""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.appearance import PhysicalCard
from companion.games.sleeping_queens.rules.kinds import KIND_TEXT, QUEEN_NAMES


class CardCopies:
    """Ledger of the physical cards, by code: in the middle, on the pile, or out of sight.

    A played card is any copy of its kind that is out of sight. `cards`: all of the game. `chance`: chooses the
    copies.
    """

    def __init__(self, cards: Sequence[PhysicalCard], chance: Random) -> None:
        self.played: list[str] = []
        """Codes of the cards in the middle, in the order of laying."""
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
        """All lists of the ledger, to be copied and restored when cards are laid back."""
        return self.played, self.pile, self._free

    def queen(self, number: int) -> str:
        """Code of queen `number` (0 to 11)."""
        return self._queens[QUEEN_NAMES[number]]

    def next_of(self, kind: int) -> str:
        """Code of the copy that `play` would take for a hand card of this kind."""
        return self._free[KIND_TEXT[kind]][0]

    def play(self, kind: int) -> str:
        """Move a hidden copy of this kind to the middle, and return its code."""
        code = self._free[KIND_TEXT[kind]].popleft()
        self.played.append(code)
        return code

    def take_up(self, code: str) -> None:
        """Move a card from the middle back to a hand."""
        self.played.remove(code)
        self._free[self._kind[code]].appendleft(code)

    def sweep(self) -> list[str]:
        """Move the cards of the middle onto the discard pile, in random order.

        Returns their codes, top card last.
        """
        swept = self._chance.sample(self.played, len(self.played))
        self.pile += swept
        self.played = []
        return swept

    def shuffle(self) -> None:
        """Move the discard pile out of sight, so that its cards may be drawn again."""
        for code in self.pile:
            self._free[self._kind[code]].append(code)
        self.pile = []
