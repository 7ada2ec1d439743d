"""The engine's connection to a virtual table: says that an engine watches, and how far it has followed."""

import contextlib
import socket
from pathlib import Path

from companion.core.errors import SourceError
from companion.session.stream.stream import connect, encode_line
from companion.session.stream.virtual_table_events import Followed, LayBack, Watching, WorldCommand

_CHUNK = 65536


class TableAttachment:
    """A connection to the control socket of a virtual table. It never blocks, and needs no table."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._told: Followed | None = None

    def attach(self, control: Path, events: Path) -> None:
        """Tell the table with its socket at `control` that an engine watches, whose stream is at `events`."""
        with contextlib.suppress(SourceError, OSError):
            self._socket = connect(control)
            self._send(Watching(str(events.absolute())))
            self._socket.setblocking(False)

    def follow(self, seen_at: float, read: bool) -> None:
        """Tell the table that a picture made at `seen_at` (s) was taken in; `read`: all that it shows."""
        told = Followed(round(seen_at, 4), read)
        if self._socket is None or told == self._told:
            return
        self._told = told
        try:
            # A table that is behind itself hears the next one.
            with contextlib.suppress(BlockingIOError):
                self._send(told)
            # It tells every screen of its players. Nobody here reads that, and it cuts off who leaves it lying.
            with contextlib.suppress(BlockingIOError):
                while self._socket.recv(_CHUNK):
                    pass
                self.close()
        except OSError:
            self.close()

    def lay_back(self, state: str, action: str) -> None:
        """Tell the table to lay its cards back as they lay in this state, before this action; both in the
        notation of the rules."""
        if self._socket is None:
            return
        try:
            with contextlib.suppress(BlockingIOError):
                self._send(LayBack(state, action))
        except OSError:
            self.close()

    def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, command: WorldCommand) -> None:
        assert self._socket is not None
        self._socket.sendall(encode_line(command))
