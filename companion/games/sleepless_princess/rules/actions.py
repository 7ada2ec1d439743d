"""The actions of Sleepless Princess, as frozen values. Beds and mattress slots count from 0.

In notation they count from 1: seat 1=3 · lay 2=3t · open=7 · discard 3 B · play 5 4+1 9~5 · touch 2 · touch 2
pad ·
look 2 · look 2 extra · move 2 4 · on 2 4 · done · take 7 · deck · deck=W · claim 3 · claim 3=asleep · skip ·
final ·
know 5=3t · later.

A capital word in a docstring names the phases that allow the action.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """SETUP, chance: the princess of a type (0 to 9) is placed on a bed."""

    bed: int
    princess: int


@dataclass(frozen=True, slots=True)
class Lay:
    """SETUP, chance: the next mattress is dealt onto a bed. `face` may be UNKNOWN_FACE."""

    bed: int
    face: int


@dataclass(frozen=True, slots=True)
class Open:
    """SETUP and LAY, chance: the top card of the deck is laid open.

    Also allowed from PLAY to DRAW while the row is one card short. `card` is the kind, None if the state knows
    the deck.
    """

    card: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """PLAY: one or two cards are discarded; kinds ascending."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """PLAY: three groups of cards with equal value are played.

    `groups`: sorted groups of one to three kinds, each ascending. A group's value is the sum of its kinds.
    `covered`: the kind of the single card under the blanket, None without a blanket. UNKNOWN if nobody read
    that card.
    The blanket makes the covered card count as the value of the other groups.
    """

    groups: tuple[tuple[int, ...], ...]
    covered: int | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """PLAY: the turn is skipped, because the player can neither play nor discard."""


@dataclass(frozen=True, slots=True)
class Touch:
    """CHECK: a player feels the bottom mattress of a bed.

    If `on_pad`, the mattress is taken to the pad, felt there and put back. The rules treat both alike.
    """

    bed: int
    on_pad: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """CHECK: a player looks at the bottom mattress of a bed through the glass.

    If `extra`, the player had no look left. The rules forbid such a look, yet the mattress counts as checked.
    """

    bed: int
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """CHECK: a mattress checked this turn goes from the bottom of `source` to the top of `target`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class MoveOn:
    """PLAY to LAY: the top mattress of `source` goes to the top of `target`, to correct a wrong move.

    The rules do not know this action. It is refused if the bottom mattress of `source` was checked this turn:
    then a `Move` is meant.
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Done:
    """CHECK: the played cards go to the discard pile and drawing begins.

    In DRAW and LAY: played cards left lying after `Later` go to the discard pile.
    """


@dataclass(frozen=True, slots=True)
class Take:
    """DRAW: the player takes an open card of this kind."""

    card: int


@dataclass(frozen=True, slots=True)
class Deck:
    """DRAW: the player draws the top card of the deck.

    `card` is WITCH if a witch was drawn from an unknown deck. Otherwise it may be None.
    """

    card: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """PLAY to LAY, any player: the princess of a bed is said to sleep.

    `asleep` is the outcome that was seen. None if the known faces decide the outcome.
    """

    bed: int
    asleep: bool | None = None


@dataclass(frozen=True, slots=True)
class Final:
    """FINAL, chance: every bed still awake is turned up.

    `asleep`: for each bed the outcome that was seen, None where the known faces decide it. Empty if they
    decide every bed.
    """

    asleep: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Know:
    """Any phase: a sensor learned the face of a mattress slot. No move of the game."""

    slot: int
    face: int


@dataclass(frozen=True, slots=True)
class Later:
    """CHECK: drawing begins while the played cards still lie there. LAY, SETUP: a turn begins while the row is
    short.

    The rules do not know this action, but people do it.
    """


@dataclass(frozen=True, slots=True)
class Recount:
    """Any phase: the deck is found to hold `deck` cards. No move of the game.

    Allowed only if unread cards lie on the discard pile. Otherwise the number of cards in the deck is certain.
    """

    deck: int


Action = (
    Seat
    | Lay
    | Open
    | Discard
    | Play
    | Skip
    | Touch
    | Look
    | Move
    | MoveOn
    | Done
    | Take
    | Deck
    | Claim
    | Final
    | Know
    | Later
    | Recount
)
