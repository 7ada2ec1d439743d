"""The events and commands of the virtual table, on a socket of its own: it is not part of the companion.

The cards of a hand are sent only to the person who sits in that seat.
"""

from typing import Any

import msgspec

from companion.session.stream.events import CardView, Goodbye, Quit, Refused


class TableState(msgspec.Struct, frozen=True, tag="table_state", tag_field="e"):
    """The virtual players: whether they run, how fast, with which seed, and which seat a person has."""

    seed: int
    speed: float
    paused: bool
    seat: int
    """The seat a person has taken, from 1; 0 for none."""
    over: bool = False
    parts: tuple[str, ...] = ()
    """Names of the parts that can be broken on command, and of those that are broken now."""
    broken: tuple[str, ...] = ()
    waiting: bool = False
    """True until an engine watches: nothing has begun."""
    lamps: tuple[tuple[str, str], ...] = ()
    """Stations whose lamp shines, and its colour (#rrggbb), as the board was told."""
    tones: int = 0
    """Number of tones that the beeper has played."""
    presses: bool = True
    """Whether these players press a button to claim; if not, claims are keys of the companion's."""
    held: bool = False
    """Whether they were paused and have finished what they were doing: nothing moves."""


class YourTurn(msgspec.Struct, frozen=True, tag="your_turn", tag_field="e"):
    """To the person in the seat: their own hand, what they just learned, and the actions they may choose."""

    player: int
    hand: tuple[CardView, ...]
    learned: tuple[str, ...]
    actions: tuple[str, ...]
    """Actions in words, in the order of their numbers; empty while it is not their turn or while hands carry
    one out."""
    on_turn: bool = False
    """True during the whole of their turn."""
    safe: int | None = None
    """Index of an action that ends nothing, which a screen may preselect; None if there is none."""
    claims: tuple[int, ...] = ()
    """Indices of the actions that claim something: a screen asks before it sends one."""
    numbers: tuple[str, ...] = ()
    """For each action the printed number of the one card, or the number of the one place, that it is about;
    empty for others."""


class Truth(msgspec.Struct, frozen=True, tag="truth", tag_field="e"):
    """The true table; only to a client that asked for it."""

    lines: tuple[str, ...]


class Arranged(msgspec.Struct, frozen=True, tag="arranged", tag_field="e"):
    """Answer to Arrange: whether it is done or begun; not `more`: there is nothing more of this kind."""

    more: bool


class SetSpeed(msgspec.Struct, frozen=True, tag="speed", tag_field="c"):
    """Speed of the virtual players: 0.25 to 8; 1 is like people."""

    speed: float


class SetPaused(msgspec.Struct, frozen=True, tag="table_pause", tag_field="c"):
    """Hold the virtual players, or let them go on."""

    paused: bool


class SetFault(msgspec.Struct, frozen=True, tag="fault", tag_field="c"):
    """Break a part of the virtual rig, or mend it."""

    part: str
    broken: bool


class Step(msgspec.Struct, frozen=True, tag="step", tag_field="c"):
    """While paused: play one action."""


class Restart(msgspec.Struct, frozen=True, tag="restart", tag_field="c"):
    """Clear the table and deal a new game with another seed (None: the next one)."""

    seed: int | None = None


class TakeSeat(msgspec.Struct, frozen=True, tag="seat", tag_field="c"):
    """A person plays this player (from 1); 0 gives the seat back."""

    player: int


class Choose(msgspec.Struct, frozen=True, tag="choose", tag_field="c"):
    """The person's choice: an index (from 0) into YourTurn.actions."""

    index: int


class CallClaim(msgspec.Struct, frozen=True, tag="call_claim", tag_field="c"):
    """Somebody at the virtual table claims: the button of this subject (from 1) is pressed."""

    subject: int


class Watching(msgspec.Struct, frozen=True, tag="watching", tag_field="c"):
    """An engine has taken a first picture and the board has answered: the game may begin.

    The engine's events are on the socket at `events`.
    """

    events: str


class Followed(msgspec.Struct, frozen=True, tag="followed", tag_field="c"):
    """The engine that watches has taken in a picture made at `seen_at` (s on the machine's monotonic clock)."""

    seen_at: float
    read: bool
    """Whether everything in it was read, and nothing is left to think about."""


class Arrange(msgspec.Struct, frozen=True, tag="arrange", tag_field="c"):
    """While the players are held: do what a setup step asks for, by the name of the request and its values."""

    what: str
    values: dict[str, Any] = {}


class PutBack(msgspec.Struct, frozen=True, tag="put_back", tag_field="c"):
    """The setup step is over: everything lies as before. `play`: the players go on once an engine watches."""

    play: bool = True


class LayBack(msgspec.Struct, frozen=True, tag="lay_back", tag_field="c"):
    """The engine that watches has taken a step back: lay the cards back as they lay before it, if it was done.

    The table answers at the engine's socket with `CardsLaidBack`.
    """

    state: str
    """The engine's state now, in the notation of the game's rules."""
    action: str = ""
    """The step that it took back, in that notation."""


class ShowTruth(msgspec.Struct, frozen=True, tag="show_truth", tag_field="c"):
    """Send Truth to this client from now on."""


WorldEvent = TableState | YourTurn | Truth | Arranged | Refused | Goodbye
WorldCommand = (
    SetSpeed
    | SetPaused
    | SetFault
    | Step
    | Restart
    | TakeSeat
    | Choose
    | CallClaim
    | Watching
    | Followed
    | LayBack
    | ShowTruth
    | Arrange
    | PutBack
    | Quit
)
