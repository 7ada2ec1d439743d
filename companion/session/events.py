"""The vocabulary between the engine and its screens, all of it on this page. No secret enters it.

Events go from the engine to every screen, commands come back. Both are JSON, one object a line, tagged
by `e` and `c`. Every event is built from what everybody at the table may know; replaceable ones (Table,
SensorHealth, BoardState, Question) stand for themselves: the newest is the whole truth and older ones may be
dropped.

The operator, who runs the table, has a socket of their own (`OperatorEvent`, `OperatorCommand`): `Explained`
names hidden cards, and the screens' socket neither takes the question nor gives the answer.
"""

import msgspec

PROTOCOL = 2
"""Raised when an old screen could misread a new engine."""


class CardView(msgspec.Struct, frozen=True):
    """An open card: its kind as in the game's notation and its name in words."""

    kind: str
    name: str


class PlaceView(msgspec.Struct, frozen=True):
    """A place of the game as everybody sees it: somebody lies, sits or collects there."""

    name: str
    """Who or what it is, in words; empty before anybody knows."""
    badge: str
    """How it stands: awake, asleep, out, unknown (nobody knew when the game was ended), or empty."""
    shown: tuple[str, ...] = ()
    """Short names of the cards that lie there for all to see, in no order that tells anything hidden."""
    count: int | None = None
    """Cards that lie there in all; None where players may not count them."""
    claim: str = ""
    """What players may claim of it now, in words; empty if nothing."""


class RowView(msgspec.Struct, frozen=True):
    """Cards that lie open side by side."""

    name: str
    cards: tuple[CardView, ...]
    room: int
    """How many lie there at most."""


class PileView(msgspec.Struct, frozen=True):
    """A pile of cards."""

    name: str
    count: int
    full: int | None = None
    """How many there were at first, if that says how far the game is."""
    top: CardView | None = None
    """The open card on top, if the pile lies face up."""


class StatementView(msgspec.Struct, frozen=True):
    """Something said: what names it, and words for it."""

    id: str
    text: str


class Welcome(msgspec.Struct, frozen=True, tag="welcome", tag_field="e"):
    """First event to every new screen."""

    protocol: int
    program: str
    game: str
    variant: str
    players: int
    assist: str = ""
    """The level of help that the family chose, which caps hints; empty if none."""
    titles: tuple[str, ...] = ()
    """Every `Table.title` of this game while it is nobody's turn: the widest decides the size of all."""
    turn_titles: tuple[str, ...] = ()
    """The same while it is somebody's turn: the player's number is written before it."""
    claim_title: str = ""
    """What is asked of somebody who wants to claim something."""
    tell_title: str = ""
    """What is asked of somebody who wants to tell what only players can know."""
    help: tuple[str, ...] = ()
    """What the help page says of this game, a line each."""


class Table(msgspec.Struct, frozen=True, tag="table", tag_field="e"):
    """The whole public state. Replaceable."""

    phase: str
    """Name of the phase in the game's rules; `setup` before it begins."""
    title: str
    """The phase as it is written big."""
    turn: int
    """Number of the turn, from 1."""
    player: int
    """Whose turn it is, from 1; 0 when it is nobody's."""
    places: tuple[PlaceView, ...]
    rows: tuple[RowView, ...]
    played: tuple[CardView, ...]
    """Cards that were just played."""
    piles: tuple[PileView, ...]
    hands: tuple[int, ...]
    """Number of cards each player holds."""
    may: tuple[str, ...]
    """What the player may do now, a sentence each."""
    may_not: tuple[str, ...]
    """What is not possible now and why."""
    over: bool = False
    last_turns: int | None = None
    """Turns left once the end was triggered."""
    statements: tuple[StatementView, ...] = ()
    """What players may tell with `Tell`."""
    paused: bool = False
    settled: bool = True
    """False while hands are over the table or the companion waits for the view to become clear."""
    verdict: StatementView | None = None
    """The verdict that `Undo` would take back, and its sentence; None where the last action is none."""


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
    subject: int
    """What the claim is about: the number of a place of `Table`, from 1."""
    name: str
    """The same in words."""
    verdict: str
    text: str
    """The verdict in kind words."""
    badge: str
    """How the place stands after it."""
    reasons: tuple[str, ...]
    show: str | None = None


YES_NO = ("yes", "no")
"""The options of a question that `Answer` answers."""


class Question(msgspec.Struct, frozen=True, tag="question", tag_field="e"):
    """The companion needs a word: shown until a Question with an empty text withdraws it. Replaceable."""

    text: str
    options: tuple[str, ...] = ()
    """What answers it: yes and no, or names of commands, e.g. table_is_right, companion_is_right."""
    id: str = ""
    """What is asked, whatever its words; `Answer` names it so."""


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

    score: int
    out_of: int
    headline: str
    """The result in a few words, to be written big, and what it counts."""
    counted: str
    line: str
    """Both in one line."""
    text: str
    """A sentence for the table."""
    places: tuple[PlaceView, ...]
    turns: int


class HintView(msgspec.Struct, frozen=True):
    """One hint: the move or question and why, in a sentence."""

    text: str
    action: str = ""
    """The move in the game's notation; only at the level coach."""
    worth: float | None = None
    """Against the other hints, in the game's measure of work; None for what is no move."""
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
    """What is still to be done, at least, until the players have reached their aim; in the game's measure."""
    private: bool = False
    """In a silent game: made from what this player alone may know, for their eyes only."""


class Explained(msgspec.Struct, frozen=True, tag="explained", tag_field="e"):
    """Why something is believed of a place, in lines. Never for players: only to the screen that asked."""

    place: int
    """The place's number in `places`, from 1."""
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
    """The table claims what `PlaceView.claim` says of a place."""

    subject: int
    """The number of the place, from 1."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="c"):
    """Take back the last action the companion noted.

    A verdict is taken back by its own id only (`Table.verdict`): whoever sends it has been asked.
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
    """The cards of the player on turn, if they tell them, in the game's notation, with spaces or commas."""


class AskWhy(msgspec.Struct, frozen=True, tag="why", tag_field="c"):
    """Who runs the table wants to know why something is believed of a place (see `Explained`), from 1."""

    place: int


class Tell(msgspec.Struct, frozen=True, tag="tell", tag_field="c"):
    """A player tells something that only players can know: one of `Table.statements`."""

    id: str


class Quit(msgspec.Struct, frozen=True, tag="quit", tag_field="c"):
    """Stop the engine."""


Command = (
    Claim | Undo | TableIsRight | CompanionIsRight | Turn | EndGame | Answer | Pause | AskHint | Tell | Quit
)

OperatorEvent = Table | Explained | Refused | Goodbye
"""To the operator: a `Table` says that something changed."""

OperatorCommand = AskWhy
