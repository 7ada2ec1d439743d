"""The actions of Sleeping Queens 2, as frozen values.

Players and grid places count from 0.
"""

from companion.games.announcements import ClaimWin, Insist, TakeBack
from companion.games.api import action


@action
class Give:
    """Set-up: a knight goes to the next player without one."""

    knight: int


@action
class Open:
    """Set-up: the first card of the discard pile is turned up, which may be no instant card.

    `kind`: that card; None if the state already has it.
    """

    kind: int | None = None


@action
class Roll:
    """The die is rolled for the turn or for a gnome, and shows `face` (1, 2, 3 or DRAGON)."""

    face: int


@action
class Reroll:
    """The player decides to roll again after a 1."""


@action
class Keep:
    """The player decides that a rolled 1 counts."""


@action
class Wake:
    """After a dragon, the player wakes an own sleeping queen."""

    queen: int


@action
class Pass:
    """The player leaves out an optional step: to wake a queen, or to use a gnome or witch."""


@action
class Draw:
    """The draw pile's top card is drawn and turned up.

    `kind`: that card; None if the state already has it.
    """

    kind: int | None = None


@action
class Shuffle:
    """The discard pile becomes the draw pile.

    `deck`: its new order, next card last; empty if nobody knows the order.
    """

    deck: tuple[int, ...] = ()


@action
class Instant:
    """The player plays a drawn gnome, witch or willow."""

    kind: int


@action
class Fetch:
    """The player takes a companion from a grid place.

    `companion`: which; None if the state already has it.
    """

    cell: int
    companion: int | None = None


@action
class Mix:
    """All companions of the grid lie face up, so they are shuffled and laid face down.

    `companions`: the new companion of each occupied place. Empty if nobody knows the order.
    """

    companions: tuple[int, ...] = ()


@action
class Steal:
    """After a gnome's 2: take another player's card.

    The card is from that player's realm.
    """

    victim: int
    kind: int


@action
class Take:
    """After a gnome's 3: take a queen from the discards."""

    queen: int


@action
class Exchange:
    """After a gnome's dragon, two players exchange their knights.

    `first` < `second`.
    """

    first: int
    second: int


@action
class Swap:
    """With a witch the player swaps the own card `own` for the card `kind` of player `victim`."""

    own: int
    victim: int
    kind: int


@action
class Equation:
    """Discard number cards that form an equation.

    This lets the player take a companion. The cards are ascending.
    """

    cards: tuple[int, ...]


@action
class Pair:
    """Discard two equal number cards, waking all own queens."""

    number: int


@action
class Book:
    """The player discards a spell book, to take a number card from the discard pile."""

    number: int


@action
class Rescue:
    """Discard a queen, who rescues a king with a companion."""

    queen: int
    companion: int


@action
class PutBack:
    """After a rescue the companion is laid face up on an empty grid place, and the player takes a king."""

    cell: int


@action
class Discard:
    """Discard a card at the end of the turn."""

    kind: int


@action
class End:
    """The turn ends."""


@action
class FalsePair:
    """Against the rules: two different number cards (`first` < `second`) are discarded as a pair."""

    first: int
    second: int


@action
class Lull:
    """Against the rules: a willow puts the queens of a player to sleep whom it does not reach."""

    player: int


@action
class OutOfOrder:
    """Against the rules: plays go on while instant cards wait, or after discards were made."""


Action = (
    Give
    | Open
    | Roll
    | Reroll
    | Keep
    | Wake
    | Pass
    | Draw
    | Shuffle
    | Instant
    | Fetch
    | Mix
    | Steal
    | Take
    | Exchange
    | Swap
    | Equation
    | Pair
    | Book
    | Rescue
    | PutBack
    | Discard
    | End
    | FalsePair
    | Lull
    | OutOfOrder
    | Insist
    | TakeBack
    | ClaimWin
)
"""Every action of the game. The last six are never legal, but people do or say them.

Of these six, the first three occur only within `Insist`.
"""
