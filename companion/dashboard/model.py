"""State of the screens: the newest event of each kind.

Public and private facts never share an object.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from enum import Enum

import msgspec

from companion.core.board_state import BoardState
from companion.core.engine_command import ENGINE
from companion.dashboard.player_names import PlayerNames
from companion.session.stream.events import (
    JOURNAL,
    PROTOCOL,
    Advice,
    Claimed,
    ClaimHeard,
    Event,
    Goodbye,
    LessonView,
    Names,
    Question,
    Refused,
    Said,
    Score,
    SensorHealth,
    Signals,
    Table,
    Welcome,
)
from companion.session.stream.virtual_table_events import TableState, Truth, WorldEvent, YourTurn


class Lessons:
    """Lessons for beginners, each shown once.

    A lesson is a text that explains one rule of the game; it is shown when that rule first matters.
    """

    def __init__(self) -> None:
        self.on = False
        """True while the people at this screen want lessons."""
        self.due: LessonView | None = None
        """The lesson to show now; None for none."""
        self._left: list[LessonView] = []

    def begin(self, lessons: Sequence[LessonView]) -> None:
        """Replace the lessons by those of a new game; none is shown yet."""
        self._left = list(lessons)
        self.due = None

    def hear(self, event: Event) -> None:
        """Choose the lesson to show (`due`) after an engine's event.

        It is the first unseen lesson whose occasion (`LessonView.when`) the event brings. Nothing changes
        while lessons are off, or while another lesson is still shown.
        """
        if not self.on or self.due is not None:
            return
        now = _matters(event)
        self.due = next((one for one in self._left if one.when in now), None)
        if self.due is not None:
            self._left.remove(self.due)

    def read(self) -> None:
        """Close the shown lesson: nothing is due any more."""
        self.due = None


def _matters(event: Event) -> frozenset[str]:
    """Occasions for lessons that an event of the engine brings.

    Words as in `LessonView.when`, for example "claim", "verdict", "phase ...", "card ...", "last turns"; empty
    for most events.
    """
    match event:
        case ClaimHeard():
            return frozenset({"claim"})
        case Claimed():
            return frozenset({"claim", "verdict"})
        case Table():
            cards = [*event.played, *(card for row in event.rows for card in row.cards)]
            cards += [pile.top for pile in event.piles if pile.top is not None]
            found = {f"phase {event.phase}", *(f"card {card.kind}" for card in cards)}
            found |= {"last turns"} if event.last_turns is not None else set()
            return frozenset(found)
    return frozenset()


LOG_LENGTH = 500
"""LOG_LENGTH: most sentences of a game that are remembered for the log page, the newest."""


_NEWEST: Mapping[type, str] = {
    Claimed: "claimed",
    Question: "question",
    BoardState: "board",
    Signals: "signals",
    Score: "score",
    Advice: "advice",
}
"""_NEWEST: type of event -> attribute of PublicModel that stores the newest such event."""


class Link(Enum):
    """State of the connection to an engine.

    WAITING: not connected, and no table was received yet. LIVE: connected. LOST: the connection has ended, so
    the table is old.
    """

    WAITING = "waiting"
    LIVE = "live"
    LOST = "lost"


def same_position(one: Table, other: Table) -> bool:
    """True if two table views show the same game position.

    Not compared: hands over the table, a pause, provisional sentences, what to put back, claims that wait.
    """
    alike = msgspec.structs.replace(
        other,
        settled=one.settled,
        paused=one.paused,
        provisional=one.provisional,
        put_right=one.put_right,
        open_claims=one.open_claims,
    )
    return alike == one


def to_decide_anew(before: Table | None, now: Table) -> bool:
    """True if a player on turn has something new to decide.

    That is so if the game position differs from `before` (None: there was no table before). `now`: newest
    table.
    """
    return bool(now.player) and (before is None or not same_position(before, now))


class PublicModel:
    """Public facts of a game, collected from the engine's events.

    After a lost connection the last table stays, and `fresh` is False until a new one arrives.
    """

    def __init__(self, started: Sequence[str] = ()) -> None:
        """Begin without any facts.

        `started`: parts that start with this screen ("engine", "camera", "board").
        """
        self.started = tuple(started)
        self.command = ENGINE
        """Command line that starts an engine, shown to people."""
        self.own_names: tuple[str, ...] = ()
        """Players' names that only this screen knows; () to show the engine's names."""
        self.unkept = False
        """True if no game of this evening is stored, because its folder cannot be written."""
        self.link = Link.WAITING
        self.welcome: Welcome | None = None
        self.foreign = False
        """True while the engine speaks another version of the protocol; its events are then ignored."""
        self.table: Table | None = None
        self.percent_read: int | None = None
        """Share (per cent) of a resumed journal that the engine has read; None while it reads none."""
        self.ended = False
        """True if no newer table will come: recording or engine has ended regularly."""
        self.waited_s = 0
        """Time (s) that the parts in `waiting_for` have been silent; 0 for a time too short to be shown."""
        self.fresh = False
        self.said: deque[Said] = deque(maxlen=LOG_LENGTH)
        self.health: dict[str, SensorHealth] = {}
        self.board: BoardState | None = None
        """State of the board's link; None while unknown."""
        self.signals: Signals | None = None
        """Lamps and beeper: on or off; None without a board."""
        self.question = Question("")
        self.score: Score | None = None
        self.claimed: Claimed | None = None
        self.lessons = Lessons()
        """Lessons for beginners."""
        self.advice: Advice | None = None
        """Hints that this screen asked for; None once the position changes, unless `hints_always`."""
        self.hints_always = False
        """True while this screen asks for hints at every move."""
        self.notice = ""
        """Message to this screen alone, e.g. why a command was refused; "" for none."""
        self.goodbye = ""
        self.bad_lines = 0

    def connected(self, live: bool) -> None:
        """Note that the engine's connection was made or lost.

        `live`: True if made. Hints are forgotten; if it was lost, the open question is too.
        """
        if live:
            self.link = Link.LIVE
            self.ended = False
            self.goodbye = ""
            self.bad_lines = 0
        else:
            self.link = Link.WAITING if self.table is None else Link.LOST
            self.question = Question("")
        self.fresh = False
        self.advice = None

    def take(self, event: Event) -> None:
        """Store what one event of the engine says.

        Events of an engine of another version are ignored.
        """
        if isinstance(event, Welcome):
            self._meet(event)
        if self.foreign:
            return
        self.lessons.hear(event)
        match event:
            case Table():
                moved = self.table is None or not same_position(self.table, event)
                if moved and not (self.hints_always and event.player):
                    self.advice = None
                self.table = event
                self.fresh = True
                if not event.over:
                    self.score = None
            case Said():
                self.said.append(event)
            case SensorHealth():
                self.health[event.source] = event
            case _ if type(event) in _NEWEST:
                setattr(self, _NEWEST[type(event)], event)
            case Names(names) if self.welcome is not None:
                self.welcome = msgspec.structs.replace(self.welcome, names=names)
            case Refused():
                self.notice = event.text
            case Goodbye():
                self.goodbye = event.text
                self.ended |= event.ended

    def _meet(self, welcome: Welcome) -> None:
        """Forget an earlier engine's facts: a new one has greeted.

        The new engine sends its whole state after its greeting.
        """
        self.foreign = welcome.protocol != PROTOCOL
        if self.welcome is None or self.welcome.lessons != welcome.lessons:
            self.lessons.begin(welcome.lessons)
        self.welcome = welcome
        self.fresh = False
        self.said.clear()
        self.health.clear()
        self.board = None
        self.question = Question("")
        self.claimed = None

    @property
    def names(self) -> PlayerNames:
        """Names of the players, to show on this screen.

        `own_names` if this screen has any, else the names that the engine has told.
        """
        told = self.welcome.names if self.welcome is not None and not self.foreign else ()
        return PlayerNames(self.own_names or told)

    @property
    def unwritten(self) -> bool:
        """True while the disk refuses lines of the game's journal.

        The end of the game would then not be stored.
        """
        journal = self.health.get(JOURNAL)
        return journal is not None and not journal.ok

    @property
    def recorded(self) -> bool:
        """True if a journal of the game is written.

        Also True as long as no engine has greeted.
        """
        return self.welcome is None or self.welcome.kept

    @property
    def waiting_for(self) -> list[str]:
        """Parts started with this screen that have not reported yet.

        They are given by name. A part of `started`: "engine", "camera" or "board". All of them before the
        first table.
        """
        if self.link is Link.WAITING or self.table is None:
            return list(self.started)
        heard = {"engine", *self.health}
        return [name for name in self.started if name not in heard]

    @property
    def players(self) -> int:
        """Number of players in the game; 0 while unknown."""
        if self.welcome is not None:
            return self.welcome.players
        return len(self.table.hands) if self.table else 0


class WorldModel:
    """Facts from a virtual table: its public state, and a seat's private view.

    The seat is the one that a person has taken at this screen.
    """

    def __init__(self) -> None:
        self.attached = False
        self.state: TableState | None = None
        self.seed: int | None = None
        """Seed of the newest virtual game, also after the connection has ended; None before the first."""
        self.turn: YourTurn | None = None
        self.truth: tuple[str, ...] = ()
        self.hand_hidden = False
        """True while the person in the seat wants the hand of cards hidden."""

    def connected(self, live: bool) -> None:
        """Note that the virtual table's connection was made or lost.

        `live`: True if made. State, private view and true cards are forgotten.
        """
        self.attached = live
        self.state = None
        self.turn = None
        self.truth = ()

    def take(self, event: WorldEvent) -> None:
        """Store what one event of the virtual table says.

        When a seated person's turn ends, the hand is hidden: other people then look at this screen.
        """
        match event:
            case TableState():
                self.state, self.seed = event, event.seed
                if not event.seat:
                    self.turn = None
            case YourTurn():
                # Other people look at this screen when it is their turn.
                self.hand_hidden |= self.turn is not None and self.turn.on_turn and not event.on_turn
                self.turn = event
            case Truth():
                self.truth = event.lines

    @property
    def choosing(self) -> bool:
        """True while a seated person is on turn and shows the hand of cards.

        The screen then lists the possible actions.
        """
        turn = self.turn
        return bool(self.seat and turn and turn.on_turn and not self.hand_hidden)

    @property
    def waiting(self) -> bool:
        """True while a seated person waits for a turn and shows the hand of cards."""
        turn = self.turn
        return bool(self.seat and turn and not turn.on_turn and not self.hand_hidden)

    @property
    def presses(self) -> bool:
        """True if virtual players claim by pressing a button.

        Also True while no state of the virtual table is known.
        """
        return self.state is None or self.state.presses

    @property
    def seat(self) -> int:
        """Seat (from 1) that a person has taken at this screen; 0 for none."""
        return self.state.seat if self.state else 0
