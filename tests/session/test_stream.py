"""The event stream: every screen gets every event, bad commands are answered, slow screens are cut off."""

import contextlib
import os
import resource
import socket
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.core.errors import BadInputError, SourceError
from companion.session.stream.commands import Claim, Command, Undo
from companion.session.stream.events import Event, Goodbye, Said
from companion.session.stream.stream import (
    COMMANDS_A_ROUND,
    FLOOD,
    FULL,
    PEERS,
    ROUNDS_BEHIND,
    ROUNDS_BETWEEN_LOOKS,
    StreamServer,
    connect,
    decode_line,
    encode_line,
    process_behind,
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[StreamServer[Event, Command]]:
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    yield stream
    stream.close()


def read_line(client: socket.socket) -> bytes:
    client.settimeout(60)
    data = b""
    while not data.endswith(b"\n"):
        data += client.recv(4096)
    return data


def test_every_screen_gets_every_event(server: StreamServer[Event, Command]) -> None:
    clients = [connect(server.path) for _ in range(3)]
    while len(server.peers) < 3:
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
    while not server.peers:
        server.poll()
    for _ in range(3000):
        server.send(Said(0, "x" * 1000))
    assert not server.peers
    client.close()


def test_an_endless_line_is_cut_off(server: StreamServer[Event, Command]) -> None:
    client = connect(server.path)
    while not server.peers:
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


def poll_until(server: StreamServer[Event, Command], done: Callable[[], object]) -> list[Command | str]:
    """Rounds until something is so, and the commands that came."""
    received: list[Command | str] = []
    for _ in range(2000):
        received += [command for _, command in server.poll()[1]]
        if done():
            return received
    pytest.fail("it never became so")


def test_one_screen_too_many_is_told_so_and_the_others_stay(server: StreamServer[Event, Command]) -> None:
    clients = []
    for count in range(1, PEERS + 1):
        clients.append(connect(server.path))
        poll_until(server, lambda count=count: len(server.peers) == count)
    late = connect(server.path)
    server.poll()
    assert decode_line(read_line(late), Event) == Goodbye(FULL)
    assert late.recv(1) == b""
    server.send(Said(1.0, "hello"))
    assert decode_line(read_line(clients[-1]), Event) == Said(1.0, "hello")
    clients[0].close()
    poll_until(server, lambda: len(server.peers) < PEERS)
    connect(server.path)
    poll_until(server, lambda: len(server.peers) == PEERS)


def test_short_of_files_the_engine_goes_on_and_asks_again(server: StreamServer[Event, Command]) -> None:
    client = connect(server.path)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(client.fileno())
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
    try:
        assert server.poll() == ([], [])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    poll_until(server, lambda: server.peers)
    server.send(Said(1.0, "hello"))
    assert decode_line(read_line(client), Event) == Said(1.0, "hello")


def test_many_commands_wait_for_their_round_and_none_is_lost(server: StreamServer[Event, Command]) -> None:
    hasty, calm = connect(server.path), connect(server.path)
    poll_until(server, lambda: len(server.peers) == 2)
    sent = [Claim(number) for number in range(10 * COMMANDS_A_ROUND)]
    hasty.sendall(b"".join(map(encode_line, sent)))
    calm.sendall(encode_line(Undo()))
    first = [command for _, command in server.poll()[1]]
    assert len(first) == COMMANDS_A_ROUND + 1
    assert Undo() in first
    rounds = [[command for _, command in server.poll()[1]] for _ in range(9)]
    assert max(map(len, rounds)) == COMMANDS_A_ROUND
    assert [one for one in chain(first, *rounds) if one != Undo()] == sent


def test_a_screen_that_floods_the_engine_is_cut_off(server: StreamServer[Event, Command]) -> None:
    client, other = connect(server.path), connect(server.path)
    poll_until(server, lambda: len(server.peers) == 2)
    client.setblocking(False)
    flood = encode_line(Undo()) * 4096

    def pour() -> bool:
        with contextlib.suppress(OSError):
            client.send(flood)
        return len(server.peers) == 1

    taken = poll_until(server, pour)
    assert len(taken) <= (ROUNDS_BEHIND + 1) * COMMANDS_A_ROUND
    assert decode_line(read_line(client), Event) == Goodbye(FLOOD)
    server.send(Said(1.0, "hello"))
    assert decode_line(read_line(other), Event) == Said(1.0, "hello")


def test_a_path_that_no_socket_can_have_is_refused_by_server_screen_and_page(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 120) / "engine.sock"
    with pytest.raises(SourceError, match="too long: 107 bytes at most"):
        StreamServer(long, Command)
    assert not long.parent.exists()
    with pytest.raises(SourceError, match="too long"):
        connect(long)
    told = CliRunner().invoke(cli, ["serve", "--socket", str(long)])
    assert isinstance(told.exception, SourceError)
    assert "too long" in str(told.exception)


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("dashboard", "--plain"), "--socket"),
        (("dashboard", "--plain"), "--table"),
        (("serve",), "--socket"),
        (("hint",), "--socket"),
        (("bridge", "mqtt", "--broker", "127.0.0.1:9"), "--socket"),
    ],
)
def test_a_file_that_is_no_socket_is_refused_at_once_and_stays(
    command: tuple[str, ...], option: str, tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Anna")
    told = CliRunner().invoke(cli, [*command, option, str(file)])
    assert isinstance(told.exception, SourceError), told.output
    assert f"no socket of an engine; check {option}" in str(told.exception)
    assert file.read_text() == "Dear Anna"


def test_a_socket_whose_file_was_removed_is_made_again(server: StreamServer[Event, Command]) -> None:
    old = connect(server.path)
    poll_until(server, lambda: server.peers)
    server.path.unlink()
    for _ in range(ROUNDS_BETWEEN_LOOKS):
        server.poll()
    client = connect(server.path)
    assert server.path.stat().st_mode & 0o077 == 0
    poll_until(server, lambda: len(server.peers) == 2)
    server.send(Said(1.0, "hello"))
    assert [decode_line(read_line(one), Event) for one in (old, client)] == [Said(1.0, "hello")] * 2


def test_an_engine_that_ends_leaves_the_socket_of_another_one(tmp_path: Path) -> None:
    first: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    first.path.unlink()
    second: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    first.close()
    connect(second.path).close()
    second.close()
    assert not (tmp_path / "s.sock").exists()


def test_the_process_behind_a_socket_is_known(server: StreamServer[Event, Command], tmp_path: Path) -> None:
    assert process_behind(server.path) == os.getpid()
    assert process_behind(tmp_path / "none.sock") is None
