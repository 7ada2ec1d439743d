"""How good a hand is, and what to draw and discard for a better one."""

from functools import lru_cache
from itertools import combinations

from companion.games.sleepless_princess.rules.actions import Play
from companion.games.sleepless_princess.rules.card_kinds import BLANKET
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, Cards, remove
from companion.games.sleepless_princess.rules.plays import discards_for, play_table, plays_for

LOOK_WORTH = 1.2
"""A look against a touch: it also tells smooth mattresses apart."""
CARD_COST = 0.15
"""Cards run out, and the game with them."""
NEARLY = 0.5
"""The worth of a hand that any one more card would make playable."""
UNSEEN_CARD = 0.05
"""The worth of a card from the deck over an open one that does not help."""

_KINDS = tuple(range(1, BLANKET + 1))


def play_worth(variant: str, play: Play) -> float:
    """The checks a play buys less what its cards cost."""
    use = play_table(variant)[play]
    return 1 + LOOK_WORTH * use.looks - CARD_COST * len(use.cards)


@lru_cache(maxsize=1 << 15)
def hand_worth(variant: str, hand: Cards) -> float:
    """The best play of a hand; without one, how many kinds of card would bring one."""
    plays = plays_for(variant, hand)
    if plays:
        return max(play_worth(variant, play) for play in plays)
    helpful = sum(bool(plays_for(variant, tuple(sorted((*hand, kind))))) for kind in _KINDS)
    return NEARLY * helpful / len(_KINDS)


@lru_cache(maxsize=1 << 14)
def best_draw(variant: str, hand: Cards, row: Cards, deck: bool) -> tuple[float, Cards]:
    """The worth of the best set of open cards to take, and the set; the rest comes from the deck."""
    missing = HAND_SIZE - len(hand)
    found: list[tuple[float, Cards]] = []
    for size in range(min(missing, len(row)) + 1):
        for cards in sorted(set(combinations(row, size))):
            unseen = UNSEEN_CARD * (missing - size) if deck else 0.0
            found.append((hand_worth(variant, tuple(sorted(hand + cards))) + unseen, cards))
    return max(found, key=lambda item: item[0])


@lru_cache(maxsize=1 << 14)
def best_discard(variant: str, hand: Cards, row: Cards, deck: bool, most: int) -> Cards:
    """One or two cards to give up for the best hand afterwards; empty where nothing may be discarded."""
    best: tuple[float, Cards] = (-1.0, ())
    for discard in discards_for(variant, hand, most):
        rest = hand
        for kind in discard.cards:
            rest = remove(rest, kind) or ()
        worth = best_draw(variant, rest, row, deck)[0] - CARD_COST * len(discard.cards) / 2
        if worth > best[0]:
            best = (worth, discard.cards)
    return best[1]
