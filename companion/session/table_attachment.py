"""Tells a virtual table that an engine watches it."""

import contextlib
import socket
from pathlib import Path

from companion.core.errors import SourceError
from companion.session.stream import connect, encode_line
from companion.session.virtual_table_events import Watching


def tell_table(control: Path, events: Path) -> socket.socket | None:
    """Tell the virtual table with its socket at `control` that an engine watches, whose stream is at `events`.

    Returns the connection. Keep it: the table does not read a connection that is closed at once. None if there
    is no table.
    """
    with contextlib.suppress(SourceError, OSError):
        line = connect(control)
        line.sendall(encode_line(Watching(str(events.absolute()))))
        return line
    return None
