"""The state of a game of Sleeping Queens: one immutable tuple that may contain hidden cards."""

from enum import IntEnum
from typing import NamedTuple

VARIANT = "basic"
PLAYERS = (2, 3, 4, 5)


class Phase(IntEnum):
    """Kind of step that comes next."""

    PLAY = 0
    """The player on turn plays or discards."""
    TARGET = 1
    """The player on turn names the queen that the played knight or potion attacks."""
    ANSWER = 2
    """The attacked player stops the attack (dragon against knight, wand against potion) or yields."""
    SLEEP = 3
    """The player on turn lays the queen hit by a potion on an empty grid place."""
    JESTER = 4
    """The jester turns up the top card of the draw pile."""
    WAKE = 5
    """The acting player chooses a sleeping queen to wake."""
    REFILL = 6
    """The turn is over: played cards go to the discard pile, and all hands are filled."""
    OVER = 7


class State(NamedTuple):
    """One position of a game of Sleeping Queens: cards, queens, and who has to act.

    Players, queens and grid places count from 0 here, from 1 in notation.
    """

    players: int
    phase: Phase
    turn: int
    acting: int
    """Player (from 0) who has to act: on turn, attacked, or chosen by a jester."""
    hands: tuple[tuple[int, ...], ...]
    """Kinds of each hand, ascending; unknown cards (0) come first."""
    deck: tuple[int, ...]
    """Kinds of the draw pile, next card last. Unknown cards are 0."""
    discard: tuple[int, ...]
    """Kinds of the discard pile, newest card last."""
    fresh: int
    """Number of cards that came onto the discard pile together last. Any of them may lie on top."""
    played: tuple[int, ...]
    """Kinds of the cards played this turn, ascending."""
    cells: tuple[int, ...]
    """For each grid place: the number of the queen asleep there, UNKNOWN_QUEEN, or EMPTY."""
    seen: tuple[bool, ...]
    """For each grid place: True if everybody has seen the queen asleep there."""
    awake: tuple[tuple[int, ...], ...]
    """Numbers (0 to 11) of each player's awake queens, ascending."""
    target: int
    """Number (0 to 11) of the attacked queen, -1 for none."""
    turns: int
    """Number of turns begun, the running one included."""
