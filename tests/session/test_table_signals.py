"""Lamps and beeper: what the board is told in the course of a game, and what it is spared."""

from pathlib import Path

import msgspec
import pytest

from companion.core.clock import ManualClock
from companion.sensing.board_source import BoardSource
from companion.session import table_signals as signals
from companion.session.engine import Engine
from companion.session.stream.commands import Command
from companion.session.stream.events import Claimed, ClaimHeard, Event, PlaceView, Question, Table, Welcome
from companion.session.stream.stream import StreamServer
from companion.session.table_signals import DARK, TableSignals
from firmware.host.link import Link
from firmware.simulator.virtual_board import VirtualBoard
from tests.support.observed import GAME

BEDS = tuple(PlaceView(f"bed {number}", "awake", lit=number == 2) for number in range(1, 6))
TABLE = Table("check", "CHECK", 3, 2, BEDS, (), (), (), (5, 5), (), ())


def test_each_occasion_has_its_light_and_the_more_urgent_one_wins() -> None:
    one = TableSignals()
    assert one.colours(0.0) == {}
    one.hear(0.0, TABLE)
    assert set(one.colours(0.5).values()) == {signals.TURNS[1]}
    assert one.colours(2.0) == {1: DARK, 2: signals.FEEL, 3: DARK, 4: DARK, 5: DARK}
    one.hear(2.0, Question("Did player 2 feel it?"))
    assert set(one.colours(2.1).values()) == {signals.ASKED}
    assert set(one.colours(2.6).values()) == {DARK}, "it blinks"
    one.hear(3.0, ClaimHeard(3.0, 4, "Bats"))
    assert one.colours(3.1)[4] == signals.HEARD
    one.hear(4.0, Claimed(4.0, 4, "Bats", "refuted", "Still awake!", "awake", ()))
    assert [one.colours(t)[4] for t in (4.1, 4.6, 5.1)] == [
        signals.VERDICTS["refuted"],
        DARK,
        signals.VERDICTS["refuted"],
    ]
    one.hear(4.0, Claimed(4.0, 1, "Pizza", "proved", "She sleeps!", "asleep", ()))
    assert {one.colours(t)[1] for t in (4.1, 4.6, 9.9)} == {signals.VERDICTS["proved"]}
    assert one.colours(20.0) == {1: DARK, 2: signals.FEEL, 3: DARK, 4: DARK, 5: DARK}


def test_a_question_sounds_once_and_switches_silence_each_alone() -> None:
    one = TableSignals()
    one.hear(0.0, Question("Who moved it?"))
    one.hear(1.0, Question("Who moved the other one?"))
    assert len(one.tones()) == 1
    assert one.tones() == []
    one.beeper = False
    one.hear(2.0, ClaimHeard(2.0, 1, "Bats"))
    assert one.tones() == []
    one.hear(2.0, TABLE)
    one.lamps = False
    assert set(one.colours(2.1).values()) == {DARK}


def test_a_question_of_the_last_game_silences_none_of_the_next() -> None:
    one = TableSignals()
    one.hear(0.0, TABLE)
    one.hear(5.0, Question("I have lost track."))
    one.hear(6.0, ClaimHeard(6.0, 4, "Bats"))
    one.tones()
    one.hear(9.0, Welcome(1, "0", "sleepless-princess", "basic", 3))
    one.hear(9.0, TABLE)
    assert one.colours(11.0)[4] == DARK
    one.hear(30.0, Question("Did player 2 feel it?"))
    assert one.tones() == [*signals.TONES["asked"]]
    assert set(one.colours(30.1).values()) == {signals.ASKED}


@pytest.mark.parametrize("crossed", [False, True])
def test_the_board_is_told_through_its_own_protocol(tmp_path: Path, crossed: bool) -> None:
    clock = ManualClock()
    board = VirtualBoard(clock=clock)
    link = Link(board.path, clock)
    wires = {"lamp": {"bed 1": "bed 2", "bed 2": "bed 1"}} if crossed else {}
    source = BoardSource(link, {}, wires=wires)
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    engine = Engine(
        GAME, "basic", 2, sources=[source], stream=stream, journals=tmp_path / "game.jsonl", clock=clock,
        signals=TableSignals(),
    )  # fmt: skip

    def let(seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            clock.sleep(0.05)
            board.step(clock.now())
            engine.round()
            board.await_bytes(link.sent)

    try:
        let(1.0)
        table = msgspec.structs.replace(TABLE, places=BEDS)
        engine.publish(table)
        engine.publish(ClaimHeard(0.0, 1, "Bats"))
        let(0.5)
        bed = "bed 2" if crossed else "bed 1"
        assert board.lamps[bed] == signals.HEARD
        assert [tone for tone in board.tones if tone] == [1200]
        engine.publish(Claimed(0.0, 1, "Bats", "proved", "She sleeps!", "asleep", ()))
        let(0.5)
        assert board.lamps[bed] == signals.VERDICTS["proved"]
        let(signals.VERDICT_S)
        assert board.lamps == {
            f"bed {at}": signals.FEEL if at == (1 if crossed else 2) else DARK for at in range(1, 6)
        }
        assert [tone for tone in board.tones if tone] == [1200, 1568]
    finally:
        engine.close()
        board.close()
