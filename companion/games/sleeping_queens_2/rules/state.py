"""The state of a game of Sleeping Queens 2: one immutable tuple that may contain hidden cards."""

from enum import IntEnum
from typing import NamedTuple

from companion.games.sleeping_queens_2.rules.parts import Parts

VARIANT = "standard"
PLAYERS = (2, 3, 4, 5)

Cards = tuple[int, ...]


class Phase(IntEnum):
    """The next thing to be done."""

    SETUP = 0
    """Chance gives knights, then opens the discard pile."""
    ROLL = 1
    """Chance rolls the die for the turn."""
    REROLL = 2
    """The player may roll a 1 again, for the turn or for a gnome."""
    WAKE = 3
    """After a dragon the player may wake one queen."""
    DRAW = 4
    """Chance draws cards."""
    INSTANT = 5
    """The player plays one of the drawn instant cards."""
    GNOME = 6
    """Chance rolls the die for a gnome."""
    FETCH = 7
    """The player takes a companion, for a gnome or an equation. Chance shuffles them first if all lie face
    up."""
    STEAL = 8
    """A gnome's 2: the player may steal a card."""
    TAKE = 9
    """A gnome's 3: the player may take a queen from the discard pile."""
    EXCHANGE = 10
    """A gnome's dragon: two players may exchange knights."""
    SWAP = 11
    """A witch: the player may swap a card."""
    PLAY = 12
    """The player plays equations, pairs, spell books and rescues, in any order."""
    RETURN = 13
    """The player lays the companion of a rescue back into the grid."""
    DISCARD = 14
    """The turn ends: the player discards cards."""
    OVER = 15


class State(NamedTuple):
    """One position. Players and grid places count from 0 here, from 1 in notation."""

    players: int
    phase: Phase
    turn: int
    turns: int
    """Number of turns begun."""
    draws: int
    """Number of cards still to be drawn."""
    realms: tuple[Cards, ...]
    """Numbers, awake queens and spell books of each player, ascending."""
    asleep: tuple[Cards, ...]
    """Sleeping queens of each player, ascending. Public, because everybody saw them fall asleep."""
    companions: tuple[Cards, ...]
    """Companions of each player, ascending."""
    kings: tuple[int, ...]
    """Number of kings that each player has rescued."""
    knights: tuple[int, ...]
    """Knight of each player (see `Knight`)."""
    deck: Cards
    """Kinds of the draw pile, next card last. Unknown cards are 0."""
    discard: Cards
    """Kinds of the discard pile, newest card last."""
    fresh: int
    """Number of cards in the last discard. Any of them may lie on top of the pile."""
    drawn: Cards
    """Cards drawn this turn and not yet in the realm, ascending (rulebook, "How to Play", step 3)."""
    played: int
    """Instant card whose effect is still to come, 0 for none. Afterwards it goes to the discard pile."""
    carried: int
    """Companion of a rescue, to be laid back into the grid. 0 for none."""
    cells: Cards
    """Companion on each grid place, UNKNOWN, or EMPTY."""
    face_up: tuple[bool, ...]
    """True for each grid place with a companion face up."""
    parts: Parts
    undo: "State | None" = None
    """State before a forbidden action, kept until the next step. None if there was none."""
