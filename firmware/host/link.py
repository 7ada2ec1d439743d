"""The host's link to a board: keeps the line alive, delivers each event once."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from firmware.clock import Clock, Gate
from firmware.errors import BoardError
from firmware.host.board_commands import BoardCommands
from firmware.host.messages import BoardLog, Connected, Disconnected, Message
from firmware.host.pings import PINGS_LOST, Pings
from firmware.host.port_recording import CapturePort, PortRecorder
from firmware.host.ports import (
    AnyBoard,
    FollowedPort,
    SerialPort,
    has_serial_number,
    list_ports,
    nameable,
    preferred,
)
from firmware.host.repl_prompt import PromptWatch
from firmware.host.serial_line import BACKOFF_LAST_S, Line, Opener
from firmware.host.station_ledger import stations_of
from firmware.reasons import (
    At,
    BadPortName,
    LeftOutOfLog,
    NoPongs,
    OtherProtocol,
    ProgramCrashed,
    Reason,
    SeveralBoardsToOpen,
    Simple,
)
from firmware.wire import codec, payloads
from firmware.wire.acknowledged import SequenceIn

LOG_BURST, LOG_LINES_PER_S = 64, 5.0
"""Largest number of a board's log lines that pass at once, and lines that pass per second after that. Further
ones are only counted. Guesses."""
_MAY_COME = re.compile(r"/dev/(tty|serial/by-).+|[0-9A-Fa-f]{16}", re.ASCII)
"""Port names of boards that may be plugged in later: serial devices, or a Pico's USB serial number."""
IDENT_EVERY_S = 0.5  # between two IDENTs: docs/protocol.md
PROBE_EVERY_S, PROBES = 2.0, 3  # IDENTs to a board that shows its prompt: their pause and number, a guess
HANDSHAKE_LIMIT_S = 5.0  # a Pico takes 3.7 s from its port to its HELLO (emulated RP2040)
DEAF_PINGS = 3  # answered pings without a frame in order that mean lost numbering: docs/protocol.md


@dataclass(slots=True)
class LinkStats:
    """Counters of one link since it was made.

    `frames`, `bad_frames`: good and damaged frames received. `events`: events, each counted once. `gaps`: how
    often the board lost some. `repeats`: frames received again. `resends`: frames sent again. `reconnects`:
    greetings after a lost board. `bytes_in`, `bytes_out`: bytes read and written. `rtt_ms`: the last ping's
    round trip; None before the first.
    """

    frames: int = 0
    events: int = 0
    gaps: int = 0
    bad_frames: int = 0
    repeats: int = 0
    resends: int = 0
    reconnects: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    rtt_ms: float | None = None


class _LogGate:
    """Rate limit for a board's log lines.

    LOG_BURST lines pass at once, then LOG_LINES_PER_S a second. A further line tells how many were left out.
    """

    def __init__(self) -> None:
        self._room = float(LOG_BURST)
        self._at = 0.0
        self._left_out = 0

    def admit(self, now: float, messages: list[Message]) -> list[Message]:
        """Leave out log lines beyond the limit; all other messages pass.

        `now`: time (s). Once half of the burst is free again, a BoardLog with the number of left-out lines
        comes first.
        """
        self._room = min(float(LOG_BURST), self._room + LOG_LINES_PER_S * max(0.0, now - self._at))
        self._at = now
        admitted: list[Message] = []
        if self._left_out and self._room >= LOG_BURST / 2:
            admitted.append(BoardLog(now, LeftOutOfLog(self._left_out), 1))
            self._left_out = 0
        for message in messages:
            if isinstance(message, BoardLog):
                if self._room < 1:
                    self._left_out += 1
                    continue
                self._room -= 1
            admitted.append(message)
        return admitted


class Link(BoardCommands):
    """Link to the board on one port; call `poll` often, and it does everything else.

    `port`: its name. `opener` opens a port by its name. `replay`: True for a recording, on which nobody
    answers. `capture` records all bytes read; None records nothing. `session` numbers this run of the host:
    random by default, never 0.
    """

    def __init__(
        self,
        port: str,
        clock: Clock,
        *,
        opener: Opener = SerialPort,
        replay: bool = False,
        capture: PortRecorder | None = None,
        session: int | None = None,
    ) -> None:
        super().__init__()
        self.port = port
        self.stats = LinkStats()
        self._clock = clock
        self._replay = replay
        self._session = session or int.from_bytes(os.urandom(4), "little") | 1
        self._line = Line(port, opener, capture)
        self._decoder = codec.Decoder()
        self._prompt = PromptWatch(self._decoder, clock)
        self._in = SequenceIn()
        self._pings = Pings()
        self._key: tuple[int, int] | None = None  # boot id and session that the numbering belongs to
        self._waiting_since = 0.0
        self._next_ident = 0.0
        self._ack_due = False
        self._reported: At | None = None
        self._astray = False  # only frames out of order came since the last ping
        self._deaf = 0  # pings in a row for which that was so
        self._probes = 0
        self._log_gate = _LogGate()

    @property
    def received(self) -> int:
        """Bytes read since the port was opened."""
        return self._line.received

    @property
    def sent(self) -> int:
        """Bytes written since the port was opened."""
        return self._line.sent

    @property
    def recorded(self) -> bool:
        """True for a played capture: no board can answer."""
        return self._replay

    @property
    def finished(self) -> bool:
        """True after the end of a played capture."""
        return self._line.finished

    def poll(self) -> list[Message]:
        """Read and write the port once; return new messages.

        It opens a lost port again when due. It never blocks. No byte on the line makes it raise.
        """
        now = self._clock.now()
        out: list[Message] = []
        if self._line.is_open or self._open(now):
            data = self._line.read(now)
            self.stats.bytes_in += len(data)
            for frame in self._decoder.feed(data):
                self._take(now, frame, out)
            self._look_for_prompt(now, out)
            if not self._replay:
                self._watch(now)
                self._send_waiting(now)
                self.stats.bytes_out += self._line.flush(now)
            elif self.finished:
                self._say_down(now, out, self._here(Simple.RECORDING_OVER))
        if not self._line.is_open:
            self._say_down(now, out, self._line.problem)
        self.stats.bad_frames = self._decoder.bad
        self.stats.frames = self._decoder.frames
        self.stats.repeats = self._in.repeats
        self.stats.resends = self.out.resends
        return self._log_gate.admit(now, out)

    def close(self) -> None:
        """Close the port for good."""
        self._line.close()
        self.up = False

    def leave(self) -> None:
        """End the board's program, so that its prompt is on the port for maintenance.

        Nothing happens while no board is connected, or in a recording.
        """
        if self.up and not self._replay:
            self._send(codec.EXIT)

    def _can_send(self) -> bool:
        return self.up and not self._replay

    def _open(self, now: float) -> bool:
        """Open the port if a try is due, and begin a new handshake; True if it is open."""
        if not self._line.open(now):
            return False
        self._decoder.drop()
        self._prompt.shown = False
        self._waiting_since = self._next_ident = now
        self._pings.new_line()
        return True

    def _here(self, what: Reason) -> At:
        """The reason `what`, together with this port's name."""
        return At(self.port, what)

    def _say_down(self, now: float, out: list[Message], reason: At | None) -> None:
        """Mark the board as disconnected, and add a message if the reason is new.

        `out`: messages to add to. `reason`: None adds none.
        """
        self.up = False
        if reason is not None and reason != self._reported:
            self._reported = reason
            out.append(Disconnected(now, reason))

    def _take(self, now: float, frame: tuple[int, int, int, int, bytes], out: list[Message]) -> None:
        """Take one frame (type, flags, seq, ack, payload), and add its messages to `out`.

        A frame that makes no sense becomes a BoardLog. Frames before the board's greeting, and numbered frames
        out of order, are ignored.
        """
        kind, flags, seq, ack, payload = frame
        self._pings.heard()
        try:
            if kind == codec.HELLO:
                self._hello(now, payload, out)
                return
            if not self.up:
                return
            if flags & codec.FLAG_ACK:
                self.out.acked(ack)
            if flags & codec.FLAG_SEQ:
                self._ack_due = True
                if not self._in.take(seq):
                    self._astray = True
                    return
                self._astray, self._deaf = False, 0
            self._understand(now, kind, flags, payload, out)
        except ValueError as error:
            out.append(BoardLog(now, f"{self.port}: a frame of type {kind} makes no sense ({error})", 1))

    def _understand(self, now: float, kind: int, flags: int, payload: bytes, out: list[Message]) -> None:
        """Turn a frame in order into messages, added to `out`.

        `kind`: its type, such as `codec.EVENT`. `flags`: `codec.FLAG_*` bits.
        """
        if kind in (codec.EVENT, codec.SAMPLE):
            what, number, device_us, data = payloads.unpack_event(payload)
            self.stats.events += kind == codec.EVENT
            handle = self.ledger.event if kind == codec.EVENT else self.ledger.sample
            out += handle(self._pings.offset.host_time(device_us, now), what, number, data)
        elif kind == codec.SNAPSHOT:
            if flags & codec.FLAG_GAP:
                self.stats.gaps += 1
                out.append(BoardLog(now, "events were lost on the board; its state is complete again", 1))
            device_us = payloads.unpack_snapshot(payload)[1]
            out += self.ledger.snapshot(self._pings.offset.host_time(device_us, now), payload)
        elif kind == codec.PONG:
            if self._pings.answered(now, payload):
                self.stats.rtt_ms = self._pings.rtt_ms
                self._deaf, self._astray = self._deaf + self._astray, False
            if self._deaf >= DEAF_PINGS:
                self._start_over(now, out)
        elif kind == codec.CREDIT:
            self._pings.credit(payload)
        elif kind == codec.RESULT:
            out += self._result(now, payload)
        elif kind == codec.LOG:
            level = codec.unpack("<B", payload)[0]
            out.append(BoardLog(now, payloads.unpack_text(payload, 1)[0], level))

    def _hello(self, now: float, payload: bytes, out: list[Message]) -> None:
        """Take the board's greeting.

        A board of another protocol closes the port. A greeting for another session only asks again. Otherwise
        the board is connected, and a `Connected` message is added to `out`.
        """
        hello = payloads.unpack_hello(payload)
        if hello[0] != codec.PROTOCOL_MAJOR:
            reason = OtherProtocol(hello[0], hello[1], codec.PROTOCOL_MAJOR)
            self._line.lose(now, reason, BACKOFF_LAST_S)
            return
        major, minor, version, code_hash, boot_id, session, cause, base, t_us, board_id, listed = hello
        self._prompt.shown = False
        if session != self._session and not self._replay:
            # The board does not know this host yet, because it has just started.
            if self.up:
                self._say_down(now, out, self._here(Simple.STARTED_AGAIN))
            self._waiting_since = self._next_ident = now
            return
        if self._key != (boot_id, session):
            new_boot = self._key is None or boot_id != self._key[0]
            self._key = (boot_id, session)
            self._in.expected = base
            self._astray, self._deaf = False, 0
            self._pings.offset.reset()
        elif self.up:
            return  # a repeated answer
        else:
            new_boot = False
        self.stats.reconnects += self._reported is not None
        self.up = True
        self._reported = None
        self._line.works()
        self._pings.start(now)
        self._pings.offset.one_way(t_us, now)
        stations = stations_of(listed)
        self.ledger.meet(stations)
        self.out.rewind()
        if new_boot or self._unsent:
            self._restore()
        firmware = ".".join(str(number) for number in version)
        protocol, name = f"{major}.{minor}", board_id.hex()
        out.append(Connected(now, name, boot_id, firmware, code_hash, protocol, cause, stations, new_boot))

    def _start_over(self, now: float, out: list[Message]) -> None:
        """Begin a new session, because host and board hear each other but count frames differently."""
        self.stats.gaps += 1
        self._session = (self._session + 2) & 0xFFFFFFFF
        self._waiting_since = self._next_ident = now
        self._say_down(now, out, self._here(Simple.NUMBERING_LOST))

    def _look_for_prompt(self, now: float, out: list[Message]) -> None:
        """Report a board that left its program: its prompt or traceback shows on the line.

        `out`: messages to add to.
        """
        said = self._prompt.look(self._line.last_byte)
        if said is None:
            return
        if said:
            out.append(BoardLog(now, ProgramCrashed(said), 2))
        self._probes, self._next_ident = PROBES, now + PROBE_EVERY_S
        self._say_down(now, out, self._here(Simple.CRASHED if said else Simple.AT_PROMPT))

    def _watch(self, now: float) -> None:
        """Send IDENT or PING when due.

        A silent port is given up.
        """
        if not self._line.is_open:
            return
        if self._prompt.shown:
            # Noise may look like a prompt, so ask a few times. Typing into a real prompt for ever would disturb
            # it.
            if now >= self._next_ident and self._probes:
                self._probes -= 1
                self._next_ident = now + PROBE_EVERY_S
                self._identify()
        elif not self.up:
            if now - self._waiting_since > HANDSHAKE_LIMIT_S:
                self._line.lose(now, Simple.PORT_SILENT)
            elif now >= self._next_ident:
                self._next_ident = now + IDENT_EVERY_S
                self._identify()
        elif self._pings.due(now):
            if self._pings.lost:
                self._line.lose(now, NoPongs(PINGS_LOST))
                return
            self._send(codec.PING, self._pings.make(now))
            self._pings.sent(now, self._line.queued)

    def _identify(self) -> None:
        """Send IDENT, which asks the board to greet this session."""
        self._send(codec.IDENT, payloads.pack_ident(self._session, self.out.base(), "companion"))

    def _send_waiting(self, now: float) -> None:
        """Send queued commands that are due.

        An acknowledgement is sent, too, if one is owed.
        """
        if not self.up or not self._line.is_open:
            return
        if self._pings.room(self._line.queued):
            for kind, payload, flags, seq, _ in self.out.due(int(now * 1e6)):
                self._send(kind, payload, flags, seq)
        if self._ack_due:
            self._send(codec.CREDIT)

    def _send(self, kind: int, payload: bytes = b"", flags: int = 0, seq: int = 0) -> None:
        """Queue one frame for the port; to a connected board it carries an acknowledgement.

        `kind`: its type, such as `codec.EVENT`. `flags`: `codec.FLAG_*` bits. `seq`: its number, 0 for an
        unnumbered frame.
        """
        if self.up:
            flags |= codec.FLAG_ACK
            self._ack_due = False
        self._line.put(codec.encode(kind, payload, flags, seq, self._in.ack()))


def open_link(
    spec: str,
    clock: Clock,
    capture: PortRecorder | None = None,
    *,
    gate: Gate | None = None,
    wait: bool = False,
    expected: str = "",
) -> Link:
    """Open a link to the board or recording of `spec`.

    `spec`: a serial device, a board's USB serial number, a capture file, or "auto" for the only Pico. `clock`:
    times of all messages. `capture` records all bytes read; None records nothing. `gate`: a capture file
    starts when it opens. `wait`: a board that is not plugged in yet is opened when it is. `expected`: serial
    number of the board that was set up. While that board is there, it wins over a port's name and over other
    boards. BoardError if nothing of that name can be used, UnusableError for a damaged capture.
    """
    if spec == "auto":
        if wait and not preferred(list_ports(), expected):
            return Link(spec, clock, opener=AnyBoard(expected), capture=capture)
        return Link(_only_board(expected), clock, opener=FollowedPort(), capture=capture)
    if not nameable(spec):
        raise BoardError(BadPortName(spec), repr(spec[:80]))
    if any(has_serial_number(port, spec) for port in list_ports()):
        return Link(spec, clock, opener=FollowedPort(spec), capture=capture)
    path = Path(spec)
    if path.is_file():
        played = CapturePort(path, clock, gate=gate)
        return Link(spec, clock, opener=lambda _: played, replay=True, capture=capture)
    if not path.exists() and wait and _MAY_COME.fullmatch(spec):
        opener = FollowedPort(expected=expected) if path.is_absolute() else FollowedPort(spec)
        return Link(spec, clock, opener=opener, capture=capture)
    if not path.exists():
        raise BoardError(Simple.NO_PORT_TO_OPEN, spec)
    if path.is_dir():
        raise BoardError(Simple.PORT_IS_FOLDER, spec)
    if not os.access(path, os.R_OK | os.W_OK):
        raise BoardError(Simple.NO_PERMISSION, spec)
    return Link(spec, clock, opener=FollowedPort(expected=expected), capture=capture)


def _only_board(expected: str) -> str:
    """Best name of the port of the only board. `expected`: serial number that wins over others.

    BoardError if there is none, or several.
    """
    found = preferred(list_ports(), expected)
    if not found:
        raise BoardError(Simple.NO_BOARD, "auto")
    if len(found) > 1:
        raise BoardError(SeveralBoardsToOpen(tuple(port.best for port in found)), "auto")
    return found[0].best
