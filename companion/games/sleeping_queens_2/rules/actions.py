"""The actions of Sleeping Queens 2, as frozen values.

Players and grid places count from 0.
"""

from companion.games.rules import action
from companion.games.win_claims import ClaimWin, Insist, TakeBack


@action
class Give:
    """Set-up: a knight goes to the next player without one. `knight`: which one."""

    knight: int


@action
class Open:
    """Set-up: the discard pile's first card is turned up.

    It may not be an instant card.

    `kind`: that card; None if the state already has it.
    """

    kind: int | None = None


@action
class Roll:
    """The die is rolled for the turn or for a gnome, and shows `face` (1, 2, 3 or DRAGON)."""

    face: int


@action
class Reroll:
    """The player on turn, who rolled a 1, rolls again."""


@action
class Keep:
    """The player on turn lets a rolled 1 count."""


@action
class Wake:
    """After a dragon on the die, the player on turn wakes one of the own sleeping queens.

    `queen`: which one.
    """

    queen: int


@action
class Pass:
    """The player skips an optional step: waking a queen, or the effect of a gnome or witch."""


@action
class Draw:
    """The draw pile's top card is drawn and turned up.

    `kind`: that card; None if the state already has it.
    """

    kind: int | None = None


@action
class Shuffle:
    """The discard pile is shuffled and becomes the draw pile.

    `deck`: its order, next card last; empty if nobody knows it.
    """

    deck: tuple[int, ...] = ()


@action
class Instant:
    """The player plays the drawn gnome, witch or willow `kind`."""

    kind: int


@action
class Fetch:
    """The player takes a companion from the grid.

    `cell`: its place (from 0). `companion`: which one; None if the state already has it.
    """

    cell: int
    companion: int | None = None


@action
class Mix:
    """The companions of the grid, all face up, are shuffled and laid face down.

    `companions`: for each occupied place the new one; empty if nobody knows.
    """

    companions: tuple[int, ...] = ()


@action
class Steal:
    """After a gnome's 2, the player takes the card `kind` from the realm of player `victim` (from 0)."""

    victim: int
    kind: int


@action
class Take:
    """After a gnome's 3, the player takes the queen `queen` from the discard pile."""

    queen: int


@action
class Exchange:
    """After a gnome's dragon, two players exchange knights.

    The players are `first` and `second` (from 0), and `first` < `second`.
    """

    first: int
    second: int


@action
class Swap:
    """A witch exchanges a player's card with another player's.

    `own`: the card given. `kind`: the card got. `victim`: the other player (from 0).
    """

    own: int
    victim: int
    kind: int


@action
class Equation:
    """The player discards number cards that form an equation, and may take a companion.

    `cards`: 1 to 10 each, ascending.
    """

    cards: tuple[int, ...]


@action
class Pair:
    """The player discards two cards of an equal number, and all own queens wake.

    `number`: 1 to 10.
    """

    number: int


@action
class Book:
    """The player discards a spell book and takes the number card `number` from the discard pile."""

    number: int


@action
class Rescue:
    """The player discards a queen who, with a companion that fits her, rescues a king.

    `queen`, `companion`: kinds of both cards, from the player's own realm.
    """

    queen: int
    companion: int


@action
class PutBack:
    """After a rescue, the companion goes back to the grid, face up; the player gets a king.

    `cell`: an empty grid place (from 0).
    """

    cell: int


@action
class Discard:
    """The player discards the card `kind` when the turn ends."""

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
    """Against the rules: a willow puts the queens of `player` (from 0) to sleep, who is not its target."""

    player: int


@action
class OutOfOrder:
    """Against the rules: the player goes on although instant cards wait, or after the discards."""


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
"""Every action of the game. The last six are never legal, but people do or say them; the first three of these
occur only in `Insist`."""
