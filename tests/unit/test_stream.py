"""The event stream: every screen gets every event, bad commands are answered, slow screens are cut off."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import BadInputError, SourceError
from companion.events import Claim, Command, Event, Said, Undo
from companion.stream import StreamServer, connect, decode_line, encode_line


@pytest.fixture
def server(tmp_path: Path) -> Iterator[StreamServer[Event, Command]]:
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    yield stream
    stream.close()


def read_line(client: socket.socket) -> bytes:
    client.settimeout(2)
    data = b""
    while not data.endswith(b"\n"):
        data += client.recv(4096)
    return data


def test_every_screen_gets_every_event(server: StreamServer[Event, Command]) -> None:
    clients = [connect(server.path) for _ in range(3)]
    while len(server._peers) < 3:
        server.poll()
    server.send(Said(1.0, "hello"))
    assert [decode_line(read_line(client), Event) for client in clients] == [Said(1.0, "hello")] * 3


def test_commands_arrive_whole_however_they_are_split(server: StreamServer[Event, Command]) -> None:
    client = connect(server.path)
    received: list[Command | str] = []
    for byte in encode_line(Claim(3)) + encode_line(Undo()):
        client.sendall(bytes([byte]))
        received += [command for _, command in server.poll()[1]]
    while len(received) < 2:
        received += [command for _, command in server.poll()[1]]
    assert received == [Claim(3), Undo()]


@pytest.mark.parametrize(
    "line", [b"nonsense\n", b'{"c":"claim"}\n', b'{"c":"explode"}\n', b"\xff\xfe\n", b"[]\n"]
)
def test_a_bad_line_is_answered_and_harms_nobody(server: StreamServer[Event, Command], line: bytes) -> None:
    client = connect(server.path)
    client.sendall(line + encode_line(Undo()))
    received: list[Command | str] = []
    while len(received) < 2:
        received += [command for _, command in server.poll()[1]]
    assert isinstance(received[0], str)
    assert received[1] == Undo()


def test_a_screen_that_does_not_read_is_cut_off(server: StreamServer[Event, Command]) -> None:
    client = connect(server.path)
    while not server._peers:
        server.poll()
    for _ in range(3000):
        server.send(Said(0, "x" * 1000))
    assert not server._peers
    client.close()


def test_an_endless_line_is_cut_off(server: StreamServer[Event, Command]) -> None:
    client = connect(server.path)
    while not server._peers:
        server.poll()
    with pytest.raises(OSError, match=r"."):  # noqa: PT012 - which send fails depends on the kernel's buffers
        for _ in range(200):
            client.sendall(b"x" * 4096)
            server.poll()


def test_nobody_there_is_said_with_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="companion run"):
        connect(tmp_path / "none.sock")


def test_a_foreign_line_is_bad_input() -> None:
    with pytest.raises(BadInputError):
        decode_line(b'{"e":"who"}', Event)


def test_only_a_dead_socket_is_removed(tmp_path: Path, server: StreamServer[Event, Command]) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    for path, says in (
        (precious, "file of that name"),
        (tmp_path, "file of that name"),
        (server.path, "another engine"),
    ):
        with pytest.raises(SourceError, match=says):
            StreamServer(path, Command)
    assert precious.read_text() == "precious"
    dead = tmp_path / "dead.sock"
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(dead))
    left.close()
    StreamServer(dead, Command).close()
