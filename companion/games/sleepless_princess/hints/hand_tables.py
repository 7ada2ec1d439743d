"""Every hand and every part of one: where each stands, what can be done with it, and how it is drawn up."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.sleepless_princess.rules.card_kinds import BLANKET
from companion.games.sleepless_princess.rules.cardsets import BLANKETS, HAND_SIZE, HELPER_COPIES, Cards
from companion.games.sleepless_princess.rules.plays import play_table, plays_for
from companion.games.sleepless_princess.rules.state import VARIANTS

MOST_DISCARDS = 2


class Hands(NamedTuple):
    """Every set of up to five cards of a variant."""

    places: dict[Cards, int]
    """The place of every set, its cards ascending; smaller sets come first."""
    grown: tuple[dict[int, int], ...]
    """`grown[place][kind]`: the place of the set with one more card; of every set that is no full hand."""
    growth: NDArray[np.int64]
    """The same as rows, blankets last."""
    copies: NDArray[np.int64]
    """How many cards there are of each kind, blankets last."""
    choices: "Choices"


class Choices(NamedTuple):
    """Every play and discard of every hand of five, hand by hand."""

    starts: NDArray[np.int64]
    """Where those of each hand begin."""
    cards: NDArray[np.int64]
    """How many cards each takes from the hand."""
    looks: NDArray[np.int64]
    """The looks each earns; -1 for a discard."""
    kept: NDArray[np.int64]
    """The place of the set that stays in the hand."""


class Worth(NamedTuple):
    """What hands are worth, in the measure of whoever made the table."""

    hands: Hands
    full: tuple[NDArray[np.float64], ...]
    """`full[stage]`: the worth of every hand of five once its holder's turn is over."""

    def drawn(self, stage: int, odds: Sequence[float]) -> Sequence[float]:
        """The worth of every set, by place, when what it lacks comes from the deck; `odds` of every kind."""
        # Few of them are ever read: a view is there at once, a list is not.
        return filled(self.full[stage], self.hands.growth, np.array(odds)).data


@lru_cache(maxsize=4)
def all_hands(variant: str) -> Hands:
    """The hands of a variant, made once."""
    helpers = VARIANTS[variant].helpers_up_to
    kinds = (*range(1, helpers + 1), BLANKET)
    sets = [cards for size in range(HAND_SIZE + 1) for cards in combinations_with_replacement(kinds, size)]
    places = {cards: at for at, cards in enumerate(sets)}
    short = [cards for cards in sets if len(cards) < HAND_SIZE]
    grown = tuple({kind: places[tuple(sorted((*cards, kind)))] for kind in kinds} for cards in short)
    growth = np.array([list(those.values()) for those in grown])
    copies = np.array([HELPER_COPIES] * helpers + [BLANKETS])
    return Hands(places, grown, growth, copies, _choices(variant, sets[len(short) :], places))


def _choices(variant: str, hands: list[Cards], places: dict[Cards, int]) -> Choices:
    table = play_table(variant)
    starts: list[int] = []
    found: list[tuple[int, int, int]] = []
    for hand in hands:
        starts.append(len(found))
        for play in plays_for(variant, hand):
            use = table[play]
            found.append((len(use.cards), use.looks, places[without(hand, use.cards)]))
        for size in range(1, MOST_DISCARDS + 1):
            found += [(size, -1, places[without(hand, cards)]) for cards in set(combinations(hand, size))]
    cards, looks, kept = np.array(found).T
    return Choices(np.array(starts), cards, looks, kept)


def filled(
    hands: NDArray[np.float64], growth: NDArray[np.int64], odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The worth of every set when what it lacks is drawn unseen."""
    worth = np.empty(len(growth) + len(hands))
    worth[len(growth) :] = hands
    for those in reversed(sets_by_size(growth.shape[1])):
        worth[those] = worth.take(growth[those]) @ odds
    return worth


@lru_cache(maxsize=8)
def sets_by_size(kinds: int) -> tuple[slice, ...]:
    """Where the sets of 0, 1, ... cards of so many kinds stand: C(kinds + size - 1, size) of each size."""
    ends = list(accumulate(comb(kinds + size - 1, size) for size in range(HAND_SIZE)))
    return tuple(slice(first, last) for first, last in zip((0, *ends), ends, strict=False))


@lru_cache(maxsize=1 << 15)
def without(hand: Cards, cards: Cards) -> Cards:
    """The hand after `cards`, all of them in it, have left."""
    rest = list(hand)
    for kind in cards:
        rest.remove(kind)
    return tuple(rest)


def best_taking(
    drawn: Sequence[float],
    hands: Hands,
    kept: Cards,
    row: Cards,
    limits: tuple[int, int],
    witch: float,
    short: float,
) -> float:
    """The worth of drawing up `kept` as well as can be: the best open cards first, the rest from the deck.

    `drawn` is that of a Worth. `limits` are how many cards can come from the deck, how many may come from the
    row. `witch` is the price, for each open card still lying there, of drawing a card from the deck: a witch
    would sweep them away. `short` is the worth of a hand that cannot be filled up, which brings the end.
    """
    lacking = HAND_SIZE - len(kept)
    deck, from_row = limits
    most = min(lacking, len(row), from_row)
    grown = hands.grown
    reached: list[set[int]] = [{hands.places[kept]}, *(set() for _ in range(most))]
    for seen, kind in enumerate(row, 1):
        for taken in range(min(seen, most), 0, -1):
            reached[taken].update([grown[place][kind] for place in reached[taken - 1]])
    best = float("-inf")
    for taken in range(min(most, max(0, lacking - deck)), most + 1):
        unseen = min(lacking - taken, deck)
        value = short
        if taken + unseen == lacking:
            value = max([drawn[place] for place in reached[taken]])
        best = max(best, value - witch * unseen * (len(row) - taken))
    return best
