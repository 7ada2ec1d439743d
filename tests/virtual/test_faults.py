"""Parts of the virtual rig break on command, are mended, and what the board says of them is understood."""

from random import Random

import pytest

from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.rehearse.pulled_cable import WatchedLink
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Health, TagRead
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.rig.board_readings import NoBoard, Rig, enrol
from companion.virtual.rig.breakages import CABLE, CAMERA, DRIFT, READER, Faults
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.virtual_table import VirtualTable
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd

PLAN = VIRTUAL.rig("basic")


class Bench:
    """A board with its rig and faults, and what the host hears of them."""

    def __init__(self) -> None:
        self.clock, end = ManualClock(), MemoryEnd()
        board = VirtualBoard(clock=self.clock, seed=1, end=end)
        self.rig = Rig(board, enrol(["M1A"], Random(1)), PLAN, profile("clean"), Random(1))
        self.faults = Faults(board, PLAN.stations)
        tags = {uid.hex(): code for code, uid in enrol(["M1A"], Random(1)).items()}
        self.source = BoardSource(WatchedLink(self.clock, end, session=5), tags)
        self.hear(4.0)

    def hear(self, seconds: float) -> list[object]:
        found: list[object] = []
        for _ in range(round(seconds / 0.02)):
            self.clock.sleep(0.02)
            self.rig.step(self.clock.now())
            found += self.source.poll()
        return found

    def words(self, seconds: float) -> list[tuple[str, bool]]:
        return [(one.source, one.ok) for one in self.hear(seconds) if isinstance(one, Health)]


def test_a_dead_scale_and_a_dead_reader_are_told_by_name_and_so_is_their_return() -> None:
    bench = Bench()
    for part in ("bed 3 scale", READER):
        bench.faults.set(part, True)
        assert (part, False) in bench.words(6.0)
        bench.faults.set(part, False)
        assert (part, True) in bench.words(12.0)
    bench.rig.tag_on("M1A")
    assert [one.card for one in bench.hear(2.0) if isinstance(one, TagRead)] == ["M1A"]


def test_a_pulled_cable_comes_back() -> None:
    bench = Bench()
    bench.faults.set(CABLE, True)
    assert ("board", False) in bench.words(3.0)
    assert bench.faults.broken == (CABLE,)
    bench.faults.set(CABLE, True)  # it is out already
    bench.faults.set(CABLE, False)
    assert ("board", True) in bench.words(4.0)
    assert bench.faults.broken == ()


def test_a_covered_lens_sees_next_to_nothing() -> None:
    table = VirtualTable(1, "5+", 2, clock=ManualClock(), board=NoBoard())
    light = table.frame().mean()
    table.faults.set(CAMERA, True)
    assert table.frame().mean() < light / 20
    table.faults.set(CAMERA, False)
    assert table.frame().mean() > light / 2


def test_only_parts_that_are_there_can_be_broken() -> None:
    faults = Faults(NoBoard(), PLAN.stations[:4])
    assert faults.parts[-2:] == ("bed 4 scale", DRIFT)
    assert Faults(NoBoard(), ()).parts == (CAMERA, CABLE)
    with pytest.raises(BadInputError, match="bed 5 scale"):
        faults.set("bed 5 scale", True)
