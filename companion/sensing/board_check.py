"""The check of a board: asks it who it is, tests every part, and measures its line."""

import msgspec

from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import text
from companion.sensing.board_words import NO_PROGRAM, in_words, parts_of, words_of
from companion.sensing.parameters import LINK
from firmware.flashing.manifest import code_hash
from firmware.flashing.port_survey import AT_PROMPT, look
from firmware.host.link import Link, open_link
from firmware.host.messages import (
    BoardLog,
    CommandResult,
    Connected,
    Disconnected,
    Message,
    Part,
    PartState,
    Station,
)
from firmware.reasons import OtherProtocol, Simple

FLASH = "companion flash"
_RESET = text("press its reset button, or: {command}", command=FLASH)


class StationReport(msgspec.Struct, frozen=True):
    """Check of one station of a board.

    Its parts, those that do not answer, and what the board says about its self-test. `ok`: no part is missing,
    and the self-test passed.
    """

    name: str
    parts: tuple[str, ...]
    missing: tuple[str, ...]
    ok: bool
    selftest: str


class BoardReport(msgspec.Struct, frozen=True):
    """Check of a board that answered: its identity, its line, and its stations.

    `rtt_ms`: round trips (ms); empty for a recording. `bad_frames`, `resends`: counters of the line.
    """

    port: str
    board_id: str
    firmware: str
    code: str
    """Hash of the program on the board, eight hex digits."""
    same_code: bool
    """True if the board runs the program that this version would install on it."""
    protocol: str
    rtt_ms: tuple[float, ...]
    bad_frames: int
    resends: int
    stations: tuple[StationReport, ...]
    said: tuple[str, ...]
    """Further warnings that the board gave during the check."""


@in_words()
def examine_board(spec: str, clock: Clock, expected: str = "") -> BoardReport:
    """Connect to a board, and test every station.

    `spec`: a port or "auto".

    `expected`: serial number of the board that was set up; "": any. SourceError if our program does not
    answer on the port; it names what does, and the next step.
    """
    link = open_link(spec, clock, expected=expected)
    try:
        return _Examination(link, clock).report()
    finally:
        link.close()


class _Examination:
    def __init__(self, link: Link, clock: Clock) -> None:
        self._link = link
        self._clock = clock
        self._said: list[str] = []
        self._silent: dict[Part, str] = {}
        self._round_trips: list[float] = []
        self._pinged: float | None = None
        self._down: Disconnected | None = None
        self._crash = ""

    def report(self) -> BoardReport:
        """Connect, listen for `LINK.listen_s`, and test every station."""
        hello = self._connect()
        # Listen before the tests: a board that has just started needs a moment to find its parts.
        until = self._clock.now() + LINK.listen_s
        while self._clock.now() < until and self._link.up and not self._link.finished:
            self._poll()
        stations = tuple(self._test(station) for station in hello.stations)
        stats = self._link.stats
        return BoardReport(
            port=self._link.port,
            board_id=hello.board_id,
            firmware=hello.firmware,
            code=f"{hello.code_hash:08x}",
            same_code=hello.code_hash == code_hash(),
            protocol=hello.protocol,
            rtt_ms=tuple(self._round_trips),
            bad_frames=stats.bad_frames,
            resends=stats.resends,
            stations=stations,
            said=tuple(dict.fromkeys(self._said)),
        )

    def _connect(self) -> Connected:
        until = self._clock.now() + LINK.connect_s
        while self._clock.now() < until:
            for message in self._poll():
                if isinstance(message, Connected):
                    return message
            if self._crash or (self._down is not None and self._hopeless(self._down)):
                break
        port = self._link.port
        self._link.close()
        if self._crash:
            raise SourceError(self._crash, where=port, next_step=_RESET)
        if self._down is not None and self._down.cause is not Simple.AT_PROMPT:
            what, next_step = parts_of(self._down.cause)
            raise SourceError(what, where=port, next_step=next_step)
        # MicroPython's prompt sends nothing by itself: it has to be asked.
        if self._down is not None or look(port, self._clock).state == AT_PROMPT:
            raise SourceError(NO_PROGRAM, where=port, next_step=_RESET)
        raise SourceError(
            text("nothing on this port answers"),
            where=port,
            next_step=text("is it the board's port? Then: {command}", command=FLASH),
        )

    @staticmethod
    def _hopeless(down: Disconnected) -> bool:
        return isinstance(down.cause, OtherProtocol) or down.cause is Simple.AT_PROMPT

    def _test(self, station: Station) -> StationReport:
        told = {
            name.removeprefix(station.name).strip()
            for part, name in self._silent.items()
            if any(part.serves(station.name, one) for one in station.capabilities)
        }
        missing = sorted(told or station.missing)
        ok, said = not missing, ""
        number = self._link.selftest(station.name)
        until = self._clock.now() + LINK.test_s
        while number >= 0 and not said and self._clock.now() < until:
            for message in self._poll():
                if isinstance(message, CommandResult) and message.number == number:
                    ok, said = ok and message.ok, message.text or text("nothing to test")
        if number >= 0 and not said:
            ok, said = False, text("no result in {seconds} seconds", seconds=f"{LINK.test_s:g}")
        parts = tuple(sorted(station.capabilities))
        return StationReport(station.name, parts, tuple(missing), ok, said)

    def _poll(self) -> list[Message]:
        messages: list[Message] = self._link.poll()
        for message in messages:
            match message:
                case Disconnected():
                    self._down = message
                case Connected():
                    self._down = None
                case PartState(_, part, False, name):
                    self._silent[part] = name
                case PartState(_, part, True):
                    self._silent.pop(part, None)
                case BoardLog(_, logged, level) if level:
                    line = words_of(logged)
                    self._said.append(line)
                    if "crashed" in line:
                        self._crash = line
        last = self._link.stats.rtt_ms
        if last is not None and last != self._pinged:
            self._pinged = last
            self._round_trips.append(round(last, 1))
        self._clock.sleep(0.005)
        return messages
