"""The actions of Sleeping Queens, as frozen values.

Players and grid places count from 0.
"""

from companion.games.rules import action
from companion.games.win_claims import ClaimWin, Insist, TakeBack


@action
class Power:
    """The player on turn plays a power card: a king, knight, potion or jester.

    `kind`: that card's kind.
    """

    kind: int


@action
class Discard:
    """The player on turn discards a card, pair or equation.

    A pair is two equal numbers. `cards`: kinds, ascending; 0 is an unread card.
    """

    cards: tuple[int, ...]


@action
class Target:
    """The player on turn names the queen that a knight steals or a potion puts to sleep.

    `queen`: her number (0 to 11).
    """

    queen: int


@action
class Defend:
    """The attacked player stops a knight with a dragon, or a potion with a wand."""


@action
class Yield:
    """The attacked player does not stop the attack."""


@action
class PutToSleep:
    """The queen hit by a potion is laid face down on the empty grid place `cell`."""

    cell: int


@action
class Wake:
    """The sleeping queen on grid place `cell` is turned up.

    `queen`: her number (0 to 11); None if the state already has it.
    """

    cell: int
    queen: int | None = None


@action
class Reveal:
    """A jester turns up the draw pile's top card.

    `kind`: that card; None if the state already has it, 0 if it was not read. Then `chosen` is the player
    who may wake a queen. None: the card is a power card.
    """

    kind: int | None = None
    chosen: int | None = None


@action
class Shuffle:
    """The discard pile is shuffled and becomes the draw pile.

    `deck`: its order, next card last; empty if nobody knows it.
    """

    deck: tuple[int, ...] = ()


@action
class Refill:
    """The turn ends: played cards go to the discard pile, and every hand is filled to five."""


@action
class DefendLate:
    """Attacked player answers too late, with dragon or wand.

    The queen, who was taken, returns to her owner.
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

`Insist` holds a wrong discard, or a knight or theft that Cat and Dog forbid. `TakeBack` undoes a wrong
discard.
"""
