"""Host's serial ports: find the board's, open, explain failures."""

import errno
import fcntl
import os
import select
import termios
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import serial
from serial.tools import list_ports as serial_list

from firmware.reasons import OtherDevice, PortFault, Reason, SeveralBoards, Simple

PICO_VENDOR = 0x2E8A  # USB vendor id of Raspberry Pi
_BY_ID = Path("/dev/serial/by-id")
PSEUDO = "/dev/pts/"
"""Beginning of the names of pseudo-terminals, which virtual boards use."""
_NUMBERED = "/dev/tty"
"""Beginning of device names that the system numbers."""


class Port(Protocol):
    """Line to a board.

    No call blocks; OSError means that the line is lost.
    """

    def read(self) -> bytes:
        """Read the bytes that have arrived; b"" for none."""
        ...

    def write(self, data: bytes) -> int:
        """Write what fits, and return the number of bytes."""
        ...

    def close(self) -> None:
        """Close the port."""
        ...


@runtime_checkable
class EndingPort(Protocol):
    """Port that ends, such as a recording."""

    @property
    def finished(self) -> bool:
        """True after everything in the port was read."""
        ...


@dataclass(frozen=True, slots=True)
class PortInfo:
    """Serial port that may be a board's.

    `device`: its name by number, such as "/dev/ttyACM0". `stable`: its name by serial number; "" if the system
    gives none. `serial_number`: the board's USB serial number, or "". `description`: for people.
    """

    device: str
    stable: str
    serial_number: str
    description: str

    @property
    def best(self) -> str:
        """Name by which to open the port: the stable one, if there is one."""
        return self.stable or self.device


class SerialPort:
    """Serial device or pseudo-terminal, opened exclusively by pyserial.

    OSError if it cannot be opened.
    """

    def __init__(self, path: str) -> None:
        # Exclusive, because two programs on one board get half of its bytes each. pyserial locks out programs
        # that ask for a lock, the system all others.
        try:
            self._serial = serial.Serial(path, 115200, timeout=0, write_timeout=0, exclusive=True)
        except termios.error as error:  # unplugged during opening
            raise OSError(*error.args) from error
        self._fd: int = self._serial.fileno()
        # A pseudo-terminal would stay locked if this program is killed.
        if not str(Path(path).resolve()).startswith(PSEUDO):
            fcntl.ioctl(self._fd, termios.TIOCEXCL)

    def read(self) -> bytes:
        """Bytes that have arrived, at most 4 KiB."""
        return bytes(self._serial.read(4096))

    def write(self, data: bytes) -> int:
        """Write what fits without blocking; return its byte count."""
        # pyserial's own write spins while the system's buffer is full.
        _, writable, _ = select.select([], [self._fd], [], 0)
        if not writable:
            return 0
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Close the device."""
        self._serial.close()


class FollowedPort:
    """Opener that follows one board by its USB serial number, whatever its port's name.

    Systems number ports in the order of plugging in. After a power cut two boards may have swapped names, or
    another device has the old name. Neither is opened. Names below by-id do not change.
    """

    def __init__(self, serial_number: str = "", expected: str = "") -> None:
        """Prepare to follow the board with this USB serial number; "" for the first board that is opened.

        `expected` is the serial number of the board that was set up. While it is plugged in, it is preferred
        to a port named by number, such as /dev/ttyACM0.
        """
        self._serial_number = serial_number
        self._expected = expected

    def __call__(self, name: str) -> SerialPort:
        """Open the followed board's port, or the port `name`.

        From then on the board of this port is followed. FileNotFoundError if neither is there. NoBoardError if
        another device has the name.
        """
        found = list_ports()
        wanted = self._serial_number or (self._expected if name.startswith(_NUMBERED) else "")
        numbered = (port.device for port in found if wanted and has_serial_number(port, wanted))
        device = next(numbered, "") or self._named(name, found)
        opened = SerialPort(device)
        self._serial_number = next((p.serial_number for p in found if p.device == device), self._serial_number)
        return opened

    def _named(self, name: str, found: Sequence[PortInfo]) -> str:
        """Device of the port `name`; NoBoardError if it is a device other than the followed board."""
        device = str(Path(name).resolve())
        there = next((port for port in found if port.device == device), None)
        if self._serial_number and Path(name).exists() and (there is None or there.serial_number):
            raise NoBoardError(OtherDevice(name))
        return name if there is None else device


def has_serial_number(port: PortInfo, serial_number: str) -> bool:
    """True if the board at this port has this USB serial number, upper and lower case alike."""
    return port.serial_number.lower() == serial_number.lower()


class NoBoardError(FileNotFoundError):
    """No board, or not the followed board, is connected: what to open is unknown.

    `reason` says which case it is. A port that was named wrongly raises another error.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(errno.ENOENT, "no board")
        self.reason = reason


class AnyBoard:
    """Opener of the only connected board, which it follows.

    If several boards are connected, it opens the one with the USB serial number `expected`.
    """

    def __init__(self, expected: str = "") -> None:
        self._follow = FollowedPort()
        self._expected = expected
        self._name = ""

    def __call__(self, _: str) -> SerialPort:
        """Open the port of the board, whatever name is given.

        NoBoardError if there is no board, or several.
        """
        if not self._name:
            found = preferred(list_ports(), self._expected)
            if len(found) != 1:
                names = tuple(port.best for port in found)
                raise NoBoardError(SeveralBoards(names) if found else Simple.NO_BOARD)
            self._name = found[0].best
        return self._follow(self._name)


def preferred(found: list[PortInfo], expected: str) -> list[PortInfo]:
    """Choose the port of the board that was set up, if it is there.

    `found`: ports. `expected`: the board's USB serial number. Returns its port alone, or all of `found`
    without it.
    """
    return [port for port in found if expected and has_serial_number(port, expected)] or found


def list_ports() -> list[PortInfo]:
    """List Raspberry Pi boards' ports, sorted by device name.

    A port has a stable name where the system gives one.
    """
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


def nameable(path: str) -> bool:
    """Whether a file can have this path: valid letters, not empty, not too long.

    The file need not exist.
    """
    try:
        path.encode()  # a name that is no UTF-8 is no port's
        Path(path).lstat()
    except ValueError:
        return False
    except OSError as error:
        return error.errno != errno.ENAMETOOLONG
    return bool(path)


def explain(error: OSError) -> Reason:
    """Turn a port's OSError into a reason, such as NO_PERMISSION or PORT_IN_USE."""
    if isinstance(error, NoBoardError):
        return error.reason
    if error.errno == errno.ENOENT:
        return Simple.NO_SUCH_PORT
    if error.errno in (errno.EACCES, errno.EPERM):
        return Simple.NO_PERMISSION
    if error.errno in (errno.EBUSY, errno.EAGAIN):
        return Simple.PORT_IN_USE
    if error.errno in (errno.EIO, errno.ENXIO, errno.ENODEV, None):
        return Simple.PORT_VANISHED
    return PortFault(error.strerror or str(error))
