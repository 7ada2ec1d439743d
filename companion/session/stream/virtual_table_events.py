"""Events and commands of a virtual table, at a socket of its own that no engine serves.

Only the person who sits in a seat gets the cards of its hand.
"""

from typing import Any

import msgspec

from companion.session.stream.commands import Quit
from companion.session.stream.events import CardView, Goodbye, Refused


class TableState(msgspec.Struct, frozen=True, tag="table_state", tag_field="e"):
    """The state of a virtual table, for screens that control it.

    `seed`: seed of the game. `speed`: of the players, 0.25 to 8 times that of people. `paused`: True if the
    players are told to stop. `over`: True if the game is over.
    """

    seed: int
    speed: float
    paused: bool
    seat: int
    """Player (from 1) whose seat a person has taken; 0 for none."""
    over: bool = False
    parts: tuple[str, ...] = ()
    """Names of the parts of the virtual rig that `SetFault` can break."""
    broken: tuple[str, ...] = ()
    """Names of the parts of the virtual rig that are broken now."""
    waiting: bool = False
    """True before the game begins, until an engine watches."""
    lamps: tuple[tuple[str, str], ...] = ()
    """(station, colour as #rrggbb) of each lamp that shines."""
    tones: int = 0
    """Number of tones that the virtual beeper has played so far."""
    presses: bool = True
    """True if the virtual players press buttons to claim.

    False: a person makes their claims by a key of the companion.
    """
    held: bool = False
    """True if the players are paused and their last movement has ended."""


class YourTurn(msgspec.Struct, frozen=True, tag="your_turn", tag_field="e"):
    """What a person in a virtual player's seat sees.

    `player`: the seat, from 1. `hand`: the cards in the hand. `learned`: what the person has just learned, in
    sentences.
    """

    player: int
    hand: tuple[CardView, ...]
    learned: tuple[str, ...]
    actions: tuple[str, ...]
    """Allowed actions in words; a `Choose` names one by its index (from 0).

    Empty while another player is on turn, or while hands move.
    """
    on_turn: bool = False
    """True while it is the turn of the person's seat."""
    safe: int | None = None
    """Index of an action that a screen may preselect; None if there is none.

    It ends neither turn nor game.
    """
    claims: tuple[int, ...] = ()
    """Indices of the actions that are claims. A screen asks the person to confirm these."""
    numbers: tuple[str, ...] = ()
    """For each action, the printed number of its card or the number of its place; empty for other actions."""


class Truth(msgspec.Struct, frozen=True, tag="truth", tag_field="e"):
    """What really lies on the virtual table, in lines.

    Hidden cards are included. Only a client that sent `ShowTruth` gets it.
    """

    lines: tuple[str, ...]


class Arranged(msgspec.Struct, frozen=True, tag="arranged", tag_field="e"):
    """Answer of the virtual table to the command `Arrange`.

    `more`: True if the virtual person does what was asked, False if nothing is left to do.
    """

    more: bool


class SetSpeed(msgspec.Struct, frozen=True, tag="speed", tag_field="c"):
    """Set the speed of the virtual players: 0.25 to 8 times that of people."""

    speed: float


class SetPaused(msgspec.Struct, frozen=True, tag="table_pause", tag_field="c"):
    """Stop the virtual players after their movement (`paused` True), or let them play on (False)."""

    paused: bool


class SetFault(msgspec.Struct, frozen=True, tag="fault", tag_field="c"):
    """Break (`broken` True) or mend (False) a part of the virtual rig.

    `part`: one of `TableState.parts`.
    """

    part: str
    broken: bool


class Step(msgspec.Struct, frozen=True, tag="step", tag_field="c"):
    """Let the paused virtual players carry out one action."""


class Restart(msgspec.Struct, frozen=True, tag="restart", tag_field="c"):
    """Clear the virtual table, and deal a new game.

    `seed`: seed of the game; None: one more than the last.
    """

    seed: int | None = None


class TakeSeat(msgspec.Struct, frozen=True, tag="seat", tag_field="c"):
    """A person takes the seat of a virtual player.

    `player`: number of the seat, from 1; 0: the person leaves the seat.
    """

    player: int


class Choose(msgspec.Struct, frozen=True, tag="choose", tag_field="c"):
    """The person in a seat chooses an action.

    `index`: from 0, into `YourTurn.actions`.
    """

    index: int


class CallClaim(msgspec.Struct, frozen=True, tag="call_claim", tag_field="c"):
    """Press a claim button of the virtual table.

    `subject`: number of the place, from 1.
    """

    subject: int


class Watching(msgspec.Struct, frozen=True, tag="watching", tag_field="c"):
    """An engine watches the virtual table: the game may begin.

    Its camera has a picture, and its board has answered. `events`: socket at which the engine serves its
    events.
    """

    events: str


class Followed(msgspec.Struct, frozen=True, tag="followed", tag_field="c"):
    """The engine processed a camera picture of the virtual table.

    `seen_at`: time of the picture (s, monotonic clock).
    """

    seen_at: float
    read: bool
    """True if everything in the picture was decoded and explained."""


class Arrange(msgspec.Struct, frozen=True, tag="arrange", tag_field="c"):
    """Ask the virtual person for something that a setup step needs, while the players are stopped.

    `what`: class name of the request. `values`: its fields.
    """

    what: str
    values: dict[str, Any] = {}


class PutBack(msgspec.Struct, frozen=True, tag="put_back", tag_field="c"):
    """After the setup step, the virtual person puts everything back.

    `play`: True if the players go on once an engine watches.
    """

    play: bool = True


class LayBack(msgspec.Struct, frozen=True, tag="lay_back", tag_field="c"):
    """Ask the virtual table to undo an action with its cards, because the engine has undone it.

    Nothing moves if the action was never done at the table. `CardsLaidBack` answers, at the engine's socket.
    """

    state: str
    """The game state before the undone action, in the notation of the rules."""
    action: str = ""
    """The undone action, in the notation of the rules."""


class ShowTruth(msgspec.Struct, frozen=True, tag="show_truth", tag_field="c"):
    """Ask for `Truth`, now and after each change."""


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
