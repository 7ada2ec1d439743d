"""A rig while it is set up: its camera and board, the person who is asked, and a live view for screens."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.profile import RigProfile
from calibration.setup_requests import ClearTable, LayPaper, LoadScale, Request, with_code
from calibration.watch.live_values import LiveValues
from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import text
from companion.core.mat_geometry import Mat
from companion.games.api import PhysicalCard, TableGame
from companion.sensing.board_source import NO_WIRES, Wires, at_true_station
from firmware.host.link import Link
from firmware.host.messages import (
    BoardLog,
    ButtonEvent,
    CommandResult,
    Connected,
    Disconnected,
    Message,
    Part,
    PartState,
    Station,
    TextureFrame,
    TouchEvent,
    WeightEvent,
    WeightSample,
)
from vision.camera.frames import CameraInfo, Frame
from vision.mat.mat_finder import Registration

CONNECT_S = 5.0
"""CONNECT_S: longest wait for the board's greeting (s). A Pico that was just plugged in takes 3.7 s."""


SETTLE_S = 2.5
"""SETTLE_S: time (s) that a board gets to report parts that do not answer."""
MISWIRED = ("already used by", "no driver", "cannot be", "in the rig")
"""MISWIRED: words of a board's warning that mean a mistake in its rig file."""
PART_WORDS = {"count": "scale", "touch": "electrode", "button": "button", "lamp": "lamp"}
"""PART_WORDS: capability of a station -> the word for its part."""
CLEARED_S = 60.0
"""CLEARED_S: time (s) for which a table that is clear is not asked to be cleared again."""
LOST_S = 5.0
"""LOST_S: time (s) for which a part may be away in the middle of a step: a plug that is moved comes back."""
LOOK_S = 0.2
"""LOOK_S: time (s) between two pictures while a person does something."""
SELFTEST_S = 3.0
"""SELFTEST_S: longest self-test of a station (s)."""


class StepLeftError(Exception):
    """The person left the step: nothing of it is kept."""


class PartLostError(SourceError):
    """A part that had answered was lost in the middle of a step. `part`: camera or board."""

    def __init__(self, part: str, why: str) -> None:
        self.part = part
        super().__init__(why, where=part, next_step=text("plug it in again, and do the step once more"))


class Devices(Protocol):
    """Camera and board of the rig."""

    @property
    def link(self) -> Link | None:
        """The board's link; None without a board."""
        ...

    @property
    def specs(self) -> tuple[str, str]:
        """Camera and port as `--camera` and `--port` take them; empty if there is none."""
        ...

    @property
    def choice(self) -> tuple[tuple[str, str], ...]:
        """Cameras among which a person has to choose: (spec, name); empty with fewer than two."""
        ...

    def use_camera(self, spec: str) -> None:
        """Take the pictures of another camera."""
        ...

    @property
    def refused(self) -> SourceError | None:
        """Why a camera that is there could not be opened; None if it was, or if there is none."""
        ...

    @property
    def camera(self) -> CameraInfo | None:
        """What the camera delivers; None without a camera."""
        ...

    def poll(self) -> list[Message]:
        """Messages of the board since the last call."""
        ...

    def frame(self) -> Frame | None:
        """The newest picture; None if there is no new one."""
        ...


class Operator(Protocol):
    """Whoever does at the table what is asked."""

    def ask(self, request: Request) -> None:
        """Show a request."""
        ...

    def answered(self) -> bool | None:
        """True: done, or need not be confirmed. False: there is nothing more of this kind. None: not yet."""
        ...

    def typed(self) -> str:
        """The text of the last answer, if one was asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that was found in the picture: its corners in px. `read`: a card whose sticker was read."""

    outline: tuple[tuple[float, float], ...]
    read: bool = False


@dataclass(slots=True)
class LiveView:
    """The last things that the sensors saw, for screens."""

    frame: Frame | None = None
    looked: float = float("-inf")
    """When the camera was asked for a picture last (s)."""
    marks: tuple[Mark, ...] = ()
    """What was found in it."""
    pressed: bytes = bytes(256)
    """The pressure picture, 16 x 16."""
    confusion: dict[tuple[str, str], int] = field(default_factory=dict)
    """(true kind, recognised kind) -> presses; "" for those not told for sure."""
    weights: dict[str, float] = field(default_factory=dict)
    """Station -> grams."""
    fingers: frozenset[str] = frozenset()
    """Stations whose electrode is touched, or whose button is pushed."""
    asked: str = ""
    big: str = ""
    """What was asked, in two or three words."""
    said: str = ""


@dataclass(slots=True)
class BoardState:
    """What the board told about itself."""

    hello: Connected | None = None
    down: Disconnected | None = None
    silent: dict[Part, str] = field(default_factory=dict)
    """Parts that do not answer, with their names."""
    broken_wires: set[Part] = field(default_factory=set)
    """Those of them that answer with numbers that no weight makes."""
    warnings: list[str] = field(default_factory=list)


class SetupBench:
    """A rig under setup. Steps call its methods from one thread; screens read `live` from another.

    `patience_s`: longest wait (s) for something a person was asked to do. `profile` is what is known of the rig
    so far. `cancel` makes the running step raise StepLeftError.
    """

    def __init__(
        self,
        game: TableGame[Any, Any],
        variant: str,
        devices: Devices,
        operator: Operator,
        clock: Clock,
        *,
        profile: RigProfile | None = None,
        patience_s: float = 60.0,
        tick_s: float = 0.02,
    ) -> None:
        self.game, self.variant = game, variant
        self.devices = devices
        self.clock = clock
        self.profile = profile or RigProfile()
        self.as_wired = False
        """Whether stations go by the names that the board gives them, crossed wires or not."""
        self.patience_s = patience_s
        self.live = LiveView()
        self.values = LiveValues()
        """Raw values of the sensors, while `watch` is called."""
        self.board = BoardState()
        self.weights: list[WeightEvent] = []
        """The board's own reports of weights so far."""
        self.keep: Callable[[RigProfile], None] = lambda _profile: None
        """Called with the profile whenever something was found out, so that a break loses nothing."""
        self.speak: Callable[[str], None] = lambda _said: None
        """Called with each sentence about what was seen, for a person without screens."""
        self.listeners: list[Callable[[list[Message]], None]] = []
        """Each gets the board's messages of every tick, as the board sent them."""
        self._operator = operator
        self._tick_s = tick_s
        self._cancelled = False
        self._cleared = float("-inf")  # when the table was clear last, if it still should be
        self._loaded: set[str] = set()  # scales that carry what was asked for
        self._seen = False  # whether the camera delivered a picture in this step

    @property
    def mat(self) -> Mat:
        """The mat of the game."""
        return self.game.mat(self.variant)

    @property
    def cards(self) -> tuple[PhysicalCard, ...]:
        """Every physical card of the game's variant."""
        return self.game.cards(self.variant)

    def called(self, card: PhysicalCard) -> tuple[str, str]:
        """What people call a card without a sticker, and one with it, whose code is printed there; one of both
        is empty."""
        return (card.name, "") if self.profile.art else ("", card.name)

    def words_of(self, code: str) -> str:
        """What people call the card of this code."""
        name = next((card.name for card in self.cards if card.code == code), "")
        return name if name and self.profile.art else with_code(name, code)

    @property
    def link(self) -> Link | None:
        """The board's link; None without a board."""
        return self.devices.link

    def stations(self, capability: str) -> tuple[str, ...]:
        """Names of the stations that have this part, in the order of the board."""
        hello = self.board.hello
        listed: tuple[Station, ...] = () if hello is None else hello.stations
        zones = {zone.name for zone in self.mat.zones}
        return tuple(one.name for one in listed if capability in one.capabilities and one.name in zones)

    def answers(self, station: str, capability: str) -> bool:
        """Whether this part of a station answers, and its pins are its own."""
        hello = self.board.hello
        listed: tuple[Station, ...] = () if hello is None else hello.stations
        missing = any(one.name == station and capability in one.missing for one in listed)
        name = f"{station} {PART_WORDS.get(capability, capability)}"
        miswired = any(
            name in text and any(words in text for words in MISWIRED) for text in self.board.warnings
        )
        return not (missing or miswired or any(part.serves(station, capability) for part in self.board.silent))

    def cancel(self) -> None:
        """End the running step from another thread."""
        self._cancelled = True

    def begin(self) -> None:
        """Take a new step up, after one that was left."""
        self._cancelled = self.as_wired = self._seen = False
        self.live.asked = self.live.big = self.live.said = ""
        self.live.marks = ()

    def ask(self, request: Request, glance: Callable[[Frame], None] = lambda _frame: None) -> bool:
        """Ask the person for something; False if there is nothing more to do of this kind.

        Waits for an answer if it has to be confirmed. The board is heard meanwhile, and `glance` gets pictures.
        """
        clearing = isinstance(request, ClearTable)
        request = ClearTable(board=self.link is not None) if clearing else request
        if clearing and not self._loaded and self.clock.now() - self._cleared < CLEARED_S:
            return True
        self.live.asked, self.live.big = request.words, request.big
        self._operator.ask(request)
        looked = self.clock.now() - LOOK_S
        while (answer := self._operator.answered()) is None:
            for _ in self.ticks(self._tick_s):
                pass
            if self.devices.camera is None or self.clock.now() - looked < LOOK_S:
                continue
            looked = self.clock.now()
            if (frame := self._look()) is not None:
                glance(frame)
        self._note_clear(request)
        return answer

    def _note_clear(self, request: Request) -> None:
        """Whether the table is clear after what was done."""
        match request:
            case ClearTable() | LayPaper():
                self._loaded.clear()
            case LoadScale(station, cards) if cards:
                self._loaded.add(station)
            case LoadScale(station):
                self._loaded.discard(station)
            case _ if not request.leaves_clear:
                self._cleared = float("-inf")
        if isinstance(request, ClearTable | LayPaper) or self._cleared > float("-inf"):
            self._cleared = self.clock.now()

    def ask_text(self, request: Request) -> str | None:
        """What the person types; None if there is nothing more to do of this kind."""
        return self._operator.typed() if self.ask(request) else None

    def watch(self) -> None:
        """Wait like `idle`, and collect the raw values of all sensors."""
        if self.link is not None:
            self.values.ask(self.link, self.clock.now())
        self.idle()

    def watched(self) -> None:
        """Raw values are not wanted any more."""
        if self.link is not None:
            self.values.end(self.link)

    def idle(self) -> None:
        """Hear the board and look at the camera while no step runs."""
        for message in self.devices.poll():
            self._note(at_true_station(message, self._wires))
        if self.devices.camera is not None:
            self._look()

    def _look(self) -> Frame | None:
        """The newest picture, which the screens show; None without a new one."""
        frame, self.live.looked = self.devices.frame(), self.clock.now()
        if frame is not None:
            self.live.frame = frame
        return frame

    def outline_mat(self, found: Registration) -> None:
        """Mark the mat and its zones where they were found in the picture."""
        mat = self.mat
        areas = [(0.0, 0.0, mat.w, mat.h), *((zone.x, zone.y, zone.w, zone.h) for zone in mat.zones)]
        self.live.marks = tuple(
            Mark(_corners(found.to_px([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])))
            for x, y, w, h in areas
        )

    def say(self, text: str) -> None:
        """A sentence about what was just seen; an empty one takes the last away."""
        if text != self.live.said:
            self.live.said = text
            if text:
                self.speak(text)

    def ticks(self, seconds: float) -> Iterator[list[Message]]:
        """The board's messages, tick by tick, for so long. StepLeftError if the step was cancelled."""
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            if self._cancelled:
                raise StepLeftError
            self.clock.sleep(self._tick_s)
            raw = self.devices.poll()
            for listener in self.listeners:
                listener(raw)
            messages = [at_true_station(one, self._wires) for one in raw]
            for message in messages:
                self._note(message)
            down = self.board.down
            if self.board.hello is not None and down is not None and self.clock.now() - down.t > LOST_S:
                self.board.hello = None
                raise PartLostError("board", down.reason)
            yield messages

    @property
    def _wires(self) -> Wires:
        return NO_WIRES if self.as_wired else self.profile.wires

    def wait(self, seconds: float) -> list[Message]:
        """All messages of the next `seconds`."""
        return [message for messages in self.ticks(seconds) for message in messages]

    def wait_for(self, wanted: Callable[[Message], bool], seconds: float | None = None) -> Message | None:
        """The first message that is `wanted`; None if none comes within `seconds` (or the patience)."""
        for messages in self.ticks(self.patience_s if seconds is None else seconds):
            for message in messages:
                if wanted(message):
                    return message
        return None

    def connect(self) -> Connected | None:
        """Wait for the board's greeting, and for what it says of its parts; None if there is none (`board.down`
        may say why)."""
        if self.board.hello is None and self.link is not None:
            self.wait_for(lambda message: isinstance(message, Connected), CONNECT_S)
            if self.board.hello is not None:
                self.wait(SETTLE_S)
        return self.board.hello

    def zero(self) -> None:
        """Take what rests on the scales as zero. Reports before that are in grams of another zero."""
        if self.link is not None:
            self.link.zero()
        self.weights.clear()

    def frame(self, seconds: float = 3.0, heard: list[Message] | None = None) -> Frame | None:
        """The next picture; None if none comes within `seconds`. What the board says meanwhile is added to
        `heard`.

        PartLostError if the camera had delivered pictures in this step.
        """
        if self.devices.camera is None:
            return None
        for messages in self.ticks(seconds):
            if heard is not None:
                heard += messages
            frame = self._look()
            if frame is not None:
                self._seen = True
                return frame
        if self._seen:
            raise PartLostError("camera", text("no picture for {seconds} s", seconds=f"{seconds:.0f}"))
        return None

    def frames(self, count: int) -> list[Frame]:
        """Up to this many pictures one after another; fewer if the camera stops."""
        found: list[Frame] = []
        while len(found) < count and (frame := self.frame()) is not None:
            found.append(frame)
        return found

    def samples(self, seconds: float) -> Mapping[str, list[tuple[float, int]]]:
        """Unfiltered readings of every scale: station -> (time, counts)."""
        found: dict[str, list[tuple[float, int]]] = {}
        for message in self.wait(seconds):
            if isinstance(message, WeightSample):
                found.setdefault(message.station, []).append((message.t, message.raw))
        return found

    def selftest(self, station: str) -> str:
        """The numbers of a station's parts; empty if there is no answer."""
        number = -1 if self.link is None else self.link.selftest(station)
        if number < 0:
            return ""
        told = self.wait_for(
            lambda message: isinstance(message, CommandResult) and message.number == number, SELFTEST_S
        )
        return told.text if isinstance(told, CommandResult) else ""

    def update(self, **fields: Any) -> None:
        """Keep what was found out: fields of the profile."""
        self.profile = msgspec.structs.replace(self.profile, **fields)
        self.keep(self.profile)

    def _note(self, message: Message) -> None:
        self.values.take((message,))
        match message:
            case Connected():
                self.board.hello, self.board.down = message, None
            case Disconnected():
                self.board.down = message
            case PartState(_, part, False, name, broken):
                self.board.silent[part] = name
                (self.board.broken_wires.add if broken else self.board.broken_wires.discard)(part)
            case PartState(_, part, True):
                self.board.silent.pop(part, None)
            case BoardLog(_, text, level) if level and text not in self.board.warnings:
                self.board.warnings.append(text)
            case TextureFrame(_, _, pixels):
                self.live.pressed = pixels
            case TouchEvent(_, station, pressed) | ButtonEvent(_, station, pressed):
                fingers = self.live.fingers
                self.live.fingers = fingers | {station} if pressed else fingers - {station}
            case WeightEvent(_, station, grams):
                self.live.weights[station] = grams
                self.weights.append(message)


def _corners(px: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in px)
