"""The actions of Sleepless Princess, as frozen values.

Beds and mattress slots count from 0. In notation they count from 1: seat 1=3 · lay 2=3t · open=7 · discard 3 B
· play 5 4+1 9~5 · touch 2 · touch 2 pad · look 2 · look 2 extra · move 2 4 · on 2 4 · done · take 7 · deck ·
deck=W · claim 3 · claim 3=asleep · skip · final · know 5=3t · later.

A capital word in a docstring names the phases that allow the action.
"""

from companion.games.rules import action


@action
class Seat:
    """Action of chance: the princess of a type (0 to 9) is seated on a bed.

    Phase SETUP. `bed`: from 0.
    """

    bed: int
    princess: int


@action
class Lay:
    """Action of chance: the next mattress goes to a bed.

    Phase SETUP. `bed`: from 0. `face`: what the mattress is, or UNKNOWN_FACE.
    """

    bed: int
    face: int


@action
class Open:
    """Action of chance: the deck's top card is turned into the row of open cards.

    Phases SETUP and LAY; also from PLAY to DRAW while the row is one card short. `card`: its kind; None if the
    state has it.
    """

    card: int | None = None


@action
class Discard:
    """The player discards one or two cards.

    Phase PLAY. `cards`: their kinds, ascending.
    """

    cards: tuple[int, ...]


@action
class Play:
    """The player plays three groups of cards of equal value.

    Phase PLAY.

    `groups`: sorted groups of one to three kinds, each ascending. A group's value is the sum of its kinds.
    `covered`: kind of the single card under the blanket, which counts as the value of the other groups.
    None without a blanket, UNKNOWN if nobody read it.
    """

    groups: tuple[tuple[int, ...], ...]
    covered: int | None = None


@action
class Skip:
    """The player, unable to play or discard, skips the turn.

    Phase PLAY.
    """


@action
class Touch:
    """The player feels the bottom mattress of a bed.

    Phase CHECK.

    `on_pad`: the mattress is taken to the pad, felt there and put back. To the rules this makes no
    difference.
    """

    bed: int
    on_pad: bool = False


@action
class Look:
    """The player looks through the glass at a bottom mattress.

    Phase CHECK.

    `extra`: no look was left. The rules forbid it, yet the mattress counts as checked.
    """

    bed: int
    extra: bool = False


@action
class Move:
    """A mattress checked this turn goes from the bottom of a bed to the top of one.

    Phase CHECK. `source`, `target`: beds (from 0), perhaps the same.
    """

    source: int
    target: int


@action
class MoveOn:
    """The top mattress of one bed goes to the top of another, to correct a wrong move.

    Phases PLAY to LAY. `source`, `target`: beds (from 0). The rulebook does not know this action. It is refused
    if the bottom mattress of `source` was checked this turn: then a `Move` is meant.
    """

    source: int
    target: int


@action
class Done:
    """Checks end: the played cards are discarded, and drawing begins.

    Phase CHECK.

    In DRAW and LAY: played cards left lying after `Later` go to the discard pile.
    """


@action
class Take:
    """The player takes an open card of kind `card`.

    Phase DRAW.
    """

    card: int


@action
class Deck:
    """The player draws the top card of the deck.

    Phase DRAW.

    `card`: WITCH if a witch came from a deck of unknown cards. Otherwise it may be None, because only the
    player sees the card.
    """

    card: int | None = None


@action
class Claim:
    """Somebody claims that the princess of a bed sleeps.

    Phases PLAY to LAY.

    `asleep`: whether she did, as people saw; None if the known faces decide it.
    """

    bed: int
    asleep: bool | None = None


@action
class Final:
    """All awake beds are turned up, which ends the game.

    Phase FINAL.

    `asleep`: for each bed whether the princess slept, as people saw; None where known faces decide it.
    Empty if they decide every bed.
    """

    asleep: tuple[bool | None, ...] = ()


@action
class Know:
    """A sensor found out the face of a mattress.

    The game itself does not go on. Any phase. `slot`: number of the mattress in the order of dealing.
    """

    slot: int
    face: int


@action
class Later:
    """People put a step off, against the rules.

    In CHECK they draw cards while the played cards still lie there. In LAY and SETUP a turn begins although the
    open row is short.
    """


@action
class Recount:
    """The deck proves to hold `deck` cards.

    Another number was believed. The game itself does not go on. Any phase, but only if unread cards lie on the
    discard pile; otherwise the number of cards in the deck is certain.
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
