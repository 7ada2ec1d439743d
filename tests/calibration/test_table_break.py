"""A break in a game: a setup step is done at a virtual table that plays, and everything lies as before."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from calibration.rig_store import RigStore
from calibration.virtual_rig.table_hands import TableHands
from calibration.wizard.screens.setup_app import SetupApp
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, LayInOrder, LayPaper, LoadScale, Request
from calibration.wizard.setup_run import STATIONS, SetupRun
from calibration.wizard.setup_walk import ScreenPerson
from calibration.wizard.step_result import Verdict
from companion.core.address_card import CONTROL_NAME
from companion.core.clock import ManualClock, RealClock
from companion.core.config import StationConfig
from companion.core.errors import BadInputError, SourceError
from companion.games.registry import load_game, load_virtual
from companion.session.entries.table_break import TableBreak
from companion.session.stream.stream import connect, encode_line
from companion.session.stream.virtual_table_events import Watching
from companion.virtual.card_art import NO_MAT, Art
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.rig.breakages import DRIFT
from companion.virtual.table_server import TableServer
from companion.virtual.virtual_table import VirtualTable
from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from tests.support.terminal_text import screen_text
from vision.camera.frames import Frame
from vision.mat.mat_finder import markers_in_sight

GAME, VARIANT = "sleepless-princess", "basic"
TICK_S = 1 / 30


@dataclass(frozen=True)
class Nonsense:
    """No request at all."""


class BreakAtTable:
    """Board of a table that plays in lock step with a link, as `Devices`; and its hands, as `Operator`."""

    specs, choice, refused, camera = ("", ""), (), None, None

    def __init__(self) -> None:
        self.clock, end = ManualClock(), MemoryEnd()
        board = VirtualBoard(load_virtual(GAME).rig(VARIANT).board_rig(), self.clock, 1, end=end)
        self.table = VirtualTable(1, VARIANT, 2, clock=self.clock, board=board, pace=0.1)
        self.link = Link(end.path, self.clock, opener=end.open, session=5)
        self._board, self._hands, self._answer = board, TableHands(self.table), False

    def use_camera(self, spec: str) -> None: ...

    def poll(self) -> list[Message]:
        now = self.clock.now()
        self.table.step(now)
        self._hands.step(now)
        return lockstep.step(self._board, self.link, now)

    def frame(self) -> Frame | None:
        return None

    def play(self, seconds: float) -> None:
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            self.clock.sleep(TICK_S)
            self.table.step(self.clock.now())

    def ask(self, request: Request) -> None:
        values = {name: getattr(request, name) for name in request.__dataclass_fields__}
        self._answer = self._hands.ask(type(request).__name__, values)

    def answered(self) -> bool:
        return self._answer

    def typed(self) -> str:
        return ""

    def end(self) -> None:
        self._hands.end()


@pytest.mark.long
async def test_a_drift_is_mended_in_a_break_and_the_game_goes_on_where_it_was(tmp_path: Path) -> None:
    there = BreakAtTable()
    table = there.table
    there.play(60)
    table.faults.set(DRIFT, True)
    with pytest.raises(BadInputError, match="are playing"):
        there.ask(ClearTable())
    table.paused = True
    there.play(30)
    assert table.held
    lying, loads = table.world.things, dict(table.rig.loads)
    before = {one.code: (one.x, one.y, one.angle, one.side) for one in lying.values()}
    assert any(loads.values())

    store, person = RigStore(tmp_path), ScreenPerson(there)
    bench = SetupBench(load_game(GAME), VARIANT, there, person, there.clock, patience_s=6.0, tick_s=TICK_S)
    app = SetupApp(SetupRun(bench, "den", store), person, paced=False, mends=STATIONS)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.chosen == STATIONS
        await pilot.press("enter")
        for _ in range(3000):
            await asyncio.sleep(0.01)
            if person.request is not None:
                await pilot.press("enter")
            if STATIONS in app.run_of.results and not app.running:
                break
        assert app.run_of.results[STATIONS].verdict is Verdict.GOOD
        await pilot.pause()
        shown = screen_text(app)
        assert "Enter: back to the game." in shown
        await pilot.press("enter")
        await pilot.pause()
        assert not app.is_running
    there.end()
    assert {one.code: (one.x, one.y, one.angle, one.side) for one in table.world.things.values()} == before
    assert table.rig.loads == loads
    mended = store.load("den").stations
    assert set(mended) == set(bench.stations("count"))
    assert all(isinstance(one, StationConfig) for one in mended.values())
    steps = len(table.truth.entries)
    table.paused = False
    there.play(40)
    assert len(table.truth.entries) > steps


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[VirtualTable, Path]]:
    clock = RealClock()
    table = VirtualTable(1, VARIANT, 2, clock=clock, board=NoBoard(), pace=0.01)
    server = TableServer(table, tmp_path / "table.json", clock, helper=TableHands(table))
    thread = threading.Thread(target=server.run)
    thread.start()
    yield table, tmp_path / CONTROL_NAME
    server.stop()
    thread.join(60)


def test_the_players_hold_for_a_break_and_go_on_when_an_engine_watches(
    served: tuple[VirtualTable, Path], tmp_path: Path
) -> None:
    table, control = served
    pause = TableBreak(control)
    pause.begin()
    assert table.held
    lying = set(table.world.things)
    pause.ask(ClearTable())
    assert pause.answered()
    assert not table.world.things
    with pytest.raises(BadInputError, match="no request"):
        pause.ask(Nonsense())
    pause.ask(LoadScale("bed 1", 3))
    pause.end()
    line = connect(control)
    line.sendall(encode_line(Watching(str(tmp_path / "nobody"))))
    for _ in range(200):
        if not table.paused:
            break
        threading.Event().wait(0.02)
    assert not table.paused
    assert set(table.world.things) >= lying
    line.close()


def test_before_its_game_a_bare_table_is_laid_with_corners_and_cards_are_shown(tmp_path: Path) -> None:
    clock = RealClock()
    table = VirtualTable(1, VARIANT, 2, clock=clock, board=NoBoard(), waiting=True, art=Art.of(1), mat=NO_MAT)
    server = TableServer(table, tmp_path / "table.json", clock, helper=TableHands(table))
    thread = threading.Thread(target=server.run)
    thread.start()
    pause = TableBreak(tmp_path / CONTROL_NAME)
    pause.begin()
    assert table.bare
    pause.ask(LayPaper("page.pdf", 96, 54))
    assert pause.answered()
    assert len(markers_in_sight(table.grey())) == 4
    names = tuple(card.name for card in table.cards if card.kind in ("1", "B"))[:2]
    pause.ask(LayInOrder(("1", "B"), names))  # names are texts, which every screen says in its own language
    assert [one.kind for one in table.cards if one.code in table.world.things] == ["1", "B"]
    pause.end()
    assert not table.bare
    for _ in range(200):
        if not table.world.things:
            break
        threading.Event().wait(0.02)
    assert not table.world.things
    server.stop()
    thread.join(5)


def test_a_table_that_is_gone_breaks_off_the_step_and_no_screen(tmp_path: Path) -> None:
    path = tmp_path / "world.sock"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as listener:
        listener.bind(str(path))
        listener.listen()
        there = TableBreak(path)
        listener.accept()[0].close()
        person = ScreenPerson(there)
        person.ask(ClearTable())
        person.confirm(more=True)  # in the thread of the screen
        with pytest.raises(SourceError, match="the virtual table is gone"):
            person.answered()  # in that of the step
        there.end()
