"""The line between board and link, broken in every way a cable knows: nothing lost, nothing doubled."""

import pytest

from companion.core.clock import ManualClock
from firmware.simulator.virtual_board import VirtualBoard
from tests.firmware.line_torture import RIG, RoughEnd, Torture


def tortured(seed, cases, name=""):
    clock, end = ManualClock(), RoughEnd()
    board = VirtualBoard(RIG, clock, seed, end=end)
    torture = Torture(board, end, clock, seed)
    for _ in range(cases):
        torture.case(name)
    board.close()
    return torture.toll


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_on_a_broken_line(seed):
    toll = tortured(seed, 700)
    assert toll.failed == []
    assert (toll.unrecovered, toll.lost, toll.doubled) == (0, 0, 0)
    assert len(toll.cases) == 14
    assert toll.events > 1500


def test_many_replugs():
    toll = tortured(3, 1000, "replug")
    assert toll.failed == []
    assert (toll.unrecovered, toll.lost, toll.doubled) == (0, 0, 0)
    assert toll.events > 2000


def test_the_same_seed_gives_the_same_torture():
    assert tortured(8, 56) == tortured(8, 56)


def test_the_torture_notices_a_link_that_drops_events(monkeypatch):
    from firmware.host.station_ledger import StationLedger

    honest = StationLedger.event
    count = 0

    def careless(self, *args):
        nonlocal count
        count += 1
        return [] if count % 20 == 0 else honest(self, *args)

    monkeypatch.setattr(StationLedger, "event", careless)
    toll = tortured(1, 28)
    assert toll.lost
    assert toll.unrecovered
    assert toll.failed
