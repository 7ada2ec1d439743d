"""The state of a game of Sleeping Queens 2: one immutable tuple that may contain hidden cards."""

from enum import IntEnum
from typing import NamedTuple

from companion.games.sleeping_queens_2.rules.parts import Parts

VARIANT = "standard"
PLAYERS = (2, 3, 4, 5)

Cards = tuple[int, ...]


class Phase(IntEnum):
    """Kind of step that comes next."""

    SETUP = 0
    """Chance gives out knights, then turns up the first card of the discard pile."""
    ROLL = 1
    """Chance rolls the die for the turn."""
    REROLL = 2
    """The player decides whether to roll a 1 again, for the turn or for a gnome."""
    WAKE = 3
    """The player may wake one queen, after rolling a dragon."""
    DRAW = 4
    """Chance turns up the next card of the draw pile."""
    INSTANT = 5
    """The player plays one of the drawn instant cards."""
    GNOME = 6
    """Chance rolls the die for a gnome."""
    FETCH = 7
    """The player takes a companion from the grid, after a gnome or an equation. If all lie face up, chance
    shuffles them first."""
    STEAL = 8
    """The player may steal a card, after a gnome's 2."""
    TAKE = 9
    """The player may take a queen from the discard pile, after a gnome's 3."""
    EXCHANGE = 10
    """Two players may exchange their knights, after a gnome's dragon."""
    SWAP = 11
    """The player may swap a card with another player, after a witch."""
    PLAY = 12
    """The player may play equations, pairs, spell books and rescues, in any order."""
    RETURN = 13
    """The player lays the companion of a rescue back into the grid."""
    DISCARD = 14
    """The player discards cards at the end of the turn."""
    OVER = 15


class State(NamedTuple):
    """One position of a game of Sleeping Queens 2: cards, grid, kings, and whose turn it is.

    Players and grid places count from 0 here, from 1 in notation. `parts`: what is printed on the box's parts.
    """

    players: int
    phase: Phase
    turn: int
    turns: int
    """Number of turns begun, the running one included."""
    draws: int
    """Number of cards that are still to be drawn this turn."""
    realms: tuple[Cards, ...]
    """For each player: kinds of numbers, awake queens and spell books, ascending."""
    asleep: tuple[Cards, ...]
    """For each player: sleeping queens, ascending. Everybody saw them fall asleep."""
    companions: tuple[Cards, ...]
    """For each player: companions, ascending."""
    kings: tuple[int, ...]
    """Number of kings that each player has rescued."""
    knights: tuple[int, ...]
    """Knight of each player (see `Knight`)."""
    deck: Cards
    """Kinds of the draw pile, next card last. Unknown cards are 0."""
    discard: Cards
    """Kinds of the discard pile, newest card last."""
    fresh: int
    """Number of cards that came onto the discard pile together last. Any of them may lie on top."""
    drawn: Cards
    """Cards drawn this turn that are not in the realm yet, ascending (rulebook, "How to Play", step 3)."""
    played: int
    """The instant card whose effect is still to come, 0 for none. Afterwards it goes to the discard pile."""
    carried: int
    """The companion of a rescue, until it is laid back into the grid. 0 for none."""
    cells: Cards
    """For each grid place: the companion there, UNKNOWN, or EMPTY."""
    face_up: tuple[bool, ...]
    """For each grid place: True if a companion lies there face up."""
    parts: Parts
    undo: "State | None" = None
    """The state before a forbidden action, kept until the next step so that it can be taken back. None:
    nothing to take back."""
