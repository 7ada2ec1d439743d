"""The board in a recording: its bytes are decoded anew, each at its recorded time."""

from math import inf

from companion.core.clock import Clock
from companion.core.language import text
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Health, Observation
from companion.sensing.press_recogniser import read_book
from companion.sensing.recording_folder import RecordedSettings
from firmware.host.link import Link
from firmware.host.port_recording import Records
from firmware.wire import codec

SILENT_S = 5.0
"""Time (s) without bytes after which the recorded board counts as gone.

A live one answers a ping every second.
"""


class _Port:
    """A serial port that repeats bytes at their recorded times.

    `records`: (time in s, bytes). `clock`: tells which of them have come.
    """

    def __init__(self, records: Records, clock: Clock) -> None:
        self._records, self._clock, self._at = records, clock, 0

    @property
    def heard_at(self) -> float:
        """Time (s) of the last bytes that were read; minus infinity before the first."""
        return self._records[self._at - 1][0] if self._at else -inf

    def read(self) -> bytes:
        """Remove and return all bytes whose time has come."""
        out = bytearray()
        while self._at < len(self._records) and self._records[self._at][0] <= self._clock.now():
            out += self._records[self._at][1]
            self._at += 1
        return bytes(out)

    def write(self, data: bytes) -> int:
        """Drop the bytes sent to the board; return their number."""
        return len(data)

    def close(self) -> None:
        """Do nothing: recorded bytes hold no device open."""


class RecordedBoard:
    """The board in a recording, as a source of observations: its bytes are decoded anew.

    `settings`: tags, stations and wiring at the time of the recording. A board without bytes for SILENT_S is
    reported as gone.
    """

    def __init__(self, records: Records, settings: RecordedSettings, clock: Clock) -> None:
        self._port = _Port(records, clock)
        self._link = Link("capture", clock, opener=lambda _: self._port, replay=True)
        self._cut = _before_first_frame(records)
        book = read_book(settings.textures)
        self._board = BoardSource(
            self._link,
            settings.tags,
            settings.stations,
            book,
            settings.wires,
            clock=clock,
            buttons=settings.buttons,
        )
        self._clock, self._gone = clock, False
        self.finished = False

    @property
    def damaged(self) -> int:
        """Number of damaged frames (messages of the board) after the first whole frame.

        Earlier damage does not count, because the recording may begin in the middle of a frame.
        """
        return self._link.stats.bad_frames - self._cut

    def poll(self) -> list[Observation]:
        """Return the board's new observations, and a health report when it is gone or back."""
        found = self._board.poll()
        now, heard = self._clock.now(), self._port.heard_at
        gone = -inf < heard < now - SILENT_S
        if gone != self._gone:
            self._gone = gone
            found.append(Health(round(now, 4), "board", not gone, text("nothing is heard") if gone else ""))
        return found

    def close(self) -> None:
        """Close the recorded port."""
        self._board.close()


def _before_first_frame(records: Records) -> int:
    """Number of damaged frames (messages of the board) before the first whole one; all if none is whole."""
    decoder = codec.Decoder()
    for chunk in b"".join(data for _, data in records).split(b"\0"):
        if decoder.feed(chunk + b"\0"):
            break
    return decoder.bad
