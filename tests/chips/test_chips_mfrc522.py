"""The reader's driver against the model of its registers."""

import importlib

import pytest

from firmware.chips.mfrc522 import Mfrc522Model
from firmware.chips.tags import Tag, cascade, crc_a
from firmware.chips.world import Chance, ModelTime

Mfrc522 = importlib.import_module("firmware.board.drivers.mfrc522").Mfrc522


class Bench:
    """A chip on a bus: the little of a hardware layer that the driver needs."""

    def __init__(self, seed=0):
        self.time = ModelTime()
        self.chip = Mfrc522Model(self.time, Chance(seed))
        self.driver = Mfrc522(self, self)

    def transfer(self, data):
        self.time.us += 20 + 2 * len(data)
        self.chip.transfer(data)

    def sleep_us(self, count):
        self.time.us += count

    def scan(self):
        self.driver.field(True)
        self.time.us += 5000
        found = self.driver.scan(3)
        self.driver.field(False)
        return found


@pytest.fixture
def bench():
    made = Bench()
    assert made.driver.start()
    return made


def test_crc_a_as_the_standard_gives_it():
    # ISO 14443-3 annex B: 00 00 -> A0 1E, 12 34 -> 26 CF.
    assert crc_a(b"\0\0") == b"\xa0\x1e"
    assert crc_a(b"\x12\x34") == b"\x26\xcf"


def test_cascade_levels():
    assert cascade(bytes.fromhex("04a1b2c3d4e580"))[0] == bytes.fromhex("8804a1b2") + bytes(
        [0x88 ^ 0x04 ^ 0xA1 ^ 0xB2]
    )
    assert [len(cascade(bytes(size))) for size in (4, 7, 10)] == [1, 2, 3]
    with pytest.raises(ValueError, match="4, 7 or 10"):
        Tag(b"12345")


@pytest.mark.parametrize("uid", ["01020304", "04a1b2c3d4e580", "00112233445566778899"])
def test_one_tag(bench, uid):
    bench.chip.place(bytes.fromhex(uid))
    for _ in range(3):
        assert bench.scan() == [bytes.fromhex(uid)]


def test_empty_field(bench):
    assert bench.scan() == []


def test_any_two_tags():
    chance = Chance(3)
    for _ in range(200):
        bench = Bench()
        bench.driver.start()
        uids = {b"\x04" + bytes(chance.u32() & 255 for _ in range(6)) for _ in range(2)}
        for uid in uids:
            bench.chip.place(uid)
        assert set(bench.scan()) == uids


def test_two_tags_that_differ_in_any_single_bit():
    first = bytes.fromhex("04a1b2c3d4e580")
    for bit in range(8, 56):
        second = bytearray(first)
        second[bit // 8] ^= 1 << bit % 8
        bench = Bench()
        bench.driver.start()
        bench.chip.place(first)
        bench.chip.place(bytes(second))
        assert set(bench.scan()) == {first, bytes(second)}


def test_whatever_the_chip_does_the_driver_comes_back(bench):
    bench.chip.place(b"abcd")
    chance = Chance(9)
    honest = bench.chip.transfer

    def lie(data):
        honest(data)
        if chance.happens(0.05):
            data[-1] = chance.u32() & 255

    bench.chip.transfer = lie
    for _ in range(300):
        before = bench.time.us
        bench.scan()
        assert bench.time.us - before < 300000


def test_a_dead_chip_is_no_chip(bench):
    bench.chip.dead = True
    assert not bench.driver.present()
    assert not bench.driver.start()
    assert bench.scan() == []


def test_clones_are_told(bench):
    assert bench.driver.genuine()
    bench.chip.version = 0x12
    assert bench.driver.start()
    assert not bench.driver.genuine()


def test_faults_come_as_often_as_asked():
    bench = Bench(seed=4)
    bench.driver.start()
    bench.chip.place(b"abcd")
    bench.chip.miss_one = 0.2
    bench.chip.ghost = 0.05
    scans = [tuple(bench.scan()) for _ in range(1000)]
    assert 150 < scans.count(()) < 250
    assert 20 < scans.count((b"bcda",)) < 70
    assert set(scans) == {(), (b"abcd",), (b"bcda",)}


def test_a_badly_placed_tag_is_never_heard(bench):
    bench.chip.place(b"abcd").well_placed = False
    assert all(bench.scan() == [] for _ in range(20))
    bench.chip.lift(b"abcd")
    with pytest.raises(ValueError, match="no such tag"):
        bench.chip.lift(b"abcd")
