"""Value iteration for the basic game: the cards and turns that a team still needs.

The value of a full hand is minus the expected cost until no check is left. The cost counts drawn cards, and
TURN_COST for each turn. Play is optimal.
A play removes one check for each look, and one more if the touch succeeds.
Then the hand is refilled and the other players take average turns.
One new open card counts in a later turn, because useful cards do not stay in the row.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.sleepless_princess.hints.hand_tables import Choices, Hands, Worth, all_hands, filled
from companion.games.sleepless_princess.rules.state import BASIC

MOST_WORK = 15
"""Largest number of checks left that the tables cover: one for each mattress of the basic game."""
NO_PLAY = 0.48
"""Share (0 to 1) of turns without a play.

Counted in simulated games of the coach with 4 players.
"""
PLAYS = (0.03, 0.16, 0.33)
"""Shares of turns whose play earns 0, 1 and 2 looks. Counted in simulated games of the coach."""
CARDS_A_TURN = 3.2
"""Mean number of cards that a player draws in a turn."""
TOUCH = 0.65
"""Chance (0 to 1) that a touch makes one check less to do.

The touch of a smooth mattress does not.
"""
TURN_COST = 4.0
"""Cost of a turn apart from its cards, in cards. A guess.

People want to win soon, and open cards stay while everybody waits.
"""
PRECISION = 0.01
"""Largest change of a hand's value (cards) at which the iteration stops."""


@lru_cache(maxsize=8)
def cards_needed(players: int) -> Worth:
    """Worth of each hand: minus the expected cost (cards) until no check is left.

    A stage of the table (see `Worth`) is the number of checks (touches or looks) left, 0 to MOST_WORK.
    `players`: number of players.
    """
    hands = all_hands(BASIC.name)
    odds = hands.copies / hands.copies.sum()
    others = _progress(players - 1)
    waiting = CARDS_A_TURN * (players - 1) + TURN_COST * players
    best = [np.zeros(len(hands.choices.starts))]
    ended = list(best)
    kept = [np.zeros(len(hands.growth))]
    for work in range(1, MOST_WORK + 1):
        now = best[-1]
        kept.append(kept[-1])
        change = np.inf
        while change > PRECISION:
            fewer = [*best, now]
            end = sum(share * fewer[max(0, work - done)] for done, share in enumerate(others)) - waiting
            kept[work] = _after_drawing(filled(end, hands.growth, odds), hands, odds)
            after = np.maximum.reduceat(_values(hands.choices, kept, work), hands.choices.starts)
            change = np.abs(after - now).max()
            now = after
        best.append(now)
        ended.append(end)
    return Worth(hands, tuple(ended))


def _progress(turns: int) -> NDArray[np.float64]:
    """Chance that `turns` turns reduce the checks left by 0, 1, 2, ... (the index)."""
    one = np.zeros(len(PLAYS) + 1)
    one[0] = NO_PLAY
    for looks, share in enumerate(PLAYS):
        one[looks] += share * (1 - TOUCH)
        one[looks + 1] += share * TOUCH
    together = np.ones(1)
    for _ in range(turns):
        together = np.convolve(together, one)
    return together


def _values(choices: Choices, kept: list[NDArray[np.float64]], work: int) -> NDArray[np.float64]:
    """Value (minus cards) of each choice with `work` checks left.

    `kept[work][index]`: value of each set of cards kept, for each number of checks left.
    """
    worth = -choices.cards.astype(float)
    discards = choices.looks < 0
    worth[discards] += kept[work][choices.kept[discards]]
    for looks in range(len(PLAYS)):
        those = choices.looks == looks
        places = choices.kept[those]
        worth[those] += (1 - TOUCH) * kept[max(0, work - looks)][places]
        worth[those] += TOUCH * kept[max(0, work - looks - 1)][places]
    return worth


def _after_drawing(worth: NDArray[np.float64], hands: Hands, odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Value of each set of kept cards when one new open card may be taken or left.

    `worth[index]`: value of each set. `odds`: chance (0 to 1) of each kind to lie open.
    """
    best: NDArray[np.float64] = np.maximum(worth[: len(hands.growth), None], worth.take(hands.growth))
    return best @ odds
