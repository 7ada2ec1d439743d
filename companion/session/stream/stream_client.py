"""A client that follows an engine's event stream, reconnecting forever."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.core.errors import BadInputError
from companion.core.language import Language
from companion.session.stream.stream import decode_line, encode_line

_LINE_LIMIT = 1 << 20
"""Longest line of an event (bytes) that is read. A guess."""
RETRY_S = (0.2, 0.5, 1.0, 2.0)
"""Times (s) to wait between attempts to connect; the last one repeats. Guesses."""

SocketPath = Path | Callable[[], Path]
"""Path of a stream's socket, or a function that finds it.

The function is called before each attempt to connect.
"""

E = TypeVar("E")
C = TypeVar("C")


class StreamClient(Generic[E, C]):
    """Follows an engine's event stream, and reconnects after losses.

    `path`: socket of the stream; as an attribute, the one of the last attempt. `union`: msgspec union of the
    events. `on_event(event)` is called for each
    event.

    `on_link(connected)` is called with True for each new connection, and with False when it is lost. It is
    also called with False once if the first attempt fails.

    `on_bad(count)` is called after each line that is no event; `count`: number of such lines in this
    connection.

    `retry_s`: times (s) to wait between attempts; the last one repeats. `language()` returns the language of
    the sentences; None: the language of this process.
    """

    def __init__(
        self,
        path: SocketPath,
        union: Any,
        on_event: Callable[[E], None],
        on_link: Callable[[bool], None],
        *,
        on_bad: Callable[[int], None] = lambda _count: None,
        retry_s: Sequence[float] = RETRY_S,
        language: Callable[[], Language | None] = lambda: None,
    ) -> None:
        self._find: Callable[[], Path] = partial(Path, path) if isinstance(path, Path) else path
        self.path = self._find()
        self.bad_lines = 0
        self._union = union
        self._on_event = on_event
        self._on_link = on_link
        self._on_bad = on_bad
        self._language = language
        self._retry_s = tuple(retry_s)
        self._writer: asyncio.StreamWriter | None = None
        self._renewed = False
        """This side has dropped the connection, for a new one."""

    async def run(self) -> None:
        """Follow the stream until cancelled; reconnect after each loss."""
        attempt = 0
        said_down = False
        while True:
            self.path = self._find()
            try:
                reader, writer = await asyncio.open_unix_connection(str(self.path), limit=_LINE_LIMIT)
            except OSError:
                if not said_down:
                    self._on_link(False)
                    said_down = True
            else:
                attempt = 0
                said_down = await self._follow(reader, writer)
            await asyncio.sleep(self._retry_s[min(attempt, len(self._retry_s) - 1)])
            attempt += 1

    def renew(self) -> None:
        """Drop the connection, so that a new one is made.

        The engine then sends its whole state again, e.g. in another language. That is no loss to tell.
        """
        if self._writer is not None:
            self._renewed = True
            self._writer.close()

    @property
    def connected(self) -> bool:
        """True while connected to an engine."""
        return self._writer is not None and not self._writer.is_closing()

    def send(self, command: C) -> bool:
        """Send a command to the engine.

        False, and nothing is sent, while not connected.
        """
        if self._writer is None or self._writer.is_closing():
            return False
        self._writer.write(encode_line(command))
        return True

    async def _follow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Pass on events until the connection ends; True if its end was told.

        That is so unless this side dropped it.
        """
        self._writer = writer
        self.bad_lines = 0
        self._on_link(True)
        try:
            await self._read(reader)
        except OSError:
            pass  # the connection to a killed engine often ends with an error instead of an end of file
        finally:
            self._writer = None
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        renewed, self._renewed = self._renewed, False
        if not renewed:
            self._on_link(False)
        return not renewed

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while True:
            try:
                line = await reader.readline()
            except ValueError:  # asyncio has discarded a line longer than the limit
                self._bad()
                continue
            if not line.endswith(b"\n"):
                return  # end of file, perhaps in the middle of a line
            try:
                event: E = decode_line(line, self._union, self._language())
            except BadInputError:
                self._bad()
                continue
            self._on_event(event)

    def _bad(self) -> None:
        self.bad_lines += 1
        self._on_bad(self.bad_lines)
