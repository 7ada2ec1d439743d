"""A break at a virtual table, for one setup step."""

import socket
from contextlib import suppress
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
    WorldCommand,
    WorldEvent,
)

HOLD_S = 60.0
"""Longest time (s) for the virtual players to stop. A guess."""
ANSWER_S = 10.0
"""Longest time (s) for the virtual table's answer. A guess."""


class TableBreak:
    """The virtual person who carries out a setup step.

    `control`: socket of the virtual table. `begin` pauses the players. `end` puts everything back, and the
    players resume once an engine watches. SourceError if no table serves `control`.
    """

    def __init__(self, control: Path) -> None:
        self._line: socket.socket = connect(control)
        self._reader = self._line.makefile("rb")
        self._answer = False
        self._were_paused: bool | None = None

    def begin(self) -> None:
        """Pause the virtual players and wait until nothing moves.

        SourceError if they do not stop within HOLD_S.
        """
        self._send(SetPaused(True))
        self._line.settimeout(HOLD_S)
        while True:
            event = self._next()
            if isinstance(event, TableState):
                self._were_paused = event.paused if self._were_paused is None else self._were_paused
                if event.held:
                    return

    def ask(self, request: Any) -> None:
        """Ask the virtual person to begin what a setup step requests.

        `request`: a dataclass of the step; its class name is the request's name. SourceError if the table does
        not answer; BadInputError if it refuses.
        """
        self._line.settimeout(ANSWER_S)
        values = msgspec.to_builtins(asdict(request), enc_hook=in_english)
        self._send(Arrange(type(request).__name__, values))
        while True:
            event = self._next()
            if isinstance(event, Arranged):
                self._answer = event.more
                return
            if isinstance(event, Refused):
                raise BadInputError(event.text, where="table")

    def answered(self) -> bool:
        """True if the table did what `ask` last requested.

        False if nothing was left to do, e.g. because every card was shown.
        """
        return self._answer

    def typed(self) -> str:
        """Text typed by the virtual person: always empty."""
        return ""

    def end(self) -> None:
        """Put everything back.

        The players resume once an engine watches, unless a person had paused them.
        """
        with suppress(SourceError):  # a table that is gone has nothing to put back
            self._send(PutBack(play=not self._were_paused))
        self._reader.close()
        self._line.close()

    def _send(self, command: WorldCommand) -> None:
        try:
            self._line.sendall(encode_line(command))
        except OSError:
            raise SourceError(text("the virtual table is gone"), where="table") from None

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
