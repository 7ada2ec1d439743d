"""What players of Sleeping Queens 2 do by mistake, and take back when somebody says so."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from companion.games.announcements import Insist
from companion.games.sleeping_queens_2.rules.actions import Draw, Equation, FalsePair, Lull
from companion.games.sleeping_queens_2.rules.equations import is_equation
from companion.games.sleeping_queens_2.rules.kinds import CELLS, EMPTY, NUMBERS, QUEENS, WILLOW, Knight
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight, sleeper
from companion.games.sleeping_queens_2.rules.state import Phase, State

_MOST = 3
"""Cards of a false equation at most."""


def mistakes(state: State, chance: Random) -> Iterator[Insist]:
    """At most one of each kind: a false equation, a pair that is none, a card drawn too many, a willow on who
    has the shield and says so late."""
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
