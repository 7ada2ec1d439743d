"""The check of a board: asks it who it is, tests every part, and measures its line."""

import msgspec

from companion.core.clock import Clock
from companion.core.errors import SourceError, without_place
from companion.core.language import text
from firmware.flashing.manifest import code_hash
from firmware.flashing.port_survey import AT_PROMPT, BARE_PROMPT, NO_PROGRAM, look
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

CONNECT_S = 5.0
"""CONNECT_S: longest wait (s) for the board's greeting. A freshly started board first waits a moment for an
update of its program."""
TEST_S = 3.0
"""TEST_S: longest wait (s) for the self-test of one station."""
LISTEN_S = 2.2
"""LISTEN_S: time (s) to listen before the tests; enough for three round trips to be measured."""
FLASH = "companion flash"
_RESET = text("press its reset button, or: {command}", command=FLASH)


class StationReport(msgspec.Struct, frozen=True):
    """Check of one station: its parts, parts that do not answer, and the board's words on its self-test.

    `ok`: no part is missing and the self-test passed.
    """

    name: str
    parts: tuple[str, ...]
    missing: tuple[str, ...]
    ok: bool
    selftest: str


class BoardReport(msgspec.Struct, frozen=True):
    """Check of a board that answered.

    `rtt_ms`: round trips (ms), () for a recording.
    """

    port: str
    board_id: str
    firmware: str
    code: str
    """Hash of the program on the board, eight hex digits."""
    same_code: bool
    """True if the board runs the program that this version of companion would flash."""
    protocol: str
    rtt_ms: tuple[float, ...]
    bad_frames: int
    resends: int
    stations: tuple[StationReport, ...]
    said: tuple[str, ...]
    """Other warnings of the board during the check."""


def examine_board(spec: str, clock: Clock, expected: str = "") -> BoardReport:
    """Connect to the board at `spec`, and test every station.

    `spec`: a port or "auto". `expected`: serial number of the board that was set up; "" for any. SourceError
    if our program does not answer on the port; it names what does, and the next step.
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
        """Connect, listen for LISTEN_S, and test every station."""
        hello = self._connect()
        # Listen before the tests: a board that has just started needs a moment to find its parts.
        until = self._clock.now() + LISTEN_S
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
        until = self._clock.now() + CONNECT_S
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
        if self._down is not None and BARE_PROMPT not in self._down.reason:
            what = without_place(self._down.reason, port)
            raise SourceError(what, where=port, next_step=self._down.next_step)
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
        return down.next_step in (FLASH, "update companion") or BARE_PROMPT in down.reason

    def _test(self, station: Station) -> StationReport:
        told = {
            name.removeprefix(station.name).strip()
            for part, name in self._silent.items()
            if any(part.serves(station.name, one) for one in station.capabilities)
        }
        missing = sorted(told or station.missing)
        ok, said = not missing, ""
        number = self._link.selftest(station.name)
        until = self._clock.now() + TEST_S
        while number >= 0 and not said and self._clock.now() < until:
            for message in self._poll():
                if isinstance(message, CommandResult) and message.number == number:
                    ok, said = ok and message.ok, message.text or text("nothing to test")
        if number >= 0 and not said:
            ok, said = False, text("no result in {seconds} seconds", seconds=f"{TEST_S:g}")
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
                case BoardLog(_, line, level) if level:
                    self._said.append(line)
                    if "crashed" in line:
                        self._crash = line
        last = self._link.stats.rtt_ms
        if last is not None and last != self._pinged:
            self._pinged = last
            self._round_trips.append(round(last, 1))
        self._clock.sleep(0.005)
        return messages
