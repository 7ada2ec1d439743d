"""The connection to a stream: events in, commands out, reconnecting for ever."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.core.errors import BadInputError
from companion.core.language import Language
from companion.session.stream.stream import decode_line, encode_line

_LINE_LIMIT = 1 << 20
"""Longest line of an event (bytes). A longer one does not come from an engine."""
RETRY_S = (0.2, 0.5, 1.0, 2.0)
"""Waits between attempts; the last one repeats."""

E = TypeVar("E")
C = TypeVar("C")


class StreamClient(Generic[E, C]):
    """Follows the stream at `path` until cancelled.

    `on_event` gets every event of `union`. `on_link` gets True when a connection is made and False when it is
    lost (once at the start if nobody answers). Lines that are no events are counted in `bad_lines` and skipped;
    `on_bad` gets the count, which restarts with every connection. `language`: that of
    the sentences, None for that of this process.
    """

    def __init__(
        self,
        path: Path,
        union: Any,
        on_event: Callable[[E], None],
        on_link: Callable[[bool], None],
        *,
        on_bad: Callable[[int], None] = lambda _count: None,
        retry_s: Sequence[float] = RETRY_S,
        language: Callable[[], Language | None] = lambda: None,
    ) -> None:
        self.path = path
        self.bad_lines = 0
        self._union = union
        self._on_event = on_event
        self._on_link = on_link
        self._on_bad = on_bad
        self._language = language
        self._retry_s = tuple(retry_s)
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Connect, read, connect again."""
        attempt = 0
        said_down = False
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(str(self.path), limit=_LINE_LIMIT)
            except OSError:
                if not said_down:
                    self._on_link(False)
                    said_down = True
            else:
                attempt, said_down = 0, True
                await self._follow(reader, writer)
            await asyncio.sleep(self._retry_s[min(attempt, len(self._retry_s) - 1)])
            attempt += 1

    def renew(self) -> None:
        """Connect again, to get everything anew, e.g. in another language."""
        if self._writer is not None:
            self._writer.close()

    @property
    def connected(self) -> bool:
        """Whether there is a connection."""
        return self._writer is not None and not self._writer.is_closing()

    def send(self, command: C) -> bool:
        """Send a command; False if there is no connection."""
        if self._writer is None or self._writer.is_closing():
            return False
        self._writer.write(encode_line(command))
        return True

    async def _follow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.bad_lines = 0
        self._on_link(True)
        try:
            await self._read(reader)
        except OSError:
            pass  # a killed engine ends the connection with an error as often as with an end of file
        finally:
            self._writer = None
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        self._on_link(False)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while True:
            try:
                line = await reader.readline()
            except ValueError:  # longer than the limit: asyncio has thrown it away
                self._bad()
                continue
            if not line.endswith(b"\n"):
                return  # the end, perhaps in the middle of a line
            try:
                event: E = decode_line(line, self._union, self._language())
            except BadInputError:
                self._bad()
                continue
            self._on_event(event)

    def _bad(self) -> None:
        self.bad_lines += 1
        self._on_bad(self.bad_lines)
