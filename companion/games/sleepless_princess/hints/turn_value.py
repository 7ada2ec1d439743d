"""What a hand brings in the turns still to come: for games in which cards seldom suffice for every bed.

That is the 5+ game, and the silent one, where the checks of others take nothing off one's own. A hand of five
is worth the best of its plays and discards: the checks a play buys, less what its cards cost, plus the worth of
the hand that is drawn up to afterwards from an open row and the deck. The row of a later turn is not known, so
that worth is a mean over ROWS rows drawn once from a fixed seed.
"""

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.sleepless_princess.hints.hand_tables import Worth, all_hands, filled, sets_by_size
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE

TURNS = 8
"""The tables reach so many turns of one player ahead; from there on a further turn changes next to nothing."""
PARTS = 4
"""Between whole numbers of turns the tables are blended, in quarters."""
ROWS = 150


class Prices(NamedTuple):
    """What the things of a turn are worth, in checks: one look through the glass is 1."""

    touch: float
    card: float
    """Cards run out, and the game with them; found by playing."""


PRICES = {"basic": Prices(0.67, 0.25), "5+": Prices(1.0, 0.2)}
"""A touch finds nothing on every third mattress of the basic game, which is smooth."""


@lru_cache(maxsize=4)
def worth_of_turns(variant: str) -> Worth:
    """The worth of hands in checks; the stage is the number of turns to come, in parts of a turn (PARTS)."""
    hands = all_hands(variant)
    choices = hands.choices
    odds = hands.copies / hands.copies.sum()
    chance = np.random.default_rng(1)
    pack = np.repeat(np.arange(len(hands.copies)), hands.copies)
    rows = np.stack([chance.permutation(pack)[:ROW_SIZE] for _ in range(ROWS)])
    prices = PRICES[variant]
    gains = np.where(choices.looks < 0, 0.0, prices.touch + choices.looks) - prices.card * choices.cards
    full = [np.zeros(len(choices.starts))]
    for _ in range(TURNS):
        after = _after_drawing(filled(full[-1], hands.growth, odds), hands.growth, rows)
        full.append(np.maximum.reduceat(gains + after[choices.kept], choices.starts))
    blends = []
    for part in range(TURNS * PARTS + 1):
        turns, share = divmod(part, PARTS)
        later = full[min(turns + 1, TURNS)]
        blends.append(full[turns] + (later - full[turns]) * share / PARTS)
    return Worth(hands, tuple(blends))


def _after_drawing(
    worth: NDArray[np.float64],
    growth: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The worth of every kept set when the best open cards are taken first, as a mean over the rows."""
    result = np.zeros(len(growth))
    for size, where in enumerate(sets_by_size(growth.shape[1])):
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
