"""A port belongs to one program: another one is refused, by a lock or by the system."""

import fcntl
import os
import pty
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from firmware.host import ports
from firmware.host.ports import PICO_VENDOR, PortInfo, SerialPort

TIOCGEXCL = 0x80045440
"""TIOCGEXCL: asks whether a terminal is exclusive (ioctl_tty(2)); Python has no name for it."""


@pytest.fixture
def line() -> Iterator[int]:
    board, host = pty.openpty()
    yield host
    os.close(board)
    os.close(host)


def is_exclusive(line: int) -> bool:
    (exclusive,) = struct.unpack("i", fcntl.ioctl(line, TIOCGEXCL, b"\0" * 4))
    return bool(exclusive)


def test_a_real_port_is_opened_exclusively(line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "PSEUDO", "/dev/none of these/")
    port = SerialPort(os.ttyname(line))
    assert is_exclusive(line)
    port.close()


def test_the_port_of_a_virtual_board_can_be_opened_again_after_a_crash(line: int) -> None:
    port = SerialPort(os.ttyname(line))
    assert not is_exclusive(line)
    with pytest.raises(OSError, match="lock"):
        SerialPort(os.ttyname(line))
    port.close()
    SerialPort(os.ttyname(line)).close()


def usb(device: str, vendor: int | None, **known: str) -> ListPortInfo:
    """Port as pyserial lists it; what the system does not know is None."""
    port = ListPortInfo(device)
    port.vid, port.serial_number, port.description = vendor, None, None
    vars(port).update(known)
    return port


def test_boards_are_listed_in_order_with_what_the_system_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stable = tmp_path / "usb-Pico"
    stable.symlink_to("/dev/ttyACM9")
    there = [
        usb("/dev/ttyACM9", PICO_VENDOR, serial_number="E661", description="Board in FS mode"),
        usb("/dev/ttyS0", None),
        usb("/dev/ttyACM7", 0x1234, description="Modem"),
        usb("/dev/ttyACM8", PICO_VENDOR),
    ]
    monkeypatch.setattr(ports, "_BY_ID", tmp_path)
    monkeypatch.setattr(ports.serial_list, "comports", lambda: there)
    assert ports.list_ports() == [
        PortInfo("/dev/ttyACM8", "", "", ""),
        PortInfo("/dev/ttyACM9", str(stable), "E661", "Board in FS mode"),
    ]


@pytest.mark.parametrize(
    ("path", "may_be"),
    [
        ("/dev/ttyACM0", True),
        ("no such file", True),
        ("", False),
        ("a\0b", False),
        ("\udcff", False),
        ("x" * 300, False),
    ],
)
def test_what_can_be_the_path_of_a_port(path: str, may_be: bool) -> None:
    assert ports.nameable(path) is may_be
