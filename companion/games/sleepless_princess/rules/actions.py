"""The actions of Sleepless Princess, each a small frozen value; beds and slots count from 0.

In notation: seat 1=3 · lay 2=3t · open=7 · discard 3 B · play 5 4+1 9~5 · touch 2 · touch 2 pad · look 2 ·
look 2 extra · move 2 4 · on 2 4 · done · take 7 · deck · deck=W · claim 3 · claim 3=asleep · skip · final ·
know 5=3t · later. Beds and slots count from 1 in notation.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """Chance, SETUP: the princess of this type stands on the bed."""

    bed: int
    princess: int


@dataclass(frozen=True, slots=True)
class Lay:
    """Chance, SETUP: the next mattress slot is dealt onto the bed, its face known or UNKNOWN_FACE."""

    bed: int
    face: int


@dataclass(frozen=True, slots=True)
class Open:
    """Chance, SETUP and LAY, PLAY to DRAW where the row was left short: the top card of the deck is laid open;
    `card` is None where the deck is known."""

    card: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """PLAY: one or two cards, kinds ascending."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """PLAY: three groups of equal value, each a tuple of one to three kinds ascending; groups sorted.

    `covered` is the kind of the single card whose helpers a blanket hides in part, or None. That card's
    group is the one-card group of that kind; it counts as the value of the other groups. UNKNOWN if nobody read
    it before the blanket lay on it.
    """

    groups: tuple[tuple[int, ...], ...]
    covered: int | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """PLAY: nothing can be played and nothing discarded."""


@dataclass(frozen=True, slots=True)
class Touch:
    """CHECK: feel the bottom mattress of the bed.

    `on_pad`: it is taken out, felt on the pad and put back under its bed. For the rules it is the same.
    """

    bed: int
    on_pad: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """CHECK: look at the bottom mattress of the bed through the glass.

    `extra`: no look is left, but somebody looks all the same. The rules forbid it; the mattress counts as
    checked.
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
    """PLAY to LAY: the mattress that came to the top of `source` by a mistake goes on to the top of `target`.

    The rules do not know it, but people do it: they put an earlier move right. Where the bottom one was checked
    this turn, that is the one that is moved.
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Done:
    """CHECK: the played cards go to the discard pile, drawing begins. DRAW, LAY: they go there only now."""


@dataclass(frozen=True, slots=True)
class Take:
    """DRAW: take an open card of this kind."""

    card: int


@dataclass(frozen=True, slots=True)
class Deck:
    """DRAW: draw the top card of the deck.

    `card` is None where the deck is known and for a card that goes to the hand unseen; WITCH where the
    deck is unknown and the card turned out to be one.
    """

    card: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Any phase from PLAY to LAY, anybody: this princess sleeps now.

    `asleep` is None where the known faces settle it; the outcome that was seen where they do not.
    """

    bed: int
    asleep: bool | None = None


@dataclass(frozen=True, slots=True)
class Final:
    """Chance, FINAL: every bed still awake is turned up. `asleep` tells, bed by bed, the outcomes that the
    known faces leave open (None where they settle it); empty when they settle all."""

    asleep: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Know:
    """A sensor learned what a mattress slot is. No move of the game; possible in every phase."""

    slot: int
    face: int


@dataclass(frozen=True, slots=True)
class Later:
    """CHECK: drawing begins while the played cards still lie there. LAY, SETUP: the next turn begins while the
    row is short. No move of the game, but what people do."""


@dataclass(frozen=True, slots=True)
class Recount:
    """The deck holds so many cards after all. No move of the game.

    Possible where cards that nobody saw lie on the discard pile: then the number in the deck was a guess.
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
