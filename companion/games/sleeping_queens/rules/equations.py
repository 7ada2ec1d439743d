"""Cards that may be discarded together: pairs and equations (rulebook, "Discard one or more cards").

An equation is one card that equals the sum of all others. A decision: 3 + 6 = 4 + 5 is none.

>>> is_equation((2, 3, 5)), is_equation((3, 4, 5, 6))
(True, False)
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from companion.games.sleeping_queens.rules.kinds import COPIES, HAND, NUMBERS, UNKNOWN

Cards = tuple[int, ...]


def is_equation(cards: Cards) -> bool:
    """True if number cards form an equation: the last is the sum of the others.

    `cards`: kinds, ascending. False for fewer than three cards.
    """
    return len(cards) >= 3 and cards[0] in NUMBERS and cards[-1] in NUMBERS and sum(cards) == 2 * cards[-1]


def readings(cards: Cards) -> tuple[Cards, ...]:
    """Every legal discard that `cards` (ascending) may be.

    Each unread card (0) may be of any kind.
    """
    if UNKNOWN not in cards:
        return (cards,) if _is_discard(cards) else ()
    return _readings(cards)


@lru_cache(maxsize=1 << 10)
def _readings(cards: Cards) -> tuple[Cards, ...]:
    read = Counter(card for card in cards if card != UNKNOWN)
    return tuple(whole for whole in _all_discards() if len(whole) == len(cards) and not read - Counter(whole))


def _is_discard(cards: Cards) -> bool:
    pair = len(cards) == 2 and cards[0] == cards[1] and cards[0] in NUMBERS
    return (len(cards) == 1 or pair or is_equation(cards)) and all(0 < card < len(COPIES) for card in cards)


@lru_cache(maxsize=1 << 16)
def discards(hand: Cards, unseen: Cards = COPIES) -> tuple[Cards, ...]:
    """Every discard that a hand (kinds, ascending) allows.

    Each is a tuple of kinds, ascending. An unknown card (0) may be of any kind of which `unseen[kind]`, the
    number of unseen cards, is not 0.
    """
    if UNKNOWN in hand:
        return tuple(cards for cards in _all_discards() if _holds(hand, cards, unseen))
    numbers = tuple(card for card in hand if card in NUMBERS)
    found: dict[Cards, None] = dict.fromkeys((card,) for card in hand)
    found |= dict.fromkeys((one, one) for one in numbers if numbers.count(one) > 1)
    for size in range(3, len(numbers) + 1):
        found |= dict.fromkeys(cards for cards in combinations(numbers, size) if is_equation(cards))
    return tuple(found)


def _holds(hand: Cards, cards: Cards, unseen: Cards) -> bool:
    """True if a hand may contain `cards`.

    Its unknown cards may be of any kind with `unseen[kind]` cards left.
    """
    missing = {kind: max(0, cards.count(kind) - hand.count(kind)) for kind in set(cards)}
    enough = all(number <= unseen[kind] for kind, number in missing.items())
    return enough and sum(missing.values()) <= hand.count(UNKNOWN)


@lru_cache(maxsize=1)
def _all_discards() -> tuple[Cards, ...]:
    found: list[Cards] = [(kind,) for kind in range(1, len(COPIES))]
    found += [(kind, kind) for kind in NUMBERS]
    for size in range(3, HAND + 1):
        found += [
            cards
            for cards in combinations_with_replacement(NUMBERS, size)
            if is_equation(cards) and all(cards.count(kind) <= COPIES[kind] for kind in cards)
        ]
    return tuple(found)
