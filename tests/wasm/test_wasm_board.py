"""The board's own code in real MicroPython: the same bytes, nothing lost, nothing allocated."""

import itertools
import random
from pathlib import Path

import pytest

from companion.core.clock import ManualClock
from firmware.host.link import Link
from firmware.host.messages import (
    ButtonEvent,
    CommandResult,
    Connected,
    LevelSample,
    TagEvent,
    TextureFrame,
    WeightEvent,
)
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from firmware.wire import codec
from tests.benchmarks.link_bench import steady_steps
from tests.firmware.line_torture import RIG, RoughEnd, Torture
from tests.wasm.wasm_board import WasmBoard

VECTORS = Path(__file__).parent.parent / "golden" / "wire_vectors.txt"
UID = bytes.fromhex("04a1b2c3d4e580")


@pytest.fixture(scope="module")
def bare():
    with WasmBoard(RIG) as board:
        yield board


def test_golden_vectors(bare):
    lines = [line for line in VECTORS.read_text().splitlines() if line and not line.startswith("#")]
    assert len(lines) > 15
    for line in lines:
        kind, flags, seq, ack, payload, frame = line.split()
        fields = int(kind), int(flags), int(seq), int(ack), bytes.fromhex(payload.strip("-"))
        assert bare.encode(*fields) == bytes.fromhex(frame)
        assert bare.decode(bytes.fromhex(frame)) == [fields]


def test_the_codec_agrees_on_anything(bare):
    chance = random.Random(4)
    for _ in range(300):
        fields = (*(chance.randrange(256) for _ in range(4)), chance.randbytes(chance.randrange(201)))
        kind, flags, seq, ack, payload = fields
        line = bytearray(codec.encode(kind, payload, flags, seq, ack))
        assert bare.encode(*fields) == line
        for _ in range(chance.randrange(3)):
            line[chance.randrange(len(line))] = chance.randrange(256)
        assert bare.decode(bytes(line)) == codec.Decoder().feed(bytes(line))


def play(board, end, clock, seconds=8.0):
    """A busy while at the table: everything the board said, byte for byte, and what the host made of it."""
    link = Link("memory", clock, opener=end.open, session=7)
    chance = random.Random(11)
    heard = []
    tagged = pressed = False
    for step in range(int(seconds / 0.02)):
        clock.sleep(0.02)
        match step % 40:
            case 3:
                pressed = not pressed
                board.press_button(f"bed {chance.randint(1, 5)}", pressed)
            case 9:
                tagged = not tagged
                (board.place_tag if tagged else board.lift_tag)("pad", UID)
            case 14:
                board.set_weight(f"bed {chance.randint(1, 5)}", chance.randrange(10) * 4.0)
            case 22:
                link.lamp("bed 2", (chance.randrange(256), 1, 2))
            case 31:
                board.press_texture("pad", [[0.5] * 16] * 16 if chance.random() < 0.5 else None)
        board.step(clock.now())
        heard += link.poll()
    return link.stats, heard


def test_cpython_and_micropython_say_the_same():
    runs = []
    for kind in (VirtualBoard, WasmBoard):
        clock, end = ManualClock(), MemoryEnd()
        board = kind(clock=clock, seed=3, end=end)
        board.misbehave("count", "bed 1", "sigma", 0.3)
        board.misbehave("reader", "pad", "miss_one", 0.1)
        board.misbehave("touch", "bed 1", "sigma", 4.0)
        runs.append(play(board, end, clock))
        board.close()
    assert runs[0] == runs[1]
    heard = runs[0][1]
    for kind in (Connected, ButtonEvent, TagEvent, WeightEvent, TextureFrame):
        assert any(isinstance(message, kind) for message in heard), kind


@pytest.mark.long
def test_a_broken_line_loses_nothing():
    clock, end = ManualClock(), RoughEnd()
    with WasmBoard(RIG, clock, 5, end=end) as board:
        torture = Torture(board, end, clock, 5)
        for _ in range(14 * 12):
            torture.case()
    toll = torture.toll
    assert toll.failed == []
    assert (toll.unrecovered, toll.lost, toll.doubled) == (0, 0, 0)
    assert len(toll.cases) == 14
    assert toll.events > 300


@pytest.mark.long
def test_the_steady_loop_allocates_nothing():
    assert steady_steps(3000) == (3000, "")


def test_self_tests_have_numbers():
    clock, end = ManualClock(), MemoryEnd()
    with WasmBoard(clock=clock, seed=3, end=end) as board:
        link = Link("memory", clock, opener=end.open, session=7)
        heard = []
        asked = {}
        for step in range(250):
            clock.sleep(0.02)
            board.step(clock.now())
            heard += link.poll()
            if step == 100:
                asked = {link.selftest("bed 1"): "bed 1", link.selftest("pad"): "pad"}
        results = {asked[m.number]: m for m in heard if isinstance(m, CommandResult)}
    assert set(results) == {"bed 1", "pad"}
    assert all(result.ok for result in results.values())
    assert "HX711" in results["bed 1"].text
    assert "MFRC522" in results["pad"].text
    assert "matrix" in results["pad"].text


@pytest.mark.long
def test_levels_of_every_sensor_come():
    clock, end = ManualClock(), MemoryEnd()
    with WasmBoard(clock=clock, seed=3, end=end) as board:
        link = Link("memory", clock, opener=end.open, session=7)
        heard = []
        for step in range(220):
            clock.sleep(0.02)
            board.step(clock.now())
            heard += link.poll()
            if step == 130:
                assert link.levels(4) >= 0
    levels = {(m.station, m.part): m for m in heard if isinstance(m, LevelSample)}
    assert len(levels) == 18
    assert levels["bed 1", "touch"].detail == pytest.approx(200, abs=20)
    assert levels["bed 2", "count"].baseline == pytest.approx(levels["bed 2", "count"].value, abs=300)


@pytest.mark.long
def test_it_lives_in_real_time_on_a_pty():
    from companion.core.clock import RealClock

    with WasmBoard(on_pty=True) as board:
        clock = RealClock()
        limit = clock.now() + 30
        link = Link(board.path, clock)
        board.live(1.2, [(0.8, "press_button", ["bed 1", True])])
        heard = []
        while not any(isinstance(message, ButtonEvent) for message in heard):
            heard += link.poll()
            clock.sleep(0.005)
            assert clock.now() < limit
        board.lived()
    assert isinstance(heard[0], Connected)
    assert all(one.t <= other.t for one, other in itertools.pairwise(heard[-2:]))
