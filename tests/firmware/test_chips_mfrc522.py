"""The reader's driver against the model of its registers."""

import contextlib
import importlib

import pytest

from firmware.simulator.chips.iso14443_tags import Tag, cascade, crc_a
from firmware.simulator.chips.mfrc522_model import Mfrc522Model
from firmware.simulator.chips.model_time import Chance, ModelTime

Mfrc522 = importlib.import_module("firmware.board.drivers.mfrc522").Mfrc522


class Bench:
    """A chip on a bus: the little of a hardware layer that the driver needs."""

    def __init__(self, seed=0):
        self.time = ModelTime()
        self.chip = Mfrc522Model(self.time, Chance(seed))
        self.transfers = 0
        self.driver = Mfrc522(self, self)

    def transfer(self, data):
        self.time.us += 20 + 2 * len(data)
        self.transfers += 1
        self.chip.transfer(data)

    def sleep_us(self, count):
        self.time.us += count

    def scan(self):
        return self.measured()[0]

    def measured(self):
        """(UIDs, transfers, milliseconds, longest call in milliseconds) of a scan behind the field's guard."""
        driver = self.driver
        driver.field(True)
        self.time.us += driver.FIELD_UP_US
        transfers, since = self.transfers, self.time.us
        longest = 0
        while True:
            began = self.time.us
            count = driver.scan()
            longest = max(longest, self.time.us - began)
            if count >= 0:
                break
            self.time.us -= count
        cost = self.transfers - transfers, (self.time.us - since) / 1000, longest / 1000
        driver.field(False)
        return [bytes(tag[1 : tag[0] + 1]) for tag in driver.found[:count]], *cost


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


def test_three_tags_are_read_right_or_not_at_all():
    chance = Chance(6)
    complete = 0
    for _ in range(200):
        bench = Bench()
        bench.driver.start()
        uids = {b"\x04" + bytes(chance.u32() & 255 for _ in range(6)) for _ in range(3)}
        for uid in uids:
            bench.chip.place(uid)
        found = bench.scan()
        assert set(found) <= uids
        assert len(set(found)) == len(found)
        complete += len(found) == 3
    assert complete > 20


def test_tags_of_different_lengths_together(bench):
    uids = [bytes.fromhex("01020304"), bytes.fromhex("04a1b2c3d4e580")]
    for uid in uids:
        bench.chip.place(uid)
    assert sorted(bench.scan()) == uids


def test_a_cascade_tag_inside_a_uid_is_a_byte_like_any_other(bench):
    uid = bytes.fromhex("0468f688694256")
    bench.chip.place(uid)
    assert bench.scan() == [uid]


def test_what_a_scan_costs():
    tags = [bytes.fromhex("04a1b2c3d4e580"), bytes.fromhex("04a1b2c3d4e681")]
    limits = [(10, 0.7, 0.7), (52, 7.0, 5.5), (104, 13.0, 6.5)]
    for count, (transfers, whole, longest) in enumerate(limits):
        bench = Bench()
        bench.driver.start()
        for uid in tags[:count]:
            bench.chip.place(uid)
        cost = bench.measured()
        assert len(cost[0]) == count
        assert cost[1] <= transfers
        assert cost[2] <= whole
        assert cost[3] <= longest


def test_whatever_the_chip_does_the_driver_comes_back(bench):
    bench.chip.place(b"abcd")
    chance = Chance(9)
    honest = bench.chip.transfer

    def lie(data):
        honest(data)
        if chance.happens(0.05):
            data[-1] = chance.u32() & 255

    bench.chip.transfer = lie
    answers = 0
    for _ in range(300):
        before = bench.time.us
        try:
            answers += bench.scan() == [b"abcd"]
        except OSError:
            assert bench.driver.start() in (True, False)
        assert bench.time.us - before < 60000
    assert 10 < answers < 300


@pytest.mark.parametrize("after", range(1, 49, 3))
def test_a_chip_that_stops_in_mid_command_is_woken_by_a_reset(bench, after):
    uid = bytes.fromhex("04a1b2c3d4e580")
    bench.chip.place(uid)
    bench.chip.hang_after = after
    before = bench.time.us
    with contextlib.suppress(OSError):
        assert bench.scan() in ([uid], [])
    assert bench.time.us - before < 20000
    assert bench.chip.hung
    with pytest.raises(OSError, match="hangs"):
        bench.scan()
    assert bench.driver.start()
    assert bench.scan() == [uid]


def test_a_dead_chip_is_no_chip(bench):
    bench.chip.dead = True
    assert not bench.driver.present()
    assert not bench.driver.start()
    # Nobody drives the line: all ones, which no chip says.
    assert bench.scan() == []
    bench.chip.dead = False
    assert bench.driver.start()
    assert bench.driver.present()


def test_a_line_that_reads_whatever_it_likes_is_no_chip(bench):
    def steady(data):
        data[:] = bytes([0x5A] * len(data))

    bench.chip.transfer = steady
    assert not bench.driver.start()


def test_the_self_test_gives_numbers(bench):
    bench.chip.place(b"abcd")
    bench.scan()
    ok, text = bench.driver.selftest()
    assert ok
    assert "0x92" in text
    assert "1 tags" in text
    assert len(text) <= 120
    assert bench.scan() == [b"abcd"]
    honest = bench.chip.transfer
    bench.chip.transfer = lambda data: honest(data) if data[0] != 0x12 else None
    ok, text = bench.driver.selftest()
    assert not ok
    assert "FIFO broken" in text


def test_clones_are_told(bench):
    assert bench.driver.warning == ""
    bench.chip.version = 0x12
    assert bench.driver.start()
    assert "0x12" in bench.driver.warning
    bench.chip.version = 0x91
    assert bench.driver.start()
    assert bench.driver.warning == ""


def test_faults_come_as_often_as_asked():
    bench = Bench(seed=4)
    bench.driver.start()
    bench.chip.place(b"abcd")
    bench.chip.miss_one = 0.2
    bench.chip.shifted = 0.05
    scans = [tuple(bench.scan()) for _ in range(1000)]
    assert 150 < scans.count(()) < 250
    assert 20 < scans.count((b"bcda",)) < 70
    assert set(scans) == {(), (b"abcd",), (b"bcda",)}


def test_ghosts_are_uids_that_do_not_exist():
    bench = Bench(seed=5)
    bench.driver.start()
    uid = bytes.fromhex("04a1b2c3d4e580")
    bench.chip.place(uid)
    bench.chip.ghost = 0.2
    heard = [bench.scan()[0] for _ in range(300)]
    ghosts = [found for found in heard if found != uid]
    assert 35 < len(ghosts) < 90
    assert len(set(ghosts)) == len(ghosts)
    assert {len(found) for found in ghosts} == {7}


def test_a_frozen_miss_lasts_until_the_tag_is_moved():
    bench = Bench(seed=2)
    bench.driver.start()
    bench.chip.frozen = 0.3
    missed = 0
    for _ in range(100):
        bench.chip.place(b"abcd")
        scans = [bench.scan() for _ in range(3)]
        assert scans in ([[b"abcd"]] * 3, [[]] * 3)
        missed += scans[0] == []
        bench.chip.lift(b"abcd")
    assert 15 < missed < 50


def test_a_badly_placed_tag_is_never_heard(bench):
    bench.chip.place(b"abcd").well_placed = False
    assert all(bench.scan() == [] for _ in range(20))
    bench.chip.lift(b"abcd")
    with pytest.raises(ValueError, match="no such tag"):
        bench.chip.lift(b"abcd")
