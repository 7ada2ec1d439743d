"""`--plain`: the table in lines of text without cursor movements, and commands as typed words."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Any, TextIO

from companion.core.engine_command import ENGINE
from companion.core.language import tr
from companion.core.printable import say
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.plain.plain_lines import event_lines, world_lines
from companion.dashboard.plain.typed_words import WORDS, TypedWords
from companion.session.events import Command, Event
from companion.session.stream_client import StreamClient
from companion.session.virtual_table_events import TableState, TakeSeat, WorldCommand, WorldEvent


class PlainScreen:
    """Follows an engine and, if given, a virtual table, like the drawn dashboard. `seat`: the one that its
    person takes at once, from 1."""

    def __init__(
        self,
        engine: Path,
        table: Path | None = None,
        *,
        started: Sequence[str] = (),
        seat: int = 0,
        command: str = ENGINE,
        words: TextIO = sys.stdin,
        lines: TextIO = sys.stdout,
    ) -> None:
        self.model, self.world = PublicModel(started), WorldModel()
        self.model.command = command
        self.mend = self.theme = ""
        self.unkept = self.stops_engine = False
        self._typed = TypedWords(self.model, self.world)
        self._seat_wanted, self._words, self._lines = seat, words, lines
        self._engine: StreamClient[Event, Command] = StreamClient(engine, Event, self._take, self._link)
        self._table: StreamClient[WorldEvent, WorldCommand] | None = None
        if table is not None:
            self._table = StreamClient(table, WorldEvent, self._take_world, self.world.connected)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()

    def run(self) -> None:
        """Follow until somebody leaves."""
        asyncio.run(self._run())

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.notice(tr("Type {help} for all words.", help=WORDS["help"][0]))
        tasks = [asyncio.ensure_future(self._engine.run())]
        if self._table is not None:
            tasks.append(asyncio.ensure_future(self._table.run()))
        # A thread, for a terminal, a pipe and a file alike; it ends with the program, amid a line if need be.
        Thread(target=self._read, daemon=True).start()
        await self._ended.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _read(self) -> None:
        for line in self._words:
            self.call_from_thread(self.obey, line)
        self.call_from_thread(self.exit)

    def obey(self, line: str) -> None:
        """Do what a typed line means."""
        typed = self._typed.take(line)
        self._say(typed.lines)
        if typed.engine and not all(map(self._engine.send, typed.engine)):
            self.notice(tr("Not sent: no engine is there that understands it."))
        for order in typed.table:
            if self._table is not None:
                self._table.send(order)
        if typed.leaves:
            self.exit()

    def _take(self, event: Event) -> None:
        before = self.model.table
        self.model.take(event)
        if not self.model.foreign:
            self._say(event_lines(event, self.model, before))

    def _link(self, live: bool) -> None:
        self.model.connected(live)
        if not live and self.model.table is not None and not self.model.ended:
            self.notice(tr("One moment: the engine is gone."))

    def _take_world(self, event: WorldEvent) -> None:
        before = self.world.state
        self.world.take(event)
        if isinstance(event, TableState) and self._seat_wanted and self._table is not None:
            self._table.send(TakeSeat(self._seat_wanted))
            self._seat_wanted = 0
        self._say(world_lines(event, self.world, before))

    def _say(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.notice(line)

    # what starts a screen expects of it

    def notice(self, line: str) -> None:
        """Print a line."""
        say(line, file=self._lines)

    def exit(self) -> None:
        """End `run`."""
        self._ended.set()

    def call_from_thread(self, function: Callable[..., Any], *given: Any) -> None:
        """Call this in the thread of `run`."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *given)

    def engine_ended(self) -> None:
        """The engine of this screen has ended well and is not started again. For other threads."""
        self.model.ended = True
        self.call_from_thread(self.exit)
