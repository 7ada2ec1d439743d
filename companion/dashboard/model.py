"""The state of the screens: the newest event of each kind. Public and private facts never share an object."""

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
    """Hears what a screen hears. `due` is the lesson to read now; each comes once."""

    def __init__(self) -> None:
        self.on = False
        """Whether somebody wants to learn."""
        self.due: LessonView | None = None
        self._left: list[LessonView] = []

    def begin(self, lessons: Sequence[LessonView]) -> None:
        """The lessons of a game, once for every game on the table."""
        self._left = list(lessons)
        self.due = None

    def hear(self, event: Event) -> None:
        """Take an event: it may bring a lesson. One that is being read stays until it is read."""
        if not self.on or self.due is not None:
            return
        now = _matters(event)
        self.due = next((one for one in self._left if one.when in now), None)
        if self.due is not None:
            self._left.remove(self.due)

    def read(self) -> None:
        """It has been read."""
        self.due = None


def _matters(event: Event) -> frozenset[str]:
    """What of `LessonView.when` holds with this event."""
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
"""Number of sentences kept for the long log."""


_NEWEST: Mapping[type, str] = {
    Claimed: "claimed",
    Question: "question",
    BoardState: "board",
    Signals: "signals",
    Score: "score",
    Advice: "advice",
}
"""Event of which the newest replaces all before -> the model's attribute that has it."""


class Link(Enum):
    """State of the connection to an engine."""

    WAITING = "waiting"
    LIVE = "live"
    LOST = "lost"


def same_position(one: Table, other: Table) -> bool:
    """Whether two pictures of the table differ in nothing but hands over it, a pause, sentences that became
    firm, or claims that wait."""
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
    """Whether somebody has something else to decide than before."""
    return bool(now.player) and (before is None or not same_position(before, now))


class PublicModel:
    """All public facts from the engine.

    After the connection is lost the last picture stays, and `fresh` is False until a new one arrives.
    """

    def __init__(self, started: Sequence[str] = ()) -> None:
        """`started`: names of what was started together with this screen, e.g. engine, camera, board."""
        self.started = tuple(started)
        self.command = ENGINE
        """The command that starts an engine for this screen."""
        self.own_names: tuple[str, ...] = ()
        """Names of the players that were given to this screen alone."""
        self.link = Link.WAITING
        self.welcome: Welcome | None = None
        self.foreign = False
        """True while the engine speaks another protocol: nothing it says is shown."""
        self.table: Table | None = None
        self.percent_read: int | None = None
        """How much of a resumed journal the engine has read (per cent) while it does not answer yet;
        None: it reads none."""
        self.ended = False
        """Whether the picture is the last one: the recording has ended, or the engine that this screen started
        has ended without a fault."""
        self.waited_s = 0
        """For how long what was started with this screen has not reported (s); 0: for less than is told."""
        self.fresh = False
        self.said: deque[Said] = deque(maxlen=LOG_LENGTH)
        self.health: dict[str, SensorHealth] = {}
        self.board: BoardState | None = None
        """State of the board's link; None while unknown."""
        self.signals: Signals | None = None
        """Whether lamps and beeper play along; None without a board."""
        self.question = Question("")
        self.score: Score | None = None
        self.claimed: Claimed | None = None
        self.lessons = Lessons()
        """The rules of a first game, if somebody wants to learn."""
        self.advice: Advice | None = None
        """The hints that this screen asked for; None as soon as the table changes."""
        self.hints_always = False
        """True while this screen wants hints at every move: then each hint replaces the one before."""
        self.notice = ""
        """A message to this screen alone, e.g. why a command was refused."""
        self.goodbye = ""
        self.bad_lines = 0

    def connected(self, live: bool) -> None:
        """The connection was made or lost."""
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
        """Fold one event in."""
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
        """A new engine sends its whole state: forget that of the old one."""
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
        """The players' names: those given to this screen, else those the engine tells."""
        told = self.welcome.names if self.welcome is not None and not self.foreign else ()
        return PlayerNames(self.own_names or told)

    @property
    def unwritten(self) -> bool:
        """Whether the disk refuses the end of the game."""
        journal = self.health.get(JOURNAL)
        return journal is not None and not journal.ok

    @property
    def recorded(self) -> bool:
        """Whether the game has a journal, as far as known."""
        return self.welcome is None or self.welcome.kept

    @property
    def waiting_for(self) -> list[str]:
        """What was started together with this screen and has not reported yet."""
        if self.link is Link.WAITING or self.table is None:
            return list(self.started)
        heard = {"engine", *self.health}
        return [name for name in self.started if name not in heard]

    @property
    def players(self) -> int:
        """Number of players, as far as known."""
        if self.welcome is not None:
            return self.welcome.players
        return len(self.table.hands) if self.table else 0


class WorldModel:
    """Facts from the virtual table: the state of its players, and the private view of the seat taken."""

    def __init__(self) -> None:
        self.attached = False
        self.state: TableState | None = None
        self.seed: int | None = None
        """Seed of the newest game there, also after the connection has ended; None before the first."""
        self.turn: YourTurn | None = None
        self.truth: tuple[str, ...] = ()
        self.hand_hidden = False
        """True while the person in the seat wants their hand hidden."""

    def connected(self, live: bool) -> None:
        """The connection was made or lost. Nothing private is kept."""
        self.attached = live
        self.state = None
        self.turn = None
        self.truth = ()

    def take(self, event: WorldEvent) -> None:
        """Fold one event in."""
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
        """Whether the choices of the person in a seat lie over what to do."""
        turn = self.turn
        return bool(self.seat and turn and turn.on_turn and not self.hand_hidden)

    @property
    def waiting(self) -> bool:
        """Whether the person in a seat sees their hand and waits for their turn."""
        turn = self.turn
        return bool(self.seat and turn and not turn.on_turn and not self.hand_hidden)

    @property
    def presses(self) -> bool:
        """Whether the virtual players press a button to claim."""
        return self.state is None or self.state.presses

    @property
    def seat(self) -> int:
        """The seat of this person, 0 for none."""
        return self.state.seat if self.state else 0
