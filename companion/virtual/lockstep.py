"""Waiting for a pty: in lock step nothing may depend on when the kernel hands bytes over."""

import array
import fcntl
import os
import termios
import time
from typing import Protocol

PATIENCE_S = 1.0
"""Longest real wait; a line that is stalled on purpose must not stop a rehearsal."""


class Line(Protocol):
    """The host's end of the board's port."""

    @property
    def received(self) -> int:
        """Bytes read since the port was opened."""
        ...

    @property
    def sent(self) -> int:
        """Bytes written since the port was opened."""
        ...


def settle(path: str, waiting: int) -> None:
    """Return when `waiting` bytes can be read from the terminal at `path`, or patience ends."""
    if waiting <= 0:
        return
    try:
        end = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return  # unplugged: there is nothing to wait for
    try:
        ready = array.array("i", [0])
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            fcntl.ioctl(end, termios.FIONREAD, ready)
            if ready[0] >= waiting:
                return
            time.sleep(0.0001)
    except OSError:
        return
    finally:
        os.close(end)
