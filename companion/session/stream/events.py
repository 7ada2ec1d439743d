"""Events that the engine sends to the screens.

Each is a JSON object on one line, with its type in `e`. No line names a hidden card. Most events go to every
screen; the answer to a question goes only to the screen that asked. Commands of screens are in `commands.py`.

A sentence may be sent as `{"say": SENTENCE, "with": VALUES}` instead of a string (companion.core.language).
Each screen then puts it into its own language.

Table, SensorHealth, BoardState, Question and Signals are complete: a newer one replaces older ones, which may
be dropped.

The operator, who runs the table, has a separate socket (`OperatorEvent`, `OperatorCommand`). `Explained`
names hidden cards, so the screens' socket carries neither `AskWhy` nor `Explained`.
"""

import msgspec

from companion.core.board_state import BoardState

PROTOCOL = 3
"""Version of events and commands. It is raised when an old screen could misread a new engine."""


CALL_LETTERS = 14
"""Most letters of `Table.call`, so that people can read it from two metres."""


class CardView(msgspec.Struct, frozen=True):
    """A face-up card, as a screen draws or names it.

    `kind`: the card in the notation of the rules. `name`: the card in words.
    """

    kind: str
    name: str
    colour: str = ""
    """Colour of the printed card, e.g. "red"; empty if it has none.

    `name` includes the colour only where nothing else tells two cards apart.
    """
    symbol: str = ""
    """Symbol drawn instead of a value, e.g. "hat"; empty for a drawn value."""
    look: int = 0
    """Which drawing of the figure is used, if several exist; else 0."""
    sign: str = ""
    """Sign drawn beside the figure, e.g. "moon"; empty for no sign."""


class PlaceView(msgspec.Struct, frozen=True):
    """What a screen shows of a place, e.g. a bed.

    It has no secrets.
    """

    name: str
    """Name of the figure or cards at the place; empty while unknown."""
    badge: str
    """State of the place in a word, e.g. awake, out, won; empty for none.

    `unknown`: the game ended before the state was known.
    """
    shown: tuple[str, ...] = ()
    """Short names of the place's face-up cards. Their order reveals nothing hidden."""
    count: int | None = None
    """Number of cards; None where players may not count them."""
    claim: str = ""
    """The claim that players may make about the place, in words; empty if none."""
    figure: str = ""
    """How the place is drawn: `sleeper` (a bedstead), `realm` (a player's cards), or empty."""
    colour: str = ""
    """Name of the figure's colour; empty while unknown."""
    look: int = 0
    """Which drawing of the figure is used, if several exist; else 0."""
    cards: tuple[CardView, ...] = ()
    """Pictures of the cards in `shown`; empty if they have none."""
    player: int = 0
    """The player (from 1) who owns the place; 0 for nobody."""
    lit: bool = False
    """True if `Table.call` concerns this place. A lamp at the place then shines."""
    progress: tuple[int, int] | None = None
    """(what the player has, what the player needs to end the game), e.g. points.

    None if the game counts nothing.
    """


class RowView(msgspec.Struct, frozen=True):
    """A row of face-up cards that lie side by side; `name` in words."""

    name: str
    cards: tuple[CardView, ...]
    room: int
    """Number of cards that the row has room for."""


class PileView(msgspec.Struct, frozen=True):
    """A pile of cards. `name`: in words. `count`: number of its cards."""

    name: str
    count: int
    full: int | None = None
    """Number of cards in the full pile. None if the pile's height does not show how far the game is."""
    top: CardView | None = None
    """The top card, if the pile lies face up; else None."""


class StatementView(msgspec.Struct, frozen=True):
    """A sentence with an id, e.g. a statement to choose.

    A screen shows `text` and sends back `id`.
    """

    id: str
    text: str


class LessonView(msgspec.Struct, frozen=True):
    """A rule that screens explain in people's first game.

    `when`: moment at which the rule first matters, as in `games.narrator.Lesson`. `title`: a few words. `text`:
    the rule. `section`: section of the rulebook.
    """

    when: str
    title: str
    text: str
    section: str


class MatZone(msgspec.Struct, frozen=True):
    """A zone of the mat, seen from above.

    `x`, `y` (left and top edge), `w`, `h`: shares (0 to 1) of the mat's width and height.
    """

    x: float
    y: float
    w: float
    h: float
    holds: str = ""
    """What lies in the zone: `place N`, `row N`, `pile N` or `played`; empty for anything else.

    N counts from 1, as in `Table`.
    """


class Welcome(msgspec.Struct, frozen=True, tag="welcome", tag_field="e"):
    """Greeting to a new screen: facts for the whole game.

    It comes before all other events.
    """

    protocol: int
    program: str
    game: str
    variant: str
    players: int
    assist: str = ""
    """Most that hints may tell: referee, memory, nudge or coach. Empty if nobody chose.

    referee: the rules. memory: what was found out. nudge: a question that points the way. coach: the move.
    """
    titles: tuple[str, ...] = ()
    """Every heading (`Table.title`) that the game has while nobody is on turn.

    A screen sizes its heading by the widest one.
    """
    turn_titles: tuple[str, ...] = ()
    """Every heading (`Table.title`) that the game has while a player is on turn.

    A screen writes the player's number before the heading.
    """
    claim_title: str = ""
    """Heading over the list of places about which people may make a claim."""
    tell_title: str = ""
    """Heading over the list of statements in `Table.statements`."""
    help: tuple[str, ...] = ()
    """Lines of the game's help page."""
    names: tuple[str, ...] = ()
    """Names of the players, player 1 first. Empty if players have only numbers."""
    lessons: tuple[LessonView, ...] = ()
    hand_cards: tuple[CardView, ...] = ()
    """Every kind of card that a hidden hand may hold; empty if hands lie open."""
    mat: tuple[MatZone, ...] = ()
    mat_ratio: float = 0.0
    """Width of the mat divided by its height; 0 if no mat is drawn."""
    corner: bool = False
    """True if the mat has a private corner, where a player shows a hand to the camera alone."""
    kept: bool = True
    """False if the game is not recorded, because the disk refused a journal."""
    score_when: str = ""
    """When the game may be scored, in words; empty for at any time."""
    table: str = ""
    """Name of the table, if the machine has several; else empty."""


class Table(msgspec.Struct, frozen=True, tag="table", tag_field="e"):
    """The whole public state of a game: phase, places, rows, piles, and what may be done.

    A newer Table replaces older ones. `over`: True after the end. `paused`: True if people have stopped the
    companion's conclusions.
    """

    phase: str
    """Phase of the game, by its name in the rules; `setup` before play."""
    title: str
    """Phase of the game in words, for a heading."""
    turn: int
    """Number of turns begun; 0 during setup."""
    player: int
    """Player (from 1) who must act now; 0 for nobody. See `within`."""
    places: tuple[PlaceView, ...]
    rows: tuple[RowView, ...] = ()
    played: tuple[CardView, ...] = ()
    """Cards that were played last."""
    piles: tuple[PileView, ...] = ()
    hands: tuple[int, ...] = ()
    """Number of cards in each player's hand, player 1 first."""
    may: tuple[str, ...] = ()
    """What people may do now, a sentence each."""
    may_not: tuple[str, ...] = ()
    """What people may not do now, and why, a sentence each."""
    over: bool = False
    last_turns: int | None = None
    """Number of turns left once the end of the game was triggered; None before."""
    statements: tuple[StatementView, ...] = ()
    """Statements that players may make now, with the command `Tell`."""
    put_right: str = ""
    """Sentence after an undo: what still lies wrong, and what to do. Empty once the table is right."""
    provisional: tuple[str, ...] = ()
    """The newest actions in sentences, oldest first. The companion may still change its mind about them.

    A `Said` announces each once it is firm.
    """
    paused: bool = False
    settled: bool = True
    """False while hands or a blocked view disturb the camera, so that cards may be missing."""
    verdict: StatementView | None = None
    """The last action's verdict on a claim: its sentence, and the id for `Undo`.

    None for any other action.
    """
    call: str = ""
    """What people must do next, in at most CALL_LETTERS letters. Empty if `title` says enough."""
    symbol: str = ""
    """Name of a picture of what people must do next, e.g. "hand"; empty for none."""
    within: int = 0
    """Player (from 1) whose turn it is while another one (`player`) must act, e.g. defend; else 0."""
    open_claims: tuple[str, ...] = ()
    """Places with a claim that is not decided, but can be by turning up cards, in words."""


class Said(msgspec.Struct, frozen=True, tag="said", tag_field="e"):
    """A sentence (`text`) on something that happened at `t` (s).

    `kind`: move, claim, notice, repair (a correction), fault (of a sensor) or end.
    """

    t: float
    text: str
    kind: str = "move"
    source: str = ""
    """Sensor that a sentence of kind fault is about; empty for other kinds.

    A screen shows the sentence until the sensor works again.
    """


class ClaimHeard(msgspec.Struct, frozen=True, tag="claim_heard", tag_field="e"):
    """A player made a claim at time `t` (s).

    It is not judged yet. People now turn up the cards at the claimed place. Usually a `Claimed` follows. The
    event tells no secret, because everybody saw the press.
    """

    t: float
    subject: int
    """The claimed place: number in `Table.places`, from 1."""
    name: str
    """The claimed place in words."""


class Claimed(msgspec.Struct, frozen=True, tag="claimed", tag_field="e"):
    """The verdict on a claim, given at time `t` (s).

    `verdict`: proved, refuted or cannot tell. `show`: if it cannot be told, the cards that would decide, in
    words; else None. `reasons`: a sentence each. No card's face is named, because cards may still lie hidden.
    """

    t: float
    subject: int
    """The claimed place: number in `Table.places`, from 1."""
    name: str
    """The claimed place in words."""
    verdict: str
    text: str
    """The verdict in a sentence for people."""
    badge: str
    """Word for the state of the claimed place after the verdict, as in `PlaceView.badge`."""
    reasons: tuple[str, ...]
    show: str | None = None


YES_NO = ("yes", "no")
"""`Question.options` of a question that is answered by the command `Answer`."""
LOST_TRACK, LOST_UNSEEN = "lost", "lost unseen"
"""LOST_TRACK, LOST_UNSEEN: `Question.id` while no history explains the observations.

LOST_TRACK: the camera works. LOST_UNSEEN: the camera is away.
"""
NEXT_PARTY = "next party"
"""`Question.id` of the request to clear the table, because other people play next."""


class Names(msgspec.Struct, frozen=True, tag="names", tag_field="e"):
    """Players were named. `names` (player 1 first) replaces `Welcome.names`."""

    names: tuple[str, ...]


class Signals(msgspec.Struct, frozen=True, tag="signals", tag_field="e"):
    """The board's lamps and beeper were switched: True if on.

    Sent only if a board is connected.
    """

    lamps: bool
    beeper: bool


class Question(msgspec.Struct, frozen=True, tag="question", tag_field="e"):
    """The companion's question to the people at the table.

    An empty `text` ends the last question.
    """

    text: str
    options: tuple[str, ...] = ()
    """Possible answers: `YES_NO`, or names of commands such as table_is_right."""
    id: str = ""
    """Id of the question, which an `Answer` names."""


JOURNAL = "journal"
"""`SensorHealth.source` of a report on the journal: whether the disk takes its lines."""


class SensorHealth(msgspec.Struct, frozen=True, tag="health", tag_field="e"):
    """A report on one sensor.

    It replaces older reports on this sensor. `source`: e.g. "camera", "board", or a station's scale. `ok`:
    True if it works. `detail`: what is wrong, in words; empty if `ok`.
    """

    source: str
    ok: bool
    detail: str = ""
    works: bool = False
    """True if a failing sensor still reports, but misses some events. Meaningless if `ok`."""


class Score(msgspec.Struct, frozen=True, tag="score", tag_field="e"):
    """The result of a finished game.

    `out_of`: most points possible. `turns`: number of turns played. `places`: the places at the end.
    """

    score: int | None
    """Points of the team or of the winner; None if unknown. At most `out_of`."""
    out_of: int
    headline: str
    """The result in a few words, for large letters."""
    counted: str
    """What the points count, in a few words."""
    line: str
    """The result in one line: `headline` and `counted`."""
    text: str
    """The result in a sentence for the table."""
    places: tuple[PlaceView, ...]
    turns: int


class HintView(msgspec.Struct, frozen=True):
    """A hint for players: a move, or something to think about (a question), with the reason."""

    text: str
    action: str = ""
    """The recommended move in the notation of the rules. Empty unless hints may tell moves (level coach)."""
    worth: float | None = None
    """Value of the move, in the game's measure (e.g. chance to win), to compare hints. None if no move."""
    chance: float | None = None
    """Probability (0 to 1) of what the player hopes for. None if the hint names no chance."""
    expects: str = ""
    """What the move will probably show, and the work left after it. Empty if the hint is no move."""


class Advice(msgspec.Struct, frozen=True, tag="advice", tag_field="e"):
    """Hints from what the players know, the best first.

    They answer one screen's `AskHint`, or go to all screens (`aloud`).
    """

    level: str
    """How much these hints tell, from little to much: referee, memory, nudge or coach; see `Welcome.assist`."""
    player: int
    """Player (from 1) who must decide; 0 for nobody."""
    hints: tuple[HintView, ...]
    work_left: int
    """Least work until the game is won, in the game's measure, e.g. number of checks."""
    private: bool = False
    """True if the hints are for one player alone, and use only what this player may know."""
    over: bool = False
    """True if the game is over, as far as its public record tells."""
    aloud: bool = False
    """True if people asked at the table, so that all screens get the hints. It answers no `AskHint`."""


class Position(msgspec.Struct, frozen=True, tag="position", tag_field="e"):
    """What the engine would believe after the command `TableIsRight`.

    `places`, `rows`: as in `Table`. Only the screen that asked gets it.
    """

    player: int
    """Player (from 1) who would have to act; 0 for nobody."""
    places: tuple[PlaceView, ...] = ()
    rows: tuple[RowView, ...] = ()
    lines: tuple[str, ...] = ()
    """Sentences: where the table differs from the engine's state, and what knowledge would be lost."""
    unseen: tuple[StatementView, ...] = ()
    """Places whose claim may have failed while the companion was not watching (`id`: number from 1).

    Only people can tell, so the screen asks them.
    """
    judged: tuple[StatementView, ...] = ()
    """Places with a judged claim that perhaps nobody made (`id`: number from 1). They would still be in play.

    Only people can tell, so the screen asks them.
    """
    problem: str = ""
    """Why the engine cannot believe the table as it lies, and what to do; empty if it can."""
    within: int = 0
    """Player (from 1) whose turn it would be while another (`player`) must act; else 0."""


class ZoneView(msgspec.Struct, frozen=True):
    """A zone of the mat, and the cards read there."""

    name: str
    cards: tuple[str, ...]


class StationView(msgspec.Struct, frozen=True):
    """Readings at one station of the board: scale, touch sensor, RFID reader and pressure matrix.

    None: the station has no such sensor, or the reading is hidden from players. `loaded`: cards lie on the
    scale. `pressed`: something presses the matrix.
    """

    name: str
    cards: float | None = None
    """Load of the scale, in cards, not rounded. None without a scale, or while hidden."""
    loaded: bool | None = None
    touched: bool | None = None
    tag: bool | None = None
    pressed: bool | None = None


class SensorView(msgspec.Struct, frozen=True, tag="sensors", tag_field="e"):
    """The current readings of camera and board: picture, cards read, and stations.

    Only the screen that asked gets them.
    """

    width: int
    """Width of the camera picture (px); 0 if there is no picture."""
    height: int
    pixels: str
    """The camera picture in base64: 3 bytes (red, green, blue) a pixel, row by row."""
    zones: tuple[ZoneView, ...] = ()
    stations: tuple[StationView, ...] = ()
    pressed: str = ""
    """Picture of the pressure pad in hexadecimal digits: 16 rows of 16 bytes. Empty while hidden."""
    why: str = ""
    """Sentence on what is hidden, and why; empty if nothing is."""


class Explained(msgspec.Struct, frozen=True, tag="explained", tag_field="e"):
    """Why the engine believes what lies at a place, in lines.

    Only the operator who asked gets it, because it names hidden cards.
    """

    place: int
    """The explained place: its number (from 1) in `places`, which lists all places."""
    lines: tuple[str, ...]
    places: tuple[str, ...] = ()
    """Names of all places that the operator can ask about, the first with number 1."""


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="e"):
    """The engine refuses a command of this screen.

    `text`: why.
    """

    text: str


class Accepted(msgspec.Struct, frozen=True, tag="accepted", tag_field="e"):
    """The engine accepts a command that has no other answer.

    A screen that serves several people needs it to tell whose command was carried out.
    """


class Goodbye(msgspec.Struct, frozen=True, tag="goodbye", tag_field="e"):
    """The engine stops.

    `text`: why, and the next step if there is one.
    """

    text: str
    ended: bool = False
    """True if the engine watched a recording that has come to its end."""


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

OperatorEvent = Table | Explained | Refused | Goodbye
"""Any event to the operator. A `Table` only tells that something has changed."""
