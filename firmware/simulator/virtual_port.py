"""The board's end of a virtual serial line: a real pty, or a pipe in memory."""

import contextlib
import os
import select
import tempfile
import tty
from pathlib import Path
from typing import Protocol


class BoardEnd(Protocol):
    """The board's end of a virtual serial line; the host opens `path`."""

    path: str

    def plug(self) -> None:
        """Make the port appear."""
        ...

    def unplug(self) -> None:
        """Make the port disappear."""
        ...

    def host_there(self) -> bool:
        """True while a host has the port open."""
        ...

    def read(self) -> bytes:
        """Bytes that the host sent, b"" for none."""
        ...

    def write(self, data: bytes) -> int:
        """Send what fits to the host, and return the number of bytes."""
        ...

    def close(self) -> None:
        """Make the port disappear for good; free its resources."""
        ...


class Folder(Protocol):
    """Folder at `path` that `close` removes."""

    path: Path

    def close(self) -> None: ...


class _Temporary:
    """Folder that is removed with this process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="board-", ignore_cleanup_errors=True)
        self.path = Path(self._folder.name)

    def close(self) -> None:
        self._folder.cleanup()


class PtyEnd:
    """Pseudo-terminal under a name that survives plugging in again.

    The name lies in `folder`, by default a temporary one.
    """

    def __init__(self, folder: Folder | None = None) -> None:
        self._folder = folder or _Temporary()
        self.path = str(self._folder.path / "ttyVirtualBoard")
        self._fd = -1

    def plug(self) -> None:
        """Make a new pty and point the name at it."""
        self._fd, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._fd, False)
        Path(self.path).symlink_to(os.ttyname(slave))
        # Closed here, so that a hangup on the master shows that no host has the port open.
        os.close(slave)

    def fileno(self) -> int:
        """File descriptor of the pseudo-terminal's board end; -1 if unplugged.

        A process that acts as the board reads and writes there.
        """
        return self._fd

    def unplug(self) -> None:
        """Remove the device and its name; a host that has it open reads errors."""
        if self._fd >= 0:
            Path(self.path).unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1

    def host_there(self) -> bool:
        """True while a host has the pty open."""
        if self._fd < 0:
            return False
        poller = select.poll()
        poller.register(self._fd, select.POLLIN)
        return not any(bits & select.POLLHUP for _, bits in poller.poll(0))

    def read(self) -> bytes:
        """Bytes that the host sent, b"" for none."""
        if self._fd >= 0:
            with contextlib.suppress(OSError):
                return os.read(self._fd, 4096)
        return b""

    def write(self, data: bytes) -> int:
        """Send what fits to the host, and return the number of bytes.

        The kernel holds about 4 KiB for a host that does not read. Without a port all bytes are lost but
        counted, as on USB.
        """
        if self._fd < 0:
            return len(data)
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)

    def close(self) -> None:
        """Remove the device, its name and its folder for good."""
        self.unplug()
        self._folder.close()


class MemoryEnd:
    """The board's end of a pipe in memory, which behaves like a pty but at once.

    CAPACITY: bytes that it holds for a host that does not read.
    """

    CAPACITY = 4096

    def __init__(self) -> None:
        self.path = "memory"
        self._plugged = False
        self._host: MemoryPort | None = None

    def open(self, _path: str) -> "MemoryPort":
        """Open the host's end, and return it; a link can use this as its opener.

        The name is ignored. OSError while the board is unplugged.
        """
        if not self._plugged:
            raise FileNotFoundError(2, "no such device")
        self._host = MemoryPort()
        return self._host

    def plug(self) -> None:
        """Make the device appear for the host."""
        self._plugged = True

    def unplug(self) -> None:
        """Make the device disappear under the host."""
        self._plugged = False
        if self._host is not None:
            self._host.gone = True
            self._host = None

    def host_there(self) -> bool:
        """True while a host has the device open."""
        return self._host is not None and not self._host.closed

    def read(self) -> bytes:
        """Bytes that the host sent, b"" for none."""
        if self._host is None:
            return b""
        data = bytes(self._host.sent)
        self._host.sent.clear()
        return data

    def write(self, data: bytes) -> int:
        """Send what fits (CAPACITY bytes) to the host, and return the number of bytes.

        Without a host all bytes are lost but counted, as on USB.
        """
        if self._host is None or self._host.closed:
            return len(data)
        room = self.CAPACITY - len(self._host.waiting)
        self._host.waiting += data[:room]
        return min(room, len(data))

    def close(self) -> None:
        """Make the device disappear."""
        self.unplug()


class MemoryPort:
    """The host's end of a pipe in memory, with the interface of a port."""

    def __init__(self) -> None:
        self.waiting = bytearray()
        self.sent = bytearray()
        self.gone = False
        self.closed = False

    def read(self) -> bytes:
        """Read the bytes that the board sent; b"" for none, OSError if it was unplugged."""
        if self.gone:
            raise OSError(5, "device unplugged")
        data = bytes(self.waiting)
        self.waiting.clear()
        return data

    def write(self, data: bytes) -> int:
        """Send all of `data` to the board, and return its length; OSError if it was unplugged."""
        if self.gone:
            raise OSError(5, "device unplugged")
        self.sent += data
        return len(data)

    def close(self) -> None:
        """Close the host's end."""
        self.closed = True
