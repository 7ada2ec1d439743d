"""What a perfect camera reports of a game of Sleeping Queens 2: observations made from the true states alone.

After each movement every zone whose content differs from before is reported, as it would look at rest.
"""

from collections.abc import Iterator
from random import Random

from companion.games.api import PhysicalCard
from companion.games.sleeping_queens_2.rules.actions import Action, Shuffle
from companion.games.sleeping_queens_2.rules.kinds import CELLS
from companion.games.sleeping_queens_2.rules.state import State
from companion.games.sleeping_queens_2.sensing.appearance import DIE, SHOW, cell_zone, player_zone
from companion.sensing.observation import UNREAD, Observation, Seen, Sighting
from companion.virtual.games.sleeping_queens_2.hand_moves import DISCARD, Movement, deal, movements
from companion.virtual.games.sleeping_queens_2.thing_ledger import ThingLedger
from companion.virtual.world import UP

_CELLS = frozenset(map(cell_zone, range(CELLS)))


class PerfectRig:
    """Follows physical things and turns each action into batches of observations, in time order.

    Each batch is what arrives together; the time between batches is one second.
    """

    def __init__(self, cards: tuple[PhysicalCard, ...], chance: Random) -> None:
        self.t = 0.0
        self._things = ThingLedger(cards, chance)
        self._told: dict[str, tuple[str, ...]] = {}

    def setup(self, dealt: State) -> Iterator[list[Observation]]:
        """The table as it is laid out, from empty realms on."""
        realms = [player_zone(player) for player in range(dealt.players)]
        yield [self._sighting(zone, ()) for zone in (*realms, *sorted(_CELLS), DISCARD, DIE, SHOW)]
        for movement in deal(dealt):
            yield from self._carried(movement)

    def notice(self, before: State, action: Action, after: State) -> Iterator[list[Observation]]:
        """What is seen of an action."""
        if isinstance(action, Shuffle):
            self._things.shuffle()
            yield [self._sighting(DISCARD, ())]
        for movement in movements(before, action, after):
            yield from self._carried(movement)

    def _carried(self, movement: Movement) -> Iterator[list[Observation]]:
        codes = [self._things.do(move) for move in movement]
        touched = {place for move in movement for place in (move.source, move.target)}
        changed = [zone for zone in self._told if zone in touched and self._told[zone] != self._view(zone)]
        shown = [code for move, code in zip(movement, codes, strict=True) if move.shown]
        for code in shown:
            yield [self._sighting(SHOW, (code,))]
            yield [self._sighting(SHOW, ())]
        if changed:
            yield [self._sighting(zone, self._view(zone)) for zone in changed]

    def _view(self, zone: str) -> tuple[str, ...]:
        """What the camera tells of a zone."""
        there = self._things.places.get(zone, {})
        if zone in _CELLS:
            return tuple(code if side == UP else UNREAD for code, side in there.items())
        if zone == DISCARD:
            return tuple(there)[-1:]
        return tuple(code for code, side in there.items() if side == UP)

    def _sighting(self, zone: str, codes: tuple[str, ...]) -> Sighting:
        self._told[zone] = codes
        self.t += 1.0
        return Sighting(self.t, zone, tuple(Seen(code, 0.0, 0.0) for code in codes))
