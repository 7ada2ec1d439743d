"""Commands from host to board: lamps, beeps, settings, self-tests."""

import struct
from dataclasses import dataclass, field

from firmware.host.messages import BoardLog, CommandResult, Message
from firmware.host.station_ledger import StationLedger
from firmware.wire import codec, payloads
from firmware.wire.acknowledged import SequenceOut

WINDOW, WAITING = 4, 64  # commands on their way, and commands that may wait: docs/protocol.md and a guess
RESEND_US = 250_000  # time without an acknowledgement; less than 100 ms causes storms over USB


@dataclass(slots=True)
class _SelfTest:
    """Self-test of a station that is not complete yet.

    `number`: the command's number, for the result. `station`: number of the station. `parts`: texts of its
    parts so far. `ok`: whether all of them are right.
    """

    number: int
    station: int
    parts: list[str] = field(default_factory=list)
    ok: bool = True


class BoardCommands:
    """Queue of commands to one board, and the lamps and settings it should have.

    `up`: True while a board is connected. `ledger`: last known state of its stations. `out`: the queue. Lamps,
    settings and zeros are sent again to a board that restarted. A zero is a scale's reading without load.
    """

    def __init__(self) -> None:
        self.up = False
        self.ledger = StationLedger()
        self.out = SequenceOut(WAITING, WINDOW, RESEND_US)
        self._unsent = False  # a lamp or setting changed while no board was there
        # number of a command whose success is no news -> what it does, for the log
        self._quiet: dict[int, str] = {}
        self._tests: dict[int, _SelfTest] = {}
        # number of a zero command -> the scale's station, None for all
        self._zeroing: dict[int, str | None] = {}
        self._lamps: dict[str, tuple[int, int, int]] = {}
        self._settings: dict[tuple[int, str | None], int] = {}

    def lamp(self, station: str, colour: tuple[int, int, int]) -> None:
        """Set a station's lamp to a colour.

        `colour`: (red, green, blue), 0 to 255 each. Nothing is sent for a colour that the lamp has already.
        Without a board the colour is sent when one connects.
        """
        if self._lamps.get(station) != colour:
            self._lamps[station] = colour
            sent = self._put(codec.CMD, codec.OP_LAMP, station, bytes(colour), f"the lamp of {station}")
            self._unsent |= sent < 0

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Set a value of one station, or all (None).

        `setting`: number of the setting, one of the constants `CONF_*` of `firmware.wire.codec`. `value`: in
        the setting's unit. Nothing is sent for a value that is set already. Without a board the value is sent
        when one connects.
        """
        if self._settings.get((setting, station)) == value:
            return
        self._settings[setting, station] = value
        sent = self._put(codec.CONFIG, setting, station, struct.pack("<i", value), f"setting {setting}")
        self._unsent |= sent < 0

    def beep(self, hertz: int = 2000, milliseconds: int = 80) -> int:
        """Sound the beeper at `hertz` for `milliseconds`.

        Returns the command's number (0 to 255), or -1 without a board or with a full queue.
        """
        return self._put(codec.CMD, codec.OP_BEEP, None, struct.pack("<HH", milliseconds, hertz))

    def zero(self, station: str | None = None) -> int:
        """Make the present load of a scale its zero.

        `station`: whose scale; None: every scale. Returns the command's number (0 to 255), or -1 if it cannot
        be sent: no board, unknown station, or a full queue.
        """
        number = self._put(codec.CMD, codec.OP_ZERO, station)
        if number >= 0:
            self.ledger.forget_zero(station)
            self._zeroing[number] = station
        return number

    def selftest(self, station: str | None = None) -> int:
        """Ask a station for its parts' numbers, or the board for its missing parts.

        `station`: name; None: the board. One `CommandResult` with the returned number (0 to 255) brings the
        text. -1 if the command cannot be sent: no board, unknown station, or a full queue.
        """
        data = b"" if station is None else b"\0"
        number = self._put(codec.CMD, codec.OP_SELFTEST, station, data)
        if number >= 0 and station is not None:
            self._tests[number] = _SelfTest(number, self.ledger.number(station))
        return number

    def levels(self, seconds: int) -> int:
        """Ask for the raw level of every sensor for `seconds` (0 to 255); 0 stops.

        Returns the command's number, or -1 if it cannot be sent. `LevelSample` messages bring each level a few
        times a second. Meanwhile pictures of a matrix come all the time. A board before protocol 1.2 answers
        with a `CommandResult` that is not ok.
        """
        return self._put(codec.CMD, codec.OP_LEVELS, None, bytes((seconds,)))

    def snapshot(self) -> int:
        """Ask the board for the state of all stations.

        Returns the command's number (0 to 255), or -1 if it cannot be sent. Only states that differ from the
        known ones become messages.
        """
        return self._put(codec.CMD, codec.OP_SNAPSHOT, None)

    def _can_send(self) -> bool:
        """Whether a command can be queued now."""
        return self.up

    def _put(self, kind: int, op: int, station: str | None, data: bytes = b"", quiet: str = "") -> int:
        """Queue a command or setting for a station.

        `kind`: `codec.CMD` or `codec.CONFIG`. `op`: its operation or setting. `data`: arguments. `quiet`: what
        it does, in words; then only a failure is reported. Returns its number, or -1 without a board, for an
        unknown station, or with a full queue.
        """
        if not self._can_send():
            return -1
        number = codec.NO_STATION
        if station is not None:
            try:
                number = self.ledger.number(station)
            except ValueError:
                return -1
        seq = self._queue(kind, bytes((op, number)) + data)
        if quiet and seq >= 0:
            self._quiet[seq] = quiet
        return seq

    def _queue(self, kind: int, payload: bytes) -> int:
        """Queue a frame.

        Returns its number, or -1 if the queue is full.
        """
        seq = self.out.put(kind, payload)
        # Numbers repeat after 256 commands, so an older command with this number was never answered.
        for waiting in (self._quiet, self._tests, self._zeroing):
            waiting.pop(seq, None)
        return seq

    def _result(self, now: float, payload: bytes) -> list[Message]:
        """Messages for a RESULT, the board's answer to a command.

        ValueError if the payload makes no sense.
        """
        number, _, ok = codec.unpack("<BBB", payload)
        text = payloads.unpack_text(payload, 3)[0]
        if number in self._zeroing:
            # A load that was on its way before the command brought the old zero once more.
            self.ledger.forget_zero(self._zeroing.pop(number))
        test = self._tests.pop(number, None)
        if test is not None:
            return self._tested(now, test, bool(ok), text)
        about = self._quiet.pop(number, "")
        if not about:
            return [CommandResult(now, number, bool(ok), text)]
        return [] if ok else [BoardLog(now, f"{about}: {text}", 1)]

    def _tested(self, now: float, test: _SelfTest, ok: bool, text: str) -> list[Message]:
        """Ask for the next part of a self-test, or give the result after the last.

        Parts answer one at a time, because a frame is too short for all. An empty text ends the test.
        """
        if text:
            test.parts.append(text)
            test.ok = test.ok and ok
            part = len(test.parts)
            seq = self._queue(codec.CMD, bytes((codec.OP_SELFTEST, test.station, part)))
            if seq >= 0:
                self._tests[seq] = test
                return []
        return [CommandResult(now, test.number, test.ok, "; ".join(test.parts))]

    def _restore(self) -> None:
        """Send zeros, settings and lamps to a board that has just come back."""
        self._unsent = False
        for name, counts in self.ledger.zeros.items():
            self._put(codec.CONFIG, codec.CONF_ZERO, name, struct.pack("<i", counts), f"the zero of {name}")
        for (setting, station), value in self._settings.items():
            self._put(codec.CONFIG, setting, station, struct.pack("<i", value), f"setting {setting}")
        for name, colour in self._lamps.items():
            self._put(codec.CMD, codec.OP_LAMP, name, bytes(colour), f"the lamp of {name}")
