"""The actions of Sleepless Princess, as frozen values.

Beds and mattress slots count from 0. In notation they count from 1: seat 1=3 · lay 2=3t · open=7 · discard 3 B
· play 5 4+1 9~5 · touch 2 · touch 2 pad · look 2 · look 2 extra · move 2 4 · on 2 4 · done · take 7 · deck ·
deck=W · claim 3 · claim 3=asleep · skip · final · know 5=3t · later.

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
    """SETUP, chance: the next mattress is dealt onto a bed.

    `face` may be UNKNOWN_FACE.
    """

    bed: int
    face: int


@dataclass(frozen=True, slots=True)
class Open:
    """SETUP and LAY, chance: the deck's top card is opened.

    `card`: its kind; None if the state has it. Also allowed from PLAY to DRAW while the row is one card short.
    """

    card: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """PLAY: one or two cards are discarded; kinds ascending."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """PLAY: three groups of cards with equal values are played.

    `groups`: sorted groups of one to three kinds, each ascending. A group's value is the sum of its kinds.
    `covered`: kind of the single card under the blanket; None without a blanket, UNKNOWN if nobody read it.
    The covered card counts as the value of the other groups.
    """

    groups: tuple[tuple[int, ...], ...]
    covered: int | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """PLAY: the turn is skipped, as nothing can be done.

    The player can neither play nor discard.
    """


@dataclass(frozen=True, slots=True)
class Touch:
    """CHECK: the player feels the bottom mattress of a bed.

    `on_pad`: True if the mattress is taken to the pad, felt there and put back. The rules treat both alike.
    """

    bed: int
    on_pad: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """CHECK: the player looks at a bottom mattress through glass.

    `extra`: True if no look was left. The rules forbid such a look, yet the mattress counts as checked.
    """

    bed: int
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """CHECK: a mattress checked this turn goes from the bottom of bed `source` to the top of bed `target`."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class MoveOn:
    """PLAY to LAY: the top mattress of bed `source` goes to the top of bed `target`, to correct a wrong move.

    The rules do not know this action. It is refused if the bottom mattress of `source` was checked this
    turn: then a `Move` is meant.
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Done:
    """CHECK: the played cards are discarded, and drawing begins.

    In DRAW and LAY: played cards left lying after `Later` go to the discard pile.
    """


@dataclass(frozen=True, slots=True)
class Take:
    """DRAW: the player takes an open card of kind `card`."""

    card: int


@dataclass(frozen=True, slots=True)
class Deck:
    """DRAW: the player draws the top card of the deck.

    `card` is WITCH if a witch came from a deck of unknown cards. Otherwise it may be None.
    """

    card: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """PLAY to LAY: somebody claims that a bed's princess sleeps.

    `asleep`: the outcome that was seen; None if the known faces decide it.
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
    """Any phase: a sensor learned a mattress slot's face.

    The game itself does not go on.
    """

    slot: int
    face: int


@dataclass(frozen=True, slots=True)
class Later:
    """CHECK: drawing begins while the played cards still lie there.

    LAY, SETUP: a turn begins with a short row. The rules do not allow this, but people do it.
    """


@dataclass(frozen=True, slots=True)
class Recount:
    """Any phase: the deck is found to hold `deck` cards.

    The game itself does not go on. Allowed only if unread cards lie on the discard pile. Otherwise the number
    of cards in the deck is certain.
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
