"""Every step of a game of Sleeping Queens, as people take it at the table."""

from dataclasses import dataclass

from companion.games.announcements import ClaimWin, Insist, TakeBack


@dataclass(frozen=True, slots=True)
class Power:
    """A king, knight, potion or jester is played for what it does."""

    kind: int


@dataclass(frozen=True, slots=True)
class Discard:
    """One card, two equal numbers, or an equation is laid off; kinds ascending, unread cards (0) first."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """The queen that a knight is to steal or a potion to put to sleep."""

    queen: int


@dataclass(frozen=True, slots=True)
class Defend:
    """Whose queen is attacked lays down a dragon against a knight, a wand against a potion."""


@dataclass(frozen=True, slots=True)
class Yield:
    """Whose queen is attacked has no answer, or gives none."""


@dataclass(frozen=True, slots=True)
class PutToSleep:
    """The queen that a potion hit is laid face down on an empty place, from 0."""

    cell: int


@dataclass(frozen=True, slots=True)
class Wake:
    """A sleeping queen is turned up: her place, from 0, and who she is (None: as the state knows)."""

    cell: int
    queen: int | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """The top card of the draw pile is turned up for a jester: its kind (None: as the state knows).

    If nobody could read it, its kind is 0: a power card, or a number by which `chosen` may wake a queen.
    """

    kind: int | None = None
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The discard pile becomes the draw pile: its new order, the next card last (empty: as nobody knows)."""

    deck: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Refill:
    """The turn ends: what was played goes to the discard pile, and hands are filled up to five."""


@dataclass(frozen=True, slots=True)
class DefendLate:
    """A dragon or wand is laid when the queen has gone already; she goes back to her owner (from 0)."""

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
"""The last four are never legal: people do them all the same, or say something.

Insisted on is a discard that is none, a knight or a theft against Cat and Dog; taken back, cards that are no
discard.
"""
