"""The actions of Sleeping Queens 2, as frozen values. Players and grid places count from 0."""

from dataclasses import dataclass

from companion.games.announcements import ClaimWin, Insist, TakeBack


@dataclass(frozen=True, slots=True)
class Give:
    """Set-up: the next player without a knight is given this one (see `Knight`)."""

    knight: int


@dataclass(frozen=True, slots=True)
class Open:
    """Set-up: the first card of the discard pile is turned up. No instant card. `kind` is None if the state
    knows it."""

    kind: int | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """The die shows a face (1, 2, 3 or DRAGON), for the turn or for a gnome."""

    face: int


@dataclass(frozen=True, slots=True)
class Reroll:
    """A rolled 1 is rolled again."""


@dataclass(frozen=True, slots=True)
class Keep:
    """A rolled 1 counts."""


@dataclass(frozen=True, slots=True)
class Wake:
    """After a dragon one sleeping queen is turned up."""

    queen: int


@dataclass(frozen=True, slots=True)
class Pass:
    """An optional step is left out: waking a queen, using a gnome or a witch."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The top card of the draw pile is turned up. `kind` is None if the state knows it."""

    kind: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The discard pile becomes the draw pile. `deck`: its new order, next card last; empty if nobody knows
    the order."""

    deck: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Instant:
    """A drawn gnome, witch or willow is played."""

    kind: int


@dataclass(frozen=True, slots=True)
class Fetch:
    """A face-down companion is taken from a grid place. `companion` is None if the state knows it."""

    cell: int
    companion: int | None = None


@dataclass(frozen=True, slots=True)
class Mix:
    """All companions of the grid, all face up, are shuffled and laid face down.

    `companions`: the new companion of each occupied place. Empty if nobody knows the order.
    """

    companions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Steal:
    """A gnome's 2: a card is taken from another player's realm."""

    victim: int
    kind: int


@dataclass(frozen=True, slots=True)
class Take:
    """A gnome's 3: a queen is taken from the discard pile."""

    queen: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A gnome's dragon: two players (`first` < `second`) exchange their knights."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Swap:
    """A witch: the player's card `own` is swapped for the card `kind` of player `victim`."""

    own: int
    victim: int
    kind: int


@dataclass(frozen=True, slots=True)
class Equation:
    """Number cards (ascending) that form an equation are discarded to take a companion."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two equal number cards are discarded to wake all of the player's queens."""

    number: int


@dataclass(frozen=True, slots=True)
class Book:
    """A spell book is discarded to take a number card from the discard pile."""

    number: int


@dataclass(frozen=True, slots=True)
class Rescue:
    """A queen is discarded. Together with a companion she rescues a king."""

    queen: int
    companion: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """The companion of a rescue is laid face up on an empty grid place. The king is taken."""

    cell: int


@dataclass(frozen=True, slots=True)
class Discard:
    """A card is discarded at the end of the turn."""

    kind: int


@dataclass(frozen=True, slots=True)
class End:
    """The turn ends."""


@dataclass(frozen=True, slots=True)
class FalsePair:
    """Two different number cards (`first` < `second`) are discarded as if they were a pair."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Lull:
    """A willow puts the queens of a player to sleep whom it does not reach by the rules."""

    player: int


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """Equations and other plays go on although instant cards wait, or discards were already made."""


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
"""Every action. The last six are never legal, but people do them or say them; the first three of these only
within `Insist`."""
