"""What a hand is worth when a player has so many turns left: dynamic programming over every hand there is.

A hand of five is worth the best of its plays and discards: the checks a play buys, less what its cards cost the
team, plus the worth of the hand that is drawn up to afterwards from an open row and the deck. The row of a
later turn is not known, so that worth is a mean over ROWS rows drawn once from a fixed seed. The deck of later
turns is taken as the full set of cards without witches, that of this turn as what was not seen yet. The tables
take a few tenths of a second to make and are then kept.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.sleepless_princess.cards import BLANKET
from companion.games.sleepless_princess.cardsets import BLANKETS, HAND_SIZE, HELPER_COPIES, ROW_SIZE, Cards
from companion.games.sleepless_princess.plays import play_table, plays_for
from companion.games.sleepless_princess.state import VARIANTS

TURNS = 8
"""The tables reach so many turns of one player ahead; from there on a further turn changes next to nothing."""
PARTS = 4
"""Between whole numbers of turns the tables are blended, in quarters."""
ROWS = 150
MOST_DISCARDS = 2


class Prices(NamedTuple):
    """What the things of a turn are worth, in checks: one look through the glass is 1."""

    touch: float
    look: float
    card: float
    """Cards run out, and the game with them."""


class Worth(NamedTuple):
    """Worth of every set of up to five cards with 0 to TURNS turns to come for their holder."""

    places: dict[Cards, int]
    """The place of every set, its cards ascending; smaller sets come first."""
    hands: tuple[NDArray[np.float64], ...]
    """`hands[turns * PARTS]`: every hand of five."""
    grown: tuple[dict[int, int], ...]
    """`grown[place][kind]`: the place of the set with one more card; of every set that is no full hand."""
    growth: NDArray[np.int64]
    """The same as rows, blankets last."""

    def drawn(self, part: int, odds: Sequence[float]) -> Sequence[float]:
        """The worth of every set, by place, when what it lacks comes from the deck.

        `part` is the number of turns to come, in parts of a turn (PARTS); `odds` the chance of every kind.
        """
        # Few of them are ever read: a view is there at once, a list is not.
        return _filled(self.hands[part], self.growth, np.array(odds)).data


@lru_cache(maxsize=16)
def worth_of_hands(variant: str, prices: Prices) -> Worth:
    """The tables of a variant at given prices. The first call of each takes a few tenths of a second."""
    helpers = VARIANTS[variant].helpers_up_to
    kinds = (*range(1, helpers + 1), BLANKET)
    sets = [cards for size in range(HAND_SIZE + 1) for cards in combinations_with_replacement(kinds, size)]
    index = {cards: at for at, cards in enumerate(sets)}
    short = [cards for cards in sets if len(cards) < HAND_SIZE]
    grown = tuple({kind: index[tuple(sorted((*cards, kind)))] for kind in kinds} for cards in short)
    growth = np.array([list(places.values()) for places in grown])
    copies = np.array([HELPER_COPIES] * helpers + [BLANKETS])
    chance = np.random.default_rng(1)
    pack = np.repeat(np.arange(len(kinds)), copies)
    rows = np.stack([chance.permutation(pack)[:ROW_SIZE] for _ in range(ROWS)])
    starts, gains, kept = _choices(variant, prices, sets[len(short) :], index)
    hands = [np.zeros(len(sets) - len(short))]
    for _ in range(TURNS):
        drawn = _filled(hands[-1], growth, copies / copies.sum())
        after = _after_drawing(drawn, growth, rows)
        hands.append(np.maximum.reduceat(gains + after[kept], starts))
    blends = []
    for part in range(TURNS * PARTS + 1):
        turns, share = divmod(part, PARTS)
        later = hands[min(turns + 1, TURNS)]
        blends.append(hands[turns] + (later - hands[turns]) * share / PARTS)
    return Worth(index, tuple(blends), grown, growth)


def _choices(
    variant: str, prices: Prices, hands: list[Cards], index: dict[Cards, int]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Every play and discard of every hand: where a hand's begin, what each gains, which cards it keeps."""
    table = play_table(variant)
    starts: list[int] = []
    gains: list[float] = []
    kept: list[int] = []
    for hand in hands:
        starts.append(len(kept))
        for play in plays_for(variant, hand):
            use = table[play]
            gains.append(prices.touch + prices.look * use.looks - prices.card * len(use.cards))
            kept.append(index[without(hand, use.cards)])
        for size in range(1, MOST_DISCARDS + 1):
            for cards in set(combinations(hand, size)):
                gains.append(-prices.card * size)
                kept.append(index[without(hand, cards)])
    return np.array(starts), np.array(gains), np.array(kept)


def _filled(
    hands: NDArray[np.float64], growth: NDArray[np.int64], odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The worth of every set when what it lacks is drawn unseen."""
    worth = np.empty(len(growth) + len(hands))
    worth[len(growth) :] = hands
    for those in reversed(_by_size(growth.shape[1])):
        worth[those] = worth.take(growth[those]) @ odds
    return worth


@lru_cache(maxsize=8)
def _by_size(kinds: int) -> tuple[slice, ...]:
    """Where the sets of 0, 1, ... cards of so many kinds stand: C(kinds + size - 1, size) of each size."""
    ends = list(accumulate(comb(kinds + size - 1, size) for size in range(HAND_SIZE)))
    return tuple(slice(first, last) for first, last in zip((0, *ends), ends, strict=False))


def _after_drawing(
    worth: NDArray[np.float64],
    growth: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The worth of every kept set when the best open cards are taken first, as a mean over the rows."""
    result = np.zeros(len(growth))
    for size, where in enumerate(_by_size(growth.shape[1])):
        those = np.arange(where.start, where.stop)
        best = np.repeat(worth[those][:, None], len(rows), axis=1)
        for taken in range(1, HAND_SIZE - size + 1):
            for places in combinations(range(ROW_SIZE), taken):
                reached = np.repeat(those[:, None], len(rows), axis=1)
                for place in places:
                    reached = growth[reached, rows[:, place][None, :]]
                np.maximum(best, worth[reached], out=best)
        result[those] = best.mean(axis=1)
    return result


@lru_cache(maxsize=1 << 15)
def without(hand: Cards, cards: Cards) -> Cards:
    """The hand after `cards`, all of them in it, have left."""
    rest = list(hand)
    for kind in cards:
        rest.remove(kind)
    return tuple(rest)


def best_taking(
    drawn: Sequence[float],
    worth: Worth,
    kept: Cards,
    row: Cards,
    limits: tuple[int, int],
    witch: float,
) -> float:
    """The worth of drawing up `kept` as well as can be: the best open cards first, the rest from the deck.

    `drawn` is that of `worth`. `limits` are how many cards can come from the deck, how many may come from the
    row. `witch` is the price, for each open card still lying there, of drawing a card from the deck: a witch
    would sweep them away.
    """
    lacking = HAND_SIZE - len(kept)
    deck, from_row = limits
    most = min(lacking, len(row), from_row)
    grown = worth.grown
    reached: list[set[int]] = [{worth.places[kept]}, *(set() for _ in range(most))]
    for seen, kind in enumerate(row, 1):
        for taken in range(min(seen, most), 0, -1):
            reached[taken].update([grown[place][kind] for place in reached[taken - 1]])
    best = float("-inf")
    for taken in range(min(most, max(0, lacking - deck)), most + 1):
        unseen = min(lacking - taken, deck)
        # A hand that stays short brings the end: it has no further turn.
        value = 0.0
        if taken + unseen == lacking:
            value = max([drawn[place] for place in reached[taken]])
        best = max(best, value - witch * unseen * (len(row) - taken))
    return best
