"""Bench of a setup: camera, board, person at the table, and a live view for screens."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.profile import RigProfile
from calibration.watch.live_values import LiveValues
from calibration.wizard.setup_requests import ClearTable, LayPaper, LoadScale, Request, with_code
from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import text
from companion.games.appearance import PhysicalCard
from companion.games.table_game import TableGame
from companion.sensing.board_source import NO_WIRES, Wires, at_true_station
from companion.sensing.board_words import parts_of, words_of
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
from vision.mat.registration import Registration
from vision.mat_geometry import Mat

CONNECT_S = 5.0
"""Longest wait (s) for the board's greeting.

A Pico that was just plugged in takes 3.7 s (emulated RP2040).
"""


SETTLE_S = 2.5
"""Time (s) after the greeting in which a board reports parts that do not answer. A guess."""
MISWIRED = ("already used by", "no driver", "cannot be", "in the rig")
"""Words in a board's warning that mean a mistake in its rig file."""
PART_WORDS = {"count": "scale", "touch": "electrode", "button": "button", "lamp": "lamp"}
"""Capability of a station -> word for its part in the board's warnings."""
CLEARED_S = 60.0
"""Time (s) for which a cleared table counts as clear, and nobody is asked again. A guess."""
LOST_S = 5.0
"""Longest silence (s) of board or camera during a step. A guess: a moved plug comes back."""
STALE_S = 3.0
"""Age (s) from which a picture is not shown as a live one. A guess."""
LOOK_S = 0.2
"""Time (s) between two pictures that are taken while a person does something. A guess."""
SELFTEST_S = 3.0
"""Longest wait (s) for the self-test of a station. A guess."""


class StepLeftError(Exception):
    """The person left the running step; its findings are dropped."""


class PartLostError(SourceError):
    """Camera or board (`part`) stopped answering during a step."""

    def __init__(self, part: str, why: str) -> None:
        self.part = part
        super().__init__(why, where=part, next_step=text("plug it in again, and do the step once more"))


class Devices(Protocol):
    """Camera and board of a rig, real or virtual."""

    @property
    def link(self) -> Link | None:
        """Board's link; None if the rig has no board."""
        ...

    @property
    def specs(self) -> tuple[str, str]:
        """Camera and port as `--camera` and `--port` take them; "" for none."""
        ...

    @property
    def choice(self) -> tuple[tuple[str, str], ...]:
        """Cameras among which a person must choose: (spec, name) each.

        Empty without a choice.
        """
        ...

    def use_camera(self, spec: str) -> None:
        """Close the present camera and open the one named `spec`."""
        ...

    @property
    def refused(self) -> SourceError | None:
        """Why the camera could not be opened; None if it is open, or there is none."""
        ...

    @property
    def camera(self) -> CameraInfo | None:
        """Open camera's size, rate and settings; None without one."""
        ...

    def poll(self) -> list[Message]:
        """Messages of the board since the last call."""
        ...

    def frame(self) -> Frame | None:
        """Newest picture of the camera.

        None without a new one or a camera.
        """
        ...


class Operator(Protocol):
    """Person (or stand-in) who does what setup asks."""

    def ask(self, request: Request) -> None:
        """Show a request to the person."""
        ...

    def answered(self) -> bool | None:
        """Last request's answer: True for done, None while open.

        False for `n` or nothing more. A request that needs no confirmation is answered True at once.
        """
        ...

    def typed(self) -> str:
        """Text typed for the last request that wanted text."""
        ...


@dataclass(frozen=True, slots=True)
class Mark:
    """Outline of a thing found in the picture, for live views.

    `outline`: corners (px). `read`: a card whose sticker was read.
    """

    outline: tuple[tuple[float, float], ...]
    read: bool = False


@dataclass(slots=True)
class LiveView:
    """Latest pictures and findings of the sensors, for screens of the setup."""

    frame: Frame | None = None
    looked: float = float("-inf")
    """Time (s) at which the camera was last asked for a picture."""
    marks: tuple[Mark, ...] = ()
    """Outlines of things that were found in the picture."""
    pressed: bytes = bytes(256)
    """Reading of the pressure matrix: 256 bytes, 16 x 16 row by row."""
    confusion: dict[tuple[str, str], int] = field(default_factory=dict)
    """(true kind, recognised kind) -> number of presses; "" for not recognised for sure."""
    weights: dict[str, float] = field(default_factory=dict)
    """Station -> weight (g) on its scale."""
    fingers: frozenset[str] = frozenset()
    """Stations whose electrode is touched, or whose button is pushed, at this moment."""
    asked: str = ""
    """Sentence of the open request."""
    headline: str = ""
    """The open request in two or three words."""
    said: str = ""
    """Sentence that the running step tells the person; "" for none."""

    @property
    def blind_s(self) -> float:
        """How long (s) no picture has come; 0.0 while pictures come, or before the first one."""
        age = self.looked - self.frame.t if self.frame is not None else 0.0
        return age if age > STALE_S else 0.0


@dataclass(slots=True)
class BoardState:
    """Sensor board's reports so far: greeting, silent parts, warnings."""

    hello: Connected | None = None
    """Greeting of the board; None before it came."""
    down: Disconnected | None = None
    """Report that the connection is lost; None while it holds."""
    silent: dict[Part, str] = field(default_factory=dict)
    """Part that does not answer -> its name in the board's words."""
    broken_wires: set[Part] = field(default_factory=set)
    """Silent parts that do send readings, but ones that no weight can cause."""
    warnings: list[str] = field(default_factory=list)


class SetupBench:
    """Rig under setup: its devices, the person at the table, and what was found so far.

    Steps call methods from one thread while screens read `live` from another. `patience_s`: longest wait (s)
    for a person's act. `tick_s`: time (s) between two polls of the board. `cancel` makes the running step
    raise StepLeftError.
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
        """True if stations keep the names that the board gives them, even with crossed wires."""
        self.patience_s = patience_s
        self.live = LiveView()
        self.values = LiveValues()
        """Raw values of all sensors, while `watch` is called."""
        self.board = BoardState()
        self.weights: list[WeightEvent] = []
        """Weights that the board has reported since the last `zero`."""
        self.keep: Callable[[RigProfile], None] = lambda _profile: None
        """Receives the profile after each finding, so that a break loses nothing."""
        self.speak: Callable[[str], None] = lambda _said: None
        """Receives each sentence of `say`, for a person without screens."""
        self.listeners: list[Callable[[list[Message]], None]] = []
        """Each receives the board's messages of every tick, as the board sent them."""
        self.operator = operator
        """Person who is asked to do things."""
        self._tick_s = tick_s
        self._cancelled = False
        self._cleared = float("-inf")  # time (s) at which the table was last clear; -inf if it no longer is
        self._loaded: set[str] = set()  # stations whose scale carries requested cards
        self._seen = False  # True once the camera delivered a picture in this step

    @property
    def mat(self) -> Mat:
        """Mat of the game's variant."""
        return self.game.mat(self.variant)

    @property
    def cards(self) -> tuple[PhysicalCard, ...]:
        """All physical cards of the game's variant."""
        return self.game.cards(self.variant)

    def called(self, card: PhysicalCard) -> tuple[str, str]:
        """Name of a card for people, as (name without sticker, name with sticker).

        One of them is "": (name, "") if cards are known by their printed pictures, else ("", name).
        """
        return (card.name, "") if self.profile.art else ("", card.name)

    def words_of(self, code: str) -> str:
        """Name of the card with this code for people, with the code if it has a sticker."""
        name = next((card.name for card in self.cards if card.code == code), "")
        return name if name and self.profile.art else with_code(name, code)

    @property
    def link(self) -> Link | None:
        """Link of the rig's board; None without a board."""
        return self.devices.link

    def stations(self, capability: str) -> tuple[str, ...]:
        """Mat's stations with this capability, in the board's order.

        Capability: the board's name for a sensor.
        """
        hello = self.board.hello
        listed: tuple[Station, ...] = () if hello is None else hello.stations
        zones = {zone.name for zone in self.mat.zones}
        return tuple(one.name for one in listed if capability in one.capabilities and one.name in zones)

    def answers(self, station: str, capability: str) -> bool:
        """True if a station's part answers, and the rig file wires it rightly.

        `capability`: the board's name for the part.
        """
        hello = self.board.hello
        listed: tuple[Station, ...] = () if hello is None else hello.stations
        missing = any(one.name == station and capability in one.missing for one in listed)
        name = f"{station} {PART_WORDS.get(capability, capability)}"
        miswired = any(
            name in text and any(words in text for words in MISWIRED) for text in self.board.warnings
        )
        return not (missing or miswired or any(part.serves(station, capability) for part in self.board.silent))

    def cancel(self) -> None:
        """Have the running step raise StepLeftError at its next wait."""
        self._cancelled = True

    def begin(self) -> None:
        """Prepare a new step: forget request, sentence and outlines of the last one."""
        self._cancelled = self.as_wired = self._seen = False
        self.live.asked = self.live.headline = self.live.said = ""
        self.live.marks = ()

    def ask(self, request: Request, glance: Callable[[Frame], None] = lambda _frame: None) -> bool:
        """Ask the person for something; True once it is done.

        False if the answer is `n` or nothing more. Waits for the answer if no sensor can tell that the request
        was done. Messages of the board are received meanwhile, and `glance` gets pictures.
        """
        clearing = isinstance(request, ClearTable)
        request = ClearTable(board=self.link is not None) if clearing else request
        if clearing and not self._loaded and self.clock.now() - self._cleared < CLEARED_S:
            return True
        self.live.asked, self.live.headline = request.sentence, request.headline
        self.operator.ask(request)
        looked = self.clock.now() - LOOK_S
        while (answer := self.operator.answered()) is None:
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
        """Remember whether the table is clear after a request."""
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
        """Ask the person to type a text; return it.

        None if the person answers with nothing more.
        """
        return self.operator.typed() if self.ask(request) else None

    def watch(self) -> None:
        """Receive messages and pictures between steps, with raw values of all sensors.

        The board is asked to send these values.
        """
        if self.link is not None:
            self.values.ask(self.link, self.clock.now())
        self.idle()

    def watched(self) -> None:
        """Stop the board from sending raw values."""
        if self.link is not None:
            self.values.end(self.link)

    def idle(self) -> None:
        """Receive the board's messages and a picture between steps."""
        for message in self.devices.poll():
            self._note(at_true_station(message, self._wires))
        if self.devices.camera is not None:
            self._look()

    def _look(self) -> Frame | None:
        """Read the newest picture, and show it in the live view, too.

        None if no new one has come.
        """
        frame, self.live.looked = self.devices.frame(), self.clock.now()
        if frame is not None:
            self.live.frame = frame
        return frame

    def outline_mat(self, found: Registration) -> None:
        """Outline mat and zones in the live view.

        `found`: where the mat lies in the picture.
        """
        mat = self.mat
        areas = [(0.0, 0.0, mat.w, mat.h), *((zone.x, zone.y, zone.w, zone.h) for zone in mat.zones)]
        self.live.marks = tuple(
            Mark(_corners(found.to_px([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])))
            for x, y, w, h in areas
        )

    def say(self, text: str) -> None:
        """Tell the person a sentence, unless it was told last.

        "" takes the last one away.
        """
        if text != self.live.said:
            self.live.said = text
            if text:
                self.speak(text)

    def ticks(self, seconds: float) -> Iterator[list[Message]]:
        """Let `seconds` pass; yield the board's messages every `tick_s`.

        StepLeftError if the step was cancelled. PartLostError if the board was lost for too long.
        """
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
                raise PartLostError("board", parts_of(down.reason)[0])
            yield messages

    @property
    def _wires(self) -> Wires:
        return NO_WIRES if self.as_wired else self.profile.wires

    def wait(self, seconds: float) -> list[Message]:
        """Wait for some seconds; return the board's messages meanwhile."""
        return [message for messages in self.ticks(seconds) for message in messages]

    def wait_for(self, wanted: Callable[[Message], bool], seconds: float | None = None) -> Message | None:
        """Wait for the board's first message that is `wanted`.

        None if none comes within `seconds`; without `seconds` the bench's patience is the limit.
        """
        for messages in self.ticks(self.patience_s if seconds is None else seconds):
            for message in messages:
                if wanted(message):
                    return message
        return None

    def connect(self) -> Connected | None:
        """Wait for the board's greeting, and for its report on parts that do not answer.

        None if no board greets; `board.down` may then say why.
        """
        if self.board.hello is None and self.link is not None:
            self.wait_for(lambda message: isinstance(message, Connected), CONNECT_S)
            if self.board.hello is not None:
                self.wait(SETTLE_S)
        return self.board.hello

    def zero(self) -> None:
        """Make the present load of all scales their zero, and forget earlier weights."""
        if self.link is not None:
            self.link.zero()
        self.weights.clear()

    def frame(self, seconds: float = 3.0, heard: list[Message] | None = None) -> Frame | None:
        """Wait for the next picture of the camera.

        None after `seconds`, or without a camera. Messages of the board that come meanwhile are appended to
        `heard`. PartLostError if the camera stopped after it had delivered pictures in this step.
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
        """Wait for `count` more pictures; fewer if the camera stops."""
        found: list[Frame] = []
        while len(found) < count and (frame := self.frame()) is not None:
            found.append(frame)
        return found

    def samples(self, seconds: float) -> Mapping[str, list[tuple[float, int]]]:
        """Collect unfiltered readings of every scale for some seconds.

        station -> (time in s, counts) of each reading.
        """
        found: dict[str, list[tuple[float, int]]] = {}
        for message in self.wait(seconds):
            if isinstance(message, WeightSample):
                found.setdefault(message.station, []).append((message.t, message.raw))
        return found

    def selftest(self, station: str) -> str:
        """Run a station's self-test; return its result in the board's words.

        "" without an answer.
        """
        number = -1 if self.link is None else self.link.selftest(station)
        if number < 0:
            return ""
        told = self.wait_for(
            lambda message: isinstance(message, CommandResult) and message.number == number, SELFTEST_S
        )
        return told.text if isinstance(told, CommandResult) else ""

    def update(self, **fields: Any) -> None:
        """Replace fields of the rig's profile, and save the profile."""
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
            case BoardLog(_, logged, level) if level and words_of(logged) not in self.board.warnings:
                self.board.warnings.append(words_of(logged))
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
