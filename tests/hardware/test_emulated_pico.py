"""MicroPython for the RP2040 on an emulated RP2040: flashing, the link, machine code, memory, a way out.

Minutes long, and in order: each test leaves the board as the next one begins.
"""

import ast
import math
import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from firmware.board.default_rig import DEFAULT_RIG
from firmware.flashing import port_survey
from firmware.flashing.flash_board import Flashed, flash_board
from firmware.flashing.manifest import MAIN, board_files, code_hash
from firmware.flashing.repl_driver import Repl, reach_prompt
from firmware.host.link import Link
from firmware.host.messages import (
    CommandResult,
    Connected,
    Message,
    PartState,
    TextureFrame,
    TouchEvent,
    WeightEvent,
)
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.matrix_network import MatrixCircuit
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.wire import codec, hot_loops_python, payloads
from tests.hardware.conftest import VARIABLE, quiet
from tests.hardware.emulated import EmulatedPico

if not os.environ.get(VARIABLE):
    pytest.skip("no MicroPython to emulate: make hardware UF2=/path/RPI_PICO.uf2", allow_module_level=True)

# The emulator needs ten seconds for one of the board's, and the first test waits for flashing, too.
pytestmark = pytest.mark.timeout(1200)

STATIONS = ["bed 1", "bed 2", "bed 3", "bed 4", "bed 5", "pad"]
ABSENT = "pad reader (MFRC522)"
GRAMS = (12.0, 8.0, 20.0, 14.0, 16.0)
"""What is put on the five beds. Less than the band of noise would be taken in piece by piece."""
WRONG_G = 0.3
"""Grams by which a cell may be wrong: a sixth of the rig's step between two reports."""
NOISE = 4
"""Largest noise (of 255) of the converter in a picture: 5.5 sigma, of 2.9 of 4096 each, rounded down."""
LEAST_RATE = 9.0
"""Readings a second of cells that work: 10 (data sheet), less the looks in between.
Cells that every read puts to sleep settle for 400 ms before the next, so they give 2."""
PRESSED = [(at * 7 % 256) / 255 for at in range(256)]
FIRST_START = 3.0
"""Board's seconds in which MicroPython comes from its USB port to its prompt. A guess, with room."""
STEPS = 300
"""Steps of the resting loop that are watched: about one of the board's seconds."""
SETTLED_MS = 4500
"""Time in which every scale takes its zero and refines it for the last time, on 32 readings."""
SETTLE_LIMIT_MS = 15000
"""Time after which a board that still has something to tell is not at rest. A guess, with room."""
SILENCE = 900
"""Real seconds without a byte after which an answer is given up."""


def listen(pico: EmulatedPico, link: Link, enough: Callable[[list[Message]], bool]) -> list[Message]:
    """Everything that comes until it is enough, for 20 of the board's seconds at most."""
    heard: list[Message] = []
    until = pico.clock.now() + 20
    while not enough(heard):
        assert pico.clock.now() < until, heard
        heard += link.poll()
        pico.clock.sleep(0.01)
    return heard


def answer(prompt: Repl, code: str) -> Any:
    """What `code` printed last, as a value; lines before it are shown as they come.

    Real seconds count here: an emulated board may be silent for minutes.
    """
    lines = [b""]

    def hear(byte: bytes) -> None:
        if byte != b"\n":
            lines[-1] += byte
            return
        if lines[-1].startswith(b"#"):
            print(lines[-1].decode().strip())
        lines.append(b"")

    _, wrong = prompt._transport.exec_raw(code, timeout=SILENCE, data_consumer=hear)
    assert not wrong, wrong.decode()
    return ast.literal_eval(lines[-2].decode())


def test_the_bare_board_shows_its_prompt(pico: EmulatedPico) -> None:
    pico.clock.sleep(FIRST_START)
    assert port_survey.look(pico.path, pico.clock).state == port_survey.AT_PROMPT
    reach_prompt(pico.path, pico.clock, quiet)
    with Repl(pico.path) as repl:
        about = repl.about()
        assert about.platform == "rp2"
        assert about.version >= (1, 24, 0)
        assert "RP2040" in about.machine
        repl.write("some/file.txt", bytes(range(256)) * 5)
        assert repl.read("some/file.txt") == bytes(range(256)) * 5
        repl.remove("some/file.txt")
        repl.remove("some", folder=True)
        assert repl.files("some") == {}


def test_flashing_installs_and_starts_the_program(flashed: Flashed) -> None:
    assert flashed.done == "installed"
    assert flashed.code == f"{code_hash():08x}"
    assert flashed.stations == STATIONS
    assert len(flashed.written) == len(board_files())
    assert flashed.written[-1] == MAIN


def silent(heard: list[Message]) -> set[str]:
    """Names of the parts that were told not to answer."""
    return {message.name for message in heard if isinstance(message, PartState) and not message.answers}


def shown(pressed: list[float]) -> list[int]:
    """What a settled matrix shows of these pressures without noise: 255 is a quarter of the supply."""
    clock = ModelTime()
    model = MatrixModel(clock, Chance(0), MatrixCircuit().changed(adc_noise_lsb=0))
    model.press(pressed)
    found = []
    for at in range(256):
        model.select_row(at >> 4)
        model.select_col(at & 15)
        clock.us += 1000
        found.append(min(255, model.read_u16() >> 6))
    return found


def test_parts_that_are_not_there_are_named(pico: EmulatedPico, link: Link) -> None:
    heard = listen(pico, link, lambda heard: ABSENT in silent(heard))
    hello = next(message for message in heard if isinstance(message, Connected))
    assert hello.code_hash == code_hash()
    assert [station.name for station in hello.stations] == STATIONS
    assert silent(heard) == {ABSENT}


def selftest(pico: EmulatedPico, link: Link, station: str) -> str:
    """What the parts of a station say about themselves."""
    number = link.selftest(station)
    heard = listen(pico, link, lambda h: any(isinstance(m, CommandResult) and m.number == number for m in h))
    return next(m.text for m in heard if isinstance(m, CommandResult) and m.number == number)


def weights(heard: list[Message]) -> dict[str, float]:
    """Last reported grams by the bed's name."""
    return {one.station: one.grams for one in heard if isinstance(one, WeightEvent)}


def weighed(heard: list[Message], grams: tuple[float, ...]) -> bool:
    """Whether these grams were reported last, bed by bed."""
    found = weights(heard)
    beds = enumerate(grams, 1)
    return all(abs(found.get(f"bed {bed}", math.inf) - load) < WRONG_G for bed, load in beds)


def zeroed(pico: EmulatedPico, link: Link) -> None:
    """Wait until the link is up and every scale says that nothing lies on it."""
    listen(pico, link, lambda heard: weighed(heard, (0.0,) * 5))


def test_five_load_cells_are_weighed_and_none_sleeps(pico: EmulatedPico, link: Link) -> None:
    zeroed(pico, link)
    for bed, grams in enumerate(GRAMS, 1):
        pico.put_weight(bed, grams)

    heard = listen(pico, link, lambda heard: weighed(heard, GRAMS))
    assert silent(heard) <= {ABSENT}
    text = selftest(pico, link, "bed 1")
    found = re.match(r"scales \(HX711\): ([0-9.]+)/s ", text)
    assert found, text
    assert float(found[1]) >= LEAST_RATE


def test_a_finger_of_1_8_pf_is_felt_and_let_go(pico: EmulatedPico, link: Link) -> None:
    zeroed(pico, link)
    for finger in (True, False):
        pico.touch(0, finger)
        heard = listen(pico, link, lambda heard: any(isinstance(one, TouchEvent) for one in heard))
        touch = next(one for one in heard if isinstance(one, TouchEvent))
        assert (touch.station, touch.pressed) == ("bed 1", finger)


def test_the_matrix_comes_through_the_machine_code(pico: EmulatedPico, link: Link) -> None:
    def seen(heard: list[Message]) -> bool:
        return any(isinstance(message, TextureFrame) and any(message.pixels) for message in heard)

    zeroed(pico, link)
    pico.press(PRESSED)
    listen(pico, link, seen)
    # The first picture may have caught the press halfway through; the next is whole.
    pictures = [message for message in listen(pico, link, seen) if isinstance(message, TextureFrame)]
    assert max(abs(a - b) for a, b in zip(pictures[-1].pixels, shown(PRESSED), strict=True)) <= NOISE


def test_lamps_and_beeper_answer(pico: EmulatedPico, link: Link) -> None:
    listen(pico, link, lambda heard: any(isinstance(message, Connected) for message in heard))
    link.lamp("bed 2", (10, 20, 30))
    number = link.beep(1000, 50)
    heard = listen(pico, link, lambda h: any(isinstance(m, CommandResult) and m.number == number for m in h))
    assert all(message.ok for message in heard if isinstance(message, CommandResult))
    assert "HX711" in selftest(pico, link, "bed 1")


def test_flashing_again_writes_nothing(pico: EmulatedPico, flashed: Flashed) -> None:
    again = flash_board(pico.path, None, pico.clock, quiet, dry_run=False, force=False)
    assert (again.done, again.written, again.removed) == ("unchanged", [], [])
    assert again.stations == STATIONS


def test_machine_code_agrees_with_plain_code(prompt: Repl) -> None:
    chance = random.Random(6)
    sizes = [0, 1, 48, 208, 253, 254, 255, 300]
    blocks = [bytes(chance.choice((0, chance.randrange(256))) for _ in range(size)) for size in sizes]
    blocks += [bytes([255]) * 254, bytes([255]) * 300, bytes(40)]
    chunks = [hot_loops_python.cobs_encode(block) for block in blocks]
    chunks += [chunk[:-1] for chunk in chunks[1:]] + [b"\0" + chunk[1:] for chunk in chunks]
    frames = [(chance.randbytes(256), chance.randbytes(256)) for _ in range(3)]
    code = """
from firmware.wire import hot_loops
from firmware.board import viper
assert hot_loops.cobs_encode is viper.cobs_encode and hot_loops.POKES
def decoded(chunk):
    try:
        return viper.cobs_decode(chunk)
    except ValueError:
        return None
def raised(peak, frame):
    peak = bytearray(peak)
    viper.raise_to(peak, bytearray(frame))
    return bytes(peak)
"""

    def on_board(call: str, argument: object) -> object:
        return answer(prompt, f"{code}value = {argument!r}\nprint(repr({call}))")

    def decoded(chunk: bytes) -> bytes | None:
        try:
            return hot_loops_python.cobs_decode(chunk)
        except ValueError:
            return None

    for block in blocks:
        assert on_board("viper.cobs_encode(value)", block) == hot_loops_python.cobs_encode(block)
        assert on_board("viper.crc_a(value, 0, len(value))", block) == hot_loops_python.crc_a(
            block, 0, len(block)
        )
    for chunk in chunks:
        assert on_board("decoded(value)", chunk) == decoded(chunk)
    for peak, frame in frames:
        expected = bytearray(peak)
        hot_loops_python.raise_to(expected, bytearray(frame))
        assert on_board("raised(*value)", (peak, frame)) == bytes(expected)


def test_the_resting_loop_allocates_nothing(prompt: Repl) -> None:
    # A reader that does not answer is set up again every five seconds, which no table at rest does.
    stations = [{key: one[key] for key in one if key != "reader"} for one in DEFAULT_RIG["stations"]]
    rig = {**DEFAULT_RIG, "stations": stations}
    ident = codec.encode(codec.IDENT, payloads.pack_ident(7, 0, "test"))
    code = f"""
import gc, micropython, time
from firmware.wire import codec
from firmware.board.app import App
from firmware.board.hal import pico
hal = pico.PicoHal({rig!r})
port = hal.read_serial
waiting = [{ident!r}]
def read(buffer):
    if waiting:
        data = waiting.pop()
        buffer[:len(data)] = data
        return len(data)
    return port(buffer)
hal.read_serial = read
hal.write_serial = len
app = App(hal, {rig!r})
out = app.uplink.out
began = told = time.ticks_ms()
def passed(since):
    return time.ticks_diff(time.ticks_ms(), since)
while passed(began) < {SETTLED_MS} or out.queue:
    if passed(began) > {SETTLE_LIMIT_MS}:
        raise RuntimeError("not at rest: " + repr(out.queue))
    if passed(told) > 1000:
        told = time.ticks_ms()
        print("# settling,", passed(began), "ms, frames that wait:", len(out.queue))
    time.sleep_us(app.step())
    sent = [frame[3] for frame in out.queue if frame[4] is not None]
    if sent and not waiting:
        waiting.append(codec.encode(codec.CREDIT, b"", codec.FLAG_ACK, 0, sent[-1]))
gc.collect()
before = gc.mem_alloc()
# Names are made before the heap is locked: a new one would need the heap itself.
done = longest = began = pause = took = 0
locked = False
micropython.heap_lock()
try:
    bytearray(64)
except MemoryError:
    locked = True
try:
    while done < {STEPS}:
        began = time.ticks_us()
        pause = app.step()
        took = time.ticks_diff(time.ticks_us(), began)
        if took > longest:
            longest = took
        time.sleep_us(pause)
        done += 1
except MemoryError:
    pass  # `done` tells in which step
micropython.heap_unlock()
grown = gc.mem_alloc() - before
began = time.ticks_us()
gc.collect()
print("# longest step", longest, "us, a collection", time.ticks_diff(time.ticks_us(), began), "us")
print(repr((locked, done, grown, None not in app.weights[:5] + app.touched,
            len(out.queue), gc.mem_free())))
"""
    locked, done, grown, measured, queued, free = answer(prompt, code)
    assert locked
    assert done == STEPS, f"step {done} needs the heap"
    assert measured
    assert queued == 0
    assert grown < 64  # the tuple's own numbers
    assert free > 60_000
