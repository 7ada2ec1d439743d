"""The actions of Sleeping Queens 2, as frozen values.

Players and grid places count from 0.
"""

from dataclasses import dataclass

from companion.games.announcements import ClaimWin, Insist, TakeBack


@dataclass(frozen=True, slots=True)
class Give:
    """Set-up: a knight goes to the next player without one."""

    knight: int


@dataclass(frozen=True, slots=True)
class Open:
    """Set-up: the first card of the discard pile is turned up, which may be no instant card.

    `kind`: that card; None if the state already has it.
    """

    kind: int | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """The die is rolled for the turn or for a gnome, and shows `face` (1, 2, 3 or DRAGON)."""

    face: int


@dataclass(frozen=True, slots=True)
class Reroll:
    """The player decides to roll again after a 1."""


@dataclass(frozen=True, slots=True)
class Keep:
    """The player decides that a rolled 1 counts."""


@dataclass(frozen=True, slots=True)
class Wake:
    """After a dragon, the player wakes an own sleeping queen."""

    queen: int


@dataclass(frozen=True, slots=True)
class Pass:
    """The player leaves out an optional step: to wake a queen, or to use a gnome or witch."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The draw pile's top card is drawn and turned up.

    `kind`: that card; None if the state already has it.
    """

    kind: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The discard pile becomes the draw pile.

    `deck`: its new order, next card last; empty if nobody knows the order.
    """

    deck: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Instant:
    """The player plays a drawn gnome, witch or willow."""

    kind: int


@dataclass(frozen=True, slots=True)
class Fetch:
    """The player takes a companion from a grid place.

    `companion`: which; None if the state already has it.
    """

    cell: int
    companion: int | None = None


@dataclass(frozen=True, slots=True)
class Mix:
    """All companions of the grid lie face up, so they are shuffled and laid face down.

    `companions`: the new companion of each occupied place. Empty if nobody knows the order.
    """

    companions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Steal:
    """After a gnome's 2: take another player's card.

    The card is from that player's realm.
    """

    victim: int
    kind: int


@dataclass(frozen=True, slots=True)
class Take:
    """After a gnome's 3: take a queen from the discards."""

    queen: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """After a gnome's dragon, two players exchange their knights.

    `first` < `second`.
    """

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Swap:
    """With a witch the player swaps the own card `own` for the card `kind` of player `victim`."""

    own: int
    victim: int
    kind: int


@dataclass(frozen=True, slots=True)
class Equation:
    """Discard number cards that form an equation.

    This lets the player take a companion. The cards are ascending.
    """

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Discard two equal number cards, waking all own queens."""

    number: int


@dataclass(frozen=True, slots=True)
class Book:
    """The player discards a spell book, to take a number card from the discard pile."""

    number: int


@dataclass(frozen=True, slots=True)
class Rescue:
    """Discard a queen, who rescues a king with a companion."""

    queen: int
    companion: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """After a rescue the companion is laid face up on an empty grid place, and the player takes a king."""

    cell: int


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card at the end of the turn."""

    kind: int


@dataclass(frozen=True, slots=True)
class End:
    """The turn ends."""


@dataclass(frozen=True, slots=True)
class FalsePair:
    """Against the rules: two different number cards (`first` < `second`) are discarded as a pair."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Lull:
    """Against the rules: a willow puts the queens of a player to sleep whom it does not reach."""

    player: int


@dataclass(frozen=True, slots=True)
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
