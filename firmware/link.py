"""The host's end of the wire: connects, keeps the line alive, delivers each event once and in order."""

import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.clock import Clock
from companion.errors import SourceError
from firmware import wire
from firmware.capture import CapturePort, CaptureWriter, is_capture, read_capture
from firmware.ledger import StationLedger, stations_of
from firmware.messages import BoardLog, CommandResult, Connected, Disconnected, Message
from firmware.offset import ClockOffset
from firmware.ports import Port, SerialPort, explain, list_ports
from firmware.sequence import SequenceIn, SequenceOut

Opener = Callable[[str], Port]

PING_EVERY = 1.0
PINGS_LOST = 3
IDENT_EVERY = 0.5
HANDSHAKE_LIMIT = 5.0
BACKOFF_FIRST, BACKOFF_LAST = 0.2, 3.0
RESEND_US = 250_000
QUIET_BEFORE_PROMPT = 0.3
OUTGOING_LIMIT = 4096


@dataclass(slots=True)
class LinkStats:
    """Counters of one link since it was made; `rtt_ms` is the last ping's, None before the first."""

    frames: int = 0
    bad_frames: int = 0
    repeats: int = 0
    resends: int = 0
    reconnects: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    rtt_ms: float | None = None


class Link:
    """A board on a port. Call `poll` often; everything else happens by itself.

    `opener` makes a port of the name; `replay` is for ports on which nobody answers. `session`
    numbers this run of the host (random when not given, never 0).
    """

    def __init__(
        self,
        port: str,
        clock: Clock,
        *,
        opener: Opener = SerialPort,
        replay: bool = False,
        capture: CaptureWriter | None = None,
        session: int | None = None,
    ) -> None:
        self.port = port
        self.stats = LinkStats()
        self.ledger = StationLedger()
        self.received = 0  # bytes read since the port was opened
        self.sent = 0  # bytes written since then
        self._clock = clock
        self._opener = opener
        self._replay = replay
        self._capture = capture
        self._session = session or int.from_bytes(os.urandom(4), "little") | 1
        self._line: Port | None = None
        self._decoder = wire.Decoder()
        self._in = SequenceIn()
        self._out = SequenceOut(64, 4, RESEND_US)
        self._offset = ClockOffset()
        self._key: tuple[int, int] | None = None
        self._up = False
        self._at_prompt = False
        self._opened_at = 0.0
        self._next_try = clock.now()
        self._backoff = BACKOFF_FIRST
        self._next_ident = 0.0
        self._next_ping = 0.0
        self._pings: dict[int, int] = {}
        self._unanswered = 0
        self._credit: tuple[int, int] | None = None
        self._last_byte = 0.0
        self._ack_due = False
        self._outgoing = bytearray()
        self._reported = ""
        self._lamps: dict[str, tuple[int, int, int]] = {}
        self._settings: dict[tuple[int, str], int] = {}

    @property
    def up(self) -> bool:
        """Whether a board has answered and is alive."""
        return self._up

    @property
    def finished(self) -> bool:
        """Whether a replayed capture has come to its end."""
        return isinstance(self._line, CapturePort) and self._line.finished

    def poll(self) -> list[Message]:
        """Everything new since the last call. Never waits, never raises for what comes over the line."""
        now = self._clock.now()
        out: list[Message] = []
        if self._line is None and not self._open(now, out):
            return out
        self._read(now, out)
        if self._line is not None and not self._replay:
            self._watch(now, out)
        if self._line is not None:
            self._write(now, out)
        self.stats.bad_frames = self._decoder.bad
        self.stats.frames = self._decoder.frames
        self.stats.repeats = self._in.repeats
        self.stats.resends = self._out.resends
        return out

    def close(self) -> None:
        """Let go of the port."""
        if self._line is not None:
            self._line.close()
            self._line = None
        self._up = False
        self._next_try = float("inf")

    def lamp(self, station: str, colour: tuple[int, int, int]) -> None:
        """Set a lamp to (red, green, blue) 0..255; set again by itself after the board restarts."""
        if self._lamps.get(station) != colour:
            self._lamps[station] = colour
            self._command(wire.OP_LAMP, station, bytes(colour))

    def beep(self, hertz: int = 2000, milliseconds: int = 80) -> int:
        """Sound the beeper; the command's number, or -1 without a board."""
        return self._command(wire.OP_BEEP, None, struct.pack("<HH", milliseconds, hertz))

    def zero(self, station: str | None = None) -> int:
        """Take what rests on a scale (None: on all of them) as nothing."""
        if station is None:
            self.ledger.zeros.clear()
        else:
            self.ledger.zeros.pop(station, None)
        return self._command(wire.OP_ZERO, station)

    def selftest(self) -> int:
        """Ask which parts do not answer; a `CommandResult` with this number brings the list."""
        return self._command(wire.OP_SELFTEST, None)

    def snapshot(self) -> int:
        """Ask for the whole state again; what the host knows already gives no message."""
        return self._command(wire.OP_SNAPSHOT, None)

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Set one of `wire.CONF_*` on one station or all; set again after the board restarts."""
        self._settings[setting, station or ""] = value
        self._put(wire.CONFIG, setting, station, struct.pack("<i", value))

    def leave(self) -> None:
        """End the board's program: its prompt is then on the port, for maintenance."""
        if self._up:
            self._send(wire.EXIT)

    def _command(self, op: int, station: str | None, data: bytes = b"") -> int:
        return self._put(wire.CMD, op, station, data)

    def _put(self, kind: int, op: int, station: str | None, data: bytes) -> int:
        if not self._up or self._replay:
            return -1
        try:
            number = wire.NO_STATION if station is None else self.ledger.number(station)
        except ValueError:
            return -1
        return self._out.put(kind, bytes((op, number)) + data)

    def _open(self, now: float, out: list[Message]) -> bool:
        if now < self._next_try:
            return False
        try:
            self._line = self._opener(self.port)
        except OSError as error:
            reason, step = explain(error)
            self._say_down(now, out, f"{self.port}: {reason}", step)
            self._back_off(now)
            return False
        self._decoder.drop()
        self._outgoing.clear()
        self.received = self.sent = 0
        self._opened_at = self._next_ident = now
        self._at_prompt = False
        self._pings.clear()
        self._unanswered = 0
        self._credit = None
        return True

    def _back_off(self, now: float) -> None:
        self._next_try = now + self._backoff
        self._backoff = min(self._backoff * 2, BACKOFF_LAST)

    def _say_down(self, now: float, out: list[Message], reason: str, step: str) -> None:
        self._up = False
        if reason != self._reported:
            self._reported = reason
            out.append(Disconnected(now, reason, step))

    def _lose(self, now: float, out: list[Message], reason: str, step: str) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        self._say_down(now, out, f"{self.port}: {reason}", step)
        self._back_off(now)

    def _read(self, now: float, out: list[Message]) -> None:
        assert self._line is not None
        while True:
            try:
                data = self._line.read()
            except OSError as error:
                self._lose(now, out, *explain(error))
                return
            if not data:
                break
            self.received += len(data)
            self.stats.bytes_in += len(data)
            self._last_byte = now
            if self._capture is not None:
                self._capture.record(now, data)
            for frame in self._decoder.feed(data):
                self._take(now, frame, out)
                if self._line is None:
                    return
            if len(data) < 1024:
                break
        self._look_for_prompt(now, out)
        if self._replay and self.finished:
            self._say_down(now, out, f"{self.port}: the capture is over", "")

    def _take(self, now: float, frame: tuple[int, int, int, int, bytes], out: list[Message]) -> None:
        kind, flags, seq, ack, payload = frame
        self._unanswered = 0
        try:
            if kind == wire.HELLO:
                self._hello(now, payload, out)
                return
            if not self._up:
                return
            if flags & wire.FLAG_ACK:
                self._out.acked(ack)
            if flags & wire.FLAG_SEQ:
                self._ack_due = True
                if not self._in.take(seq):
                    return
            self._understand(now, kind, flags, payload, out)
        except ValueError as error:
            out.append(BoardLog(now, f"{self.port}: a frame of type {kind} makes no sense ({error})", 1))

    def _understand(self, now: float, kind: int, flags: int, payload: bytes, out: list[Message]) -> None:
        if kind in (wire.EVENT, wire.SAMPLE):
            what, number, device_us, data = wire.unpack_event(payload)
            t = self._host_time(device_us, now)
            handle = self.ledger.event if kind == wire.EVENT else self.ledger.sample
            out += handle(t, what, number, data)
        elif kind == wire.SNAPSHOT:
            if flags & wire.FLAG_GAP:
                out.append(BoardLog(now, "events were lost on the board; its state is complete again", 1))
            out += self.ledger.snapshot(self._host_time(wire.unpack_snapshot(payload)[1], now), payload)
        elif kind == wire.PONG:
            self._pong(now, payload)
        elif kind == wire.CREDIT:
            if self._credit is not None:
                self._credit = (self._credit[0], wire.unpack("<I", payload)[0])
        elif kind == wire.RESULT:
            number, _op, ok = wire.unpack("<BBB", payload)
            out.append(CommandResult(now, number, bool(ok), wire.unpack_text(payload, 3)[0]))
        elif kind == wire.LOG:
            level = wire.unpack("<B", payload)[0]
            out.append(BoardLog(now, _printable(wire.unpack_text(payload, 1)[0]), level))

    def _host_time(self, device_us: int, now: float) -> float:
        self._offset.one_way(device_us, now)
        return self._offset.host_time(device_us, now)

    def _hello(self, now: float, payload: bytes, out: list[Message]) -> None:
        hello = wire.unpack_hello(payload)
        if hello[0] != wire.PROTOCOL_MAJOR:
            reason = f"the board speaks protocol {hello[0]}.{hello[1]}, this program {wire.PROTOCOL_MAJOR}"
            self._lose(now, out, reason, "put this program's firmware on the board")
            self._next_try = now + BACKOFF_LAST
            return
        major, minor, version, code_hash, boot_id, session, cause, base, t_us, board_id, listed = hello
        self._at_prompt = False
        if session != self._session and not self._replay:
            # It does not know us yet, or has started again.
            if self._key is not None and boot_id != self._key[0] and self._up:
                self._say_down(now, out, f"{self.port}: the board started again", "")
            self._next_ident = min(self._next_ident, now)
            self._opened_at = now
            return
        new_boot = self._key is None or boot_id != self._key[0]
        if self._key != (boot_id, session):
            self._key = (boot_id, session)
            self._in.expected = base
            self._offset.reset()
        elif self._up:
            return  # the same answer again
        self.stats.reconnects += self._reported != ""
        self._up = True
        self._reported = ""
        self._backoff = BACKOFF_FIRST
        self._next_ping = now
        self._offset.one_way(t_us, now)
        stations = stations_of(listed)
        self.ledger.meet(stations)
        self._out.rewind()
        if new_boot:
            self._restore()
        firmware = ".".join(str(number) for number in version)
        out.append(
            Connected(
                now,
                board_id.hex(),
                boot_id,
                firmware,
                code_hash,
                f"{major}.{minor}",
                cause,
                stations,
                new_boot,
            )
        )

    def _restore(self) -> None:
        """A board that has just started gets back what it was told before."""
        for name, counts in self.ledger.zeros.items():
            self._put(wire.CONFIG, wire.CONF_ZERO, name, struct.pack("<i", counts))
        for (setting, name), value in self._settings.items():
            self._put(wire.CONFIG, setting, name or None, struct.pack("<i", value))
        for name, colour in self._lamps.items():
            self._command(wire.OP_LAMP, name, bytes(colour))

    def _pong(self, now: float, payload: bytes) -> None:
        stamp, device_us, consumed, _bad = wire.unpack("<QQIH", payload)
        sent = self._pings.get(stamp)
        self._pings.clear()
        if sent is None:
            return
        then = stamp / 1e6
        self._offset.round_trip(then, device_us, now)
        self.stats.rtt_ms = (now - then) * 1000
        # What was sent up to that ping has arrived or is lost: both free the board's buffer.
        self._credit = (sent - consumed, consumed)

    def _look_for_prompt(self, now: float, out: list[Message]) -> None:
        text = bytes(self._decoder.rejected)
        if now - self._last_byte >= QUIET_BEFORE_PROMPT:
            text += self._decoder.pending()
        crashed = b"Traceback (most" in text
        if self._at_prompt or not (crashed or b"\n>>> " in text or text.endswith(b">>> ")):
            return
        if crashed and now - self._last_byte < QUIET_BEFORE_PROMPT:
            return  # let the traceback finish
        self._at_prompt = True
        if crashed:
            lines = text[text.rindex(b"Traceback (most") :].decode("ascii", "replace").splitlines()
            said = [line.strip() for line in lines[1:] if line.strip() and not line.startswith((" ", ">>>"))]
            last = next((line for line in said if not line.startswith("MicroPython")), "no message")
            out.append(BoardLog(now, f"the board's program crashed: {_printable(last)}", 2))
            reason = f"{self.port}: the board's program crashed"
        else:
            reason = f"{self.port}: the board shows its prompt, no program runs on it"
        self._decoder.drop()
        self._say_down(now, out, reason, "press the board's reset button or plug it in again")

    def _watch(self, now: float, out: list[Message]) -> None:
        """Handshake and liveness."""
        if self._at_prompt:
            return
        if not self._up:
            if now - self._opened_at > HANDSHAKE_LIMIT:
                self._lose(now, out, "nothing on this port answers", "check that it is the board's port")
            elif now >= self._next_ident:
                self._next_ident = now + IDENT_EVERY
                self._send(wire.IDENT, wire.pack_ident(self._session, self._out.base(), "companion"))
        elif now >= self._next_ping:
            # Pings are counted, not seconds: a host that was busy itself must not blame the board.
            if self._unanswered >= PINGS_LOST:
                self._lose(now, out, f"no answer to {PINGS_LOST} pings", "check the cable")
                return
            self._unanswered += 1
            self._next_ping = now + PING_EVERY
            stamp = int(now * 1e6)
            frame = wire.encode(wire.PING, struct.pack("<Q", stamp), wire.FLAG_ACK, 0, self._in.ack())
            self._pings[stamp] = self.sent + len(self._outgoing) + len(frame)
            self._outgoing += frame

    def _write(self, now: float, out: list[Message]) -> None:
        assert self._line is not None
        if self._up and not self._replay:
            if self._has_credit():
                for kind, payload, flags, seq, _ in self._out.due(int(now * 1e6)):
                    self._send(kind, payload, flags, seq)
            if self._ack_due:
                self._send(wire.CREDIT)
        if len(self._outgoing) > OUTGOING_LIMIT:
            self._outgoing.clear()  # nobody takes it; what matters is sent again
        if not self._outgoing:
            return
        try:
            taken = self._line.write(bytes(self._outgoing))
        except OSError as error:
            self._lose(now, out, *explain(error))
            return
        del self._outgoing[:taken]
        self.sent += taken
        self.stats.bytes_out += taken

    def _has_credit(self) -> bool:
        """Whether the board has room for a few commands more."""
        if self._credit is None:
            return self.sent < wire.RECEIVE_RING // 2
        base, consumed = self._credit
        return self.sent + len(self._outgoing) - base - consumed < wire.RECEIVE_RING // 2

    def _send(self, kind: int, payload: bytes = b"", flags: int = 0, seq: int = 0) -> None:
        if self._up:
            flags |= wire.FLAG_ACK
            self._ack_due = False
        self._outgoing += wire.encode(kind, payload, flags, seq, self._in.ack())


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def open_link(spec: str, clock: Clock, capture: CaptureWriter | None = None) -> Link:
    """A link for a device, a link to one, a capture file, or `auto` for the only Pico there is.

    SourceError when nothing of that name can be used, BadInputError for a damaged capture.
    """
    if spec == "auto":
        found = list_ports()
        if not found:
            raise SourceError("no board found", where="auto", next_step="plug the board in, or name its port")
        if len(found) > 1:
            names = ", ".join(port.best for port in found)
            raise SourceError(f"several boards found: {names}", where="auto", next_step="name one of them")
        return Link(found[0].best, clock, capture=capture)
    path = Path(spec)
    if is_capture(path):
        played = CapturePort(path, clock)
        return Link(spec, clock, opener=lambda _: played, replay=True, capture=capture)
    if not path.exists():
        raise SourceError("no such port", where=spec, next_step="plug the board in, or use 'auto'")
    if path.is_file():
        read_capture(path)  # says what is wrong with it
    if path.is_dir():
        raise SourceError("neither a port nor a capture", where=spec, next_step="name a serial port")
    if not os.access(path, os.R_OK | os.W_OK):
        what = "no permission to open the port"
        raise SourceError(what, where=spec, next_step="add yourself to the group dialout and log in again")
    return Link(spec, clock, capture=capture)
