"""The ISO 15693 reader's driver against the model of its chip and of the tags."""

import importlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.simulator.chips.iso15693_tags import VicinityTag, crc_15693
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.pn5180_model import (
    COLLISION,
    COLLISION_AT,
    GENERAL_ERROR_IRQ,
    Pn5180Model,
)

Pn5180 = importlib.import_module("firmware.board.drivers.pn5180").Pn5180

ROOT = Path(__file__).parents[2]
WASM = ROOT / "tests" / "wasm"
MICROPYTHON = WASM / "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"
STEP_LIMIT_US = 5000
TICKS_MASK = (1 << 30) - 1


class Pin:
    """A pin of the board, wired to the chip."""

    def __init__(self, bench, end):
        self.bench = bench
        self.end = end

    def value(self, *level):
        self.bench.time.us += 2
        return self.end(*level)


class Bench:
    """A chip on a bus: the little of a hardware layer that the driver needs."""

    def __init__(self, seed=0):
        self.time = ModelTime()
        self.chip = Pn5180Model(self.time, Chance(seed))
        self.driver = Pn5180(self, Pin(self, self.chip.busy), Pin(self, self.chip.reset), self)
        self.longest_us = 0

    def exchange(self, data):
        self.time.us += 20 + 2 * len(data)
        self.chip.transfer(data)

    def release(self):
        self.time.us += 2
        self.chip.release()

    def sleep_us(self, count):
        self.time.us += count

    def ticks_us(self):
        return self.time.us & TICKS_MASK

    def since_us(self, ticks):
        return (self.time.us - ticks) & TICKS_MASK

    def scan(self):
        """The UIDs of one inventory, called back as often as it asks for."""
        self.driver.field(True)
        self.time.us += self.driver.FIELD_UP_US
        while True:
            since = self.time.us
            n = self.driver.scan()
            self.longest_us = max(self.longest_us, self.time.us - since)
            if n >= 0:
                break
            self.time.us -= n
        self.driver.field(False)
        assert all(slot[0] == 8 for slot in self.driver.found[:n])
        return [bytes(slot[1:9]) for slot in self.driver.found[:n]]

    def scan_ms(self):
        since = self.time.us
        self.scan()
        return (self.time.us - since) / 1000

    def place(self, *uids):
        for uid in uids:
            self.chip.place(uid)


@pytest.fixture
def bench():
    made = Bench()
    assert made.driver.start()
    return made


def uids(count, seed=5):
    chance = Chance(seed)
    return [b"\xe0\x04\x01" + bytes(chance.u32() & 255 for _ in range(5)) for _ in range(count)]


# The tags


def test_crc_as_iso_13239_gives_it():
    assert crc_15693(b"123456789") == b"\x6e\x90"


@pytest.mark.parametrize("uid", [b"", b"\xe0" * 7, b"\x04" * 8])
def test_what_is_no_uid_is_no_tag(uid):
    with pytest.raises(ValueError, match="begins with E0"):
        VicinityTag(uid)


def request(*body):
    return bytes(body) + crc_15693(bytes(body))


def test_a_tag_speaks_in_the_slot_of_the_digit_behind_the_mask():
    tag = VicinityTag(bytes.fromhex("e004010203040532"))
    assert tag.request(request(0x06, 0x01, 0)) is None
    assert tag.end_of_frame() is None
    answer = tag.end_of_frame()
    assert answer == b"\0\0" + bytes.fromhex("32050403020104e0") + answer[-2:]
    assert crc_15693(answer[:-2]) == answer[-2:]
    assert tag.end_of_frame() is None
    tag.request(request(0x06, 0x01, 4, 0x02))
    assert [tag.end_of_frame() is not None for _ in range(4)] == [False, False, True, False]
    tag.request(request(0x06, 0x01, 4, 0x03))
    assert [tag.end_of_frame() for _ in range(15)] == [None] * 15


def test_a_tag_answers_only_what_it_understands():
    tag = VicinityTag(bytes.fromhex("e004010203040500"))
    assert tag.request(request(0x26, 0x01, 0)) is not None
    assert tag.request(request(0x26, 0x01, 0)[:-1] + b"\0") is None
    assert tag.request(request(0x24, 0x01, 0)) is None, "low rate"
    assert tag.request(request(0x36, 0x01, 0x50, 0)) is None, "AFI"
    assert tag.request(request(0x26, 0x01, 16, 0)) is None, "cut mask"
    assert tag.request(request(0x06, 0x01, 64, *tag.uid[::-1])) is None, "no digit behind the mask"
    tag.request(request(0x22, 0x02, *tag.uid[::-1]))
    assert tag.request(request(0x26, 0x01, 0)) is None, "told to be quiet"
    tag.power_up(False)
    assert tag.request(request(0x26, 0x01, 0)) is not None


# The chip


def command(bench, *frame):
    bench.time.us += 2000
    data = bytearray(frame)
    bench.exchange(data)
    bench.time.us += 20
    bench.release()
    return data


def read(bench, register):
    command(bench, 0x04, register)
    return int.from_bytes(command(bench, 0xFF, 0xFF, 0xFF, 0xFF), "little")


def test_data_goes_out_only_while_it_may_transceive(bench):
    command(bench, 0x03, 0, 0, 0)
    assert read(bench, 0x02) & GENERAL_ERROR_IRQ, "unknown command"
    command(bench, 0x00, 0x03, 0xFF, 0xFF, 0xFF, 0)
    assert not read(bench, 0x02) & GENERAL_ERROR_IRQ
    command(bench, 0x09, 0, 0x26, 0x01, 0)
    assert read(bench, 0x02) & GENERAL_ERROR_IRQ


def test_a_frame_before_busy_fell_is_an_error(bench):
    command(bench, 0x04, 0x13)
    assert bench.chip.busy()
    bench.exchange(bytearray(4))
    assert bench.chip.early_frames == 1
    bench.time.us += 2000
    assert not bench.chip.busy()


def test_a_frame_whose_nss_went_high_before_busy_is_lost(bench):
    """Data sheet 11.4.1: NSS goes high once BUSY is high. A driver that releases at once sets nothing."""
    bench.time.us += 2000
    before = read(bench, 0x18)
    bench.time.us += 2000
    bench.exchange(bytearray((0x00, 0x18, 0x55, 0, 0, 0)))
    assert not bench.chip.busy()
    bench.release()
    assert bench.chip.early_releases == 1
    assert read(bench, 0x18) == before
    assert read(bench, 0x02) & GENERAL_ERROR_IRQ
    command(bench, 0x00, 0x18, 0x55, 0, 0, 0)
    assert read(bench, 0x18) == 0x55


def test_the_driver_never_releases_before_busy():
    bench = Bench()
    assert bench.driver.start()
    bench.place(*uids(4))
    assert len(bench.scan()) == 4
    assert (bench.chip.early_releases, bench.chip.early_frames) == (0, 0)


def test_a_busy_line_that_never_rises_is_named(bench):
    bench.driver.busy = Pin(bench, lambda: 0)
    with pytest.raises(OSError, match="takes no command"):
        bench.driver.start()
    assert not bench.driver.present()


def test_masks_change_single_bits(bench):
    command(bench, 0x00, 0x19, 0x0F, 0, 0, 0)
    command(bench, 0x01, 0x19, 0xF0, 0, 0, 0)
    command(bench, 0x02, 0x19, 0x3C, 0xFF, 0xFF, 0xFF)
    assert read(bench, 0x19) == 0x3C


def test_a_collision_says_where(bench):
    bench.place(bytes.fromhex("e0040102030405f0"), bytes.fromhex("e0040102030407f0"))
    bench.driver.field(True)
    command(bench, 0x00, 0x00, 3, 0, 0, 0)
    command(bench, 0x09, 0, 0x26, 0x01, 0)
    bench.time.us += 8000
    status = read(bench, 0x13)
    assert status & COLLISION
    assert status >> COLLISION_AT & 0x7F == 16 + 8 + 1, "flags, DSFID, F0, then the second bit"


def test_tags_are_deaf_for_a_millisecond(bench):
    bench.place(*uids(1))
    bench.driver.FIELD_UP_US = 0
    assert bench.scan() == []


# The inventory


@pytest.mark.parametrize(
    ("count", "most_ms"),
    [(0, 30), (1, 34), (2, 39), (10, 135)],
)
def test_all_are_found_in_time(bench, count, most_ms):
    placed = uids(count)
    bench.place(*placed)
    for _ in range(3):
        assert sorted(bench.scan()) == sorted(placed)
    assert bench.scan_ms() <= most_ms
    assert bench.longest_us <= STEP_LIMIT_US
    assert bench.chip.early_frames == 0


def test_of_fifteen_ten_are_reported(bench):
    placed = uids(15)
    bench.place(*placed)
    found = bench.scan()
    assert len(set(found)) == 10
    assert set(found) <= set(placed)
    assert bench.scan_ms() <= 217


def test_the_tick_counter_may_wrap_in_mid_scan(bench):
    placed = uids(3)
    bench.place(*placed)
    bench.time.us = TICKS_MASK - 8000
    assert sorted(bench.scan()) == sorted(placed)
    assert bench.ticks_us() < 60000


def test_results_reuse_their_buffers(bench):
    before = [id(slot) for slot in bench.driver.found]
    bench.place(*uids(10))
    bench.scan()
    assert [id(slot) for slot in bench.driver.found] == before
    assert [len(slot) for slot in bench.driver.found] == [11] * 10


def test_two_tags_that_differ_in_any_single_bit():
    first = bytes.fromhex("e004010203040506")
    for bit in range(8, 64):
        second = bytearray(first)
        second[bit // 8] ^= 1 << bit % 8
        bench = Bench()
        bench.driver.start()
        bench.place(first, bytes(second))
        assert set(bench.scan()) == {first, bytes(second)}


def test_pairs_that_differ_in_the_last_digit_alone(bench):
    placed = [bytes((0xE0, last)) + bytes((0x11 * digit,)) * 6 for digit in range(5) for last in (0x17, 0x27)]
    bench.place(*placed)
    assert sorted(bench.scan()) == sorted(placed)
    assert bench.longest_us <= STEP_LIMIT_US


serials = st.one_of(
    st.binary(min_size=7, max_size=7),
    st.tuples(st.binary(min_size=1, max_size=6), st.sampled_from([b"\0", b"\xff", b"\x12\x34"])).map(
        lambda pair: (pair[0] + pair[1] * 7)[:7]
    ),
)


@settings(max_examples=60)
@given(st.sets(serials, max_size=10))
def test_found_is_what_was_placed(placed):
    bench = Bench()
    bench.driver.start()
    wanted = sorted(b"\xe0" + serial for serial in placed)
    bench.place(*wanted)
    assert sorted(bench.scan()) == wanted
    assert bench.chip.early_frames == 0


def test_what_is_laid_and_lifted_between_scans(bench):
    first, second, third = uids(3)
    bench.place(first, second)
    bench.scan()
    bench.chip.lift(first)
    bench.place(third)
    assert sorted(bench.scan()) == sorted((second, third))
    with pytest.raises(ValueError, match="no such tag"):
        bench.chip.lift(first)


# Faults


def test_misses_come_as_often_as_asked():
    bench = Bench(seed=4)
    bench.driver.start()
    bench.place(*uids(1))
    bench.chip.miss = 0.2
    empty = [bench.scan() for _ in range(300)].count([])
    assert 40 <= empty <= 80


def test_a_badly_placed_tag_is_never_heard():
    bench = Bench(seed=4)
    bench.driver.start()
    bench.chip.frozen = 0.5
    placed = uids(40)
    bench.place(*placed[:8])
    heard = bench.scan()
    assert 0 < len(heard) < 8
    assert all(bench.scan() == heard for _ in range(5))
    for uid in placed[:8]:
        bench.chip.lift(uid)
    bench.chip.frozen = 0.0
    bench.place(*placed[:8])
    assert sorted(bench.scan()) == sorted(placed[:8])


def test_ghosts_come_beside_the_real_tag_and_shifted_uids_are_refused():
    bench = Bench(seed=4)
    bench.driver.start()
    (uid,) = uids(1)
    bench.place(uid)
    bench.chip.ghost = 0.1
    scans = [bench.scan() for _ in range(300)]
    ghosts = [scan for scan in scans if scan != [uid]]
    assert 15 <= len(ghosts) <= 45
    assert all(uid in scan and len(scan) == 2 for scan in ghosts)
    bench.chip.ghost = 0.0
    bench.chip.shifted = 1.0
    assert bench.scan() == []
    assert "refused 1" in bench.driver.selftest()[1]


def test_a_dead_chip_is_no_chip():
    bench = Bench()
    bench.chip.dead = True
    with pytest.raises(OSError, match="stays busy"):
        bench.driver.start()
    assert not bench.driver.present()
    assert bench.time.us < 50000
    assert bench.driver.selftest() == (False, "PN5180: stays busy")


def test_a_line_that_nobody_drives_is_no_chip(bench):
    def silent(data):
        for at in range(len(data)):
            data[at] = 0

    bench.chip.transfer = silent
    with pytest.raises(OSError, match="takes no command"):
        bench.driver.start()
    assert not bench.driver.present()


@pytest.mark.parametrize("frame", range(0, 180, 3))
def test_a_chip_that_hangs_in_mid_command(frame):
    bench = Bench()
    bench.driver.start()
    bench.place(*uids(2))
    bench.chip.hang_after = frame
    since = bench.time.us
    with pytest.raises(OSError, match=r"stays busy|does not answer"):
        bench.scan()
    assert bench.time.us - since < 60000
    bench.chip.stuck_busy = True
    assert not bench.driver.present()
    bench.chip.stuck_busy = False
    assert bench.driver.start()
    assert len(bench.scan()) == 2


def test_a_chip_that_lost_power_for_a_moment_is_set_up_again(bench):
    bench.place(*uids(1))
    assert bench.driver.present()
    bench.scan()
    assert bench.driver.present()
    bench.chip.reset(0)
    bench.chip.reset(1)
    bench.time.us += 5000
    assert not bench.driver.present()
    assert bench.driver.start()
    assert bench.driver.present()
    assert len(bench.scan()) == 1


def test_a_field_that_does_not_come_up_is_a_fault(bench):
    bench.driver.field(True)
    bench.driver.field(False)
    since = bench.time.us
    bench.driver.field = lambda on: None
    with pytest.raises(OSError, match="field does not come up"):
        bench.scan()
    assert bench.time.us - since < 12000


def test_noise_in_every_slot_ends(bench):
    honest = bench.chip.transfer
    status = []

    def noisy(data):
        asked = bytes(data[:2])
        honest(data)
        if status:
            data[:] = status.pop()
        elif asked == b"\x04\x02":
            status.append(b"\x03\x40\0\0")
        elif asked == b"\x04\x13":
            status.append(b"\x0a\0\x04\0")

    bench.driver.field(True)
    bench.chip.transfer = noisy
    since = bench.time.us
    bench.driver._state = 1
    while bench.driver.scan() < 0:
        pass
    assert bench.time.us - since < 100000


def test_whatever_the_chip_says_the_driver_comes_back(bench):
    bench.place(*uids(3))
    chance = Chance(9)
    honest = bench.chip.transfer

    def lie(data):
        honest(data)
        if chance.happens(0.02):
            data[chance.u32() % len(data)] = chance.u32() & 255

    bench.chip.transfer = lie
    faults = 0
    for _ in range(200):
        since = bench.time.us
        try:
            bench.scan()
        except OSError:
            faults += 1
        assert bench.time.us - since < 1000000
        assert bench.longest_us < 20000
    assert 0 < faults < 200


def test_selftest_speaks_in_numbers(bench):
    bench.place(*uids(2))
    bench.scan()
    ok, text = bench.driver.selftest()
    assert ok
    assert text == "firmware 4.0, last inventory: tags 2, rounds 1, unclear 0, refused 0, AGC 380"
    bench.chip.firmware = 0x030C
    assert not bench.driver.selftest()[0]


# Real MicroPython

ON_THE_BOARD = """
import gc, micropython
from firmware.board.drivers.pn5180 import Pn5180
from firmware.simulator.chips.pn5180_model import Pn5180Model
from firmware.simulator.chips.model_time import Chance, ModelTime

time = ModelTime()
chip = Pn5180Model(time, Chance(1))
locked = False

class Pin:
    def __init__(self, end):
        self.end = end
    def value(self, level=None):
        if locked:
            micropython.heap_unlock()
        time.us += 2
        result = self.end() if level is None else self.end(level)
        if locked:
            micropython.heap_lock()
        return result

class Hal:
    def exchange(self, data):
        if locked:
            micropython.heap_unlock()
        time.us += 20 + 2 * len(data)
        chip.transfer(data)
        if locked:
            micropython.heap_lock()
    def release(self):
        if locked:
            micropython.heap_unlock()
        time.us += 2
        chip.release()
        if locked:
            micropython.heap_lock()
    def sleep_us(self, count):
        time.us += count
    def ticks_us(self):
        return time.us & 0x3FFFFFFF
    def since_us(self, ticks):
        return time.us - ticks & 0x3FFFFFFF

hal = Hal()
driver = Pn5180(hal, Pin(chip.busy), Pin(chip.reset), hal)
assert driver.start()

def scan():
    driver.field(True)
    time.us += driver.FIELD_UP_US
    while True:
        n = driver.scan()
        if n >= 0:
            break
        time.us -= n
    driver.field(False)
    return n

for count in (0, 1, 2, 10):
    while len(chip.tags) < count:
        k = len(chip.tags)
        chip.place(bytes((0xE0, 4, 1, k, 7, 7, 7, 0x33 if k < 4 else 0x10 + k)))
    scan()
    gc.collect()
    n = there = None  # a new name would need the heap itself
    micropython.heap_lock()
    locked = True
    try:
        n = scan()
        there = driver.present()
    except MemoryError:
        pass
    locked = False
    while micropython.heap_unlock():
        pass
    print(count, n, there, n is not None and sorted([bytes(f[1:9]).hex() for f in driver.found[:n]]) ==
          sorted([t.uid.hex() for t in chip.tags]))
"""
RUN = """
const [module, files, code] = process.argv.slice(1);
const { loadMicroPython } = await import(module);
const mp = await loadMicroPython({ heapsize: 1024 * 1024, linebuffer: false });
for (const [name, text] of Object.entries(JSON.parse(files))) {
  const parts = name.split("/");
  for (let i = 1; i < parts.length; i++) {
    try { mp.FS.mkdir("/" + parts.slice(0, i).join("/")); } catch {}
  }
  mp.FS.writeFile("/" + name, text);
}
mp.runPython("import sys; sys.path.append('/')\\n" + code);
"""


def test_a_scan_takes_nothing_from_the_heap():
    node = shutil.which("node")
    if node is None or not MICROPYTHON.exists():
        missing = "node" if node is None else "tests/wasm/node_modules (npm ci)"
        assert not os.environ.get("COMPANION_REQUIRE_WASM"), "no real MicroPython: " + missing
        pytest.skip("no real MicroPython: " + missing + " is missing")
    names = (
        "firmware/__init__.py",
        "firmware/wire/__init__.py",
        "firmware/wire/hot_loops.py",
        "firmware/wire/hot_loops_python.py",
        "firmware/board/viper.py",
        "firmware/board/__init__.py",
        "firmware/board/drivers/__init__.py",
        "firmware/board/drivers/pn5180.py",
        "firmware/simulator/__init__.py",
        "firmware/simulator/chips/__init__.py",
        "firmware/simulator/chips/pn5180_model.py",
        "firmware/simulator/chips/iso15693_tags.py",
        "firmware/simulator/chips/model_time.py",
    )
    files = json.dumps({name: (ROOT / name).read_text() for name in names})
    done = subprocess.run(
        [node, "--input-type=module", "-e", RUN, MICROPYTHON.as_uri(), files, ON_THE_BOARD],
        capture_output=True,
        check=False,
        text=True,
        timeout=20,
    )
    assert done.stdout.split("\n")[:4] == [f"{n} {n} True True" for n in (0, 1, 2, 10)], done.stderr
