"""The actions of Sleeping Queens, as frozen values.

Players and grid places count from 0.
"""

from dataclasses import dataclass

from companion.games.announcements import ClaimWin, Insist, TakeBack


@dataclass(frozen=True, slots=True)
class Power:
    """The player on turn plays a king, knight, potion or jester to use its power."""

    kind: int


@dataclass(frozen=True, slots=True)
class Discard:
    """The player on turn discards one card, two equal numbers, or numbers that form an equation.

    `cards`: kinds in ascending order; 0 is an unread card.
    """

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """The player on turn chooses the queen that the played knight steals or the potion puts to sleep."""

    queen: int


@dataclass(frozen=True, slots=True)
class Defend:
    """The attacked player stops a knight with a dragon, or a potion with a wand."""


@dataclass(frozen=True, slots=True)
class Yield:
    """The attacked player lets the attack happen."""


@dataclass(frozen=True, slots=True)
class PutToSleep:
    """The queen hit by a potion is laid face down on an empty grid place."""

    cell: int


@dataclass(frozen=True, slots=True)
class Wake:
    """A sleeping queen is turned up on grid place `cell`.

    `queen`: her number; None if the state already has it.
    """

    cell: int
    queen: int | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """A jester turns up the draw pile's top card.

    `kind`: that card; None if the state already has it. For an unread card `kind` is 0. Then `chosen` is the
    player who may wake a queen, None if the card is a power card.
    """

    kind: int | None = None
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The discard pile becomes the draw pile.

    `deck`: its new order, next card last; empty if nobody knows the order.
    """

    deck: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Refill:
    """The turn ends: played cards go to the discard pile and all hands are filled up to five."""


@dataclass(frozen=True, slots=True)
class DefendLate:
    """The attacked player answers after the queen was taken.

    The answer is a dragon or wand. The queen returns to her owner.
    """

    queen: int
    owner: int


Action = (
    Power
    | Discard
    | Target
    | Defend
    | Yield
    | PutToSleep
    | Wake
    | Reveal
    | Shuffle
    | Refill
    | Insist
    | TakeBack
    | DefendLate
    | ClaimWin
)
"""Every action of the game. The last four are never legal, but people do or say them.

`Insist` contains a discard that is none, a knight, or a theft against Cat and Dog. `TakeBack` undoes cards
that are no discard.
"""
