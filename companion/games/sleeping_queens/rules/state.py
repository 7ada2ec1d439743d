"""The state of a game of Sleeping Queens: one immutable tuple that may contain hidden cards."""

from enum import IntEnum
from typing import NamedTuple

VARIANT = "basic"
PLAYERS = (2, 3, 4, 5)


class Phase(IntEnum):
    """The next thing to be done."""

    PLAY = 0
    """The player on turn plays or discards."""
    TARGET = 1
    """The player on turn names the queen that the played knight or potion attacks."""
    ANSWER = 2
    """The attacked player defends the queen or yields."""
    SLEEP = 3
    """The player on turn lays the queen hit by a potion on an empty grid place."""
    JESTER = 4
    """Chance turns up the top card of the draw pile."""
    WAKE = 5
    """The acting player picks a sleeping queen."""
    REFILL = 6
    """The turn is over: played cards are swept and hands are filled."""
    OVER = 7


class State(NamedTuple):
    """One position. Players, queens and grid places count from 0 here, from 1 in notation."""

    players: int
    phase: Phase
    turn: int
    acting: int
    """Player who has to act: on turn, attacked, or chosen by a jester."""
    hands: tuple[tuple[int, ...], ...]
    """Kinds of each hand, ascending; unknown cards (0) come first."""
    deck: tuple[int, ...]
    """Kinds of the draw pile, next card last. Unknown cards are 0."""
    discard: tuple[int, ...]
    """Kinds of the discard pile, newest card last."""
    fresh: int
    """Number of cards in the last discard. Any of them may lie on top of the pile."""
    played: tuple[int, ...]
    """Kinds of the cards played this turn, ascending."""
    cells: tuple[int, ...]
    """Queen asleep on each grid place, UNKNOWN_QUEEN, or EMPTY."""
    seen: tuple[bool, ...]
    """True for each grid place whose queen everybody has seen."""
    awake: tuple[tuple[int, ...], ...]
    """Queens of each player, ascending."""
    target: int
    """Attacked queen, -1 for none."""
    turns: int
    """Number of turns begun."""
