"""A small neural network: one player's chance to win, from the end of a turn.

Inputs (about 0 to 1): the own hand, the queens of each player beginning with the own, whose turn ended, cards
and sleeping queens left.
One hidden layer of rectifiers, one logistic output. `fit_win_chance` makes the weights in `win_chance.json`.
"""

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.sleeping_queens.hints.player_knowledge import Cards, strangers, unknown_cards, unseen
from companion.games.sleeping_queens.rules.equations import discards
from companion.games.sleeping_queens.rules.game_end import points, wins_with
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    DRAGON,
    ENEMY,
    HAND,
    JESTER,
    KING,
    KNIGHT,
    NUMBERS,
    POINTS,
    POTION,
    QUEEN_NAMES,
    ROSE,
    WAND,
)
from companion.games.sleeping_queens.rules.state import PLAYERS, State

Numbers = tuple[float, ...]
WEIGHTS = Path(__file__).with_name("win_chance.json")
"""File with the shipped weights (JSON)."""
POWERS = (KING, JESTER, KNIGHT, POTION, WAND, DRAGON)
SEATS = PLAYERS[-1]
MOST_POINTS = max(POINTS)
_SEAT_INPUTS = 15
_FEW_CARDS = 10
"""Number of cards below which the draw pile counts as nearly empty. A guess."""


class WinChance(NamedTuple):
    """Neural network with one hidden layer that estimates a player's chance to win."""

    hidden: NDArray[np.float32]
    """Weights from inputs to hidden units. A row is an input, a column a unit."""
    hidden_bias: NDArray[np.float32]
    output: NDArray[np.float32]
    """Weights from hidden units to the single output, one for each unit."""
    output_bias: float

    def of(self, inputs: Numbers) -> float:
        """Chance to win (0 to 1) in a position.

        `inputs`: the position as numbers, from the function `inputs` of this module.
        """
        units = np.maximum(np.array(inputs, np.float32) @ self.hidden + self.hidden_bias, 0.0)
        return float(1.0 / (1.0 + np.exp(-(units @ self.output + self.output_bias))))


@cache
def fitted(path: Path = WEIGHTS) -> WinChance:
    """Read the network's weights, by default the shipped JSON file."""
    read = json.loads(path.read_text(encoding="utf-8"))
    return WinChance(
        np.array(read["hidden"], np.float32),
        np.array(read["hidden_bias"], np.float32),
        np.array(read["output"], np.float32),
        float(read["output_bias"]),
    )


def inputs(state: State, player: int) -> Numbers:
    """A position as numbers (about 0 to 1) for `WinChance.of`.

    `state`: what `player` (from 0) knows, in phase REFILL (the end of a turn).
    """
    after_turn = (player - state.turn) % state.players
    left, cards = unseen(state), max(1, unknown_cards(state))
    return (
        *_hand(state.hands[player]),
        *_seats(state.awake, player),
        *(float(seat == after_turn) for seat in range(SEATS)),
        *(5.0 * left[kind] / cards for kind in POWERS),
        *_asleep(state.cells, strangers(state)),
        float(len(state.deck) < _FEW_CARDS),
        *(float(players == state.players) for players in PLAYERS),
    )


@lru_cache(maxsize=1 << 14)
def _hand(hand: Cards) -> Numbers:
    powers = [float(hand.count(kind) >= copies) for kind in POWERS for copies in (1, 2)]
    numbers = tuple(kind for kind in hand if kind in NUMBERS)
    together = _together(numbers)
    # A full hand draws no card.
    later = (
        [_together(tuple(sorted((*numbers, number)))) for number in NUMBERS]
        if len(numbers) < HAND
        else [together]
    )
    return (
        *powers,
        float(hand.count(KING) >= 3),
        *(float(together >= cards) for cards in range(2, HAND + 1)),
        len(numbers) / HAND,
        (HAND - len(hand)) / HAND,
        sum(later) / len(later) / HAND,
    )


def _together(numbers: Cards) -> int:
    """Size of the largest discard that these number cards allow."""
    return max((len(cards) for cards in discards(numbers)), default=0)


@lru_cache(maxsize=1 << 14)
def _seats(awake: tuple[Cards, ...], player: int) -> Numbers:
    """Network inputs on the awake queens of each seat, from `player` (from 0) to the left.

    0 for empty seats. `awake`: each player's queens.
    """
    found: list[float] = []
    for seat in range(len(awake)):
        found += _seat(awake, (player + seat) % len(awake))
    return (*found, *(0.0,) * (_SEAT_INPUTS * SEATS - len(found)))


@lru_cache(maxsize=1 << 14)
def _seat(awake: tuple[Cards, ...], player: int) -> Numbers:
    own = awake[player]
    number, worth = wins_with(len(awake))
    missing, needed = number - len(own), worth - points(own)
    lying = {queen for queens in awake for queen in queens}
    asleep = [queen for queen in range(CELLS) if queen not in lying]
    others = [queen for queen in lying if queen not in own and ENEMY.get(queen) not in own]
    enough = [missing <= 1 or needed <= value for value in POINTS]
    wakes = [queen for queen in asleep if enough[queen] and ENEMY.get(queen) not in own]
    return (
        *(float(missing <= queens) for queens in range(1, 5)),
        *(float(needed <= value) for value in range(5, 35, 5)),
        points(own) / worth,
        len(wakes) / max(1, len(asleep)),
        float(any(enough[queen] for queen in others)),
        max((POINTS[queen] for queen in others), default=0) / MOST_POINTS,
        max((POINTS[queen] for queen in own), default=0) / MOST_POINTS,
    )


@lru_cache(maxsize=1 << 14)
def _asleep(cells: Cards, unknown: Cards) -> Numbers:
    """Network inputs on sleeping queens.

    They are: number, mean points of unseen ones, the two best seen ones, the Rose queen. `cells`: queen on each
    grid place. `unknown`: queens that nobody has seen.
    """
    known = sorted((POINTS[queen] for queen in cells if queen >= 0), reverse=True)
    best, second = (*known, 0, 0)[:2]
    return (
        (len(known) + len(unknown)) / len(QUEEN_NAMES),
        points(unknown) / len(unknown) / 10 - 1 if unknown else 0.0,
        best / MOST_POINTS,
        second / MOST_POINTS,
        float(ROSE in cells),
    )
