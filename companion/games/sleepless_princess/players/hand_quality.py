"""Worth of a hand; best cards to draw or discard."""

from functools import lru_cache
from itertools import combinations

from companion.games.sleepless_princess.rules.actions import Play
from companion.games.sleepless_princess.rules.card_kinds import BLANKET
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, Cards, remove
from companion.games.sleepless_princess.rules.plays import discards_for, play_table, plays_for

LOOK_WORTH = 1.2
"""Worth of a look through the glass, in touches of a mattress. A guess.

It is above 1, because a look tells smooth mattresses apart.
"""
CARD_COST = 0.15
"""Cost of a card, in touches of a mattress. A guess.

A card costs something, because an empty deck ends the game.
"""
NEARLY = 0.5
"""Worth, in touches, of a hand without a play if any further card would give one. A guess."""
UNSEEN_CARD = 0.05
"""Extra worth of a deck card over a useless open one, in touches. A guess."""

_KINDS = tuple(range(1, BLANKET + 1))


def play_worth(variant: str, play: Play) -> float:
    """Worth of a play, in touches: the touch and looks that it earns, less the cost of its cards."""
    use = play_table(variant)[play]
    return 1 + LOOK_WORTH * use.looks - CARD_COST * len(use.cards)


@lru_cache(maxsize=1 << 15)
def hand_worth(variant: str, hand: Cards) -> float:
    """Worth (touches) of a hand: that of its best play.

    Without a play: NEARLY times the share of kinds that would give one.
    """
    plays = plays_for(variant, hand)
    if plays:
        return max(play_worth(variant, play) for play in plays)
    helpful = sum(bool(plays_for(variant, tuple(sorted((*hand, kind))))) for kind in _KINDS)
    return NEARLY * helpful / len(_KINDS)


@lru_cache(maxsize=1 << 14)
def best_draw(variant: str, hand: Cards, row: Cards, deck: bool) -> tuple[float, Cards]:
    """(worth of the full hand, open cards to take): the best way to fill up a hand.

    The worth is in touches. The other cards come from the deck. `deck`: True if it has cards.
    """
    missing = HAND_SIZE - len(hand)
    found: list[tuple[float, Cards]] = []
    for size in range(min(missing, len(row)) + 1):
        for cards in sorted(set(combinations(row, size))):
            unseen = UNSEEN_CARD * (missing - size) if deck else 0.0
            found.append((hand_worth(variant, tuple(sorted(hand + cards))) + unseen, cards))
    return max(found, key=lambda item: item[0])


@lru_cache(maxsize=1 << 14)
def best_discard(variant: str, hand: Cards, row: Cards, deck: bool, most: int) -> Cards:
    """The discard of up to `most` cards after which the refilled hand is worth most.

    () if none is possible. `deck`: True if it has cards.
    """
    best: tuple[float, Cards] = (-1.0, ())
    for discard in discards_for(variant, hand, most):
        rest = hand
        for kind in discard.cards:
            rest = remove(rest, kind) or ()
        worth = best_draw(variant, rest, row, deck)[0] - CARD_COST * len(discard.cards) / 2
        if worth > best[0]:
            best = (worth, discard.cards)
    return best[1]
