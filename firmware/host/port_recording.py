"""Captures: all bytes read from a port with their times, and a port that plays them.

A capture is the line `companion-capture 1`, then records. A record is the time in seconds (little-endian
float64), the length (u32), and that many bytes.
"""

import math
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from firmware.clock import Clock, Gate
from firmware.errors import UnusableError
from firmware.reasons import (
    CaptureOfOtherVersion,
    CaptureUnreadable,
    CaptureUnwritable,
    Reason,
    RecordCut,
    RecordDamaged,
    Simple,
)

MAGIC = b"companion-capture 1\n"
_FAMILY = b"companion-capture "
_HEAD = struct.Struct("<dI")
_LARGEST = 1 << 20  # bytes: a longer record is damage; a read takes 64 KiB at most
Records = list[tuple[float, bytes]]
"""Records of a capture: (time in s, bytes read)."""


class PortRecorder(Protocol):
    """Receiver of a port's bytes, with their times.

    It gets all bytes that are read.
    """

    def record(self, t: float, data: bytes) -> None:
        """Record bytes read at `t` (s)."""
        ...


class CaptureWriter:
    """Writer of a new capture file at `path`.

    Each record is flushed, so a crash loses nothing. Only the file's owner may read it. UnusableError if the
    file exists or cannot be made.
    """

    def __init__(self, path: str | Path) -> None:
        try:
            self._file = os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
        except FileExistsError as error:
            raise UnusableError(Simple.CAPTURE_EXISTS, str(path)) from error
        except OSError as error:
            raise UnusableError(CaptureUnwritable(error.strerror or str(error)), str(path)) from error
        self._file.write(MAGIC)
        self._file.flush()

    def record(self, t: float, data: bytes) -> None:
        """Append the bytes `data`, read at `t` (s); empty data is not recorded."""
        if data:
            self._file.write(_HEAD.pack(t, len(data)) + data)
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_capture(path: str | Path, *, allow_cut: bool = False) -> Records:
    """Read all capture records: pairs (time in s, bytes).

    `allow_cut`: leave out an incomplete last record, which is an error otherwise. UnusableError for a file
    that is no capture, another version, or damage.
    """
    where = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UnusableError(CaptureUnreadable(error.strerror or str(error)), where) from error
    if not data.startswith(MAGIC):
        if data.startswith(_FAMILY):
            line = data[:40].split(b"\n")[0].decode("ascii", "replace")
            raise UnusableError(CaptureOfOtherVersion(line), where)
        raise UnusableError(Simple.NO_CAPTURE, where)
    records, fault = _scan(data)
    if fault is not None and not (isinstance(fault, RecordCut) and allow_cut):
        raise UnusableError(fault, where)
    return records


def salvaged_capture(path: Path) -> tuple[Records, Reason | str | None]:
    """Read a capture's records up to its first damage.

    Returns (records, damage); the damage is None for a whole file. A record is (time in s, bytes read).
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        return [], error.strerror or str(error)
    if not data.startswith(MAGIC):
        return [], Simple.NO_CAPTURE
    return _scan(data)


def write_capture(path: Path, records: Iterable[tuple[float, bytes]]) -> None:
    """Write a new capture from records (time in s, bytes).

    UnusableError if the file exists or cannot be made.
    """
    writer = CaptureWriter(path)
    for t, data in records:
        writer.record(t, data)
    writer.close()


def _scan(data: bytes) -> tuple[Records, RecordDamaged | RecordCut | None]:
    """Split a capture's bytes into records.

    Returns (records up to the first damage, damage or None).
    """
    records: Records = []
    at = len(MAGIC)
    while at < len(data):
        cut = at + _HEAD.size > len(data)
        t, size = (0.0, 0) if cut else _HEAD.unpack_from(data, at)
        if not cut and (size > _LARGEST or not math.isfinite(t)):
            return records, RecordDamaged(len(records) + 1)
        end = at + _HEAD.size + size
        if cut or end > len(data):
            return records, RecordCut(len(records) + 1)
        records.append((t, data[at + _HEAD.size : end]))
        at = end
    return records, None


class CapturePort:
    """Port that plays a capture in its own time and discards what is written.

    The first record comes at once. With a `gate`, it comes when the
    gate opens. UnusableError if the capture cannot be read.
    """

    def __init__(self, path: str | Path, clock: Clock, *, gate: Gate | None = None) -> None:
        self._records = read_capture(path)
        self._clock = clock
        self._gate = gate
        self._start = clock.now()
        self._first = self._records[0][0] if self._records else 0.0
        self._at = 0

    @property
    def finished(self) -> bool:
        """True after the last record."""
        return self._at >= len(self._records)

    def read(self) -> bytes:
        """Bytes of all records that are due."""
        if self._gate is not None:
            if self._gate.opened is None:
                return b""
            self._start = self._gate.opened
        due = self._clock.now() - self._start + self._first + 1e-6
        out = bytearray()
        while not self.finished and self._records[self._at][0] <= due:
            out += self._records[self._at][1]
            self._at += 1
        return bytes(out)

    def write(self, data: bytes) -> int:
        """Discard `data`, and pretend that all of it was written."""
        return len(data)

    def close(self) -> None:
        """Do nothing: a capture holds no device."""
