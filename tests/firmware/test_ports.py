"""A port belongs to one program: another one is refused, by a lock or by the system."""

import fcntl
import os
import pty
import struct
from collections.abc import Iterator

import pytest

from firmware.host import ports
from firmware.host.ports import SerialPort

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
