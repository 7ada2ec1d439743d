"""Commands that screens send to the engine.

Each is a JSON object on a line of its own, with its type in `c`.
"""

from typing import Literal

import msgspec


class Claim(msgspec.Struct, frozen=True, tag="claim", tag_field="c"):
    """A player makes the claim that `PlaceView.claim` offers at a place, e.g. "Anna sleeps"."""

    subject: int
    """Number of the claimed place in `Table.places`, from 1."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="c"):
    """Take back the last action that the companion believed.

    `verdict`: id of the verdict on a claim to take back (`Table.verdict`); empty for any other action. A
    screen first asks the person to confirm an undone verdict.
    """

    verdict: str = ""


class AskPosition(msgspec.Struct, frozen=True, tag="position", tag_field="c"):
    """Ask what the engine would believe if it took over the table as it lies.

    The answer is `Position`.
    """


class AskSensors(msgspec.Struct, frozen=True, tag="sensors", tag_field="c"):
    """Ask for current readings of camera and board.

    The answer is `SensorView`. `width`, `height`: largest camera picture (px) that the screen wants; 0 for
    none.
    """

    width: int = 0
    height: int = 0


class TableIsRight(msgspec.Struct, frozen=True, tag="table_is_right", tag_field="c"):
    """People say that the cards lie right.

    The engine believes the table instead of its own state.
    """

    player: int = 0
    """Player (from 1) whose turn begins; 0: the player that the engine's answer `Position` named."""
    refuted: tuple[int, ...] = ()
    """Places (from 1) whose claims failed while the companion was not watching, as people confirmed.

    The engine lists the possible places in `Position.unseen`.
    """
    playing: tuple[int, ...] = ()
    """Places (from 1) that are still in play, although the companion judged a claim about them.

    People confirm that nobody meant such a claim. The engine lists the possible places in `Position.judged`.
    """
    new_game: bool | None = None
    """After the score: does a new game lie on the table?

    True: yes, the scored game keeps its result. False: no, the scored game lies there and may lose its
    result. None: nobody was asked; a final score stays.
    """


class CompanionIsRight(msgspec.Struct, frozen=True, tag="companion_is_right", tag_field="c"):
    """People say that the companion's state is right.

    The engine answers what to move on the table.
    """


class Turn(msgspec.Struct, frozen=True, tag="turn", tag_field="c"):
    """People say that the turn of `player` (from 1) begins now, whatever the sensors reported before."""

    player: int


class EndGame(msgspec.Struct, frozen=True, tag="end_game", tag_field="c"):
    """People say that the game is over: the engine counts the score."""


class Answer(msgspec.Struct, frozen=True, tag="answer", tag_field="c"):
    """A person answers the engine's question: `yes` or no."""

    question: str
    """`Question.id` of the answered question."""
    yes: bool


class Pause(msgspec.Struct, frozen=True, tag="pause", tag_field="c"):
    """Stop (`paused` True) or resume (False) the companion's conclusions from observations."""

    paused: bool


class AskHint(msgspec.Struct, frozen=True, tag="hint", tag_field="c"):
    """Ask for hints.

    Only the asking screen gets the answer `Advice`. `level`: how much the hints may tell: memory, nudge or
    coach.
    """

    level: str = "nudge"
    hand: str = ""
    """Cards in the hand of the player on turn, in the notation of the rules; empty if kept secret.

    They are separated by spaces or commas. `camera`: the hand lies in the private corner of the mat.
    """


class AskWhy(msgspec.Struct, frozen=True, tag="why", tag_field="c"):
    """The operator asks why the engine believes what lies at a place.

    The answer is `Explained`. `place`: number in `Explained.places`, from 1.
    """

    place: int


class Tell(msgspec.Struct, frozen=True, tag="tell", tag_field="c"):
    """A player makes a statement that only a player can make, e.g. what a card felt like.

    `id`: id of the statement, out of `Table.statements`.
    """

    id: str


class NamePlayers(msgspec.Struct, frozen=True, tag="names", tag_field="c"):
    """Give names to the players, player 1 first.

    A player with an empty name keeps the number.
    """

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
    """A virtual table reports how far it has laid cards back after an undo."""

    now: Literal["begins", "ends", "never"]
    """`begins`, `ends`, or `never` if there is nothing to lay back, or the table cannot do it."""


class Quit(msgspec.Struct, frozen=True, tag="quit", tag_field="c"):
    """Stop the engine or virtual table that receives this command."""


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
