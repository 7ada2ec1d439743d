"""What the screens show: the newest of every event, folded. Public and private facts never share an object."""

from collections import deque
from collections.abc import Sequence
from enum import Enum

import msgspec

from companion.session.events import (
    PROTOCOL,
    Advice,
    BoardState,
    Claimed,
    Event,
    Goodbye,
    Question,
    Refused,
    Said,
    Score,
    SensorHealth,
    Table,
    Welcome,
)
from companion.session.world_events import TableState, Truth, WorldEvent, YourTurn

LOG_LENGTH = 500
"""Sentences kept for the long log."""


class Link(Enum):
    """How the connection to an engine stands."""

    WAITING = "waiting"
    LIVE = "live"
    LOST = "lost"


def same_position(one: Table, other: Table) -> bool:
    """Whether nothing lies between two pictures of the table but hands over it, or a pause."""
    return msgspec.structs.replace(other, settled=one.settled, paused=one.paused) == one


class PublicModel:
    """Everything the engine told everybody.

    After the connection is lost the last picture stays, and `fresh` is False until a new one arrives.
    """

    def __init__(self, started: Sequence[str] = ()) -> None:
        """`started`: what was started together with this screen, by name, e.g. engine, camera, board."""
        self.started = tuple(started)
        self.link = Link.WAITING
        self.welcome: Welcome | None = None
        self.foreign = False
        """True while the engine speaks another protocol: nothing it says is shown."""
        self.table: Table | None = None
        self.fresh = False
        self.said: deque[Said] = deque(maxlen=LOG_LENGTH)
        self.health: dict[str, SensorHealth] = {}
        self.board: BoardState | None = None
        """How the board's link stands; None while nothing is known of it."""
        self.question = Question("")
        self.score: Score | None = None
        self.claimed: Claimed | None = None
        self.advice: Advice | None = None
        """The hints this screen asked for; gone as soon as the table is another."""
        self.hints_always = False
        """True while this screen wants hints at every move: then each gives way to the next."""
        self.notice = ""
        """A word to this screen alone, such as why a command was refused."""
        self.goodbye = ""
        self.bad_lines = 0

    def connected(self, live: bool) -> None:
        """The connection came or went."""
        if live:
            self.link = Link.LIVE
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
            case Claimed():
                self.claimed = event
            case Question():
                self.question = event
            case SensorHealth():
                self.health[event.source] = event
            case BoardState():
                self.board = event
            case Score():
                self.score = event
            case Advice():
                self.advice = event
            case Refused():
                self.notice = event.text
            case Goodbye():
                self.goodbye = event.text

    def _meet(self, welcome: Welcome) -> None:
        """A new engine tells its whole present again: forget what the old one said."""
        self.foreign = welcome.protocol != PROTOCOL
        self.welcome = welcome
        self.fresh = False
        self.said.clear()
        self.health.clear()
        self.board = None
        self.question = Question("")
        self.claimed = None

    @property
    def waiting_for(self) -> list[str]:
        """What was started together with this screen and has not said a word yet."""
        if self.link is Link.WAITING:
            return list(self.started)
        heard = {"engine", *self.health}
        return [name for name in self.started if name not in heard]

    @property
    def players(self) -> int:
        """How many people play, as far as known."""
        if self.welcome is not None:
            return self.welcome.players
        return len(self.table.hands) if self.table else 0


class WorldModel:
    """What the virtual table told this screen: its clockwork, and the private view from the seat taken."""

    def __init__(self) -> None:
        self.attached = False
        self.state: TableState | None = None
        self.turn: YourTurn | None = None
        self.truth: tuple[str, ...] = ()
        self.hand_hidden = False
        """True while the person in the seat wants their hand off the screen."""

    def connected(self, live: bool) -> None:
        """The connection came or went; nothing private outlives it."""
        self.attached = live
        self.state = None
        self.turn = None
        self.truth = ()

    def take(self, event: WorldEvent) -> None:
        """Fold one event in."""
        match event:
            case TableState():
                self.state = event
                if not event.seat:
                    self.turn = None
            case YourTurn():
                # Others look at this screen when the turn is theirs.
                self.hand_hidden |= self.turn is not None and self.turn.on_turn and not event.on_turn
                self.turn = event
            case Truth():
                self.truth = event.lines

    @property
    def seat(self) -> int:
        """The seat this person holds, 0 for none."""
        return self.state.seat if self.state else 0
