"""What players of Sleeping Queens do by mistake, and take back when somebody says so."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from companion.games.sleeping_queens.rules.equations import is_equation
from companion.games.sleeping_queens.rules.kinds import ANSWER_TO, KNIGHT, NUMBERS, POTION
from companion.games.sleeping_queens.rules.state import Phase, State

Cards = tuple[int, ...]
_SIZES = (3, 4)
"""Cards of a false equation."""


def mistakes(before: State, after: State, chance: Random) -> Iterator[Cards]:
    """Cards that are laid in the middle by mistake before a step, and by it: at most one choice of each kind.

    A false equation, a pair that is none, another card than is played; a dragon or wand that comes too late.
    """
    if before.phase is Phase.PLAY:
        hand = before.hands[before.turn]
        numbers = [card for card in hand if card in NUMBERS]
        wrong = [cards for size in _SIZES for cards in combinations(numbers, size) if not is_equation(cards)]
        unequal = list(combinations(sorted(set(numbers)), 2))
        shown = [(card,) for card in hand if card not in after.played]
        for choices in (wrong, unequal, shown):
            if choices:
                yield chance.choice(choices)
    elif before.phase is Phase.REFILL and after.phase is Phase.PLAY:
        attack = next((kind for kind in (KNIGHT, POTION) if before.played == (kind,)), None)
        owners = [hand for player, hand in enumerate(before.hands) if player != before.turn]
        if attack is not None and any(ANSWER_TO[attack] in hand for hand in owners):
            yield (ANSWER_TO[attack],)
