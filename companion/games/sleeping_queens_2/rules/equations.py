"""Number cards that form an equation (rulebook, "Finding Rescue Companions").

One card is the result of all others, joined by one operation. a - b - c = d uses the cards of b + c + d = a; a
/ b / c = d uses those of b x c x d = a.
So cards are an equation if the largest is the sum or the product of the others.
The knight of plus or minus one changes one card by 1, also to 0 or 11.

>>> is_equation((2, 3, 5), knight=False), is_equation((2, 3, 6), knight=False)
(True, True)
>>> is_equation((2, 3, 4), knight=False), is_equation((2, 3, 4), knight=True)
(False, True)
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import prod

from companion.games.sleeping_queens_2.rules.kinds import NUMBERS

Cards = tuple[int, ...]
_MOST_MIXED = 5
"""Number of cards up to which mixed operations are tried. Nearly every larger set has a solution."""


def is_equation(cards: Cards, knight: bool) -> bool:
    """True if number cards (ascending) form an equation.

    `knight`: the knight of plus or minus one may change one card by 1.
    """
    if len(cards) < 3 or cards[0] not in NUMBERS or cards[-1] not in NUMBERS:
        return False
    others, result = cards[:-1], cards[-1]
    slack = 1 if knight else 0
    if abs(sum(others) - result) <= slack or abs(prod(others) - result) <= slack:
        return True
    return knight and any(
        prod(others) // card * (card + change) == result for card in set(others) for change in (-1, 1)
    )


def is_mixed(cards: Cards) -> bool:
    """True if number cards (ascending) form an equation, but only a forbidden one: with different operations,
    or with some on both sides."""
    if is_equation(cards, knight=False) or not 4 <= len(cards) <= _MOST_MIXED:
        return False
    for size in range(1, len(cards) // 2 + 1):
        for places in combinations(range(len(cards)), size):
            one = tuple(cards[at] for at in places)
            other = tuple(card for at, card in enumerate(cards) if at not in places)
            if not _values(one).isdisjoint(_values(other)):
                return True
    return False


@lru_cache(maxsize=1 << 12)
def _values(cards: Cards) -> frozenset[Fraction]:
    """Every value that number cards (ascending) can give, with any operations in any order."""
    if len(cards) == 1:
        return frozenset((Fraction(cards[0]),))
    found: set[Fraction] = set()
    for size in range(1, len(cards)):
        for places in combinations(range(len(cards)), size):
            one = _values(tuple(cards[at] for at in places))
            other = _values(tuple(card for at, card in enumerate(cards) if at not in places))
            for left, right in product(one, other):
                found |= {left + right, left - right, left * right}
                if right:
                    found.add(left / right)
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def equations(numbers: Cards, knight: bool) -> tuple[Cards, ...]:
    """Sets of cards in `numbers` (ascending) that form equations.

    Every such set is returned. `knight`: the knight of plus or minus one may change one card by 1.
    """
    found: set[Cards] = set()
    for at in range(2, len(numbers)):
        # Of equal cards only the last is tried as result, because all cards before it are available.
        if at + 1 == len(numbers) or numbers[at + 1] != numbers[at]:
            found.update(
                (*others, numbers[at])
                for others in _groups(numbers[:at], _bound(numbers[at]) if knight else numbers[at])
                if is_equation((*others, numbers[at]), knight)
            )
    return tuple(sorted(found))


def _bound(result: int) -> int:
    """Largest sum or product of the other cards from which `result` can be reached by changing one
    card by 1."""
    return max(result + 1, 2 * result)


def _groups(numbers: Cards, bound: int) -> Iterator[Cards]:
    """Every set of two or more of the cards `numbers` whose sum or product is at most `bound`."""

    def extend(group: Cards, product: int, total: int, start: int) -> Iterator[Cards]:
        if len(group) > 1:
            yield group
        before = 0
        for at in range(start, len(numbers)):
            card = numbers[at]
            if card == before:
                continue
            before = card
            if product * card > bound and total + card > bound:
                return
            yield from extend((*group, card), product * card, total + card, at + 1)

    return extend((), 1, 0, 0)
