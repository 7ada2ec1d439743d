"""Value iteration for the basic game: turns and cards that a team still needs from a hand.

The value of a hand of five is the negative of the expected number of cards drawn until no check is left,
plus TURN_COST for each turn, under its best play or discard. A play removes as many checks as it earns looks,
and one more if the touch succeeds. The hand is refilled, the other players take average turns, and the value of
the new hand with fewer checks left is added.

Of the row of a later turn one card counts, as new: useful cards do not stay in the row. The tables take a few
tenths of a second to compute and are then kept.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.sleepless_princess.hints.hand_tables import Choices, Hands, Worth, all_hands, filled
from companion.games.sleepless_princess.rules.state import BASIC

MOST_WORK = 15
"""The tables reach so many checks: every mattress there is."""
NO_PLAY = 0.48
"""Share of a team's turns in which nothing is played, as counted over games of the coach (4 players)."""
PLAYS = (0.03, 0.16, 0.33)
"""Share of turns with a play that earns 0, 1, 2 looks."""
CARDS_A_TURN = 3.2
"""Cards drawn in a turn, on average."""
TOUCH = 0.65
"""Chance that the touch of a play takes a check off: not where it feels smooth."""
TURN_COST = 4.0
"""What a turn costs beside its cards, in cards: people want to win soon, and while all wait the same cards lie
open."""
PRECISION = 0.01
"""Cards: a table is worked through again until no hand changes by more."""


@lru_cache(maxsize=8)
def cards_needed(players: int) -> Worth:
    """The worth of hands, in cards and turns; the stage is the number of checks left, 0 to MOST_WORK."""
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
    """The chance that so many turns take 0, 1, ... checks off."""
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
    """What every choice is worth, by the worth of the cards kept with so many checks left."""
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
    """The worth of every kept set when one new card lies open, to be taken or left."""
    best: NDArray[np.float64] = np.maximum(worth[: len(hands.growth), None], worth.take(hands.growth))
    return best @ odds
