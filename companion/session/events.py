"""The vocabulary between the engine and its screens, all of it on this page. No secret enters it.

Events go from the engine to every screen, commands come back. Both are JSON, one object a line, tagged
by `e` and `c`. Every event is built from what everybody at the table may know; replaceable ones (Table,
SensorHealth, BoardState, Question) stand for themselves: the newest is the whole truth and older ones may be
dropped.

The operator, who runs the table, has a socket of their own (`OperatorEvent`, `OperatorCommand`): `Explained`
names hidden cards, and the screens' socket neither takes the question nor gives the answer.
"""

import msgspec

PROTOCOL = 1
"""Raised when an old screen could misread a new engine."""


class BedView(msgspec.Struct, frozen=True):
    """One bed as everybody sees it."""

    princess: str
    """Her name, empty before she is seated."""
    fate: str
    """empty, awake, asleep or out; unknown when the game was ended and nobody knew."""
    shown: tuple[str, ...] = ()
    """Names of mattresses that the camera has seen turned up there, sorted.

    Only on a bed that sleeps, and on every bed when the game is over.
    """
    count: int | None = None
    """Mattresses on the bed: only at the assist level memory and above (counting is forbidden to players)."""


class CardView(msgspec.Struct, frozen=True):
    """An open card: kind as in notation (1-10, B, W) and its name in words."""

    kind: str
    name: str


class Welcome(msgspec.Struct, frozen=True, tag="welcome", tag_field="e"):
    """First event to every new screen."""

    protocol: int
    program: str
    game: str
    variant: str
    players: int
    assist: str = ""
    """The level of help that the family chose, which caps hints; empty if none."""


class Table(msgspec.Struct, frozen=True, tag="table", tag_field="e"):
    """The whole public state. Replaceable."""

    phase: str
    """setup, play, check, draw, lay, final or over."""
    turn: int
    """Number of the turn, from 1."""
    player: int
    """Whose turn it is, from 1; 0 when it is nobody's."""
    beds: tuple[BedView, ...]
    row: tuple[CardView, ...]
    played: tuple[CardView, ...]
    deck: int
    deck_full: int
    discard: CardView | None
    discarded: int
    hands: tuple[int, ...]
    """Number of cards each player holds."""
    may: tuple[str, ...]
    """What the player may do now, a sentence each."""
    may_not: tuple[str, ...]
    """What is not possible now and why."""
    last_turns: int | None = None
    """Turns left once the end was triggered."""
    paused: bool = False
    settled: bool = True
    """False while hands are over the table or the companion waits for the view to become clear."""
    verdict: str = ""
    """The sentence of the verdict that `Undo` would take back; empty where the last action is none."""


class Said(msgspec.Struct, frozen=True, tag="said", tag_field="e"):
    """Something happened, in a sentence. `kind`: move, claim, notice, repair, fault or end."""

    t: float
    text: str
    kind: str = "move"


class Claimed(msgspec.Struct, frozen=True, tag="claimed", tag_field="e"):
    """A claim was judged: proved, refuted or cannot tell. `show` are the cards that would settle it.

    It gives the word and what follows from it, never a face: those may still lie hidden.
    """

    t: float
    bed: int
    princess: str
    verdict: str
    reasons: tuple[str, ...]
    show: str | None = None


TURNED_UP = "The camera has seen the mattresses turned up."
"""The reason of a verdict that what was known before did not give."""

YES_NO = ("yes", "no")
"""The options of a question that `Answer` answers."""


class Question(msgspec.Struct, frozen=True, tag="question", tag_field="e"):
    """The companion needs a word: shown until a Question with an empty text withdraws it. Replaceable."""

    text: str
    options: tuple[str, ...] = ()
    """What answers it: yes and no, or names of commands, e.g. table_is_right, companion_is_right."""
    id: str = ""
    """By which `Answer` names it, whatever its words; empty where commands answer it."""


class SensorHealth(msgspec.Struct, frozen=True, tag="health", tag_field="e"):
    """One sensor's state. Replaceable by source."""

    source: str
    ok: bool
    detail: str = ""


class BoardState(msgspec.Struct, frozen=True, tag="board", tag_field="e"):
    """How the link to the sensor board stands, for whoever looks after the table. Replaceable.

    Never recorded: it says something of cables and nothing of the game.
    """

    state: str
    """connected, connecting, or lost (for more than ten seconds)."""
    detail: str = ""
    """Why it is not connected, and the next step."""
    rtt_ms: int | None = None
    """About how long a question to the board takes, in ms; None before the first answer."""
    resends: int = 0
    """Frames sent again to the board, since the engine began."""
    bad_frames: int = 0
    """Frames from the board that came damaged."""
    reconnects: int = 0
    missing: tuple[str, ...] = ()
    """Parts that belong to the rig and do not answer, by name."""
    outdated: bool = False
    """The board runs other code than this program brings along."""
    said: str = ""
    """The last line of the board's log that tells of no part's silence."""


class Score(msgspec.Struct, frozen=True, tag="score", tag_field="e"):
    """The end of the game."""

    lulled: int
    out_of: int
    text: str
    beds: tuple[BedView, ...]
    turns: int


class HintView(msgspec.Struct, frozen=True):
    """One hint: the move or question and why, in a sentence."""

    text: str
    action: str = ""
    """The move in the game's notation; only at the level coach."""
    worth: float | None = None
    """In checks, against the other hints; None for what is no move."""
    chance: float | None = None
    """How sure what it counts on is, 0 to 1."""
    expects: str = ""
    """The same in a few words, and what is still to come; only with a move."""


class Advice(msgspec.Struct, frozen=True, tag="advice", tag_field="e"):
    """Hints, best first, from what the team can know. Goes only to the screen that asked."""

    level: str
    """referee, memory, nudge or coach: how much is given away."""
    player: int
    """Whose decision it is, from 1; 0 when nobody has to decide anything."""
    hints: tuple[HintView, ...]
    work_left: int
    """Checks that are still to be made, at least, until every princess can be claimed."""
    private: bool = False
    """In a silent game: made from what this player alone may know, for their eyes only."""


class Explained(msgspec.Struct, frozen=True, tag="explained", tag_field="e"):
    """Why something is believed of a place, in lines. Never for players: only to the screen that asked."""

    bed: int
    """The place's number, from 1."""
    lines: tuple[str, ...]
    places: tuple[str, ...] = ()
    """All places of this game that can be asked about, by name, in the order of their numbers."""


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="e"):
    """A command of this screen could not be done; why."""

    text: str


class Goodbye(msgspec.Struct, frozen=True, tag="goodbye", tag_field="e"):
    """The engine stops. `text` says why and the next step if there is one."""

    text: str


Event = (
    Welcome | Table | Said | Claimed | Question | SensorHealth | BoardState | Score | Advice | Refused | Goodbye
)


class Claim(msgspec.Struct, frozen=True, tag="claim", tag_field="c"):
    """The table says a princess sleeps. Beds count from 1."""

    bed: int


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="c"):
    """Take back the last action the companion noted.

    A verdict is taken back by its own sentence only (`Table.verdict`): whoever sends it has been asked.
    """

    verdict: str = ""


class TableIsRight(msgspec.Struct, frozen=True, tag="table_is_right", tag_field="c"):
    """What lies on the table is right: take it over."""


class CompanionIsRight(msgspec.Struct, frozen=True, tag="companion_is_right", tag_field="c"):
    """What the companion holds is right: say what to put back."""


class Turn(msgspec.Struct, frozen=True, tag="turn", tag_field="c"):
    """A turn of this player, from 1, begins now, whatever was seen before."""

    player: int


class EndGame(msgspec.Struct, frozen=True, tag="end_game", tag_field="c"):
    """The game is over: score what lies there now."""


class Answer(msgspec.Struct, frozen=True, tag="answer", tag_field="c"):
    """Yes or no to a question that is on the screen."""

    question: str
    """The question's `id`."""
    yes: bool


class Pause(msgspec.Struct, frozen=True, tag="pause", tag_field="c"):
    """Stop (True) or go on (False) concluding anything from the table."""

    paused: bool


class AskHint(msgspec.Struct, frozen=True, tag="hint", tag_field="c"):
    """Advice is wanted; it comes to this screen alone."""

    level: str = "nudge"
    hand: str = ""
    """The cards of the player on turn, if they tell them: 1 to 10 and B, with spaces or commas."""


class AskWhy(msgspec.Struct, frozen=True, tag="why", tag_field="c"):
    """Who runs the table wants to know why something is believed of a place (see `Explained`), from 1."""

    bed: int


class Felt(msgspec.Struct, frozen=True, tag="felt", tag_field="c"):
    """A player tells what the mattress that was checked last this turn felt or, by the glass, looked like."""

    bed: int
    """Whose it is: the bed of its princess, from 1; 0 where fingers could not tell."""
    smooth: bool = False


class Quit(msgspec.Struct, frozen=True, tag="quit", tag_field="c"):
    """Stop the engine."""


Command = (
    Claim | Undo | TableIsRight | CompanionIsRight | Turn | EndGame | Answer | Pause | AskHint | Felt | Quit
)

OperatorEvent = Table | Explained | Refused | Goodbye
"""To the operator: a `Table` says that something changed."""

OperatorCommand = AskWhy
