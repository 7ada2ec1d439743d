"""Every step of a game of Sleeping Queens 2, as people take it at the table."""

from dataclasses import dataclass

from companion.games.announcements import ClaimWin, Insist, TakeBack


@dataclass(frozen=True, slots=True)
class Give:
    """Set-up: the next player, from the first on, is given this knight (see `Knight`)."""

    knight: int


@dataclass(frozen=True, slots=True)
class Open:
    """Set-up: the first card of the discard pile, no instant one (None: as the state knows)."""

    kind: int | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """The die shows 1, 2, 3 or DRAGON, for the turn or for a gnome."""

    face: int


@dataclass(frozen=True, slots=True)
class Reroll:
    """The 1 just rolled is rolled again."""


@dataclass(frozen=True, slots=True)
class Keep:
    """The 1 just rolled counts."""


@dataclass(frozen=True, slots=True)
class Wake:
    """After a dragon one sleeping queen is turned up."""

    queen: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Something that may be done is not done: to wake a queen, to use a gnome or a witch."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The top card of the draw pile is turned up: its kind (None: as the state knows)."""

    kind: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The discard pile becomes the draw pile: its new order, the next card last (empty: as nobody knows)."""

    deck: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Instant:
    """A drawn gnome, witch or willow is played."""

    kind: int


@dataclass(frozen=True, slots=True)
class Fetch:
    """A face-down companion is taken: its place, from 0, and which it is (None: as the state knows)."""

    cell: int
    companion: int | None = None


@dataclass(frozen=True, slots=True)
class Mix:
    """All companions of the grid, then face up, are shuffled and laid face down on the same places: which now
    lies where, place by place (empty: as nobody knows)."""

    companions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Steal:
    """A gnome's 2: a card of another player's realm is taken."""

    victim: int
    kind: int


@dataclass(frozen=True, slots=True)
class Take:
    """A gnome's 3: a queen of the discard pile is taken."""

    queen: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A gnome's dragon: the knights of two players, ascending, change places."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Swap:
    """A witch: a card of one's own for another player's."""

    own: int
    victim: int
    kind: int


@dataclass(frozen=True, slots=True)
class Equation:
    """Number cards, ascending, that are an equation are discarded for a companion."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two equal number cards are discarded to wake all of one's queens."""

    number: int


@dataclass(frozen=True, slots=True)
class Book:
    """A spell book is discarded for a number card of the discard pile."""

    number: int


@dataclass(frozen=True, slots=True)
class Rescue:
    """A queen is discarded, to rescue a king together with a companion."""

    queen: int
    companion: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """The companion of a rescue is laid face up on an empty place, from 0, and the king is taken."""

    cell: int


@dataclass(frozen=True, slots=True)
class Discard:
    """A card is discarded at the end of the turn."""

    kind: int


@dataclass(frozen=True, slots=True)
class End:
    """The turn is over."""


@dataclass(frozen=True, slots=True)
class FalsePair:
    """Two different number cards, the lower one first, are discarded as if they were a pair."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Lull:
    """A drawn willow has the queens of this player (from 0) fall asleep, whom it does not reach."""

    player: int


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """The turn goes on with equations and the like although instant cards wait, or the discards were made."""


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
"""The last six are never legal: people do them all the same, the first three only within `Insist`."""
