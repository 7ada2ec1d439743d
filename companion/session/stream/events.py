"""The events and commands between the engine and its screens. They contain no hidden card.

A text may be sent as what it says, `{"say": SENTENCE, "with": VALUES}` (companion.core.language), in the place
of a string: each screen puts it in its own language when it decodes the line.

Events go from the engine to every screen, or as an answer to the one that asked; commands come back. Both are
JSON, one object a line, tagged by `e` and `c`. Every event is built from public facts. Replaceable events
(Table, SensorHealth, BoardState, Question) are complete: the newest one replaces all earlier ones, which may be
dropped.

The operator, who runs the table, has a separate socket (`OperatorEvent`, `OperatorCommand`): `Explained` names
hidden cards, so the screens' socket accepts neither its question nor its answer.
"""

from typing import Literal

import msgspec

from companion.core.board_state import BoardState

PROTOCOL = 3
"""Version of the protocol. Raised when an old screen could misread a new engine."""


CALL_LETTERS = 14
"""CALL_LETTERS: most letters of `Table.call`, which is read from two metres."""


class CardView(msgspec.Struct, frozen=True):
    """An open card: its kind in the game's notation, and its name in words."""

    kind: str
    name: str
    colour: str = ""
    """Colour of the printed card, by name; empty if it has none. `name` says the colour, too, if nothing else
    tells the card from others."""
    symbol: str = ""
    """What is drawn on it if it has no value, e.g. a hat, a crown; empty for words."""
    look: int = 0
    """Number of the looks of whoever is drawn on it, if there are several."""
    sign: str = ""
    """What is drawn beside whoever is drawn on it, e.g. a moon; empty for nothing."""


class PlaceView(msgspec.Struct, frozen=True):
    """A place of the game as everybody sees it."""

    name: str
    """Name of whoever or whatever lies there, in words; empty while nobody knows it."""
    badge: str
    """State of the place: awake, asleep, out, unknown (nobody knew when the game was ended), or empty."""
    shown: tuple[str, ...] = ()
    """Short names of the cards that lie there face up. Their order tells nothing hidden."""
    count: int | None = None
    """Number of cards that lie there; None where players may not count them."""
    claim: str = ""
    """What players may claim of it now, in words; empty if nothing."""
    figure: str = ""
    """What is drawn there: sleeper (on a bedstead), realm (of a player), or nothing."""
    colour: str = ""
    """Colour of whoever lies there, by name; empty while nobody knows."""
    look: int = 0
    """Number of the looks of whoever lies there, if there are several."""
    cards: tuple[CardView, ...] = ()
    """The cards of `shown` to be drawn, if they have pictures."""
    player: int = 0
    """The player (from 1) whose place it is; 0 if it belongs to nobody."""
    lit: bool = False
    """Whether the player on turn may do there now what `Table.call` says: its lamp shines."""
    progress: tuple[int, int] | None = None
    """What that player has towards the end of the game, and how much it takes; None if that is not counted."""


class RowView(msgspec.Struct, frozen=True):
    """Cards that lie open side by side."""

    name: str
    cards: tuple[CardView, ...]
    room: int
    """Highest number of cards there."""


class PileView(msgspec.Struct, frozen=True):
    """A pile of cards."""

    name: str
    count: int
    full: int | None = None
    """Number of cards at first, if that shows how far the game is; else None."""
    top: CardView | None = None
    """The open card on top, if the pile lies face up."""


class StatementView(msgspec.Struct, frozen=True):
    """A statement: its id and its words."""

    id: str
    text: str


class LessonView(msgspec.Struct, frozen=True):
    """A rule for people who play for the first time, and when it first matters (see `games.api.Lesson`)."""

    when: str
    title: str
    text: str
    section: str


class MatZone(msgspec.Struct, frozen=True):
    """A zone of the mat from above, in shares (0 to 1) of the mat's width and height."""

    x: float
    y: float
    w: float
    h: float
    holds: str = ""
    """What of `Table` lies there: `place N`, `row N`, `pile N` (from 1) or `played`; empty for nothing."""


class Welcome(msgspec.Struct, frozen=True, tag="welcome", tag_field="e"):
    """First event to every new screen."""

    protocol: int
    program: str
    game: str
    variant: str
    players: int
    assist: str = ""
    """The level of help that the family chose, which limits hints; empty if none."""
    titles: tuple[str, ...] = ()
    """Every `Table.title` of this game while it is nobody's turn. The widest one decides the size of all."""
    turn_titles: tuple[str, ...] = ()
    """The same while it is somebody's turn. The player's number is written before it."""
    claim_title: str = ""
    """Question to somebody who wants to claim something."""
    tell_title: str = ""
    """Question to somebody who wants to tell what only players can know."""
    help: tuple[str, ...] = ()
    """Lines of the help page about this game."""
    names: tuple[str, ...] = ()
    """Names of the players, from the first on; empty if they go by number."""
    lessons: tuple[LessonView, ...] = ()
    """The rules of this game for a first game."""
    hand_cards: tuple[CardView, ...] = ()
    """Every kind of card that a hidden hand may have; empty if all hands lie open."""
    mat: tuple[MatZone, ...] = ()
    """The zones of the mat, for a drawing of the table."""
    mat_ratio: float = 0.0
    """The mat's width, in its heights; 0 if there is no drawing."""
    corner: bool = False
    """Whether the mat has a private corner, where a hand can be shown to the camera."""
    kept: bool = True
    """False where this game has no journal, because the disk refused one."""
    score_when: str = ""
    """What has to be true before the game can be scored; empty if it can be scored at any time."""
    table: str = ""
    """Name of the table, where a machine has several; else empty."""


class Table(msgspec.Struct, frozen=True, tag="table", tag_field="e"):
    """The whole public state. Replaceable."""

    phase: str
    """Name of the phase in the game's rules; `setup` before it begins."""
    title: str
    """The phase in words, written big."""
    turn: int
    """Number of the turn, from 1."""
    player: int
    """Player who has something to do: on turn but for `within`, from 1; 0 if it is nobody's turn."""
    places: tuple[PlaceView, ...]
    rows: tuple[RowView, ...]
    played: tuple[CardView, ...]
    """Cards that were just played."""
    piles: tuple[PileView, ...]
    hands: tuple[int, ...]
    """Number of cards each player holds."""
    may: tuple[str, ...]
    """What the player on turn may do now, a sentence each."""
    may_not: tuple[str, ...]
    """What is not possible now, and why."""
    over: bool = False
    last_turns: int | None = None
    """Turns left after the end was triggered; None before."""
    statements: tuple[StatementView, ...] = ()
    """What players may tell with `Tell`."""
    put_right: str = ""
    """After an action was taken back: what lies otherwise than it should now, until that is solved."""
    provisional: tuple[str, ...] = ()
    """What happened last and may still be revised, a sentence each. Each is said (`Said`) once it is firm."""
    paused: bool = False
    settled: bool = True
    """False while hands are over the table or the camera's view is not clear."""
    verdict: StatementView | None = None
    """The verdict that `Undo` would take back, and its sentence; None if the last action was no verdict."""
    call: str = ""
    """What to do next, in at most `CALL_LETTERS` letters; empty: `title` says it."""
    symbol: str = ""
    """The same as a picture, e.g. a hand, cards; empty for none."""
    within: int = 0
    """Player (from 1) whose turn it is, while another one (`player`) has something to do in it; else 0."""
    open_claims: tuple[str, ...] = ()
    """Claims that were said to be open and that their cards can still settle: the subject of each in words."""


class Said(msgspec.Struct, frozen=True, tag="said", tag_field="e"):
    """Something happened, in a sentence. `kind`: move, claim, notice, repair, fault or end."""

    t: float
    text: str
    kind: str = "move"
    source: str = ""
    """The sensor that a fault is about, as in `SensorHealth`: it is shown as long as that sensor fails."""


class ClaimHeard(msgspec.Struct, frozen=True, tag="claim_heard", tag_field="e"):
    """A claim was heard and is not judged yet: the cards are turned up now. `Claimed` follows, as a rule.

    That it was heard tells nothing but the press of the button, which everybody saw.
    """

    t: float
    subject: int
    """As in `Claimed`."""
    name: str
    """The subject in words."""


class Claimed(msgspec.Struct, frozen=True, tag="claimed", tag_field="e"):
    """A claim was judged: proved, refuted or cannot tell. `show` are the cards that would settle it.

    It contains the verdict and what follows from it, but no face: the cards may still lie hidden.
    """

    t: float
    subject: int
    """Subject of the claim: the number of a place of `Table`, from 1."""
    name: str
    """The subject in words."""
    verdict: str
    text: str
    """The verdict in a friendly sentence."""
    badge: str
    """State of the place after the verdict."""
    reasons: tuple[str, ...]
    show: str | None = None


YES_NO = ("yes", "no")
"""Options of a question that `Answer` answers."""
LOST_TRACK, LOST_UNSEEN = "lost", "lost unseen"
"""Ids of the question of an engine that has lost track of the game; LOST_UNSEEN: and its camera is away."""
NEXT_PARTY = "next party"
"""Id of the question of an engine that waits until the table is cleared for other people."""


class Names(msgspec.Struct, frozen=True, tag="names", tag_field="e"):
    """Players were named on a screen. It replaces `Welcome.names`, and nothing else begins anew."""

    names: tuple[str, ...]
    """As in `Welcome`."""


class Signals(msgspec.Struct, frozen=True, tag="signals", tag_field="e"):
    """Whether lamps and beeper of the board play along. Replaceable; sent only where there is a board."""

    lamps: bool
    beeper: bool


class Question(msgspec.Struct, frozen=True, tag="question", tag_field="e"):
    """A question to the table. It is shown until a Question with an empty text withdraws it. Replaceable."""

    text: str
    options: tuple[str, ...] = ()
    """Possible answers: yes and no, or names of commands, e.g. table_is_right, companion_is_right."""
    id: str = ""
    """Id of the question, independent of its words. `Answer` refers to it."""


JOURNAL = "journal"
"""Name of the journal among the sensors whose health is shown."""


class SensorHealth(msgspec.Struct, frozen=True, tag="health", tag_field="e"):
    """One sensor's state. Replaceable by source."""

    source: str
    ok: bool
    detail: str = ""
    works: bool = False
    """One that is not ok answers all the same, and misses some signs."""


class Score(msgspec.Struct, frozen=True, tag="score", tag_field="e"):
    """The end of the game."""

    score: int | None
    """None where nobody knows it."""
    out_of: int
    headline: str
    """The result in a few big words, and what it counts."""
    counted: str
    line: str
    """Both in one line."""
    text: str
    """A sentence for the table."""
    places: tuple[PlaceView, ...]
    turns: int


class HintView(msgspec.Struct, frozen=True):
    """One hint: the move or question, and the reason in a sentence."""

    text: str
    action: str = ""
    """The move in the game's notation; only at the level coach."""
    worth: float | None = None
    """Value relative to the other hints, in the game's measure of work; None if the hint is no move."""
    chance: float | None = None
    """Probability (0 to 1) of what the hint counts on."""
    expects: str = ""
    """The same in a few words, and what is still to come; only with a move."""


class Advice(msgspec.Struct, frozen=True, tag="advice", tag_field="e"):
    """Hints, best first, computed from the team's knowledge. Sent only to the screen that asked, or to all if
    somebody asked at the table (`aloud`)."""

    level: str
    """referee, memory, nudge or coach: how much is given away."""
    player: int
    """Player who decides, from 1; 0 if nobody has to decide anything."""
    hints: tuple[HintView, ...]
    work_left: int
    """Least work until the players reach their goal, in the game's measure."""
    private: bool = False
    """In a silent game: computed from what this player alone may know, and only for this player."""
    over: bool = False
    """Whether the game is over, as far as who asked was told."""
    aloud: bool = False
    """Asked at the table, for everybody: no answer to a screen's own `AskHint`."""


class Position(msgspec.Struct, frozen=True, tag="position", tag_field="e"):
    """What lies on the table, as `TableIsRight` would take it over. Sent only to the screen that asked."""

    player: int
    """Player who has something to do, as far as believed, from 1; 0 if it is nobody's turn."""
    places: tuple[PlaceView, ...] = ()
    rows: tuple[RowView, ...] = ()
    lines: tuple[str, ...] = ()
    """What lies otherwise than the companion had it, and what nobody would know any more, a sentence each."""
    unseen: tuple[StatementView, ...] = ()
    """Claims that may have failed unseen, which only players can tell: subject (from 1), and a sentence."""
    judged: tuple[StatementView, ...] = ()
    """Who may still play although a verdict says otherwise, likewise."""
    problem: str = ""
    """Why it cannot be taken over, and what to do; empty if it can."""
    within: int = 0
    """As in `Table`."""


class ZoneView(msgspec.Struct, frozen=True):
    """A zone of the mat, and the names of the cards that are read there."""

    name: str
    cards: tuple[str, ...]


class StationView(msgspec.Struct, frozen=True):
    """A station of the board, and what it reports; None where it has no such part or where it is hidden."""

    name: str
    cards: float | None = None
    """Load of the scale in cards, before rounding."""
    loaded: bool | None = None
    touched: bool | None = None
    tag: bool | None = None
    pressed: bool | None = None


class SensorView(msgspec.Struct, frozen=True, tag="sensors", tag_field="e"):
    """What camera and board sense now. Sent only to the screen that asked."""

    width: int
    """Size of the picture in px; 0 x 0 without one."""
    height: int
    pixels: str
    """Red, green and blue of each px, row by row, as base64."""
    zones: tuple[ZoneView, ...] = ()
    stations: tuple[StationView, ...] = ()
    pressed: str = ""
    """The pressure picture: 256 bytes as hexadecimal digits, 16 rows of 16; empty while hidden."""
    why: str = ""
    """What is not shown, and why; empty if everything is."""


class Explained(msgspec.Struct, frozen=True, tag="explained", tag_field="e"):
    """Why something is believed about a place, in lines. Never for players: sent only to the operator who
    asked."""

    place: int
    """The place's number in `places`, from 1."""
    lines: tuple[str, ...]
    places: tuple[str, ...] = ()
    """Names of all places of this game that can be asked about, in the order of their numbers."""


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="e"):
    """A command of this screen was refused, with the reason."""

    text: str


class Accepted(msgspec.Struct, frozen=True, tag="accepted", tag_field="e"):
    """A command of this screen that asks for no answer of its own was not refused.

    A screen for several people has to tell whose command was.
    """


class Goodbye(msgspec.Struct, frozen=True, tag="goodbye", tag_field="e"):
    """The engine stops. `text` gives the reason, and the next step if there is one."""

    text: str
    ended: bool = False
    """Whether the recording that it watched has come to its end: nothing follows."""


Event = (
    Welcome
    | Table
    | Said
    | ClaimHeard
    | Claimed
    | Question
    | SensorHealth
    | BoardState
    | Names
    | Signals
    | Score
    | Advice
    | Position
    | SensorView
    | Refused
    | Accepted
    | Goodbye
)


class Claim(msgspec.Struct, frozen=True, tag="claim", tag_field="c"):
    """A player claims what `PlaceView.claim` says about a place."""

    subject: int
    """The number of the place, from 1."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="c"):
    """Take back the last recorded action.

    A verdict is taken back only by its own id (`Table.verdict`): the screen has asked the person first.
    """

    verdict: str = ""


class AskPosition(msgspec.Struct, frozen=True, tag="position", tag_field="c"):
    """Ask what lies on the table now. It comes to this screen alone, and changes nothing."""


class AskSensors(msgspec.Struct, frozen=True, tag="sensors", tag_field="c"):
    """Ask what camera and board sense now, with a picture of at most this size (px). It comes to this screen
    alone."""

    width: int = 0
    height: int = 0


class TableIsRight(msgspec.Struct, frozen=True, tag="table_is_right", tag_field="c"):
    """The table is right: the companion takes over what lies there."""

    player: int = 0
    """The player (from 1) whose turn begins now; 0 if the turn is as `Position` says."""
    refuted: tuple[int, ...] = ()
    """Subjects (from 1) of claims that failed unseen, of `Position.unseen`."""
    playing: tuple[int, ...] = ()
    """Subjects (from 1) that still play, of `Position.judged`: nobody meant that claim."""
    new_game: bool | None = None
    """After the score: whether what lies there is a new game, so that the scored one keeps its result; False if
    it is the scored one, which may lose it. None, if nobody was asked, never takes away a final score."""


class CompanionIsRight(msgspec.Struct, frozen=True, tag="companion_is_right", tag_field="c"):
    """The companion is right: it says what to put back."""


class Turn(msgspec.Struct, frozen=True, tag="turn", tag_field="c"):
    """A turn of this player (from 1) begins now, whatever was seen before."""

    player: int


class EndGame(msgspec.Struct, frozen=True, tag="end_game", tag_field="c"):
    """The game is over: score what lies there now."""


class Answer(msgspec.Struct, frozen=True, tag="answer", tag_field="c"):
    """Yes or no to a question on the screen."""

    question: str
    """The question's `id`."""
    yes: bool


class Pause(msgspec.Struct, frozen=True, tag="pause", tag_field="c"):
    """Stop (True) or go on (False) drawing conclusions from the table."""

    paused: bool


class AskHint(msgspec.Struct, frozen=True, tag="hint", tag_field="c"):
    """Ask for advice. It comes to this screen alone."""

    level: str = "nudge"
    hand: str = ""
    """The hand of the player on turn in the game's notation, with spaces or commas, if the player tells it;
    `camera` if it lies in the private corner of the mat."""


class AskWhy(msgspec.Struct, frozen=True, tag="why", tag_field="c"):
    """The operator asks why something is believed about a place (from 1; see `Explained`)."""

    place: int


class Tell(msgspec.Struct, frozen=True, tag="tell", tag_field="c"):
    """A player tells something that only players can know: one of `Table.statements`."""

    id: str


class NamePlayers(msgspec.Struct, frozen=True, tag="names", tag_field="c"):
    """The names of the players, from the first on; empty ones go by number."""

    names: tuple[str, ...]


class NextParty(msgspec.Struct, frozen=True, tag="next_party", tag_field="c"):
    """Other people play from now on: the game is left as it stands, the players' names are forgotten, and a new
    game begins once the table was cleared."""

    ends: bool = False
    """Whether somebody was asked about a game that is on: without it such a game goes on."""


class SetSignals(msgspec.Struct, frozen=True, tag="signals", tag_field="c"):
    """Switch the lamps and the beeper of the board on or off."""

    lamps: bool
    beeper: bool


class CardsLaidBack(msgspec.Struct, frozen=True, tag="cards_laid_back", tag_field="c"):
    """From a virtual table, after a step was taken back: whether its cards are laid back."""

    now: Literal["begins", "ends", "never"]
    """`never`: no card has to be laid back, or nobody knows how."""


class Quit(msgspec.Struct, frozen=True, tag="quit", tag_field="c"):
    """Stop the engine."""


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

OperatorEvent = Table | Explained | Refused | Goodbye
"""To the operator: a `Table` says that something changed."""

OperatorCommand = AskWhy
