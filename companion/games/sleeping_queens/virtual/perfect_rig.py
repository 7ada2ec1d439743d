"""What a perfect camera reports of a game of Sleeping Queens: observations made from the true states alone.

After each action every zone whose content differs from before is reported, as it would look at rest.
"""

from collections import deque
from collections.abc import Iterator
from random import Random

from companion.games.api import PhysicalCard
from companion.games.sleeping_queens.rules.actions import Action, Refill, Reveal, Shuffle, Wake
from companion.games.sleeping_queens.rules.court import CELLS, EMPTY, KIND_TEXT, NUMBERS, QUEEN_NAMES
from companion.games.sleeping_queens.rules.state import State
from companion.games.sleeping_queens.sensing.appearance import cell_zone, player_zone
from companion.sensing.observation import UNREAD, Observation, Seen, Sighting


class PerfectRig:
    """Keeps physical copies apart and turns each action into batches of observations, in time order.

    Each batch is what arrives together; the time between batches is one second.
    """

    def __init__(self, cards: tuple[PhysicalCard, ...], chance: Random) -> None:
        self.t = 0.0
        self._chance = chance
        self._queen = {card.kind: card.code for card in cards if card.code[0] == "Q"}
        self._free: dict[str, deque[str]] = {}
        """Kind -> copies that lie in no pile that was seen: in hands or in the draw pile."""
        for card in chance.sample(cards, len(cards)):
            self._free.setdefault(card.kind, deque()).append(card.code)
        self._played: list[str] = []
        self._pile: list[str] = []
        self._kind = {card.code: card.kind for card in cards}
        self._told: dict[str, tuple[str, ...]] = {}

    def setup(self, dealt: State) -> Iterator[list[Observation]]:
        """The table as it was laid out."""
        yield from self._look(dealt)

    def notice(self, before: State, action: Action, after: State) -> Iterator[list[Observation]]:
        """What is seen of an action."""
        match action:
            case Wake(cell, _):
                name = QUEEN_NAMES[before.cells[cell]]
                yield [self._zone(cell_zone(cell), (self._queen[name],))]
            case Reveal(None) if (kind := before.deck[-1]) not in NUMBERS:
                # The card lies open beside the jester before it is taken.
                code = self._free[KIND_TEXT[kind]][0]
                yield [self._zone("play", (*self._played, code))]
        self._move(before, action, after)
        yield from self._look(after)

    def _move(self, before: State, action: Action, after: State) -> None:
        """Copies go to where the state has their kinds."""
        match action:
            case Refill() | Reveal() if not after.played:
                swept = self._chance.sample(self._played, len(self._played))
                self._pile += swept
                self._played = []
            case Shuffle():
                gone = self._pile if before.played == after.played else [*self._pile, *self._played]
                for code in gone:
                    self._free[self._kind[code]].append(code)
                self._played = self._played if before.played == after.played else []
                self._pile = []
        for kind in set(after.played):
            text = KIND_TEXT[kind]
            lying = sum(self._kind[code] == text for code in self._played)
            self._played += [self._free[text].popleft() for _ in range(after.played.count(kind) - lying)]

    def _look(self, state: State) -> Iterator[list[Observation]]:
        """Every zone that differs from what was told of it."""
        zones: dict[str, tuple[str, ...]] = {
            cell_zone(cell): () if state.cells[cell] == EMPTY else (UNREAD,) for cell in range(CELLS)
        }
        for player, queens in enumerate(state.awake):
            zones[player_zone(player)] = tuple(self._queen[QUEEN_NAMES[queen]] for queen in queens)
        zones["play"] = tuple(self._played)
        zones["discard"] = tuple(self._pile[-1:])
        changed = [zone for zone, codes in zones.items() if self._told.get(zone) != codes]
        # Played cards are gathered first, then laid on the pile.
        for together in ([zone for zone in changed if zone != "discard"], ["discard"] * ("discard" in changed)):
            if together:
                yield [self._zone(zone, zones[zone]) for zone in together]

    def _zone(self, zone: str, codes: tuple[str, ...]) -> Sighting:
        self._told[zone] = codes
        return Sighting(self._next(), zone, tuple(Seen(code, 0.0, 0.0) for code in codes))

    def _next(self) -> float:
        self.t += 1.0
        return self.t
