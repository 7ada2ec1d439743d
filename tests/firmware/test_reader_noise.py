"""A reader whose answers are garbled for a while: a tag that lies there is not taken away."""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from companion.core.clock import ManualClock
from firmware.host.link import Link
from firmware.host.messages import TagEvent
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from tests.firmware.test_chips_pn5180 import Bench as Pn5180Bench

UID = bytes.fromhex("04a1b2c3d4e5f6")
TagField = importlib.import_module("firmware.board.tag_debounce").TagField
GARBLED = importlib.import_module("firmware.board.tag_debounce").GARBLED
STATUS_READ, FIFO_READ = 5, 0x92
"""Length of the driver's read of the status, and the address byte of the buffer."""

Spoil = Callable[[bytearray, bool, bool], None]


def error(bit: int) -> Spoil:
    """This bit of the error register (MFRC522, 9.3.1.7) with every answer."""

    def spoil(data: bytearray, status: bool, _: bool) -> None:
        if status and data[1] & 0x20:
            data[2] |= bit

    return spoil


def damaged(data: bytearray, _: bool, buffer: bool) -> None:
    """One bit of every answer is wrong."""
    if buffer:
        data[-1] ^= 0x10


def shortened(data: bytearray, status: bool, _: bool) -> None:
    """Every answer has a byte too few."""
    if status and data[3]:
        data[3] -= 1


GARBLES = {
    "protocol": error(0x01),
    "parity": error(0x02),
    "overflow": error(0x10),
    "collision": error(0x08),
    "wrong bits": damaged,
    "short": shortened,
}


class Table:
    def __init__(self) -> None:
        self.clock, end = ManualClock(), MemoryEnd()
        self.board = VirtualBoard(clock=self.clock, seed=1, end=end)
        port = end.open("x")
        self.link = Link("x", self.clock, opener=lambda _: port)
        self.chip = self.board.chips.readers["pad"]
        self.run(6.0)
        self.board.place_tag("pad", UID)
        assert self.run(1.0) == [UID]

    def run(self, seconds: float) -> list[bytes | None]:
        """What the reader told meanwhile."""
        heard: list[bytes | None] = []
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            heard += [message.uid for message in self.link.poll() if isinstance(message, TagEvent)]
            self.clock.sleep(0.01)
            self.board.step(self.clock.now())
        return heard

    @contextmanager
    def noise(self, spoil: Spoil) -> Iterator[None]:
        plain = self.chip.transfer

        def noisy(data: bytearray) -> None:
            status, buffer = len(data) == STATUS_READ, data[0] == FIFO_READ
            plain(data)
            spoil(data, status, buffer)

        self.chip.transfer = noisy
        try:
            yield
        finally:
            self.chip.transfer = plain


@pytest.mark.parametrize("spoil", GARBLES.values(), ids=GARBLES)
def test_a_second_of_garbled_answers_takes_no_tag_away(spoil: Spoil) -> None:
    table = Table()
    for seconds in (0.1, 0.3, 1.0):
        with table.noise(spoil):
            assert table.run(seconds) == []
        assert table.run(0.5) == []


def test_a_tag_that_was_lifted_amid_the_noise_is_gone_after_it() -> None:
    table = Table()
    with table.noise(error(0x02)):
        table.run(0.3)
        table.board.lift_tag("pad", UID)
    assert table.run(0.5) == [None]


def test_noise_without_an_end_is_no_tag() -> None:
    table = Table()
    with table.noise(error(0x02)):
        assert table.run(4.0) == [None]
    assert table.run(1.0) == [UID]


def test_silence_is_a_removal_at_once() -> None:
    table = Table()
    table.board.lift_tag("pad", UID)
    assert table.run(0.5) == [None]


def test_two_iso_15693_tags_are_not_garbled_and_an_unreadable_one_is() -> None:
    bench = Pn5180Bench()
    assert bench.driver.start()
    first, second = bytes.fromhex("e004015012345678"), bytes.fromhex("e004015087654328")
    bench.chip.place(first)
    bench.chip.place(second)
    assert set(bench.scan()) == {first, second}
    assert not bench.driver.garbled
    bench.chip.lift(second)
    assert bench.scan() == [first]
    assert not bench.driver.garbled
    bench.driver._fits = lambda _: False
    assert bench.scan() == []
    assert bench.driver.garbled
    bench.chip.lift(first)
    assert bench.scan() == []
    assert not bench.driver.garbled


def test_a_garbled_scan_makes_no_phantom_come_sooner() -> None:
    field = TagField(2, 4)
    tag = bytearray(b"\4abcd" + bytes(6))
    assert not field.update([tag], 1)
    assert not field.update([], 0, True)
    assert not field.update([tag], 1)
    assert field.update([tag], 1)
    assert not any(field.update([], 0, True) for _ in range(GARBLED))
    assert [field.update([], 0, True) for _ in range(4)] == [False, False, False, True]
