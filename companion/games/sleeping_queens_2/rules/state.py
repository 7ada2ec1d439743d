"""The state of a game of Sleeping Queens 2: one immutable tuple, hidden cards allowed."""

from enum import IntEnum
from typing import NamedTuple

from companion.games.sleeping_queens_2.rules.parts import Parts

VARIANT = "standard"
PLAYERS = (2, 3, 4, 5)

Cards = tuple[int, ...]


class Phase(IntEnum):
    """What is to be done next."""

    SETUP = 0
    """Chance: knights are given, then the discard pile begins."""
    ROLL = 1
    """Chance: the die for the turn."""
    REROLL = 2
    """A 1 may be rolled again, for the turn or for a gnome."""
    WAKE = 3
    """After a dragon: one queen may be woken."""
    DRAW = 4
    """Chance: cards are drawn."""
    INSTANT = 5
    """One of the instant cards drawn is played."""
    GNOME = 6
    """Chance: the die for a gnome."""
    FETCH = 7
    """A companion is taken, for a gnome or an equation; chance where they must be shuffled before."""
    STEAL = 8
    TAKE = 9
    EXCHANGE = 10
    """A gnome's other powers."""
    SWAP = 11
    """A witch's power."""
    PLAY = 12
    """Equations, pairs, spell books and rescues, in any order."""
    RETURN = 13
    """The companion of a rescue is laid back."""
    DISCARD = 14
    """The turn ends: cards are discarded."""
    OVER = 15


class State(NamedTuple):
    """One position. Players and places of the grid count from 0 here, from 1 in text."""

    players: int
    phase: Phase
    turn: int
    """The player on turn."""
    turns: int
    """Turns begun so far."""
    draws: int
    """Cards still to be drawn."""
    realms: tuple[Cards, ...]
    """Each player's numbers, queens who are awake, and spell books, ascending."""
    asleep: tuple[Cards, ...]
    """Each player's sleeping queens, ascending: everybody saw who fell asleep."""
    companions: tuple[Cards, ...]
    """Each player's companions, ascending."""
    kings: tuple[int, ...]
    """Kings each player has rescued."""
    knights: tuple[int, ...]
    """Each player's knight (see `Knight`)."""
    deck: Cards
    """The draw pile, the next card last; unknown cards are 0."""
    discard: Cards
    """The discard pile, the newest card last."""
    fresh: int
    """How many cards came to the discard pile together last: any of them may lie on top."""
    drawn: Cards
    """Cards drawn this turn, ascending, that are not in the realm yet (rulebook, "How to Play", step 3)."""
    played: int
    """The instant card whose effect is awaited, 0 for none; it goes to the discard pile afterwards."""
    carried: int
    """The companion of a rescue that is to be laid back, 0 for none."""
    cells: Cards
    """For each place of the grid the companion there, UNKNOWN, or EMPTY."""
    face_up: tuple[bool, ...]
    """For each place whether a companion lies there face up."""
    parts: Parts
    undo: "State | None" = None
    """The state before something that the rules forbid was done, until the next step."""
