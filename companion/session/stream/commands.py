"""Commands that screens send to the engine, one JSON object a line, tagged by `c`."""

from typing import Literal

import msgspec


class Claim(msgspec.Struct, frozen=True, tag="claim", tag_field="c"):
    """A player claims what `PlaceView.claim` offers at a place."""

    subject: int
    """Number of the claimed place in `Table.places`, from 1."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="c"):
    """Take back the last recorded action.

    `verdict`: id of the verdict to take back (`Table.verdict`); empty for any other action. A screen asks the
    person before it sends such an id.
    """

    verdict: str = ""


class AskPosition(msgspec.Struct, frozen=True, tag="position", tag_field="c"):
    """Ask for the table as it lies; the answer is `Position`."""


class AskSensors(msgspec.Struct, frozen=True, tag="sensors", tag_field="c"):
    """Ask for the sensors' current readings; the answer is `SensorView`.

    `width`, `height`: largest camera picture (px) that the screen wants; 0 for none.
    """

    width: int = 0
    height: int = 0


class TableIsRight(msgspec.Struct, frozen=True, tag="table_is_right", tag_field="c"):
    """The players declare the table right: the engine adopts it."""

    player: int = 0
    """Player (from 1) whose turn begins; 0: the one in `Position`."""
    refuted: tuple[int, ...] = ()
    """Places (from 1), out of `Position.unseen`, whose claims failed unseen."""
    playing: tuple[int, ...] = ()
    """Places (from 1) that still play, out of `Position.judged`. Nobody meant their claim."""
    new_game: bool | None = None
    """Whether a new game lies on the table after the score.

    True: the scored game keeps its result. False: the scored game lies there and may lose its result. None, if
    nobody was asked, never removes a final score.
    """


class CompanionIsRight(msgspec.Struct, frozen=True, tag="companion_is_right", tag_field="c"):
    """The players declare the companion right. The engine answers what to put back."""


class Turn(msgspec.Struct, frozen=True, tag="turn", tag_field="c"):
    """The turn of `player` (from 1) begins now. What the sensors reported before does not matter."""

    player: int


class EndGame(msgspec.Struct, frozen=True, tag="end_game", tag_field="c"):
    """The players declare the game over: the engine scores it."""


class Answer(msgspec.Struct, frozen=True, tag="answer", tag_field="c"):
    """A player answers yes or no to a question."""

    question: str
    """`Question.id` of the answered question."""
    yes: bool


class Pause(msgspec.Struct, frozen=True, tag="pause", tag_field="c"):
    """Stop (True) or resume (False) drawing conclusions."""

    paused: bool


class AskHint(msgspec.Struct, frozen=True, tag="hint", tag_field="c"):
    """Ask for hints; only the asking screen gets `Advice`. `level`: memory, nudge or coach."""

    level: str = "nudge"
    hand: str = ""
    """Hand of the player on turn, in the game's notation.

    Separated by spaces or commas; empty if not told. `camera`: the hand lies in the private corner.
    """


class AskWhy(msgspec.Struct, frozen=True, tag="why", tag_field="c"):
    """The operator asks for the reasons of a belief.

    The answer is `Explained`. `place`: number in `Explained.places`, from 1.
    """

    place: int


class Tell(msgspec.Struct, frozen=True, tag="tell", tag_field="c"):
    """A player makes a statement out of `Table.statements`. `id`: the statement's id."""

    id: str


class NamePlayers(msgspec.Struct, frozen=True, tag="names", tag_field="c"):
    """Names for the players, player 1 first. A player with an empty name goes by number."""

    names: tuple[str, ...]


class NextParty(msgspec.Struct, frozen=True, tag="next_party", tag_field="c"):
    """Other people play from now on.

    The game ends as it stands, and the players' names are deleted. A new game begins once the table was
    cleared.
    """

    ends: bool = False
    """True if a person has agreed to end a running game. False: the engine refuses while a game is on."""


class SetSignals(msgspec.Struct, frozen=True, tag="signals", tag_field="c"):
    """Switch the board's lamps and beeper on or off."""

    lamps: bool
    beeper: bool


class CardsLaidBack(msgspec.Struct, frozen=True, tag="cards_laid_back", tag_field="c"):
    """A virtual table reports on laying cards back after an undo."""

    now: Literal["begins", "ends", "never"]
    """Progress: `begins`, `ends`, or `never` (nothing to lay back, or unknown how)."""


class Quit(msgspec.Struct, frozen=True, tag="quit", tag_field="c"):
    """Stop the engine or the virtual table that receives the command."""


Command = (
    Claim
    | Undo
    | AskPosition
    | AskSensors
    | TableIsRight
    | CompanionIsRight
    | Turn
    | EndGame
    | Answer
    | Pause
    | AskHint
    | Tell
    | NamePlayers
    | NextParty
    | SetSignals
    | CardsLaidBack
    | Quit
)


OperatorCommand = AskWhy
