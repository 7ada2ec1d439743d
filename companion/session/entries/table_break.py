"""A break at a virtual table: its players hold, and hands do what a setup step asks for."""

import socket
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from companion.core.errors import BadInputError, SourceError
from companion.core.language import in_english, text
from companion.session.stream.events import Goodbye, Refused
from companion.session.stream.stream import connect, decode_line, encode_line
from companion.session.stream.virtual_table_events import (
    Arrange,
    Arranged,
    PutBack,
    SetPaused,
    TableState,
    WorldEvent,
)

HOLD_S = 60.0
"""HOLD_S: longest time (s) that the players take to finish what they are doing."""
ANSWER_S = 10.0
"""ANSWER_S: longest time (s) until the table answers."""


class TableBreak:
    """The virtual table with its socket at `control`, as whoever does what is asked; for one setup step.

    `begin` holds the players, `end` puts everything back; they play on when an engine watches again.
    """

    def __init__(self, control: Path) -> None:
        self._line: socket.socket = connect(control)
        self._reader = self._line.makefile("rb")
        self._answer = False
        self._were_paused: bool | None = None

    def begin(self) -> None:
        """Hold the players, and wait until nothing moves. SourceError if they do not stop."""
        self._line.sendall(encode_line(SetPaused(True)))
        self._line.settimeout(HOLD_S)
        while True:
            event = self._next()
            if isinstance(event, TableState):
                self._were_paused = event.paused if self._were_paused is None else self._were_paused
                if event.held:
                    return

    def ask(self, request: Any) -> None:
        """Begin to do what a setup step asks for."""
        self._line.settimeout(ANSWER_S)
        values = msgspec.to_builtins(asdict(request), enc_hook=in_english)
        self._line.sendall(encode_line(Arrange(type(request).__name__, values)))
        while True:
            event = self._next()
            if isinstance(event, Arranged):
                self._answer = event.more
                return
            if isinstance(event, Refused):
                raise BadInputError(event.text, where="table")

    def answered(self) -> bool:
        """False if there was nothing more of this kind."""
        return self._answer

    def typed(self) -> str:
        """Nobody types at a virtual table."""
        return ""

    def end(self) -> None:
        """Put everything back. The players go on once an engine watches, unless a person had held them."""
        self._line.sendall(encode_line(PutBack(play=not self._were_paused)))
        self._reader.close()
        self._line.close()

    def _next(self) -> WorldEvent:
        try:
            line = self._reader.readline()
        except OSError as error:
            raise SourceError(text("the virtual table does not answer"), where=str(error)) from None
        if not line:
            raise SourceError(text("the virtual table is gone"), where="table")
        event: WorldEvent = decode_line(line, WorldEvent)
        if isinstance(event, Goodbye):
            raise SourceError(text("the virtual table is gone"), where="table")
        return event
