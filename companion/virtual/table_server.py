"""The virtual table as a process: pictures over HTTP, a board on a port, controls on a socket."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import cv2
import msgspec

from companion.core.address_card import CONTROL_NAME, AddressCard, remove_card, write_card
from companion.core.clock import Clock, RealClock
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.session.stream.commands import CardsLaidBack, Command, Quit
from companion.session.stream.events import Goodbye, Refused
from companion.session.stream.stream import StreamServer
from companion.session.stream.virtual_table_events import (
    Arrange,
    Arranged,
    CallClaim,
    Choose,
    Followed,
    LayBack,
    PutBack,
    Restart,
    SetFault,
    SetPaused,
    SetSpeed,
    ShowTruth,
    Step,
    TableState,
    TakeSeat,
    Truth,
    Watching,
    WorldCommand,
    WorldEvent,
)
from companion.virtual.companion_requests import EngineScreen
from companion.virtual.mjpeg_server import MjpegServer
from companion.virtual.virtual_table import VirtualTable

FRAME_S = 1 / 15
"""Time (s) between two pictures."""
_TICK_S = 1 / 60
"""Time (s) between two steps of the board: the longest until it answers a ping."""
_QUALITY = 90
"""JPEG quality (1 to 100) of the pictures."""


class SetupHelper(Protocol):
    """Virtual person who does what a setup step asks for.

    The players are held meanwhile.
    """

    def ask(self, what: str, values: dict[str, Any]) -> bool:
        """Begin to do what a setup step requests.

        `what`: the request, with its `values`. False if the last request of this kind was already done.
        """
        ...

    def step(self, now: float) -> None:
        """Move the person's hands on to table time `now` (s)."""
        ...

    def end(self) -> None:
        """Put everything on the table back as it was before the first request."""
        ...


class TableServer:
    """Process that runs a virtual table in real time until stopped.

    A `waiting` table begins when an engine watches it. The address card (addresses of camera, board and
    controls) is written to `address`; the control socket lies beside it. Both are removed when `run` returns.
    `say` gets sentences for whoever started the table. `art`: file of the enrolled kinds. `keys`: gives what
    the players pressed at the engine's screen since the last call. `helper`: does what setup asks for in a
    break; without a helper no setup step can be done.
    """

    def __init__(
        self,
        table: VirtualTable,
        address: Path,
        clock: Clock | None = None,
        say: Callable[[str], None] = lambda _text: None,
        art: str = "",
        helper: SetupHelper | None = None,
        keys: Callable[[], Sequence[Command]] = list,
    ) -> None:
        self._table = table
        self._address = address
        self._clock = clock or RealClock()
        self._say_aloud = say
        self._helper = helper
        self._keys = keys
        self._play_on = False
        """Whether the players go on when the next engine watches, because their break is over."""
        self._camera = MjpegServer()
        self._control: StreamServer[WorldEvent, WorldCommand] = StreamServer(
            address.with_name(CONTROL_NAME), WorldCommand
        )
        self._screen = EngineScreen(table.wanted_by)
        self._laying_back = False
        """Whether the engine knows that cards are laid back, but not yet that this has ended."""
        self._truth_seekers: list[Any] = []
        self._engine: Any = None
        """Connection of the engine that last reported its progress. None if it is gone."""
        self._told: dict[str, WorldEvent] = {}
        self._stopping = ""
        self._jpeg = b""
        self._reused = False
        # Set the camera up before anybody connects: it takes a moment, in which the board would miss pings.
        table.frame()
        write_card(
            address,
            AddressCard(
                camera=self._camera.url,
                port=str(table.board.path),
                control=str(self._control.path),
                tags=dict(table.enrolment),
                game=table.game,
                variant=table.variant,
                players=table.players,
                textures=table.textures,
                buttons=table.stations,
                art=art,
            ),
        )

    def stop(self, reason: str = "the virtual table was stopped") -> None:
        """Have `run` return at the next tick.

        `reason`: sentence shown to everyone connected.
        """
        self._stopping = reason

    def run(self, alive: Callable[[], bool] = lambda: True) -> None:
        """Serve until `stop`, a Quit command, or until `alive` returns False."""
        clock, table = self._clock, self._table
        tick = frame = clock.now()
        try:
            while not self._stopping:
                now = clock.now()
                table.step(now)
                if self._helper is not None:
                    self._helper.step(now)
                for command in self._keys():
                    self._screen.send(command)
                self._obey()
                if self._laying_back and not table.laying_back:
                    self._laying_back = False
                    self._screen.send(CardsLaidBack("ends"))
                table.wanted = self._screen.read()
                self._tell()
                if now >= frame:
                    # After a delay, pictures are skipped. They are not sent all at once.
                    frame = max(frame + FRAME_S, now)
                    self._show()
                    if not alive():
                        self.stop("whoever started the table is gone")
                tick = max(tick + _TICK_S, now)
                self._camera.serve(max(0.0, tick - clock.now()))
        finally:
            with contextlib.suppress(OSError):
                self._control.send(Goodbye(self._stopping or "the virtual table stopped"))
            self.close()

    def close(self) -> None:
        """Close camera, board and sockets, and remove the address card."""
        self._control.close()
        self._screen.close()
        self._camera.close()
        self._table.close()
        with contextlib.suppress(OSError):
            remove_card(self._address, str(self._control.path))

    def _show(self) -> None:
        if not self._camera.watched:
            return
        still = not self._table.camera.moving()
        if still and self._jpeg and not self._reused:
            self._reused = True
        else:
            self._reused = False
            _, data = cv2.imencode(".jpg", self._table.frame(), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            self._jpeg = data.tobytes()
        self._camera.show(self._jpeg)

    def _tell(self) -> None:
        """Send state, choice and truth of the table to everyone connected, if they changed."""
        table = self._table
        faults = table.faults
        state = TableState(
            table.seed,
            table.speed,
            table.paused,
            table.seat,
            table.over,
            faults.parts,
            faults.broken,
            table.waiting,
            tuple(
                (name, f"#{r:02x}{g:02x}{b:02x}")
                for name, (r, g, b) in table.board.lamps.items()
                if r or g or b
            ),
            len(table.board.tones),
            table.presses,
            table.held,
        )
        self._say("state", state)
        choice = table.pending_choice()
        if choice is None:
            self._told.pop("turn", None)
        else:
            self._say("turn", choice)
        self._truth_seekers = [peer for peer in self._truth_seekers if peer.sock.fileno() >= 0]
        if self._truth_seekers:
            truth = Truth(tuple(table.truth_lines()))
            if self._told.get("truth") != truth:
                self._told["truth"] = truth
                self._control.send(truth, self._truth_seekers)

    def _say(self, what: str, event: WorldEvent) -> None:
        if self._told.get(what) != event:
            self._told[what] = event
            self._control.send(event)

    def _obey(self) -> None:
        new, commands = self._control.poll()
        if self._engine is not None and self._engine.sock.fileno() < 0:
            self._engine = None
            self._table.unfollowed()
        for peer in new:
            for what in ("state", "turn"):
                if what in self._told:
                    self._control.send(self._told[what], [peer])
        for peer, command in commands:
            try:
                self._do(peer, command)
            except BadInputError as error:
                self._control.send(Refused(error.told), [peer])

    def _do(  # noqa: C901 - one case for each command
        self, peer: Any, command: WorldCommand | str
    ) -> None:
        table = self._table
        match command:
            case str():
                raise BadInputError(command)
            case SetSpeed(speed):
                if not 0.25 <= speed <= 8:
                    raise BadInputError(
                        text("speed {speed}", speed=f"{speed:g}"), next_step=text("choose 0.25 to 8")
                    )
                table.speed = speed
            case SetPaused(paused):
                table.paused = paused
            case Step():
                if not table.paused:
                    raise BadInputError(text("the players are playing"), next_step=text("pause them first"))
                table.step_once()
            case Restart(seed):
                table.restart(seed)
            case TakeSeat(player):
                table.take_seat(player)
            case Choose(index):
                table.choose(index)
            case CallClaim(subject):
                table.call_claim(subject)
            case SetFault(part, broken):
                table.faults.set(part, broken)
                self._jpeg = b""
            case Watching(events):
                self._screen.attach(Path(events))
                if table.waiting:
                    self._say_aloud(text("an engine watches: the players begin"))
                table.begin()
                if self._play_on:
                    table.paused = self._play_on = False
            case Followed(seen_at, read):
                self._engine = peer
                table.followed(seen_at, read=read)
            case LayBack(state, action):
                self._laying_back |= self._table.lay_back(state, action)
                self._screen.send(CardsLaidBack("begins" if self._laying_back else "never"))
            case Arrange(what, values):
                if self._helper is None:
                    raise BadInputError(text("nobody here helps with setup"), where="table")
                self._control.send(Arranged(self._helper.ask(what, values)), [peer])
            case PutBack(play):
                if self._helper is not None:
                    self._helper.end()
                self._play_on = play
            case ShowTruth():
                self._truth_seekers.append(peer)
                self._told.pop("truth", None)
            case Quit():
                self.stop("the virtual table was told to stop")


def card_line(address: Path) -> str:
    """Read the address card in file `address`, as one line of JSON."""
    card: AddressCard = msgspec.json.decode(address.read_bytes(), type=AddressCard)
    return msgspec.json.encode(card).decode()
