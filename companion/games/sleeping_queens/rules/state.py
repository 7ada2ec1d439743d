"""The state of a game of Sleeping Queens: one immutable tuple, hidden cards allowed."""

from enum import IntEnum
from typing import NamedTuple

VARIANT = "basic"
PLAYERS = (2, 3, 4, 5)


class Phase(IntEnum):
    """What is to be done next."""

    PLAY = 0
    """The player on turn plays or discards."""
    TARGET = 1
    """A knight or a potion lies there: the player on turn says which queen it is for."""
    ANSWER = 2
    """Whose queen it is defends her, or not."""
    SLEEP = 3
    """The player on turn lays the queen that a potion hit on an empty place."""
    JESTER = 4
    """Chance: the top card of the draw pile is turned up."""
    WAKE = 5
    """The player who may picks a sleeping queen."""
    REFILL = 6
    """The turn is over: piles and hands are put in order."""
    OVER = 7


class State(NamedTuple):
    """One position. Players, queens and places of the grid count from 0 here, from 1 in text."""

    players: int
    phase: Phase
    turn: int
    """The player on turn."""
    acting: int
    """The player who has to do something now: on turn, attacked, or chosen by a jester."""
    hands: tuple[tuple[int, ...], ...]
    """Each hand's kinds, ascending; unknown cards (0) first."""
    deck: tuple[int, ...]
    """The draw pile, the next card last; unknown cards are 0."""
    discard: tuple[int, ...]
    """The discard pile, the newest card last."""
    fresh: int
    """How many cards came to the discard pile together last: any of them may lie on top."""
    played: tuple[int, ...]
    """Kinds of the cards played this turn, ascending."""
    cells: tuple[int, ...]
    """For each place of the grid the queen that sleeps there, UNKNOWN_QUEEN, or EMPTY."""
    seen: tuple[bool, ...]
    """For each place whether everybody has seen who sleeps there."""
    awake: tuple[tuple[int, ...], ...]
    """Each player's queens, ascending."""
    target: int
    """The queen that is attacked, -1 for none."""
    turns: int
    """Turns begun so far."""
