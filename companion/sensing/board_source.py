"""The sensor board as a source of observations: tags, weights, touches, buttons, presses, its own health."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from companion.core.board_state import BoardState
from companion.core.clock import Clock
from companion.core.config import ElectrodeConfig, StationConfig
from companion.core.language import text
from companion.sensing.board_words import parts_of
from companion.sensing.card_weighing import Scales
from companion.sensing.link_status import LinkWatch, part_name
from companion.sensing.observation import Button, Count, Health, Observation, TagRead, Touch
from companion.sensing.press_recogniser import TextureBook
from companion.sensing.press_segmentation import Presses, texture_of
from companion.sensing.station_readings import StationReading, StationReadings
from firmware.host import messages as wire
from firmware.host.link import LinkStats
from firmware.wire.codec import CONF_TOUCH_SHARE

NO_ANSWER = text("does not answer")
BROKEN_WIRE = text("a wire of its cell is broken: what it reads is no weight")
OTHER_BOARD = text("another board than the one that was set up: companion setup")
UNHEARD_BUTTONS = text("setup knows none of its buttons yet: companion setup stations")
Wires = Mapping[str, Mapping[str, str]]
"""Crossed wires: what (e.g. "touch") -> station as the board names it -> station to which it is really
wired."""
NO_WIRES: Wires = {}
_CAPABILITY: Mapping[type[object], str] = {
    wire.TagEvent: "reader",
    wire.WeightEvent: "count",
    wire.WeightSample: "count",
    wire.TouchEvent: "touch",
    wire.ButtonEvent: "button",
    wire.TextureFrame: "texture",
}
"""Type of a board's message -> capability ("reader", "count", ...) of the part that sends it."""


def at_true_station(message: wire.Message, wires: Wires) -> wire.Message:
    """Correct a board's message by crossed wires: it names the station at which its part really is."""
    match message:
        case wire.PartState(_, part) if part.station is not None:
            true = wires.get(part.capabilities[0], {}).get(part.station, part.station)
            return replace(message, part=replace(part, station=true))
        case (
            wire.TagEvent()
            | wire.WeightEvent()
            | wire.WeightSample()
            | wire.TouchEvent()
            | wire.ButtonEvent()
            | wire.TextureFrame()
        ):
            names = wires.get(_CAPABILITY[type(message)], {})
            return replace(message, station=names.get(message.station, message.station))
        case wire.LevelSample():
            names = wires.get(message.part, {})
            return replace(message, station=names.get(message.station, message.station))
    return message


def board_settings(
    hello: wire.Connected, scales: Scales, electrodes: Mapping[str, ElectrodeConfig], wires: Wires
) -> Iterator[tuple[int, str, int]]:
    """Settings for a board that has just greeted: (setting, station as the board names it, value).

    They are steps and bands of scales, and touch thresholds of the calibrated `electrodes`. `hello`: the
    greeting. `wires`: crossed wires.
    """
    for one in hello.stations:
        true = wires.get("count", {}).get(one.name, one.name)
        for setting, value in scales.settings(replace(one, name=true)):
            yield setting, one.name, value
        electrode = electrodes.get(wires.get("touch", {}).get(one.name, one.name))
        if electrode is not None and "touch" in one.capabilities:
            yield CONF_TOUCH_SHARE, one.name, electrode.share


class BoardLink(Protocol):
    """Link to a sensor board: over a serial port (`firmware.host.link.Link`), or to a simulated board."""

    @property
    def finished(self) -> bool:
        """True after the end of a recorded port.

        Always False for a board.
        """
        ...

    def poll(self) -> list[wire.Message]:
        """Messages that arrived since the last call."""
        ...

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Set a value on the board, now and after each restart of it.

        `setting`: a CONF_ number of `firmware.wire.codec`. `station`: None for the whole board.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class SignalLink(Protocol):
    """A link that can also switch lamps and the beeper."""

    def lamp(self, station: str, colour: tuple[int, int, int]) -> None:
        """Set a station's lamp to (red, green, blue), 0 to 255 each, now and after each restart of the
        board."""
        ...

    def beep(self, hertz: int = 2000, milliseconds: int = 80) -> int:
        """Sound the beeper at `hertz` for `milliseconds`.

        Returns the command's number, -1 if it cannot be sent.
        """
        ...


@runtime_checkable
class PortLink(Protocol):
    """Link over a serial port, or a recording of one.

    Simulated boards have none.
    """

    @property
    def port(self) -> str:
        """Port's name, which begins the reason of each disconnection."""
        ...

    @property
    def recorded(self) -> bool:
        """True if recorded bytes are played, without a board."""
        ...

    @property
    def stats(self) -> LinkStats:
        """Counters since the link was opened."""
        ...


class BoardSource:
    """The sensor board as a source: its messages become observations.

    `tags`: number of an RFID tag (hex) -> code of the card. `stations`: station -> calibration of its
    scale. `electrodes`: station -> calibration of its touch sensor. `book`: enrolled presses; None: presses
    are ignored. `wires`: crossed wires.
    `board_id`: board that was set up ("": unknown); another one is reported. `buttons`: stations whose
    button setup has heard; if none, a board with buttons is reported. `clock`: clock of the link's times;
    without it, a load taken for a hand is counted only at the scale's next reading.
    """

    def __init__(
        self,
        link: BoardLink,
        tags: Mapping[str, str],
        stations: Mapping[str, StationConfig] | None = None,
        book: TextureBook | None = None,
        wires: Wires = NO_WIRES,
        board_id: str = "",
        clock: Clock | None = None,
        buttons: Collection[str] = (),
        electrodes: Mapping[str, ElectrodeConfig] | None = None,
    ) -> None:
        self._wires = wires
        self._buttons = buttons
        self._electrodes = electrodes or {}
        self._clock = clock
        self._board_id = board_id
        self._link = link
        self._own = link if isinstance(link, PortLink) else None
        self._tags = tags
        self._book = book
        self._presses = Presses()
        self._lamps: dict[str, str] = {}
        """Station with a lamp -> name that the board gives this station."""
        self._scales = Scales(stations or {})
        self._watch = LinkWatch()
        self._readings = StationReadings()

    @property
    def finished(self) -> bool:
        """True after the end of a recorded port.

        Always False for a board.
        """
        return self._link.finished

    @property
    def ready(self) -> bool:
        """True once the board has answered.

        A recording is ready at once.
        """
        return self._watch.met or self.finished or (self._own is not None and self._own.recorded)

    def link_status(self, now: float) -> BoardState | None:
        """State of the link at `now` (s).

        None for a simulated board, which has no port.
        """
        return None if self._own is None else self._watch.state(now, self._own.stats)

    def poll(self) -> list[Observation]:
        """Observations since the last call.

        They include health reports when the board connects or is lost.
        """
        found: list[Observation] = []
        for message in self._link.poll():
            self._watch.hear(message)
            true = at_true_station(message, self._wires)
            self._readings.hear(true)
            found += self._translate(true)
        if self._clock is not None:
            found += self._scales.rested(self._clock.now())
        for seen in found:
            if isinstance(seen, Count):
                self._readings.weigh(seen)
        return found

    @property
    def readings(self) -> list[StationReading]:
        """Last reading of each reporting station, sorted by name."""
        return self._readings.all()

    def light(self, station: str, colour: tuple[int, int, int]) -> None:
        """Set a station's lamp to (red, green, blue).

        Each is 0 to 255. A station without a lamp is ignored.
        """
        named = self._lamps.get(station)
        if named is not None and isinstance(self._link, SignalLink):
            self._link.lamp(named, colour)

    def beep(self, hertz: int, milliseconds: int) -> None:
        """Sound the beeper at `hertz` for `milliseconds`, if a board with one is connected."""
        if isinstance(self._link, SignalLink):
            self._link.beep(hertz, milliseconds)

    def _translate(self, message: wire.Message) -> list[Observation]:
        match message:
            case wire.TagEvent(t, station, uid):
                if uid is None:
                    return [TagRead(round(t, 4), station, None)]
                card = self._tags.get(uid.hex())
                if card is None:
                    unknown = text("a tag that was never enrolled: {tag}", tag=uid.hex())
                    return [Health(round(t, 4), "tags", True, unknown)]
                return [TagRead(round(t, 4), station, card)]
            case wire.WeightEvent(t, station, grams):
                return [*self._scales.weigh(t, station, grams)]
            case wire.TouchEvent(t, station, pressed):
                return [Touch(round(t, 4), station, pressed)]
            case wire.TextureFrame() if self._book is not None:
                press = self._presses.hear(message)
                texture = None if press is None else texture_of(press, self._book)
                return [] if texture is None else [texture]
            case wire.ButtonEvent(t, station, True):
                return [Button(round(t, 4), station)]
            case wire.Connected(t):
                self._set_up(message)
                return [Health(round(t, 4), "board", True, self._not_set_up(message))]
            case wire.Disconnected(t, reason):
                self._presses.forget()
                self._scales.forget_hands()
                told, next_step = parts_of(reason)
                port = "" if self._own is None else self._own.port
                never_there = bool(next_step) and not self._watch.met
                if port and (port == "auto" or not never_there):
                    # A screen has little room, and the port's name is the longest part of the line.
                    told = parts_of(message.cause)[0]
                if never_there:
                    # Perhaps the port's name is wrong.
                    told = text("{what}; {next_step}", what=told, next_step=next_step)
                return [Health(round(t, 4), "board", False, told)]
            case wire.PartState(t, part, True):
                if part.station is not None and "count" in part.capabilities:
                    self._scales.answers_again(part.station)
                return [Health(round(t, 4), part_name(part), True)]
            case wire.PartState(t, part, broken_wire=broken):
                return [Health(round(t, 4), part_name(part), False, BROKEN_WIRE if broken else NO_ANSWER)]
        # The board's log is read by LinkWatch.
        return []

    def _set_up(self, hello: wire.Connected) -> None:
        """Send a board its settings: steps and bands of scales, thresholds of touch sensors."""
        wires = self._wires.get("lamp", {})
        lamps = [one.name for one in hello.stations if "lamp" in one.capabilities]
        self._lamps = {wires.get(name, name): name for name in lamps}
        for setting in board_settings(hello, self._scales, self._electrodes, self._wires):
            self._link.configure(*setting)

    def _not_set_up(self, hello: wire.Connected) -> str:
        """Advice to run `companion setup` for this board; "" if it is set up, or no board ever was."""
        if self._board_id not in ("", hello.board_id):
            return OTHER_BOARD
        has_buttons = any("button" in one.capabilities for one in hello.stations)
        return UNHEARD_BUTTONS if self._board_id and has_buttons and not self._buttons else ""

    def close(self) -> None:
        """Close the link."""
        self._link.close()
