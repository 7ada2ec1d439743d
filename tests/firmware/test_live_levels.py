"""Live values over the wire: raw levels of all sensors, while a host asks for them."""

import pytest

from firmware.host.messages import CommandResult, Connected, LevelSample, TextureFrame
from firmware.host.station_ledger import StationLedger, stations_of
from firmware.wire import codec
from tests.firmware.test_link import UID, Table, of


@pytest.fixture
def table():
    made = Table("memory")
    made.run(2)
    yield made
    made.close()


def watched(table, seconds=3.0):
    """The last level of each sensor, by station and part, while a host asks for levels."""
    assert table.link.levels(round(seconds) + 1) >= 0
    return {(m.station, m.part): m for m in of(LevelSample, table.run(seconds))}


def test_levels_of_every_sensor_come_while_they_are_asked_for(table):
    table.board.set_weight("bed 2", 50.0)
    table.board.place_tag("pad", UID)
    table.board.touch("bed 3", True)
    table.board.press_button("bed 4", True)
    table.run(1)
    heard = watched(table)
    sensors = {(one.name, part) for one in of(Connected, table.seen)[0].stations for part in one.capabilities}
    assert set(heard) == {sensor for sensor in sensors if sensor[1] != "lamp"}
    scale = heard["bed 2", "count"]
    assert (scale.value - scale.baseline) / scale.detail == pytest.approx(50, abs=0.5)
    assert 5 < scale.noise < 300
    finger, rest = heard["bed 3", "touch"], heard["bed 1", "touch"]
    assert finger.baseline - finger.value > finger.threshold > rest.baseline - rest.value
    assert rest.detail == pytest.approx(200, abs=20)
    assert (heard["bed 4", "button"].value, heard["bed 5", "button"].value) == (1, 0)
    assert heard["pad", "reader"].value == 1
    assert heard["pad", "texture"].value < heard["pad", "texture"].threshold
    assert of(TextureFrame, table.seen)
    assert {m.ok for m in of(CommandResult, table.seen)} == {True}


def test_levels_end_by_themselves(table):
    assert table.link.levels(2) >= 0
    assert of(LevelSample, table.run(1.5))
    table.run(1.5)
    later = table.run(2)
    assert not of(LevelSample, later)
    assert not of(TextureFrame, later)


def test_levels_count_the_readings_of_a_sensor(table):
    heard = [m for m in of(LevelSample, (table.link.levels(5), table.run(4))[1]) if m.part == "touch"]
    mine = [m for m in heard if m.station == "bed 1"]
    rate = (mine[-1].readings - mine[0].readings) / (mine[-1].t - mine[0].t)
    assert rate == pytest.approx(50, rel=0.15)
    assert len(mine) > 8


def test_a_dead_part_has_no_level(table):
    table.board.misbehave("touch", "bed 1", "dead", True)
    table.board.misbehave("count", "bed 2", "dead", True)
    table.run(2)
    assert {part for _, part in watched(table)} == {"count", "texture", "reader"}
    assert ("bed 2", "count") not in watched(table)


@pytest.mark.parametrize("broken", [b"", bytes(22), bytes(23), b"\x03" + bytes(22)])
def test_a_level_that_makes_no_sense_is_refused(broken):
    ledger = StationLedger()
    ledger.meet(stations_of([("bed", codec.CAP_COUNT, 0)]))
    with pytest.raises(ValueError, match=r"too short|no such part"):
        ledger.sample(1.0, codec.SAMPLE_LEVEL, 0, broken)
