"""Load cells with a broken wire or upside down: named in play with their place, never counted."""

from collections.abc import Iterator

import pytest

from companion.core.clock import ManualClock
from companion.core.config import StationConfig
from companion.fusion.tracker import Tracker
from companion.games.registry import load_game
from companion.sensing.board_source import BROKEN_WIRE, BoardSource
from companion.sensing.card_weighing import BELOW_EMPTY
from companion.sensing.observation import Count, Health, Observation
from companion.session.sensor_monitor import AWAY_S, SensorMonitor
from companion.session.stream.events import Said
from firmware.host.link import Link
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd

CARD_G = 4.0


class Beds:
    """A board with five scales, its host, and what is said in play."""

    def __init__(self, stations: dict[str, StationConfig] | None = None) -> None:
        self.clock = ManualClock()
        self.end = MemoryEnd()
        self.board = VirtualBoard(clock=self.clock, seed=3, end=self.end)
        self.heard: list[Observation] = []
        self.said: list[Said] = []
        self.tracker = Tracker(GAME, "5+", GAME.empty_table("5+", 3))
        self.monitor = SensorMonitor()
        self.meet(stations or {})

    def meet(self, stations: dict[str, StationConfig]) -> None:
        """A host of a new session."""
        self.link = Link(self.board.path, self.clock, opener=self.end.open)
        self.source = BoardSource(_Stepped(self), {}, stations, clock=self.clock)

    def run(self, seconds: float) -> list[Observation]:
        """What is observed meanwhile."""
        fresh: list[Observation] = []
        for _ in range(round(30 * seconds)):
            self.clock.sleep(1 / 30)
            batch = self.source.poll()
            fresh += batch
            told = self.monitor.hear(self.clock.now(), batch, self.tracker).events
            self.said += [one for one in told if isinstance(one, Said)]
        self.heard += fresh
        return fresh

    def lay(self, station: str, cards: int) -> list[Observation]:
        self.board.set_weight(station, CARD_G * cards)
        return self.run(4)

    def counts(self, station: str) -> list[int]:
        return [one.n for one in self.heard if isinstance(one, Count) and one.station == station]


class _Stepped:
    """The link of a board that moves on when it is asked."""

    def __init__(self, beds: Beds) -> None:
        self._beds = beds
        self.finished = False

    def poll(self) -> list[object]:
        return lockstep.step(self._beds.board, self._beds.link, self._beds.clock.now())

    def configure(self, setting: int, station: str | None, value: int) -> None:
        self._beds.link.configure(setting, station, value)

    def close(self) -> None:
        self._beds.link.close()


GAME = load_game("sleepless-princess")


@pytest.fixture
def beds() -> Iterator[Beds]:
    made = Beds()
    made.run(4)
    yield made
    made.link.close()
    made.board.close()


@pytest.mark.parametrize("wire", ["stuck", "zero", "low"])
def test_a_broken_wire_is_said_once_with_its_place_and_no_longer_counted(beds: Beds, wire: str) -> None:
    assert beds.lay("bed 2", 2)
    beds.board.misbehave("count", "bed 2", "wire", wire)
    beds.run(2 + AWAY_S)
    assert Health(pytest.approx(beds.clock.now(), abs=10), "bed 2 scale", False, BROKEN_WIRE) in beds.heard
    (line,) = beds.said
    assert line.text.startswith("Bed 2 scale: a wire of its cell is broken")
    beds.lay("bed 2", 4)
    assert beds.counts("bed 2") == [0, 2]
    assert len(beds.said) == 1
    beds.board.misbehave("count", "bed 2", "wire", "")
    beds.run(4)
    assert beds.counts("bed 2") == [0, 2, 4]
    assert [one.text for one in beds.said[1:]] == ["Bed 2 scale works again."]


def test_a_host_that_comes_later_hears_of_the_broken_wire_too(beds: Beds) -> None:
    beds.board.misbehave("count", "bed 2", "wire", "stuck")
    beds.run(3)
    beds.link.close()
    beds.meet({})
    assert BROKEN_WIRE in [one.detail for one in beds.run(3) if isinstance(one, Health)]


def test_a_cell_upside_down_is_said_once_with_its_place_and_not_counted(beds: Beds) -> None:
    beds.board.misbehave("count", "bed 3", "reversed", True)
    for cards in (1, 2, 3, 4):
        beds.lay("bed 3", cards)
    assert beds.counts("bed 3") == [0]
    (line,) = beds.said
    assert line.text.startswith("Bed 3 scale: reads less than empty")
    assert beds.monitor.gone == {"bed 3 scale": BELOW_EMPTY}
    beds.lay("bed 3", 0)
    assert beds.monitor.gone == {}
    assert beds.counts("bed 3") == [0, 0], "the count is told anew"


def test_a_cell_that_setup_found_upside_down_counts_with_its_sign() -> None:
    beds = Beds({"bed 3": StationConfig(card_g=CARD_G, reversed=True)})
    beds.board.misbehave("count", "bed 3", "reversed", True)
    beds.run(4)
    for cards in (1, 2, 5, 0):
        beds.lay("bed 3", cards)
    assert beds.counts("bed 3") == [0, 1, 2, 5, 0]
    assert beds.said == []
