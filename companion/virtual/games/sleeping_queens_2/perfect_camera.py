"""A whole game by the rules, as a perfect camera reports it."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from companion.games.appearance import PhysicalCard
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Draw,
    Equation,
    FalsePair,
    Lull,
    Shuffle,
)
from companion.games.sleeping_queens_2.rules.equations import is_equation
from companion.games.sleeping_queens_2.rules.kinds import CELLS, EMPTY, NUMBERS, QUEENS, WILLOW, Knight
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight, sleeper
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import DIE, SHOW, cell_zone
from companion.games.win_claims import Insist, TakeBack, player_zone
from companion.sensing.observation import UNREAD, Observation
from companion.virtual.games.queens.two_piles import DISCARD, PerfectCamera
from companion.virtual.games.sleeping_queens_2.hand_moves import Movement, deal, movements
from companion.virtual.games.sleeping_queens_2.thing_ledger import ThingLedger
from companion.virtual.rehearsal_api import Batch, lingering
from companion.virtual.world import UP

_CELLS = frozenset(map(cell_zone, range(CELLS)))


class PerfectRig(PerfectCamera):
    """Perfect camera that reports each action of a simulated game.

    It knows every physical thing. An action gives batches; the observations of a batch arrive together, one
    second apart.
    """

    def __init__(self, cards: tuple[PhysicalCard, ...], chance: Random) -> None:
        super().__init__()
        self._things = ThingLedger(cards, chance)

    def setup(self, dealt: State) -> Iterator[list[Observation]]:
        """Report how the table is laid out, beginning with empty zones, in batches.

        `dealt`: the state with all cards known.
        """
        realms = [player_zone(player) for player in range(dealt.players)]
        yield [self._sighting(zone, ()) for zone in (*realms, *sorted(_CELLS), DISCARD, DIE, SHOW)]
        for movement in deal(dealt):
            yield from self._carried(movement)

    def notice(self, before: State, action: Action, after: State) -> Iterator[list[Observation]]:
        """Report an action as the camera sees it, in batches.

        `before`, `after`: the true states around it.
        """
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
        """Codes of things that the camera reports in a zone.

        UNREAD stands for a face-down companion.
        """
        there = self._things.places.get(zone, {})
        if zone in _CELLS:
            return tuple(code if side == UP else UNREAD for code, side in there.items())
        if zone == DISCARD:
            return tuple(there)[-1:]
        return tuple(code for code, side in there.items() if side == UP)


_MOST = 3
"""Most cards in a wrong equation that simulated players try. A guess."""


def mistakes(state: State, chance: Random) -> Iterator[Insist]:
    """Draw forbidden actions that a player may try in `state`, one of each kind.

    Kinds: a wrong equation, a wrong pair, a card drawn too many, a willow against a shielded player.
    """
    if state.phase is Phase.PLAY:
        yield from _played(state, chance)
    elif state.phase is Phase.INSTANT and WILLOW in state.drawn:
        reached = sleeper(state)
        for player in range(state.players):
            awake = set(QUEENS) & set(state.realms[player])
            if player != reached and awake and has_knight(state, player, Knight.WILLOW):
                yield Insist(Lull(player))


def _played(state: State, chance: Random) -> Iterator[Insist]:
    numbers = sorted(card for card in state.realms[state.turn] if card in NUMBERS)
    math = has_knight(state, state.turn, Knight.MATH)
    wrong = [
        cards
        for size in range(3, _MOST + 1)
        for cards in dict.fromkeys(combinations(numbers, size))
        if not is_equation(cards, math)
    ]
    if wrong and state.cells.count(EMPTY) < CELLS:
        yield Insist(Equation(chance.choice(wrong)))
    unequal = list(combinations(sorted(set(numbers)), 2))
    if unequal and state.asleep[state.turn]:
        yield Insist(FalsePair(*chance.choice(unequal)))
    if state.deck:
        yield Insist(Draw(state.deck[-1]))


def taken_back(rig: PerfectRig, state: State, mistake: Insist, chance: Random) -> list[Batch]:
    """Report a forbidden action of a player, and how it is taken back later.

    Returns batches: those of the action, the last of them repeated 2 to 6 times, and those of taking back.
    `state`: the true state before. `mistake`: the action. `chance`: draws the number of repetitions.
    """
    after = RULES.apply(state, mistake)
    done = [tuple(batch) for batch in rig.notice(state, mistake, after)]
    undone = [tuple(batch) for batch in rig.notice(after, TakeBack(), state)]
    return lingering(done, undone, chance)
