"""A ledger of physical things: the place and side of every card, knight's sticker and die."""

from collections import deque
from collections.abc import Sequence
from random import Random

from companion.games.appearance import PhysicalCard
from companion.games.sleeping_queens_2.rules.kinds import KIND_OF_TEXT, MAIN_DECK
from companion.games.sleeping_queens_2.sensing.appearance import DIE, KING_KIND
from companion.virtual.games.queens.two_piles import DISCARD, DRAW
from companion.virtual.games.sleeping_queens_2.hand_moves import ANY_DIE, HAND, KINGS, Move
from companion.virtual.world import UP


class ThingLedger:
    """Ledger of physical things: their places and upper sides.

    A drawn card is any copy of its kind that is out of sight.
    """

    def __init__(self, cards: Sequence[PhysicalCard], chance: Random) -> None:
        self.places: dict[str, dict[str, str]] = {KINGS: {}, HAND: {}, DISCARD: {}, DIE: {}}
        """Place -> code -> side up, the newest thing last."""
        self._chance = chance
        self._kind = {card.code: card.kind for card in cards}
        self._free: dict[str, deque[str]] = {}
        for card in chance.sample(list(cards), len(cards)):
            if KIND_OF_TEXT.get(card.kind, 0) in MAIN_DECK:
                self._free.setdefault(card.kind, deque()).append(card.code)
            elif card.kind == KING_KIND:
                self.places[KINGS][card.code] = UP
            else:
                self.places[HAND][card.code] = UP

    @property
    def free(self) -> dict[str, deque[str]]:
        """Kind -> codes of the copies out of sight, the next one to be drawn first."""
        return self._free

    def do(self, move: Move) -> str:
        """Note a move in the ledger; return the code of the moved thing."""
        code = self.next_code(move)
        if move.source != DRAW:
            del self.places[move.source][code]
        if move.target == DRAW:
            self._free[move.kind].appendleft(code)
        else:
            self.places.setdefault(move.target, {})[code] = move.side
        return code

    def shuffle(self) -> tuple[str, ...]:
        """Move the discard pile out of sight, so that its cards may be drawn again.

        Returns its codes.
        """
        pile = tuple(self.places[DISCARD])
        for code in pile:
            self._free[self._kind[code]].append(code)
        self.places[DISCARD] = {}
        return pile

    def kings(self) -> tuple[str, ...]:
        """Codes of the kings whom nobody has rescued."""
        return tuple(self.places[KINGS])

    def next_code(self, move: Move) -> str:
        """Choose the thing that `do` moves, and return its code.

        A card of the draw pile is taken off it. From a hand, any side of the die with this face may come.
        """
        if move.source == DRAW:
            return self._free[move.kind].popleft()
        there = self.places[move.source]
        if move.kind == ANY_DIE:
            return next(iter(there))
        found = [code for code in there if self._kind[code] == move.kind]
        if move.source == HAND:
            # Any die side with this face may show.
            return self._chance.choice(found)
        # The newest copy leaves the discard pile, or goes back to the draw pile.
        return found[-1] if move.source == DISCARD or move.target == DRAW else found[0]
