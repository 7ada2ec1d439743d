"""Serial ports of the host: find the board's, open it without blocking, explain failures."""

import errno
import fcntl
import os
import select
import termios
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import serial
from serial.tools import list_ports as serial_list

from companion.core.language import text

PICO_VENDOR = 0x2E8A
_BY_ID = Path("/dev/serial/by-id")
PSEUDO = "/dev/pts/"
"""PSEUDO: begin of the names of pseudo-terminals, e.g. of virtual boards."""
_NUMBERED = "/dev/tty"
"""Begin of the names that the system numbers."""
NO_BOARD, PLUG_IN = text("no board found"), text("plug the board in, or name its port")


class Port(Protocol):
    """A line to the board. Neither call blocks; OSError means that the line is lost."""

    def read(self) -> bytes: ...
    def write(self, data: bytes) -> int: ...
    def close(self) -> None: ...


@runtime_checkable
class EndingPort(Protocol):
    """A port that ends, like a recording."""

    @property
    def finished(self) -> bool:
        """Whether everything has been read."""
        ...


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A serial port that may be a board's; `stable` is its name by serial number, if the system has one."""

    device: str
    stable: str
    serial_number: str
    description: str

    @property
    def best(self) -> str:
        """The name to open."""
        return self.stable or self.device


class SerialPort:
    """A real serial device or a pty, by pyserial. OSError if it cannot be opened."""

    def __init__(self, path: str) -> None:
        # Exclusive: two programs that read one board get half of it each. pyserial locks out those that ask
        # for a lock, the system all others.
        try:
            self._serial = serial.Serial(path, 115200, timeout=0, write_timeout=0, exclusive=True)
        except termios.error as error:  # unplugged while it is being opened
            raise OSError(*error.args) from error
        self._fd: int = self._serial.fileno()
        # A pseudo-terminal would stay closed to the next program if this one is killed.
        if not str(Path(path).resolve()).startswith(PSEUDO):
            fcntl.ioctl(self._fd, termios.TIOCEXCL)

    def read(self) -> bytes:
        """All bytes that are there, at most 4 KiB."""
        return bytes(self._serial.read(4096))

    def write(self, data: bytes) -> int:
        """Write without blocking. Returns the number of bytes."""
        # pyserial's own write spins while the system's buffer is full.
        _, writable, _ = select.select([], [self._fd], [], 0)
        if not writable:
            return 0
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Close the port."""
        self._serial.close()


class FollowedPort:
    """Opens a port by name, or the board of a known USB serial number whatever its port is called.

    Systems number ports in the order of plugging in: after a power cut two boards may have each other's name,
    or another maker's device has the old one. Neither of them is opened. by-id names do not change.
    """

    def __init__(self, serial_number: str = "", expected: str = "") -> None:
        """`serial_number` if only that is known of the board. `expected`: serial number of the board that was
        set up; it wins over a numbered name. As long as that board is not there, the name counts."""
        self._serial_number = serial_number
        self._expected = expected

    def __call__(self, name: str) -> SerialPort:
        """The opened port; FileNotFoundError if neither the name nor the board is there."""
        found = list_ports()
        wanted = self._serial_number or (self._expected if name.startswith(_NUMBERED) else "")
        device = next((port.device for port in found if wanted and has_serial_number(port, wanted)), "")
        if not device:
            device = str(Path(name).resolve())
            there = next((port for port in found if port.device == device), None)
            if self._serial_number and Path(name).exists() and (there is None or there.serial_number):
                reason = text("the board is not there; {name} is another device now", name=name)
                raise NoBoardError(errno.ENOENT, reason)
            device = name if there is None else device
        opened = SerialPort(device)
        self._serial_number = next((p.serial_number for p in found if p.device == device), self._serial_number)
        return opened


def has_serial_number(port: PortInfo, serial_number: str) -> bool:
    """Whether the port is of this board. A board tells its number in small letters, USB in capital ones."""
    return port.serial_number.lower() == serial_number.lower()


class NoBoardError(FileNotFoundError):
    """There is no board to open, although no name is wrong."""


class AnyBoard:
    """Opens the only connected board under any name, and follows that board from then on.

    Of several the `expected` one is opened, by its serial number.
    """

    def __init__(self, expected: str = "") -> None:
        self._follow = FollowedPort()
        self._expected = expected
        self._name = ""

    def __call__(self, _: str) -> SerialPort:
        """The opened port; NoBoardError if there is no board, or more than one."""
        if not self._name:
            found = preferred(list_ports(), self._expected)
            if len(found) != 1:
                names = tuple(port.best for port in found)
                reason = text("several boards found: {names}", names=names) if found else NO_BOARD
                raise NoBoardError(errno.ENOENT, reason)
            self._name = found[0].best
        return self._follow(self._name)


def preferred(found: list[PortInfo], expected: str) -> list[PortInfo]:
    """The port of the expected board alone if it is among these; else all of them."""
    return [port for port in found if expected and has_serial_number(port, expected)] or found


def list_ports() -> list[PortInfo]:
    """Ports whose USB vendor is Raspberry Pi, by their stable name if there is one."""
    stable = {}
    if _BY_ID.is_dir():
        stable = {str(link.resolve()): str(link) for link in sorted(_BY_ID.iterdir())}
    return [
        PortInfo(
            port.device,
            stable.get(str(Path(port.device).resolve()), ""),
            port.serial_number or "",
            port.description or "",
        )
        for port in sorted(serial_list.comports(), key=lambda port: str(port.device))
        if port.vid == PICO_VENDOR
    ]


def explain(error: OSError) -> tuple[str, str]:
    """(what is wrong, the next step) for a port that could not be opened or was lost."""
    if isinstance(error, NoBoardError):
        return error.strerror or NO_BOARD, PLUG_IN
    if error.errno == errno.ENOENT:
        return text("no such port"), text("plug the board in, or name another port")
    if error.errno in (errno.EACCES, errno.EPERM):
        return text("no permission to open the port"), text(
            "add yourself to the group dialout and log in again"
        )
    if error.errno in (errno.EBUSY, errno.EAGAIN):
        return text("the port is in use by another program"), text("close the other program")
    if error.errno in (errno.EIO, errno.ENXIO, errno.ENODEV, None):
        return text("the port vanished"), text("check the cable")
    return error.strerror or str(error), text("check the cable and the port's name")
