"""Events and commands of the virtual table.

They have a socket that is no part of the companion. Only the person who sits in a seat receives the cards of
its hand.
"""

from typing import Any

import msgspec

from companion.session.stream.commands import Quit
from companion.session.stream.events import CardView, Goodbye, Refused


class TableState(msgspec.Struct, frozen=True, tag="table_state", tag_field="e"):
    """The state of the virtual players, for the screens that control them.

    `seed`: seed of the game. `speed`: 0.25 to 8 times the speed of people. `paused`: True if the players are
    held.
    """

    seed: int
    speed: float
    paused: bool
    seat: int
    """Player (from 1) whose seat a person has; 0: none."""
    over: bool = False
    parts: tuple[str, ...] = ()
    """Names of the rig's parts that a command can break."""
    broken: tuple[str, ...] = ()
    """Names of the parts that are broken now."""
    waiting: bool = False
    """True until an engine watches; the game has not begun."""
    lamps: tuple[tuple[str, str], ...] = ()
    """Stations with a shining lamp, each with its colour (#rrggbb)."""
    tones: int = 0
    """Number of tones that the beeper has played."""
    presses: bool = True
    """True if the virtual players claim by button.

    False: a person claims for them with a key of the companion.
    """
    held: bool = False
    """True if the players are paused and nothing moves."""


class YourTurn(msgspec.Struct, frozen=True, tag="your_turn", tag_field="e"):
    """What the person in a virtual seat sees.

    `player`: the seat, from 1. `hand`: the person's cards. `learned`: what they just learned, a sentence each.
    """

    player: int
    hand: tuple[CardView, ...]
    learned: tuple[str, ...]
    actions: tuple[str, ...]
    """Actions in words, in the order of their indices.

    Empty while another player is on turn, or while hands carry out an action.
    """
    on_turn: bool = False
    """True during the person's whole turn."""
    safe: int | None = None
    """Index of an action that a screen may preselect; None for none. The action ends neither turn nor game."""
    claims: tuple[int, ...] = ()
    """Indices of the actions that claim. A screen asks for confirmation before it sends such a choice."""
    numbers: tuple[str, ...] = ()
    """For each action the printed number of its card, or the number of its place; else empty."""


class Truth(msgspec.Struct, frozen=True, tag="truth", tag_field="e"):
    """The true table in lines, hidden cards included.

    Only a client that sent `ShowTruth` gets it.
    """

    lines: tuple[str, ...]


class Arranged(msgspec.Struct, frozen=True, tag="arranged", tag_field="e"):
    """Answer to `Arrange`.

    `more`: True if the request is being done, False if nothing is left to do for such a request.
    """

    more: bool


class SetSpeed(msgspec.Struct, frozen=True, tag="speed", tag_field="c"):
    """Set the virtual players' speed: 0.25 to 8 times people's."""

    speed: float


class SetPaused(msgspec.Struct, frozen=True, tag="table_pause", tag_field="c"):
    """Hold the virtual players (True), or let them play on (False)."""

    paused: bool


class SetFault(msgspec.Struct, frozen=True, tag="fault", tag_field="c"):
    """Break (True) or mend a part of the virtual rig.

    `part`: a name out of `TableState.parts`.
    """

    part: str
    broken: bool


class Step(msgspec.Struct, frozen=True, tag="step", tag_field="c"):
    """Play one action while the virtual players are paused."""


class Restart(msgspec.Struct, frozen=True, tag="restart", tag_field="c"):
    """Clear the virtual table and deal a new game.

    `seed`: seed of this game; None: the next seed.
    """

    seed: int | None = None


class TakeSeat(msgspec.Struct, frozen=True, tag="seat", tag_field="c"):
    """A person takes a virtual player's seat (from 1).

    0 gives the seat back.
    """

    player: int


class Choose(msgspec.Struct, frozen=True, tag="choose", tag_field="c"):
    """The person in the seat chooses an action.

    `index`: from 0, into `YourTurn.actions`.
    """

    index: int


class CallClaim(msgspec.Struct, frozen=True, tag="call_claim", tag_field="c"):
    """Press the claim button of a place at the virtual table.

    `subject`: number of the place, from 1.
    """

    subject: int


class Watching(msgspec.Struct, frozen=True, tag="watching", tag_field="c"):
    """An engine watches the table: the game may begin.

    It has a first picture, and the board has answered. `events`: path of the engine's event socket.
    """

    events: str


class Followed(msgspec.Struct, frozen=True, tag="followed", tag_field="c"):
    """The engine has processed a picture of the table.

    `seen_at`: time (s, monotonic clock) of the picture.
    """

    seen_at: float
    read: bool
    """True if everything in the picture was decoded and explained."""


class Arrange(msgspec.Struct, frozen=True, tag="arrange", tag_field="c"):
    """Do what a setup step asks for, while the players are held.

    `what`: class name of the request; `values`: its fields.
    """

    what: str
    values: dict[str, Any] = {}


class PutBack(msgspec.Struct, frozen=True, tag="put_back", tag_field="c"):
    """A setup step is over: put everything back as before.

    `play`: True if the players resume once an engine watches.
    """

    play: bool = True


class LayBack(msgspec.Struct, frozen=True, tag="lay_back", tag_field="c"):
    """The engine has undone an action: lay its cards back.

    Cards move only if the action was really done. The table answers with `CardsLaidBack` at the engine's
    socket.
    """

    state: str
    """The engine's state after the undo, in the rules' notation."""
    action: str = ""
    """The undone action, in the rules' notation."""


class ShowTruth(msgspec.Struct, frozen=True, tag="show_truth", tag_field="c"):
    """Send `Truth` to this client from now on."""


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
