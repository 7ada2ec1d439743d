"""The engine's reports to a virtual table: that it watches, and how far it has followed."""

import contextlib
import socket
from pathlib import Path

from companion.core.errors import SourceError
from companion.session.stream.stream import connect, encode_line
from companion.session.stream.virtual_table_events import Followed, LayBack, Watching, WorldCommand

_CHUNK = 65536


class TableAttachment:
    """A connection from an engine to a virtual table.

    Until `attach` is called, and once the table is gone, its methods do nothing. None of them blocks.
    """

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._told: Followed | None = None

    def attach(self, control: Path, events: Path) -> None:
        """Connect to a virtual table as its watching engine.

        `control`: socket of the table. `events`: socket at which the engine serves its events.
        """
        with contextlib.suppress(SourceError, OSError):
            self._socket = connect(control)
            self._send(Watching(str(events.absolute())))
            self._socket.setblocking(False)

    def follow(self, seen_at: float, read: bool) -> None:
        """Tell the virtual table which camera picture is processed.

        `seen_at`: time of the picture (s, monotonic clock). `read`: True if everything in it was decoded and
        explained. A repeated report is not sent.
        """
        told = Followed(round(seen_at, 4), read)
        if self._socket is None or told == self._told:
            return
        self._told = told
        try:
            # A full buffer drops this report: the table receives the next one.
            with contextlib.suppress(BlockingIOError):
                self._send(told)
            # The table sends every client its events and cuts off clients that do not read: discard them.
            with contextlib.suppress(BlockingIOError):
                while self._socket.recv(_CHUNK):
                    pass
                self.close()
        except OSError:
            self.close()

    def lay_back(self, state: str, action: str) -> None:
        """Make the virtual table undo an action with its cards.

        `action`: the undone action. `state`: the game state before it. Both are in the notation of the rules.
        """
        if self._socket is None:
            return
        try:
            with contextlib.suppress(BlockingIOError):
                self._send(LayBack(state, action))
        except OSError:
            self.close()

    def close(self) -> None:
        """Disconnect from the virtual table."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, command: WorldCommand) -> None:
        assert self._socket is not None
        self._socket.sendall(encode_line(command))
