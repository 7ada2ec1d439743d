"""Events to the screens, one JSON object a line; `commands.py` has what comes back.

No line names a hidden card. A line names its type in the field `e` (event) or `c` (command). Most events go to
every screen. An answer to a question goes only to the screen that asked.

A sentence may be sent as `{"say": SENTENCE, "with": VALUES}` instead of a string (companion.core.language).
Each screen then renders the sentence in its own language.

Table, SensorHealth, BoardState, Question and Signals are replaceable. Because each newest one is complete,
older ones may be dropped.

The operator, who runs the table, has a separate socket (`OperatorEvent`, `OperatorCommand`). `Explained` names
hidden cards, so the screens' socket carries neither `AskWhy` nor `Explained`.
"""

import msgspec

from companion.core.board_state import BoardState

PROTOCOL = 3
"""Version of the events and commands. It is raised when an old screen could misread a new engine."""


CALL_LETTERS = 14
"""Most letters of `Table.call`, which people read from two metres."""


class CardView(msgspec.Struct, frozen=True):
    """An open card, as a screen draws or names it.

    `kind`: the card in the notation of the game's rules. `name`: the card in words.
    """

    kind: str
    name: str
    colour: str = ""
    """Colour of the printed card, e.g. "red"; empty for none.

    `name` includes the colour only where nothing else tells two cards apart.
    """
    symbol: str = ""
    """Symbol drawn instead of a value, e.g. "hat"; empty for none."""
    look: int = 0
    """Number of the drawing, if the figure has several; else 0."""
    sign: str = ""
    """Sign drawn beside the figure, e.g. "moon"; empty for none."""


class PlaceView(msgspec.Struct, frozen=True):
    """A place of the table, e.g. a bed, without its secrets."""

    name: str
    """Name of the figure or cards; empty while unknown."""
    badge: str
    """State of the place, e.g. awake, out, won; empty for none. `unknown`: the game ended before anybody
    knew."""
    shown: tuple[str, ...] = ()
    """Short names of the place's face-up cards. Their order reveals nothing hidden."""
    count: int | None = None
    """Number of cards; None where players may not count them."""
    claim: str = ""
    """What players may claim about the place; empty for nothing."""
    figure: str = ""
    """Drawing of the place: `sleeper` (bedstead), `realm`, or empty."""
    colour: str = ""
    """Colour of the figure, by name; empty while unknown."""
    look: int = 0
    """Number of the drawing, if the figure has several; else 0."""
    cards: tuple[CardView, ...] = ()
    """Pictures of the cards in `shown`; empty if they have none."""
    player: int = 0
    """The player (from 1) who owns the place; 0 for nobody."""
    lit: bool = False
    """True if `Table.call` applies to this place, whose lamp then shines."""
    progress: tuple[int, int] | None = None
    """What the player has, and needs, to end the game. None if the game counts neither."""


class RowView(msgspec.Struct, frozen=True):
    """A row of open cards that lie side by side."""

    name: str
    cards: tuple[CardView, ...]
    room: int
    """Most cards that the row can hold."""


class PileView(msgspec.Struct, frozen=True):
    """A pile of cards; `count`: how many."""

    name: str
    count: int
    full: int | None = None
    """Number of cards in the full pile. None if the pile does not show how far the game is."""
    top: CardView | None = None
    """The top card, if the pile lies face up; else None."""


class StatementView(msgspec.Struct, frozen=True):
    """A statement that a screen offers. `text` is shown, `id` is sent back."""

    id: str
    text: str


class LessonView(msgspec.Struct, frozen=True):
    """A rule explained to people in their first game.

    `when`: the moment at which the rule first matters, in the words of `games.api.Lesson`. `section`: the
    rulebook's section.
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
    """Part of `Table` in the zone: `place N`, `row N`, `pile N` (from 1) or `played`; empty for none."""


class Welcome(msgspec.Struct, frozen=True, tag="welcome", tag_field="e"):
    """The greeting to a new screen, before all other events."""

    protocol: int
    program: str
    game: str
    variant: str
    players: int
    assist: str = ""
    """Level of help: referee, memory, nudge or coach; empty: none chosen. Hints never exceed this level."""
    titles: tuple[str, ...] = ()
    """Every `Table.title` of the game while nobody is on turn.

    A screen sizes its heading by the widest title.
    """
    turn_titles: tuple[str, ...] = ()
    """Every `Table.title` of the game while a player is on turn.

    A screen writes the player's number before the title.
    """
    claim_title: str = ""
    """Heading over the places that a person may claim."""
    tell_title: str = ""
    """Heading over the choice of `Table.statements`."""
    help: tuple[str, ...] = ()
    """Lines of the game's help page."""
    names: tuple[str, ...] = ()
    """Names of the players, in order; empty: by number."""
    lessons: tuple[LessonView, ...] = ()
    hand_cards: tuple[CardView, ...] = ()
    """Kinds of cards in hidden hands; empty if hands lie open."""
    mat: tuple[MatZone, ...] = ()
    mat_ratio: float = 0.0
    """Aspect ratio of the mat (width / height); 0: not drawn."""
    corner: bool = False
    """True if the mat has a private corner. A player shows a hand to the camera there."""
    kept: bool = True
    """False if the disk refused a journal for this game."""
    score_when: str = ""
    """Condition for scoring, in words; empty: at any time."""
    table: str = ""
    """Name of the table, if the machine has several; else empty."""


class Table(msgspec.Struct, frozen=True, tag="table", tag_field="e"):
    """The complete public state of a game. Each Table replaces all earlier ones."""

    phase: str
    """Name of the phase in the rules; `setup` before play."""
    title: str
    """The phase in words, for a screen's heading."""
    turn: int
    """Number of the turn, from 1."""
    player: int
    """Player (from 1) who has to act now; 0: nobody.

    Only `within` makes this another player than the one on turn.
    """
    places: tuple[PlaceView, ...]
    rows: tuple[RowView, ...]
    played: tuple[CardView, ...]
    """Cards of the last play."""
    piles: tuple[PileView, ...]
    hands: tuple[int, ...]
    """Number of cards in each player's hand, player 1 first."""
    may: tuple[str, ...]
    """Actions allowed to the player on turn, a sentence each."""
    may_not: tuple[str, ...]
    """Actions forbidden now, a sentence each with the reason."""
    over: bool = False
    last_turns: int | None = None
    """Turns left, once the end was triggered; else None."""
    statements: tuple[StatementView, ...] = ()
    """Statements that players may make now with the command `Tell`."""
    put_right: str = ""
    """How the table differs since an undo, and what to do. Empty once the table is right."""
    provisional: tuple[str, ...] = ()
    """Latest actions that may still be revised, a sentence each.

    A `Said` announces each action once it is firm.
    """
    paused: bool = False
    settled: bool = True
    """False while hands or a blocked view disturb the camera."""
    verdict: StatementView | None = None
    """The verdict that `Undo` would take back, with its sentence. None if the last action was no verdict."""
    call: str = ""
    """What to do next, in at most `CALL_LETTERS` letters. Empty if `title` says enough."""
    symbol: str = ""
    """Picture of what to do next, e.g. "hand"; or empty."""
    within: int = 0
    """Player (from 1) on turn while `player` acts; else 0."""
    open_claims: tuple[str, ...] = ()
    """Open claims that turned up cards can still decide, in words."""


class Said(msgspec.Struct, frozen=True, tag="said", tag_field="e"):
    """A sentence about what happened at `t` (s). `kind`: move, claim, notice, repair, fault or end."""

    t: float
    text: str
    kind: str = "move"
    source: str = ""
    """Sensor that a fault is about; empty for other sentences. The sentence stays on screens while this
    sensor fails."""


class ClaimHeard(msgspec.Struct, frozen=True, tag="claim_heard", tag_field="e"):
    """A claim was received at `t` (s), not yet judged.

    People now turn up its cards. `Claimed` follows as a rule. The event reveals only the press of the button,
    which everybody saw.
    """

    t: float
    subject: int
    """The claimed place: its number in `Table.places`, from 1."""
    name: str
    """The claimed place in words."""


class Claimed(msgspec.Struct, frozen=True, tag="claimed", tag_field="e"):
    """A claim was judged at `t` (s).

    `verdict`: proved, refuted or cannot tell. `show`: the cards that would decide an open claim, in words; None
    if the verdict is sure. No face of a card is named, because the cards may still lie hidden.
    """

    t: float
    subject: int
    """The claimed place: its number in `Table.places`, from 1."""
    name: str
    """The claimed place in words."""
    verdict: str
    text: str
    """The verdict in a friendly sentence."""
    badge: str
    """`PlaceView.badge` of the claimed place after the verdict."""
    reasons: tuple[str, ...]
    show: str | None = None


YES_NO = ("yes", "no")
"""Options of a question that the command `Answer` answers."""
LOST_TRACK, LOST_UNSEEN = "lost", "lost unseen"
"""Ids of the question while the game is lost. LOST_TRACK: the camera works. LOST_UNSEEN: the camera is away."""
NEXT_PARTY = "next party"
"""Id of the question to clear the table for others."""


class Names(msgspec.Struct, frozen=True, tag="names", tag_field="e"):
    """Players were named on a screen. `names` (player 1 first) replaces `Welcome.names`."""

    names: tuple[str, ...]


class Signals(msgspec.Struct, frozen=True, tag="signals", tag_field="e"):
    """Switches of the board's lamps and beeper: True if on. Replaceable; sent only if a board is connected."""

    lamps: bool
    beeper: bool


class Question(msgspec.Struct, frozen=True, tag="question", tag_field="e"):
    """A question to the table. A screen shows it until the next Question; an empty `text` withdraws it."""

    text: str
    options: tuple[str, ...] = ()
    """Possible answers: `YES_NO`, or names of commands, e.g. table_is_right."""
    id: str = ""
    """Id of the question, to which `Answer.question` refers."""


JOURNAL = "journal"
"""Name of the journal in `SensorHealth.source`."""


class SensorHealth(msgspec.Struct, frozen=True, tag="health", tag_field="e"):
    """The health of one sensor. Each report replaces earlier ones about this sensor.

    `source`: the sensor, e.g. "camera", "board", or a station's scale. `detail`: what is wrong, in words; empty
    if `ok`.
    """

    source: str
    ok: bool
    detail: str = ""
    works: bool = False
    """True if a failing sensor still reports, but misses some events. Meaningful only while `ok` is False."""


class Score(msgspec.Struct, frozen=True, tag="score", tag_field="e"):
    """The result of a game that has ended. `places` and `turns` are the final ones."""

    score: int | None
    """Points of team or winner; None if unknown. The highest possible score is `out_of`."""
    out_of: int
    headline: str
    """The result in a few words, for big letters."""
    counted: str
    """What the score counts, in a few words."""
    line: str
    """Headline and `counted` in one line."""
    text: str
    """The result in a sentence for the table."""
    places: tuple[PlaceView, ...]
    turns: int


class HintView(msgspec.Struct, frozen=True):
    """A hint: a move or a question, with its reason."""

    text: str
    action: str = ""
    """The hinted move in the game's notation. Empty below the level coach."""
    worth: float | None = None
    """Value of the move beside the other hints, in the game's measure of work; None if the hint is no move."""
    chance: float | None = None
    """Probability (0 to 1) of the event that the hint needs. None for no such event."""
    expects: str = ""
    """Expected result of the move, and the work left. Empty if the hint is no move."""


class Advice(msgspec.Struct, frozen=True, tag="advice", tag_field="e"):
    """Hints, the best first, computed from the team's knowledge.

    They go to the screen that asked, or to all screens if `aloud`.
    """

    level: str
    """How much the hints give away: referee, memory, nudge or coach."""
    player: int
    """The player (from 1) who has to decide; 0 for nobody."""
    hints: tuple[HintView, ...]
    work_left: int
    """Least work to the goal, in the game's measure, e.g. checks."""
    private: bool = False
    """True if the hints are for one player alone. In a silent game they use only what this player may know."""
    over: bool = False
    """True if the game is over, as far as the asker knows."""
    aloud: bool = False
    """True if people asked at the table, for everybody.

    Such advice does not answer a screen's own `AskHint`.
    """


class Position(msgspec.Struct, frozen=True, tag="position", tag_field="e"):
    """The table as `TableIsRight` would adopt it. Only the screen that sent `AskPosition` gets it."""

    player: int
    """Player (from 1) who has to act; 0: nobody."""
    places: tuple[PlaceView, ...] = ()
    rows: tuple[RowView, ...] = ()
    lines: tuple[str, ...] = ()
    """Differences on the table, and knowledge that adopting loses, a sentence each."""
    unseen: tuple[StatementView, ...] = ()
    """Places (`id`, from 1) whose claim may have failed unseen. Only people can tell."""
    judged: tuple[StatementView, ...] = ()
    """Places (`id`, from 1) that may still play despite a verdict. Only people can tell."""
    problem: str = ""
    """Why the table cannot be adopted, and what to do; else empty."""
    within: int = 0
    """Player (from 1) on turn while `player` acts; else 0."""


class ZoneView(msgspec.Struct, frozen=True):
    """A zone of the mat, with the cards read there."""

    name: str
    cards: tuple[str, ...]


class StationView(msgspec.Struct, frozen=True):
    """Readings of one station of the board.

    None: the station lacks this part, or the value is hidden from players.
    """

    name: str
    cards: float | None = None
    """Load of the scale (cards), not rounded. None without a scale, or while hidden."""
    loaded: bool | None = None
    touched: bool | None = None
    tag: bool | None = None
    pressed: bool | None = None


class SensorView(msgspec.Struct, frozen=True, tag="sensors", tag_field="e"):
    """The current readings of camera and board. Only the screen that sent `AskSensors` gets them."""

    width: int
    """Size (px) of the camera picture, `width` x `height`; 0 without one."""
    height: int
    pixels: str
    """The camera picture as base64. 3 bytes (red, green, blue) a pixel, row by row."""
    zones: tuple[ZoneView, ...] = ()
    stations: tuple[StationView, ...] = ()
    pressed: str = ""
    """The pressure picture in hexadecimal digits; empty while hidden. 16 rows of 16 bytes."""
    why: str = ""
    """What is hidden and why; empty for nothing."""


class Explained(msgspec.Struct, frozen=True, tag="explained", tag_field="e"):
    """Reasons for a belief about a place, in lines.

    Because they name hidden cards, only the operator who asked gets them.
    """

    place: int
    """Number of the explained place in `places`, from 1."""
    lines: tuple[str, ...]
    places: tuple[str, ...] = ()
    """Names of the places to ask about, by number."""


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="e"):
    """The engine refused a command of this screen. `text` gives the reason."""

    text: str


class Accepted(msgspec.Struct, frozen=True, tag="accepted", tag_field="e"):
    """The engine accepted a command that has no other answer.

    A screen that serves several people needs it to tell whose command was accepted.
    """


class Goodbye(msgspec.Struct, frozen=True, tag="goodbye", tag_field="e"):
    """The engine stops; `text` says why. It also gives the next step if one exists."""

    text: str
    ended: bool = False
    """True if the watched recording has ended."""


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
"""Events for the operator; a `Table` only signals a change."""
