"""A board in C, written from docs/protocol.md alone, against the host's link: the page is enough."""

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from firmware.host.messages import (
    BoardLog,
    CommandResult,
    Connected,
    Part,
    PartState,
    TagEvent,
    TextureFrame,
    WeightSample,
)
from firmware.wire import codec, payloads
from tests.boards.bench import Bench, Ear, Relay

COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler: the board in C is not tried")

HERE = Path(__file__).parent
VECTORS = HERE.parent / "golden" / "wire_vectors.txt"
PARTS = 5
"""Of the board in C: each is told of to a new session, and after events were lost."""
UID, OTHER = bytes.fromhex("04a1b2c3d4e580"), bytes.fromhex("0badcafe")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    out = tmp_path_factory.mktemp("board") / "board"
    strict = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([COMPILER, *strict, "-o", out, HERE / "board.c"], check=True)
    return str(out)


@pytest.fixture
def bench(program):
    made = Bench(program)
    yield made.up()
    made.close()


@pytest.fixture
def rough(program):
    made = Bench(program, Relay(seed=5))
    yield made.up()
    made.close()


@pytest.fixture
def ear(program):
    made = Ear(program)
    made.hear(codec.HELLO)
    yield made
    made.close()


def run(program, mode, lines):
    ran = subprocess.run([program, mode], input="\n".join(lines), capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_golden_frames(program):
    lines = [line for line in VECTORS.read_text().splitlines() if not line.startswith("#")]
    fields, frames = zip(*(line.rsplit(" ", 1) for line in lines), strict=True)
    assert run(program, "encode", fields) == list(frames)
    assert run(program, "decode", frames) == list(fields)


def test_both_codecs_agree(program):
    chance = Random(7)
    frames = [
        (chance.randrange(256), chance.randrange(8), chance.randrange(256), chance.randrange(256), payload)
        for size in range(201)
        for payload in (bytes(chance.choice([0, 0, 1, 255, 77]) for _ in range(size)),)
    ]
    encoded = [codec.encode(kind, payload, flags, seq, ack).hex() for kind, flags, seq, ack, payload in frames]
    lines = [f"{kind} {flags} {seq} {ack} {payload.hex() or '-'}" for kind, flags, seq, ack, payload in frames]
    assert run(program, "encode", lines) == encoded
    assert run(program, "decode", encoded) == lines


def test_what_is_no_frame_is_damaged_for_both(program):
    chance = Random(8)
    chunks = []
    for _ in range(200):
        chunk = bytearray(codec.encode(codec.EVENT, chance.randbytes(chance.randrange(40)), 3, 7, 9)[1:-1])
        match chance.randrange(3):
            case 0:
                chunk[chance.randrange(len(chunk))] ^= 1 << chance.randrange(8)
            case 1:
                del chunk[chance.randrange(len(chunk))]
            case _:
                chunk.insert(chance.randrange(len(chunk)), chance.randrange(1, 256))
        chunks.append(bytes(chunk).replace(b"\0", b""))
    for chunk in chunks:
        assert not codec.Decoder().feed(chunk + b"\0")
    assert run(program, "decode", [chunk.hex() for chunk in chunks]) == ["damaged"] * 200


def test_handshake(bench):
    (hello,) = bench.of(Connected)
    assert hello.new_boot
    assert hello.protocol == "1.1"
    assert bytes.fromhex(hello.board_id) == b"C99board"
    assert [(station.name, station.capabilities) for station in hello.stations] == [
        ("bed 1", {"count", "button", "lamp"}),
        ("pad", {"reader", "texture"}),
    ]
    assert not any(station.missing for station in hello.stations)
    bench.until(lambda: bench.link.stats.rtt_ms is not None)


def test_events_come_once_and_in_order(bench):
    for turn in range(300):
        bench.tell(f"button 0 {(turn + 1) % 2}")
        bench.until(lambda turn=turn: len(bench.buttons()) > turn - 16)
    bench.until(lambda: len(bench.buttons()) >= 300)
    bench.tell(f"tag 1 {UID.hex()}", f"tag 1 {UID.hex()} {OTHER.hex()}", f"tag 1 {OTHER.hex()}", "tag 1")
    bench.until(lambda: len(bench.of(TagEvent)) >= 4)
    assert bench.buttons() == [True, False] * 150
    assert [event.uid for event in bench.of(TagEvent)] == [UID, OTHER, OTHER, None]
    assert (bench.link.stats.events, bench.link.stats.gaps) == (PARTS + 304, 0)


def test_weight(bench):
    bench.tell("weight 0 0")
    bench.until(lambda: bench.grams() == [0.0])
    bench.tell("weight 0 84")
    bench.until(lambda: len(bench.grams()) == 2)
    number = bench.link.zero("bed 1")
    assert bench.answer(number)[0]
    bench.until(lambda: len(bench.grams()) == 3)
    bench.link.configure(codec.CONF_SCALE, "bed 1", 500)
    bench.tell("weight 0 104")
    bench.until(lambda: 4.0 in bench.grams())
    assert bench.grams()[:3] == [0.0, 8.4, 0.0]
    bench.link.configure(codec.CONF_WEIGHT_SAMPLES, None, 1)
    bench.until(lambda: len(bench.of(WeightSample)) > 2)
    assert {sample.raw for sample in bench.of(WeightSample)} == {81234 + 10400}


def test_texture(bench):
    bench.tell("press 1 2 3 77", "press 1 15 15 255")
    pressed = bytearray(256)
    pressed[2 * 16 + 3], pressed[255] = 77, 255
    bench.until(lambda: len(bench.of(TextureFrame)) > 2)
    assert {frame.pixels for frame in bench.of(TextureFrame)} == {bytes(pressed)}
    assert bench.of(TextureFrame)[0].station == "pad"
    bench.tell("release 1")
    bench.until(lambda: bench.of(TextureFrame)[-1].pixels == bytes(256))


def test_commands(bench):
    bench.link.lamp("bed 1", (1, 0, 255))
    assert bench.answer(bench.link.beep(880, 90))[0]
    assert bench.said == ["lamp 1 0 255", "beep 90 880"]
    assert bench.answer(bench.link.selftest("pad")) == (True, "reader: 1; texture: 1")
    assert bench.answer(bench.link.selftest()) == (True, "")
    bench.tell("dead 1 1")
    while (heard := bench.answer(bench.link.selftest())) == (True, ""):
        pass
    assert heard == (False, "reader")
    assert bench.answer(bench.link.snapshot())[0]
    bench.link.lamp("pad", (1, 1, 1))
    bench.until(lambda: any("lamp of pad" in str(line.text) for line in bench.of(BoardLog)))


def test_parts_that_die_and_come_back_are_told(bench):
    bench.tell("dead 0 4", "dead 1 3")
    bench.until(lambda: len(bench.of(PartState)) == 3)
    bench.new_host()
    bench.until(lambda: len(bench.of(PartState)) == 3)
    assert [(told.part, told.answers, told.name) for told in bench.of(PartState)] == [
        (Part("bed 1", ("count",)), False, "bed 1 scale"),
        (Part("pad", ("reader",)), False, "pad reader"),
        (Part("pad", ("texture",)), False, "pad texture"),
    ]
    bench.tell("dead 1 2")
    bench.until(lambda: len(bench.of(PartState)) == 4)
    assert bench.of(PartState)[3].part == Part("pad", ("reader",))
    assert bench.of(PartState)[3].answers


def test_a_new_host_reads_the_whole_state(bench):
    bench.tell("button 0 1", f"tag 1 {UID.hex()}", "weight 0 0")
    bench.until(lambda: bench.grams() == [0.0])
    bench.new_host()
    bench.until(lambda: bench.buttons() and bench.of(TagEvent) and bench.grams())
    assert bench.of(Connected)[0].new_boot
    bench.tell("button 0 0")
    bench.until(lambda: len(bench.buttons()) == 2)
    assert bench.buttons() == [True, False]
    assert [event.uid for event in bench.of(TagEvent)] == [UID]
    assert bench.grams() == [0.0]


def test_a_port_closed_for_a_while_loses_nothing(bench):
    bench.tell("button 0 1")
    bench.until(lambda: bench.buttons() == [True])
    bench.pulled = True
    bench.until(lambda: not bench.link.up)
    bench.pulled = False
    bench.tell(*(f"button 0 {turn % 2}" for turn in range(20)))
    bench.until(lambda: len(bench.buttons()) >= 21)
    assert bench.buttons() == [True, *[False, True] * 10]
    assert [hello.new_boot for hello in bench.of(Connected)] == [True, False]
    assert bench.link.stats.gaps == 0


@pytest.mark.long
def test_damage_in_both_directions(rough):
    rough.relay.hits = 16
    turn = 0
    while rough.relay.hits:
        turn += 1
        rough.tell(f"button 0 {turn % 2}")
        number = rough.link.beep(turn)
        rough.until(lambda number=number: number not in {frame[3] for frame in rough.link.out.queue})
    rough.until(lambda turn=turn: len(rough.buttons()) >= turn)
    rough.until(lambda turn=turn: len(rough.of(CommandResult)) >= turn)
    assert rough.buttons() == [bool((at + 1) % 2) for at in range(turn)]
    assert rough.said == [f"beep 80 {at + 1}" for at in range(turn)]
    assert all(result.ok for result in rough.of(CommandResult))
    assert rough.link.stats.bad_frames > 0


def test_a_full_ring_says_so_and_ends_in_the_truth(bench):
    bench.settle()
    bench.tell("quiet 1", *(f"button 0 {(turn + 1) % 2}" for turn in range(63)), f"tag 1 {UID.hex()}")
    bench.until(lambda: bench.link.stats.gaps and bench.of(TagEvent))
    assert bench.buttons() == [True, False] * 16 + [True]
    assert [event.uid for event in bench.of(TagEvent)] == [UID]
    assert (bench.link.stats.events, bench.link.stats.gaps) == (PARTS + 32 + PARTS, 1)
    bench.tell("button 0 0")
    bench.until(lambda: len(bench.buttons()) == 34)
    assert bench.link.stats.gaps == 1


def test_power_cut(bench):
    bench.link.lamp("bed 1", (9, 8, 7))
    bench.tell("weight 0 0")
    bench.until(lambda: bench.grams() == [0.0] and bench.said)
    bench.tell("weight 0 84", "button 0 1")
    bench.until(lambda: bench.grams() == [0.0, 8.4] and bench.buttons() == [True])
    bench.kill()
    bench.said.clear()
    bench.power_on()
    bench.tell("weight 0 84")
    bench.until(lambda: len(bench.of(Connected)) == 2 and bench.said and bench.buttons() == [True, False])
    first, second = bench.of(Connected)
    assert second.new_boot
    assert second.boot_id != first.boot_id
    assert bench.said == ["lamp 9 8 7"]
    bench.tell("weight 0 120")
    bench.until(lambda: bench.grams()[-1] == 12.0)
    assert bench.grams() == [0.0, 8.4, 12.0]


def test_exit(bench):
    bench.link.leave()
    bench.until(lambda: "exit" in bench.said)
    assert bench.process.wait() == 0


def test_another_major_version_gets_a_hello_and_no_session(ear):
    ear.send(codec.IDENT, bytes([2, 0]) + payloads.pack_ident(5, 0, "future")[2:])
    assert payloads.unpack_hello(ear.hear(codec.HELLO, 2)[4])[5] == 0
    assert not ear.of(codec.SNAPSHOT)


def test_unknown_frames_are_taken_and_numbers_out_of_order_are_not(ear):
    ear.identify(5, base=250)
    beep = bytes([codec.OP_BEEP, 255, 80, 0, 112, 3])
    ear.send(99, b"later", flags=codec.FLAG_SEQ, seq=250)
    ear.send(codec.CMD, beep, flags=codec.FLAG_SEQ, seq=252)
    ear.send(codec.CMD, beep, flags=codec.FLAG_SEQ, seq=251)
    ear.send(codec.CMD, beep, flags=codec.FLAG_SEQ, seq=251)
    assert ear.hear(codec.RESULT)[4][:3] == bytes([251, codec.OP_BEEP, 1])
    ear.send(codec.PING, bytes(8))
    _, flags, _, ack, payload = ear.hear(codec.PONG)
    assert flags & codec.FLAG_ACK
    assert ack == 251
    assert codec.unpack("<QQIH", payload)[3] == 0
    assert len({frame[2] for frame in ear.of(codec.RESULT)}) == 1


def test_every_byte_is_counted(ear):
    ear.identify(5)
    ear.hear(codec.SNAPSHOT, 2)
    while ear.sent < 150:
        ear.send(99, b"of a later version")
    consumed = codec.unpack("<I", ear.hear(codec.CREDIT)[4])[0]
    assert 128 <= consumed <= ear.sent
    ear.send(codec.PING, bytes(8))
    assert codec.unpack("<QQIH", ear.hear(codec.PONG)[4])[2:] == (ear.sent, 0)
    ear.send(99, flags=codec.FLAG_SEQ)
    _, flags, _, ack, payload = ear.hear(codec.CREDIT, 2)
    assert (flags, ack, codec.unpack("<I", payload)[0]) == (codec.FLAG_ACK, 0, ear.sent)


def test_a_new_session_forgets_what_the_old_one_missed(ear):
    ear.identify(5)
    ear.tell("button 0 1")
    ear.hear(codec.EVENT, PARTS + 1)
    base = ear.identify(6)
    behind = ear.frames.index(ear.of(codec.HELLO)[-1]) + 1
    ear.until(lambda: len(ear.frames) >= behind + 3 * (2 + PARTS))
    assert {(frame[0], frame[2], frame[1] & codec.FLAG_GAP) for frame in ear.frames[behind:]} == {
        (codec.SNAPSHOT if at < 2 else codec.EVENT, (base + at) & 255, 0) for at in range(2 + PARTS)
    }
    told = {frame[4][10:12] for frame in ear.frames[behind:] if frame[0] == codec.EVENT}
    assert told == {bytes((cap, 1)) for cap in (1, 2, 4, 16, 32)}


def test_silent_when_nobody_speaks(ear):
    ear.identify(5)
    ear.hear(codec.SNAPSHOT, 2)
    ear.tell("button 0 1")
    ear.hear(codec.EVENT, 3 * (PARTS + 1))
    ear.until(lambda: ear.quiet_for > 1.5)
    repeats = len(ear.of(codec.EVENT))
    ear.send(codec.PING, bytes(8))
    assert ear.hear(codec.EVENT, repeats + 1) == ear.of(codec.EVENT)[0]
    ear.hear(codec.PONG)
