"""A served table for tests: a stream that the test feeds, and a client of the page."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from companion.bridges.web.server import PageServer
from companion.session.stream.commands import AskHint, Command
from companion.session.stream.events import Accepted, Event, Refused
from companion.session.stream.stream import StreamServer
from tests.dashboard.test_dashboard_text import TABLE, WELCOME

TOKEN = "a-token-for-tests"


@dataclass
class Engine:
    """The engine's end of the stream: greets every client, and keeps the commands."""

    path: Path
    greeting: tuple[Event, ...] = (WELCOME, TABLE)
    commands: list[tuple[Any, Any]] = field(default_factory=list)
    refusals: dict[Any, str] = field(default_factory=dict)
    """Command -> why it is refused."""

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Open the socket."""
        self.stream: StreamServer[Event, Command] = StreamServer(self.path, Command)
        self.up = True

    def kill(self) -> None:
        """Close every connection without a word."""
        self.up = False
        self.stream.close()

    async def run(self) -> None:
        while True:
            new, received = self.stream.poll() if self.up else ([], [])
            for event in self.greeting:
                self.stream.send(event, new)
            self.commands += received
            for peer, command in received:
                if isinstance(command, AskHint):
                    continue  # its answer is for the test to give
                why = self.refusals.get(command)
                self.stream.send(Accepted() if why is None else Refused(why), [peer])
            await asyncio.sleep(0.005)

    async def asked(self, number: int = 1) -> tuple[Any, Any]:
        """The command with this number, from 1, and who sent it."""
        async with asyncio.timeout(10):
            while len(self.commands) < number:
                await asyncio.sleep(0.005)
        return self.commands[number - 1]


@dataclass
class Served:
    """The server, the engine, and a client."""

    server: PageServer
    engine: Engine
    http: aiohttp.ClientSession
    root: str

    async def get(self, path: str = "", token: str = TOKEN) -> tuple[int, str]:
        async with self.http.get(f"{self.root}/{token}/{path}") as reply:
            return reply.status, await reply.text()

    async def post(self, path: str, body: object, token: str = TOKEN, **headers: str) -> tuple[int, str]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Content-Type": "application/json", **headers}
        async with self.http.post(f"{self.root}/{token}/{path}", data=data, headers=given) as reply:
            return reply.status, await reply.text()

    @contextlib.asynccontextmanager
    async def following(self, token: str = TOKEN) -> AsyncIterator["Follower"]:
        async with self.http.get(f"{self.root}/{token}/events") as reply:
            assert reply.status == 200
            yield Follower(reply)


class Follower:
    """Reads pages as a browser does."""

    def __init__(self, reply: aiohttp.ClientResponse) -> None:
        self.reply = reply
        self.raw = b""

    async def page(self, wanted: Any = lambda _page: True) -> Any:
        """The next page that is as wanted."""
        async with asyncio.timeout(10):
            while True:
                line = await self.reply.content.readline()
                self.raw += line
                if not line:
                    raise EOFError
                if line.startswith(b"data: ") and wanted(page := json.loads(line[6:])):
                    return page


@contextlib.asynccontextmanager
async def served(folder: Path, *, engine: Any = None, **options: Any) -> AsyncIterator[Served]:
    """A server on a port of its own beside an engine, if none is given that the test feeds."""
    engine = engine or Engine(folder / "engine.sock")
    feeding = asyncio.ensure_future(engine.run())
    server = PageServer(engine.path, TOKEN, **{"breath_s": 0.0, **options})
    try:
        async with server.serving("127.0.0.1", (0,)) as port:
            timeout = aiohttp.ClientTimeout(total=20)
            async with aiohttp.ClientSession(timeout=timeout, read_bufsize=1 << 20) as http:
                one = Served(server, engine, http, f"http://127.0.0.1:{port}")
                async with one.following() as follower:
                    await follower.page(lambda page: page["live"])
                yield one
    finally:
        feeding.cancel()
        engine.stream.close()
