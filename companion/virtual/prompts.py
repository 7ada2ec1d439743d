"""What the companion asks of the people at the virtual table, read from the events that every screen gets."""

import contextlib
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import BadInputError, SourceError
from companion.games.sleepless_princess.wording import PLACES
from companion.session.events import Event, Goodbye, Question, Said, Table, Welcome
from companion.session.stream import connect, decode_line

ROW = 5
"""Cards that lie open when a game begins."""
_CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Wanted:
    """`beds` (from 0) whose tile has to lie flat for a moment; `zones` whose cards are to be put straight, by
    name, because of a `text`."""

    beds: tuple[int, ...] = ()
    zones: tuple[str, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.beds or self.zones)


NOTHING = Wanted()
SETUP = "setup"
"""The text of what is asked while a game is being laid out."""


def wanted_by(table: Table | None, text: str) -> Wanted:
    """What a screen asks for that shows this table and this question or notice."""
    if table is None:
        return NOTHING
    if table.phase == SETUP:
        unseen = tuple(at for at, view in enumerate(table.places) if not view.name)
        return Wanted(unseen, ("row",) if sum(len(row.cards) for row in table.rows) < ROW else (), SETUP)
    return Wanted((), tuple(zone for zone, words in PLACES.items() if words in text), text)


class Screen:
    """Folds the events of a session into what is asked for now."""

    def __init__(self) -> None:
        self.wanted = NOTHING
        self._table: Table | None = None
        self._text = ""

    def take(self, event: Event) -> None:
        """Show an event."""
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
        self.wanted = wanted_by(self._table, self._text)


class EngineScreen:
    """A screen at the socket of an engine, without a thread and without ever waiting. It asks for nothing while
    no engine is there."""

    def __init__(self) -> None:
        self._screen = Screen()
        self._socket: socket.socket | None = None
        self._pending = b""

    def attach(self, path: Path) -> None:
        """Follow the engine at `path` from now on; nothing if nobody answers."""
        self.close()
        with contextlib.suppress(SourceError, OSError):
            self._socket = connect(path)
            self._socket.setblocking(False)

    def read(self) -> Wanted:
        """What is asked for by now."""
        for line in self._lines():
            # An event of another version is not for these people.
            with contextlib.suppress(BadInputError):
                self._screen.take(decode_line(line, Event))
        return self._screen.wanted

    def close(self) -> None:
        """Look away."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._pending, self._screen = None, b"", Screen()

    def _lines(self) -> Iterable[bytes]:
        """The whole lines that have come since."""
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
