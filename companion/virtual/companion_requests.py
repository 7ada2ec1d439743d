"""Requests of the companion to people at the virtual table, read from events for screens."""

import contextlib
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.core.errors import BadInputError, SourceError
from companion.core.language import IN_ENGLISH
from companion.session.stream.commands import Command
from companion.session.stream.events import Event, Goodbye, Question, Said, Table, Welcome
from companion.session.stream.stream import connect, decode_line, encode_line

_CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request of the companion's screen to the people at the table.

    `places`: places (from 0, in the screen's order) of which a card must be shown to the camera once more.
    `zones`: zones whose cards must be straightened. `text`: the question or notice that asks for it. `over`:
    True while the screen says that the game is over, so that nobody plays on. `turns`: True while the screen
    shows a turn of a game that is not over.
    """

    places: tuple[int, ...] = ()
    zones: tuple[str, ...] = ()
    text: str = ""
    over: bool = False
    turns: bool = False

    def __bool__(self) -> bool:
        return bool(self.places or self.zones)


NOTHING = Wanted()
"""NOTHING: empty request; people need not do anything."""
SETUP = "setup"
"""Value of `Wanted.text` while a game is being laid out."""
WantedBy = Callable[[Table | None, str], Wanted]
"""Function (table shown, question or notice) -> what the screen asks of people."""


class Screen:
    """Screen of a session, read for its requests (`wanted`)."""

    def __init__(self, wanted_by: WantedBy) -> None:
        self.wanted = NOTHING
        self._wanted_by = wanted_by
        self._table: Table | None = None
        self._text = ""

    def take(self, event: Event) -> None:
        """Update `wanted` by an event of the session.

        `wanted_by` of the constructor decides what table and text ask for.
        """
        match event:
            case Welcome() | Goodbye():
                self._table, self._text = None, ""
            case Table():
                self._table = event
            case Question(text):
                self._text = text
            case Said(_, text, "notice"):
                self._text = text
            case _:
                return
        wanted = self._wanted_by(self._table, self._text)
        over = self._table is not None and self._table.over
        turns = self._table is not None and self._table.turn > 0 and not over
        self.wanted = replace(wanted, over=over, turns=turns)


class EngineScreen:
    """Screen that reads the events of an engine's socket, without blocking.

    It asks for nothing while not connected. `wanted_by`: decides what a table and a text ask of people.
    """

    def __init__(self, wanted_by: WantedBy) -> None:
        self._wanted_by = wanted_by
        self._screen = Screen(wanted_by)
        self._socket: socket.socket | None = None
        self._pending = b""

    def attach(self, path: Path) -> None:
        """Connect to the engine's socket at `path`.

        Does nothing if no engine answers there.
        """
        self.close()
        with contextlib.suppress(SourceError, OSError):
            self._socket = connect(path)
            self._socket.setblocking(False)

    def read(self) -> Wanted:
        """Read all new events; return what the screen asks now."""
        for line in self._lines():
            # An event of another version is ignored.
            with contextlib.suppress(BadInputError):
                self._screen.take(decode_line(line, Event, IN_ENGLISH))
        return self._screen.wanted

    def send(self, command: Command) -> None:
        """Send the engine a command, as a key at this screen would.

        Does nothing while not connected.
        """
        with contextlib.suppress(OSError):
            if self._socket is not None:
                self._socket.sendall(encode_line(command))

    def close(self) -> None:
        """Close the connection and forget the request."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._pending, self._screen = None, b"", Screen(self._wanted_by)

    def _lines(self) -> Iterable[bytes]:
        """Socket's complete lines since the last call."""
        while self._socket is not None:
            try:
                data = self._socket.recv(_CHUNK)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.close()
                return
            self._pending += data
        *lines, self._pending = self._pending.split(b"\n")
        yield from lines
