"""One view of the table: follows the engine, and keeps the newest page for any number of browsers.

A page is complete: a newer one replaces all earlier ones. A browser that reads slowly skips some, and nobody
waits for it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

import msgspec

from companion.bridges.web.page_state import Page, page_state
from companion.core.language import current, speaking, tr
from companion.dashboard.model import PublicModel
from companion.dashboard.screens.verdict_and_score import BREATH_S, VERDICT_S
from companion.session.entries.without_keys import WithoutKeys
from companion.session.stream.commands import Command
from companion.session.stream.events import Accepted, Claimed, Event, Refused, Welcome
from companion.session.stream.stream_client import SocketPath, StreamClient

LEAST_S = 0.25
"""Shortest time (s) between two pages, as on terminals."""
ANSWER_S = 5.0
"""How long (s) to wait for the engine's answer to a command. A guess."""


class WebView:
    """The page in one language, kept up to date by one connection to the engine.

    Any number of browsers may read it. `engine`: the engine's socket. `more`: returns what this view adds to
    each page. `breath_s`: pause (s) before the word of a verdict. `language`: its code; "": this process's.
    `version`: number of pages made. `newest`: the last page (JSON).
    """

    def __init__(
        self,
        engine: SocketPath,
        more: Callable[[PublicModel], Page] = lambda _model: {},
        *,
        breath_s: float = BREATH_S,
        language: str = "",
    ) -> None:
        self.language = language or current().code
        """Language code of the readers, such as "de"."""
        self.model = PublicModel()
        self.followers = 0
        """Number of browsers that follow the view now."""
        self.left_s = time.monotonic()
        """Time (monotonic, s) at which the last browser left.

        Before the first browser: when the view was made.
        """
        self.version = 0
        self.newest = b""
        self.shows_table = False
        """True once `newest` has the engine's table in it."""
        self.ended = False
        """True once the view was given back. Browsers that follow it are then cut off."""
        self.client: StreamClient[Event, Command] = StreamClient(
            engine, Event, self._take, self._link, language=lambda: WithoutKeys(self.language)
        )
        self._more = more
        self._breath_s = breath_s
        self._claimed: Claimed | None = None
        self._told = True
        self._timers: list[asyncio.TimerHandle] = []
        self._due: asyncio.TimerHandle | None = None
        self._last_s = float("-inf")
        self._news = asyncio.Condition()
        self._sending = asyncio.Lock()
        self._unanswered: deque[asyncio.Future[str]] = deque()
        """Answers that the engine still owes, in the order of the commands."""
        self._encode = msgspec.json.Encoder().encode
        self._publish()

    async def run(self) -> None:
        """Follow the engine until cancelled."""
        try:
            await self.client.run()
        finally:
            self._forget_verdict()
            if self._due is not None:
                self._due.cancel()

    async def newer_than(self, version: int) -> tuple[int, bytes]:
        """Wait for a page newer than number `version`, or for the end of the view.

        Returns (number of the newest page, its JSON).
        """
        async with self._news:
            await self._news.wait_for(lambda: self.version > version or self.ended)
        return self.version, self.newest

    async def command(self, command: Command) -> str:
        """Send a command to the engine, and wait for its answer.

        Returns why it was refused, as a sentence; "" if it was not, or without an answer within ANSWER_S.
        Commands are sent one after another, because browsers share the connection and an answer names no
        command.
        """
        async with self._sending:
            if self.model.foreign or not self.client.send(command):
                return tr("Not sent: no engine is there that understands it.")
            answer = asyncio.get_running_loop().create_future()
            self._unanswered.append(answer)
            try:
                why = await asyncio.wait_for(answer, ANSWER_S)
            except TimeoutError:
                return ""
            return self.model.names.put_into(why)

    def _answered(self, why: str) -> None:
        """Give the engine's answer to the sender of the oldest command, if that still waits."""
        if self._unanswered and not (answer := self._unanswered.popleft()).done():
            answer.set_result(why)

    def end(self) -> None:
        """End the view for all its browsers."""
        self.ended = True
        asyncio.ensure_future(self._tell())  # noqa: RUF006 - it waits for nothing but the lock

    def speak(self, language: str) -> None:
        """Change the view's language.

        The engine repeats its events for it.
        """
        if language != self.language:
            self.language = language
            self.client.renew()
            self._make()

    def changed(self) -> None:
        """Have a new page made: at once, or LEAST_S after the last one."""
        if self._due is None:
            loop = asyncio.get_running_loop()
            self._due = loop.call_at(max(loop.time(), self._last_s + LEAST_S), self._make)

    def _make(self) -> None:
        """Make a page now, and wake the browsers that wait for it."""
        self._due = None
        self._last_s = asyncio.get_running_loop().time()
        if self._publish():
            asyncio.ensure_future(self._tell())  # noqa: RUF006 - it waits for nothing but the lock

    def _publish(self) -> bool:
        """Make a page, unless it equals the last one. True if there is a new page."""
        with speaking(self.language):
            page = page_state(self.model, claimed=self._claimed, breath=not self._told) | self._more(self.model)
            made = self._encode(page)
        if made == self.newest:
            return False
        self.newest = made
        self.shows_table = self.model.table is not None
        self.version += 1
        return True

    async def _tell(self) -> None:
        """Wake all browsers that wait for a newer page."""
        async with self._news:
            self._news.notify_all()

    def _link(self, live: bool) -> None:
        """Note whether the engine is connected (`live`). Open commands count as answered."""
        while self._unanswered:  # an answer never comes over another connection
            self._answered("")
        self.model.connected(live)
        self.changed()

    def _take(self, event: Event) -> None:
        """Note an event of the engine, and have a new page made."""
        self.model.take(event)
        if isinstance(event, Refused | Accepted):
            self._answered(event.text if isinstance(event, Refused) else "")
        if isinstance(event, Claimed) and not self.model.foreign:
            self._hold_breath(event)
        elif isinstance(event, Welcome):
            self._forget_verdict()
        self.changed()

    def _hold_breath(self, said: Claimed) -> None:
        """Show a claim at once, its verdict after `breath_s`, and remove both later."""
        self._forget_verdict()
        self._claimed, self._told = said, self._breath_s <= 0
        later = asyncio.get_running_loop().call_later
        self._timers = [
            later(self._breath_s, self._tell_word),
            later(self._breath_s + VERDICT_S, self._forget_verdict),
        ]

    def _tell_word(self) -> None:
        """Show the word of the verdict."""
        self._told = True
        self.changed()

    def _forget_verdict(self) -> None:
        """Show no verdict any more."""
        for timer in self._timers:
            timer.cancel()
        if self._claimed is not None:
            self._claimed = None
            self.changed()
