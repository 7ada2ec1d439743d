"""The dashboard's end of the stream against the real server."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from companion.session.stream.commands import Command, Undo
from companion.session.stream.events import Event
from companion.session.stream.stream import StreamServer
from companion.session.stream.stream_client import StreamClient
from tests.dashboard.test_dashboard_text import TABLE, WELCOME

FAST = (0.01,)


class Heard:
    """A client on a path and everything it heard."""

    def __init__(self, path: Path) -> None:
        self.events: list[Event] = []
        self.links: list[bool] = []
        self.client: StreamClient[Event, Command] = StreamClient(
            path, Event, self.events.append, self.links.append, retry_s=FAST
        )


@pytest.fixture
async def heard(tmp_path: Path) -> AsyncIterator[Heard]:
    one = Heard(tmp_path / "s")
    task = asyncio.create_task(one.client.run())
    yield one
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def until(true: Callable[[], object], server: StreamServer[Event, Command] | None = None) -> list[object]:
    """Turn the loop until it is true; commands the server received meanwhile."""
    commands: list[object] = []
    for _ in range(500):
        if server is not None:
            new, received = server.poll()
            for peer in new:
                server.send(WELCOME, [peer])
            commands += [command for _, command in received]
        if true():
            return commands
        await asyncio.sleep(0.01)
    pytest.fail("it never became true")


async def test_waits_for_a_server_then_follows_it(heard: Heard, tmp_path: Path) -> None:
    await until(lambda: heard.links)
    assert heard.links == [False]
    assert not heard.client.send(Undo())
    server: StreamServer[Event, Command] = StreamServer(tmp_path / "s", Command)
    await until(lambda: heard.events, server)
    assert heard.links == [False, True]
    server.send(TABLE)
    await until(lambda: len(heard.events) == 2, server)
    assert heard.events == [WELCOME, TABLE]
    server.close()


async def test_comes_back_after_the_server_died(heard: Heard, tmp_path: Path) -> None:
    server: StreamServer[Event, Command] = StreamServer(tmp_path / "s", Command)
    await until(lambda: heard.events, server)
    server.close()
    await until(lambda: heard.links[-1] is False)
    server = StreamServer(tmp_path / "s", Command)
    await until(lambda: len(heard.events) == 2, server)
    assert heard.links[-2:] == [False, True]
    server.close()


async def test_a_connection_made_anew_is_no_loss_to_tell(heard: Heard, tmp_path: Path) -> None:
    server: StreamServer[Event, Command] = StreamServer(tmp_path / "s", Command)
    await until(lambda: len(heard.events) == 1, server)
    before = list(heard.links)
    heard.client.renew()
    await until(lambda: len(heard.events) == 2, server)
    assert heard.links == [*before, True]
    server.close()
    await until(lambda: heard.links == [*before, True, False])


async def test_sends_commands(heard: Heard, tmp_path: Path) -> None:
    server: StreamServer[Event, Command] = StreamServer(tmp_path / "s", Command)
    await until(lambda: heard.events, server)
    assert heard.client.send(Undo())
    got: list[object] = []

    def arrived() -> bool:
        got.extend(command for _, command in server.poll()[1])
        return bool(got)

    await until(arrived)
    assert got == [Undo()]
    server.close()


async def test_bad_lines_are_counted_and_skipped(heard: Heard, tmp_path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    path = tmp_path / "s"
    listener.bind(str(path))
    listener.listen()
    listener.setblocking(False)
    peer, _ = await asyncio.get_running_loop().sock_accept(listener)
    loop = asyncio.get_running_loop()
    junk = b'{"e":"unknown"}\nnot json\n\xff\xfe\n' + b"x" * (3 << 20) + b"\n"
    good = b'{"e":"refused","text":"no"}\n'
    await loop.sock_sendall(peer, junk + good)
    await until(lambda: heard.events)
    assert len(heard.events) == 1
    assert heard.client.bad_lines >= 4
    peer.close()
    listener.close()


async def test_half_a_line_at_the_end_is_no_event(heard: Heard, tmp_path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s"))
    listener.listen()
    listener.setblocking(False)
    loop = asyncio.get_running_loop()
    peer, _ = await loop.sock_accept(listener)
    await loop.sock_sendall(peer, b'{"e":"refused","text":"no"}')
    peer.close()
    await until(lambda: heard.links[-2:] == [True, False])
    assert not heard.events
    listener.close()


async def test_a_socket_that_is_found_anew_is_followed(tmp_path: Path) -> None:
    links: list[bool] = []
    there = [tmp_path / "first"]
    client: StreamClient[Event, Command] = StreamClient(
        lambda: there[-1], Event, lambda _: None, links.append, retry_s=FAST
    )
    task = asyncio.create_task(client.run())
    for name in ("first", "second"):
        there.append(tmp_path / name)
        server: StreamServer[Event, Command] = StreamServer(there[-1], Command)
        await until(lambda: client.connected, server)
        assert client.path == there[-1]
        server.close()
        await until(lambda: not client.connected)
    task.cancel()
