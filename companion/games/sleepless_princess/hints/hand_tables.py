"""Tables of all hands and partial hands: their index, choices and ways to fill up."""

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
"""Number of cards that a player may discard in a turn (rulebook, "Discard 1 or 2 cards")."""


class Hands(NamedTuple):
    """All sets of up to five cards of a variant, each with an index."""

    places: dict[Cards, int]
    """Set of cards, ascending -> its index. Smaller sets come first."""
    grown: tuple[dict[int, int], ...]
    """`grown[index][kind]`: index of the set with one card of `kind` more. For sets of up to four cards."""
    growth: NDArray[np.int64]
    """`grown` as an array: one row for each set, one column for each kind, blankets last."""
    copies: NDArray[np.int64]
    """For each kind: number of cards in the game, blankets last."""
    choices: "Choices"


class Choices(NamedTuple):
    """Plays and discards of every full hand: one long list."""

    starts: NDArray[np.int64]
    """For each full hand: index of its first choice in the list."""
    cards: NDArray[np.int64]
    """For each choice: number of cards that it takes from the hand."""
    looks: NDArray[np.int64]
    """For each play: looks through the glass that it earns, 0 to 2; -1 for a discard."""
    kept: NDArray[np.int64]
    """For each choice: index of the set of cards that stays in the hand."""


class Worth(NamedTuple):
    """Table: how much each hand of cards is worth.

    The function that made it says in which unit, and what its stages count.
    """

    hands: Hands
    full: tuple[NDArray[np.float64], ...]
    """`full[stage][hand]`: worth of each full hand at the end of its player's turn."""

    def drawn(self, stage: int, odds: Sequence[float]) -> Sequence[float]:
        """Worth of each set of cards (by index) once the deck has filled it up.

        `stage`: see the function that made the table. `odds`: chance (0 to 1) of each kind to be drawn.
        """
        # A view, because only few values are read and a list costs time.
        return filled(self.full[stage], self.hands.growth, np.array(odds)).data


@lru_cache(maxsize=4)
def all_hands(variant: str) -> Hands:
    """Every hand of a variant. The result is cached."""
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
    """All plays and discards of full hands. `hands`: sorted kinds each. `places`: set -> index."""
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
    """Worth of each set of cards (by index) once the deck has filled it up.

    `hands`: worth of each full hand. `growth`: see `Hands.growth`. `odds`: chance (0 to 1) of each kind to be
    drawn. The result begins with the sets that are not full.
    """
    worth = np.empty(len(growth) + len(hands))
    worth[len(growth) :] = hands
    for those in reversed(sets_by_size(growth.shape[1])):
        worth[those] = worth.take(growth[those]) @ odds
    return worth


@lru_cache(maxsize=8)
def sets_by_size(kinds: int) -> tuple[slice, ...]:
    """Indices of the sets with 0, 1, 2, 3 and 4 cards, a slice for each size.

    `kinds`: number of kinds. There are C(kinds + size - 1, size) sets of a size.
    """
    ends = list(accumulate(comb(kinds + size - 1, size) for size in range(HAND_SIZE)))
    return tuple(slice(first, last) for first, last in zip((0, *ends), ends, strict=False))


@lru_cache(maxsize=1 << 15)
def without(hand: Cards, cards: Cards) -> Cards:
    """The hand without `cards`, all of which it must contain."""
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
    """Worth of filling up the hand `kept` in the best way: open cards first, the rest from the deck.

    `drawn`: result of `Worth.drawn`. `limits`: (most cards from the deck, most cards from the row).
    `witch`: loss for each deck card times each open card left lying, which a witch would sweep away.
    `short`: worth of a hand that stays too small, because that triggers the end.
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
