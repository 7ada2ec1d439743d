"""The virtual table as a process: pictures, controls, secrets kept, nothing left behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import cv2
import msgspec
import numpy as np
import pytest

from companion.core.address_card import CONTROL_NAME, AddressCard
from companion.core.clock import ManualClock, RealClock
from companion.games.appearance import Difference
from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.actions import Seat
from companion.rehearse.table_parts import Keys
from companion.session.stream.commands import Claim, Command, Quit
from companion.session.stream.events import Event, Goodbye, Question, Refused, Table
from companion.session.stream.stream import StreamServer, connect, decode_line, encode_line
from companion.session.stream.virtual_table_events import (
    Choose,
    Restart,
    SetPaused,
    SetSpeed,
    ShowTruth,
    Step,
    TableState,
    TakeSeat,
    Truth,
    Watching,
    WorldEvent,
    YourTurn,
)
from companion.virtual.companion_requests import Wanted
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.table_server import TableServer
from companion.virtual.virtual_table import VirtualTable

GAME = load_game("sleepless-princess")


class Client:
    """A screen: sends commands, waits for events."""

    def __init__(self, path: Path) -> None:
        self.sock = connect(path)
        self.sock.settimeout(60)
        self.lines = self.sock.makefile("rb")
        self.seen: list[WorldEvent] = []

    def send(self, command: object) -> None:
        self.sock.sendall(encode_line(command))

    def wait(self, kind: type, condition=lambda event: True):
        while True:
            event = decode_line(self.lines.readline(), WorldEvent)
            self.seen.append(event)
            if isinstance(event, kind) and condition(event):
                return event


@pytest.fixture
def served(tmp_path: Path):
    clock = RealClock()
    table = VirtualTable(1, "basic", 2, clock=clock, board=NoBoard())
    server = TableServer(table, tmp_path / "table.json", clock)
    thread = threading.Thread(target=server.run)
    thread.start()
    card = msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=AddressCard)
    yield table, card, tmp_path
    server.stop()
    thread.join(60)
    assert not list(tmp_path.iterdir()), "something was left behind"


def test_pictures_over_http(served) -> None:
    table, card, _ = served
    assert card.buttons == table.stations == ("bed 1", "bed 2", "bed 3", "bed 4", "bed 5")
    with urlopen(card.camera, timeout=60) as answer:
        assert answer.headers.get_content_type() == "multipart/x-mixed-replace"
        pictures = []
        for _ in range(4):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += answer.read(1)
            size = int(head.lower().split(b"content-length:")[1].split(b"\r")[0])
            pictures.append(answer.read(size))
    picture = cv2.imdecode(np.frombuffer(pictures[0], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (1080, 1920, 3)
    assert len(set(pictures)) >= 2, "noise is alive"
    with pytest.raises(HTTPError, match="404"):
        urlopen(card.camera.replace("table.mjpg", "secret"), timeout=60)


def test_the_players_wait_for_an_engine_however_long_and_no_second_one_begins_anew(tmp_path: Path) -> None:
    """Whoever opens the camera may still be loading what it takes to see a game."""
    clock = ManualClock()
    table = VirtualTable(1, "basic", 2, clock=clock, board=NoBoard(), waiting=True)
    said: list[str] = []
    server = TableServer(table, tmp_path / "table.json", clock, said.append)
    viewer = socket.create_connection(("127.0.0.1", urlsplit(server._camera.url).port))
    viewer.sendall(b"GET /table.mjpg HTTP/1.1\r\n\r\n")
    engine, begun = connect(tmp_path / CONTROL_NAME), list[tuple[bool, int]]()

    def rounds() -> Iterator[bool]:
        for _ in range(3):
            clock.sleep(1000)
            yield True
        begun.append((table.waiting, len(table.truth.entries)))
        engine.sendall(encode_line(Watching("nobody")))
        yield True
        for _ in range(2):
            clock.sleep(30)
            engine.sendall(encode_line(Watching("nobody")))
            yield True
            begun.append((table.waiting, len(table.truth.entries)))
        yield False

    course = rounds()
    server.run(lambda: next(course))
    viewer.close()
    engine.close()
    assert begun[0] == (True, 0)
    assert not begun[1][0]
    assert 0 < begun[1][1] < begun[2][1], "the game goes on"
    assert table.games_begun == 1
    assert said == ["an engine watches: the players begin"]


def test_people_read_the_screen_of_the_engine_that_watches_them(tmp_path: Path) -> None:
    """By the words of the game's own screen; what is asked for is forgotten when the engine is gone."""
    clock = ManualClock()
    table = VirtualTable(1, "basic", 2, clock=clock, board=NoBoard(), waiting=True)
    server = TableServer(table, tmp_path / "table.json", clock)
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "engine.sock", Command)
    state = GAME.empty_table("basic", 2)
    for bed in (0, 2, 3, 4):
        state = GAME.apply(state, Seat(bed, bed))
    shown = msgspec.convert({"e": "table", **GAME.screen(state, "referee")}, Table)
    engine, wanted = connect(tmp_path / CONTROL_NAME), list[Wanted]()

    def rounds() -> Iterator[bool]:
        engine.sendall(encode_line(Watching(str(stream.path))))
        yield True
        stream.poll()
        for event in (
            Question("nothing"),
            shown,
            Table(**{**msgspec.structs.asdict(shown), "phase": "play"}),
            Question(f"Something is off. {GAME.difference(state, Difference('row', (), ('3',)))}"),
        ):
            stream.send(event)
            yield True
            yield True
            wanted.append(table.wanted)
        stream.close()
        yield True
        yield True
        wanted.append(table.wanted)
        yield False

    course = rounds()
    server.run(lambda: clock.sleep(1) or next(course))
    engine.close()
    assert [(one.places, one.zones) for one in wanted] == [
        ((), ()), ((1,), ("row",)), ((), ()), ((), ("row",)), ((), ()),
    ]  # fmt: skip


def test_who_has_no_board_claims_by_a_key_of_the_engine_that_watches(tmp_path: Path) -> None:
    clock = ManualClock()
    keys = Keys(("bed 1", "bed 2"))
    table = VirtualTable(1, "basic", 2, clock=clock, board=keys, waiting=True)
    server = TableServer(table, tmp_path / "table.json", clock, keys=keys.read)
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "engine.sock", Command)
    engine, heard = connect(tmp_path / CONTROL_NAME), list[Command | str]()

    def rounds() -> Iterator[bool]:
        keys.press_button("bed 1", True)  # nobody watches yet
        yield True
        engine.sendall(encode_line(Watching(str(stream.path))))
        yield True
        yield True
        keys.press_button("bed 2", True)
        for _ in range(3):
            heard.extend(command for _, command in stream.poll()[1])
            yield True
        yield False

    course = rounds()
    server.run(lambda: clock.sleep(1) or next(course))
    engine.close()
    stream.close()
    assert heard == [Claim(2)]


def test_controls(served) -> None:
    table, card, _ = served
    client = Client(Path(card.control))
    state = client.wait(TableState)
    assert (state.seed, state.speed, state.paused, state.seat) == (1, 1.0, False, 0)
    client.send(Step())
    client.wait(Refused)
    client.send(SetPaused(True))
    client.wait(TableState, lambda s: s.paused)
    client.send(SetSpeed(4))
    assert client.wait(TableState).speed == 4
    client.send(SetSpeed(100))
    client.wait(Refused)
    client.send(TakeSeat(2))
    turn = client.wait(YourTurn)
    assert (turn.player, len(turn.hand), turn.actions) == (2, 5, ())
    client.send(Choose(0))
    assert "not your turn" in client.wait(Refused).text
    client.send(TakeSeat(7))
    client.wait(Refused)
    client.sock.sendall(b"nonsense\n")
    client.wait(Refused)
    client.send(Restart(9))
    assert client.wait(TableState, lambda s: s.seed == 9).seat == 2
    assert table.games_begun == 2
    assert not any(isinstance(event, Truth) for event in client.seen)
    client.send(Quit())
    client.wait(Goodbye)


def test_truth_goes_to_those_who_asked_alone(served) -> None:
    _, card, _ = served
    curious, decent = Client(Path(card.control)), Client(Path(card.control))
    curious.send(ShowTruth())
    assert any("Bed 1" in line for line in curious.wait(Truth).lines)
    decent.send(SetSpeed(2))
    decent.wait(TableState, lambda s: s.speed == 2)
    assert not any(isinstance(event, Truth) for event in decent.seen)
    curious.sock.shutdown(socket.SHUT_RDWR)
    decent.send(SetSpeed(3))
    decent.wait(TableState, lambda s: s.speed == 3)


@pytest.mark.quick(1)
@pytest.mark.parametrize("end", ["terminate", "parent"])
def test_the_command_ends_cleanly(tmp_path: Path, end: str) -> None:
    code = "from companion.commands.table import table; table()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--address", str(tmp_path / "table.json"), "--paused", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    card = msgspec.json.decode(process.stdout.readline(), type=AddressCard)
    assert Path(card.port).exists()
    if end == "terminate":
        process.send_signal(signal.SIGTERM)
    else:
        process.stdin.close()
    assert process.wait(60) == 0
    process.stdout.close()
    assert not list(tmp_path.iterdir())
    until = time.monotonic() + 60
    while os.path.lexists(card.port) and time.monotonic() < until:
        time.sleep(0.01)
    assert not os.path.lexists(card.port)
