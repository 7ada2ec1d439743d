"""The wizard's screens: steps are begun, confirmed, left, skipped and repeated by keys; golden screens."""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.text import Text
from textual.widgets import OptionList

from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.screens.live_pictures import (
    camera_picture,
    confusion_table,
    half_blocks,
    pressure_picture,
    weight_bars,
)
from calibration.wizard.screens.report_screen import ReportScreen
from calibration.wizard.screens.setup_app import SetupApp, _wrapped
from calibration.wizard.setup_bench import SetupBench, StepLeftError
from calibration.wizard.setup_requests import ClearTable, LayRows, LoadScale
from calibration.wizard.setup_run import (
    CAMERA,
    CARDS,
    FIND,
    NAMES,
    REHEARSAL,
    STATIONS,
    STEP_NAMES,
    SetupRun,
)
from calibration.wizard.setup_walk import ScreenPerson
from calibration.wizard.step_result import Check, StepResult, Verdict, result_of
from companion.dashboard.themed_app import ThemedApp
from companion.games.registry import give_names, load_game
from firmware.host.messages import Disconnected
from tests.support.terminal_text import screen_text
from vision.camera.frames import Frame

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
SIZES = ((80, 24), (120, 40))
GAME, VARIANT = "sleepless-princess", "5+"


class Desk:
    """The app before a virtual rig without camera; a person at its keys."""

    def __init__(self, app: SetupApp, pilot: Any) -> None:
        self.app, self.pilot = app, pilot

    def text(self) -> str:
        return screen_text(self.app)

    async def until(self, true: Callable[[], object]) -> None:
        for _ in range(500):
            await self.pilot.pause()
            if true():
                self.app.look()
                await self.pilot.pause()
                return
            await asyncio.sleep(0.02)
        raise AssertionError(self.text())

    async def golden(self, name: str, keys: str = "q quit") -> None:
        """Compare the screen with its golden ones, at every size. `keys`: the end of the footer."""
        for size in SIZES:
            await self.pilot.resize_terminal(*size)
            # The footer is painted a moment later than everything else.
            await self.until(lambda: keys in self.text())
            path = SNAPSHOTS / f"setup_{name}_{size[0]}x{size[1]}.txt"
            if "UPDATE_SNAPSHOTS" in os.environ:
                path.write_text(self.text(), encoding="utf-8")
            assert self.text() == path.read_text(encoding="utf-8")


@asynccontextmanager
async def desk(*, camera: bool = False) -> AsyncIterator[Desk]:
    table = VirtualSetup(GAME, VARIANT, seed=5, noise="clean", has_camera=camera, has_board=not camera)
    person = ScreenPerson(table)
    game = load_game(GAME)
    bench = SetupBench(game, VARIANT, table, person, table.clock, patience_s=6.0, tick_s=1 / 30)
    app = SetupApp(SetupRun(bench, machine=table.machine), person, paced=False)
    async with app.run_test(size=SIZES[0]) as pilot:
        yield Desk(app, pilot)


async def begin(one: Desk, name: str) -> None:
    """Highlight a step and begin it."""
    steps: Any = one.app.query_one("#steps")
    steps.highlighted = STEP_NAMES.index(name)
    await one.pilot.pause()
    await one.pilot.press("enter")


@pytest.mark.long
async def test_every_step_has_a_page_that_says_what_to_have_ready() -> None:
    async with desk() as one:
        for name in STEP_NAMES:
            one.app.query_one("#steps", OptionList).highlighted = STEP_NAMES.index(name)
            await one.pilot.pause()
            await one.golden(f"page_{name}")


def test_a_key_stays_with_what_it_does() -> None:
    said = Text("Dure une minute.   Entrée\u00a0: commencer   s\u00a0: sauter", "bold")
    for width in range(20, 60):
        rows = _wrapped(said, width).plain.split("\n")
        assert max(map(len, rows)) <= width
        for whole in ("Entrée\u00a0: commencer", "s\u00a0: sauter"):
            assert any(whole in row for row in rows), width


async def test_a_step_is_done_and_its_result_stays() -> None:
    async with desk() as one:
        await begin(one, FIND)
        await one.until(lambda: not one.app.running and FIND in one.app.run_of.results)
        assert one.app.chosen == NAMES, "without a camera the steps that need one are passed over"
        await one.golden("found")


async def test_what_has_to_be_done_is_asked_and_confirmed() -> None:
    async with desk() as one:
        await begin(one, STATIONS)
        await one.until(lambda: isinstance(one.app.person.request, ClearTable))
        await one.golden("asked")


@pytest.mark.long
async def test_names_are_typed_and_kept() -> None:
    async with desk() as one:
        await begin(one, NAMES)
        for name in ("Kites", "Bats", "Nora s"):  # Bats are the rulebook's: asked once more
            await one.until(lambda: one.app.person.request is not None)
            await one.pilot.press(*("space" if sign == " " else sign for sign in name))
            if name == "Nora s":
                await one.golden("typed", "leave the step")
            await one.pilot.press("enter")
        await one.until(lambda: one.app.person.request is not None)
        await one.pilot.press("enter")  # an empty one: the others go by number
        await one.until(lambda: NAMES in one.app.run_of.results)
        assert one.app.run_of.bench.profile.names == ("Kites", "Nora s")
        give_names(one.app.run_of.bench.game, ())


@pytest.mark.long
async def test_cards_that_were_read_are_marked_in_the_picture() -> None:
    async with desk(camera=True) as one:
        await begin(one, CARDS)
        await one.until(lambda: isinstance(one.app.person.request, ClearTable))
        await one.pilot.press("enter")
        await one.until(lambda: isinstance(one.app.person.request, LayRows))
        assert "n: no more cards" in one.text()
        await one.pilot.press("enter")
        await one.until(lambda: CARDS in one.app.run_of.results and not one.app.running)
        assert sum(mark.read for mark in one.app.run_of.bench.live.marks) == 57
        await one.golden("cards")


async def test_a_confirmed_step_goes_on_until_its_result() -> None:
    async with desk() as one:
        await begin(one, STATIONS)
        for _ in range(2):  # an empty table, and the lamps
            await one.until(lambda: one.app.person.request is not None)
            await one.pilot.press("enter")
        await one.until(lambda: STATIONS in one.app.run_of.results)
        assert one.app.run_of.results[STATIONS].verdict is Verdict.GOOD


async def test_the_end_is_a_decision_with_what_to_mend() -> None:
    async with desk() as one:
        soft = Check(
            "focus", Verdict.NOT_GOOD, 4.2, "px", "edges are 4.2 px wide", "turn the lens", "soft lens"
        )
        one.app.run_of.note(result_of(CAMERA, [soft]))
        await one.pilot.press("r")
        await one.until(lambda: isinstance(one.app.screen, ReportScreen))
        await one.golden("report", "back to the steps")
        await one.pilot.press("escape")
        assert not isinstance(one.app.screen, ReportScreen)


async def test_a_step_that_is_left_keeps_nothing_and_can_be_begun_again() -> None:
    async with desk() as one:
        await begin(one, STATIONS)
        await one.until(lambda: one.app.person.request is not None)
        await one.pilot.press("escape")
        await one.until(lambda: not one.app.running)
        assert STATIONS not in one.app.run_of.results
        assert "nothing of it was kept" in one.text()
        await begin(one, STATIONS)
        await one.until(lambda: one.app.person.request is not None)
        await one.pilot.press("s")
        await one.until(lambda: not one.app.running)
        assert one.app.run_of.results[STATIONS].verdict is Verdict.NOT_TESTED
        assert one.app.chosen == REHEARSAL


async def test_a_step_that_breaks_off_by_a_fault_can_be_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_run: SetupRun, name: str) -> StepResult:
        raise ZeroDivisionError(name)

    async with desk() as one:
        monkeypatch.setattr(SetupRun, "step", broken)
        await begin(one, NAMES)
        await one.until(lambda: not one.app.running and "ZeroDivisionError" in one.text())
        monkeypatch.undo()
        await begin(one, NAMES)
        await one.until(lambda: one.app.person.request is not None)


async def test_steps_are_skipped_and_every_one_can_be_chosen() -> None:
    async with desk() as one:
        for name in STEP_NAMES:
            assert one.app.chosen == name
            await one.pilot.press("s")
        await one.until(lambda: isinstance(one.app.screen, ReportScreen))
        assert {result.verdict for result in one.app.run_of.results.values()} == {Verdict.NOT_TESTED}


async def test_an_old_picture_and_a_lost_board_do_not_look_live() -> None:
    async with desk(camera=True) as one:
        bench = one.app.run_of.bench
        bench.live.frame, bench.live.looked = Frame(10.0, np.zeros((90, 160), np.uint8)), 12.0
        one.app.look()
        await one.until(lambda: "▀" in one.text())
        bench.live.looked = 22.0
        bench.live.weights["left"] = 40.0
        bench.board.down = Disconnected(bench.clock.now() - 7.0, "gone")
        one.app.look()
        await one.until(lambda: "no picture for 12 s" in one.text() and "no board for 7 s" in one.text())
        assert "▀" not in one.text()
        assert "40.0 g" not in one.text()


async def test_a_lost_picture_is_told_only_until_pictures_come_again() -> None:
    async with desk(camera=True) as one:
        app, bench = one.app, one.app.run_of.bench
        check = Check("camera", Verdict.NOT_GOOD, None, "", "no picture for 3 s", "plug it in", "camera lost")
        app.run_of.results[FIND] = result_of(FIND, [check])
        bench.live.frame, bench.live.looked = Frame(10.0, np.zeros((90, 160), np.uint8)), 14.0
        app.look()
        await one.until(lambda: "plug it in" in one.text())
        bench.live.frame = Frame(14.0, np.zeros((90, 160), np.uint8))
        app.look()
        await one.until(lambda: "plug it in" not in one.text())
        assert "Enter: once more" in one.text()
        bench.live.looked = 20.0
        app.walk.guided, app.walk.running = True, FIND
        assert app.walk.result() is None, "a step that runs again has not found anything yet"
        app.walk.running = ""


async def test_a_terminal_that_is_too_small_says_how_large_it_must_be() -> None:
    async with desk() as one:
        assert "Too small" not in one.text()
        await one.pilot.resize_terminal(40, 12)
        await one.until(lambda: "Too small (40 x 12): 80 x 24 needed" in one.text())


def test_a_step_that_still_runs_is_waited_for_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    table = VirtualSetup(GAME, VARIANT, seed=5, noise="clean", has_camera=False)
    bench = SetupBench(load_game(GAME), VARIANT, table, ScreenPerson(table), table.clock, tick_s=1 / 30)
    app, left = SetupApp(SetupRun(bench), ScreenPerson()), threading.Event()

    def work() -> None:
        with contextlib.suppress(StepLeftError):
            while True:
                bench.wait(0.1)
        left.set()

    app.walk.thread = threading.Thread(target=work, daemon=True)
    app.walk.thread.start()
    monkeypatch.setattr(ThemedApp, "run", lambda _self: None)
    app.run()
    assert left.is_set()


def test_a_person_answers_what_no_sensor_can_tell() -> None:
    person = ScreenPerson()
    person.ask(LoadScale("left", 1))
    assert person.answered() is True
    person.ask(LayRows(1))
    assert person.answered() is None
    person.confirm(more=False)
    assert person.answered() is False
    assert person.request is None


def test_live_pictures_have_the_asked_size() -> None:
    gray = np.tile(np.linspace(0, 255, 64, dtype=np.uint8), (36, 1))
    picture = half_blocks(gray, 32, 9)
    lines = picture.plain.split("\n")
    assert {len(line) for line in lines} == {32}
    assert len(lines) == 9
    first, last = picture.spans[0].style, picture.spans[31].style
    assert str(first) < str(last)
    assert len(pressure_picture(bytes(256)).plain.split("\n")) == 8
    assert [len(line) for line in weight_bars({"left": 40.0, "right": 0.0}, 40)] == [40, 40]


def test_a_dim_picture_is_shown_from_black_to_white() -> None:
    dim = np.tile(np.linspace(90, 110, 64).astype(np.uint8), (36, 1))
    shades = " ".join(str(span.style) for span in camera_picture(dim, 32, 9).spans)
    assert "#000000" in shades
    assert "#ffffff" in shades


def test_the_confusion_table_has_a_row_a_kind_and_a_column_for_what_is_not_sure() -> None:
    lines = confusion_table({("0t", "0t"): 5, ("1t", "1t"): 4, ("1t", ""): 1}).plain.split("\n")
    assert [line.split() for line in lines] == [["0t", "1t", "?"], ["0t", "5", "·", "·"], ["1t", "·", "4", "1"]]


def test_leaving_ends_the_wait_for_an_answer() -> None:
    table = VirtualSetup(GAME, VARIANT, seed=5, noise="clean", has_camera=False)
    bench = SetupBench(load_game(GAME), VARIANT, table, ScreenPerson(table), table.clock, tick_s=1 / 30)
    bench.cancel()
    with pytest.raises(StepLeftError):
        bench.ask(ClearTable())


async def test_live_values_are_shown_between_two_steps() -> None:
    async with desk() as one:
        await one.pilot.press("v")
        await one.until(lambda: "waiting for the board" in one.text())
        screen: Any = one.app.screen
        for _ in range(100):
            one.app.run_of.bench.clock.sleep(1 / 30)
            one.app.run_of.bench.watch()
        screen.draw()
        await one.pilot.pause()
        assert "bed 1 scale" in one.text()
        assert "20.0 pF" in one.text()
        await one.pilot.press("enter")
        assert not one.app.running
        await one.pilot.press("escape")
        await one.until(lambda: "live values" in one.text())
        assert len(one.app.screen_stack) == 1
