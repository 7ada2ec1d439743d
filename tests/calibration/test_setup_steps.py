"""Setup steps on the virtual table: a sound rig passes, and what is wrong is named rightly and alone."""

import errno
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from calibration.card_reading import CardReader
from calibration.profile import RigProfile
from calibration.rig_store import RigStore
from calibration.table_place import table_in
from calibration.virtual_rig.rig_defects import DEFECTS, defect, virtual_store
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.setup_bench import CLEARED_S, SetupBench, StepLeftError
from calibration.wizard.setup_requests import ClearTable, LayRows, PushButton, Request
from calibration.wizard.setup_run import (
    CAMERA,
    FIND,
    LENS,
    NAMES,
    REHEARSAL,
    STATIONS,
    STEP_NAMES,
    TAGS,
    TEXTURE,
    SetupRun,
)
from calibration.wizard.step_result import Check, Decision, StepResult, Verdict, result_of
from calibration.wizard.steps import station_checks
from calibration.wizard.steps.pairing_step import Gesture, Pairing, _take, watch_gesture
from calibration.wizard.steps.station_checks import own_buttons
from companion.core.clock import ManualClock
from companion.core.config import Fingerprints
from companion.core.errors import BadInputError
from companion.core.language import PSEUDO, Language, localized, speaking
from companion.core.remeasuring_steps import LENS_HELP, mending_step
from companion.games.registry import load_game
from companion.virtual.card_art import NO_MAT
from companion.virtual.rig.noise_profiles import profile
from firmware.flashing.flash_board import read_rig
from firmware.host.messages import Message, TagEvent, WeightEvent
from vision.camera.frames import CameraInfo, Frame
from vision.mat.mat_finder import markers_in_sight
from vision.mat.remembered_table import home_of

GAME, VARIANT = "sleepless-princess", "5+"
NOON = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


_DATA = re.compile(
    r"\b(px|mm|memory|sleeping-queens|sleepless-princess|GP\d+|companion \w+( \w+)?|sudo [^;]*|"
    r"[HPB]\d\d[A-Z]?|[0-9a-f]{8}|No space left on device)\b|\S*/\S*|Sleeping Queens|Sleepless Princess"
)
"""Units, commands, names of games, codes of cards and of programs: the same in every language."""


@pytest.fixture(autouse=True)
def _all_that_is_said_is_translated(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a step of these tests says goes through the catalogue: its results and its words on the way."""
    said: list[str] = []
    note, say = SetupRun.note, SetupBench.say

    def noted(run: SetupRun, result: StepResult) -> StepResult:
        checks = result.checks or (Check(result.name, result.verdict, said=result.said, fix=result.fix),)
        said.extend(one for check in checks for one in (check.said, check.fix))
        return note(run, result)

    def told(bench: SetupBench, words: str) -> None:
        said.append(words)
        say(bench, words)

    monkeypatch.setattr(SetupRun, "note", noted)
    monkeypatch.setattr(SetupBench, "say", told)
    yield
    shown = [Language(PSEUDO).say(one) for one in said]
    assert [one for one in shown if re.search(r"[A-Za-z]{2,}", _DATA.sub("", one))] == []


def a_run(
    wrong: str = "", *, camera: bool = False, board: bool = True, store: RigStore | None = None
) -> SetupRun:
    fault = defect(wrong)
    table = VirtualSetup(GAME, VARIANT, seed=5, noise="home", defect=fault, has_camera=camera, has_board=board)
    bench = SetupBench(
        load_game(GAME),
        VARIANT,
        table,
        table,
        table.clock,
        profile=RigProfile(tags=table.true_tags),
        patience_s=6.0,
        tick_s=1 / 30,
    )
    return SetupRun(bench, "den", store, table.machine, now=lambda: NOON)


@pytest.mark.parametrize(
    "wrong",
    ["", "dead HX711", "broken bridge wire", "loose bridge wire", "dead reader", "clone MFRC522",
     "no permission", "wrong pin", "pin without a wire", "old firmware", "full disk"],
)  # fmt: skip
def test_parts_that_do_not_work_are_named(wrong: str) -> None:
    run = a_run(wrong)
    result = run.step(FIND)
    assert result.faults == ((DEFECTS[wrong].fault,) if wrong else ())
    assert all(check.fix for check in result.checks if check.fault)


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    "wrong",
    ["", "creeping cell", "crossed buttons", "dead electrode"],
)
def test_stations_are_weighed_touched_and_pushed(wrong: str) -> None:
    run = a_run(wrong)
    assert run.step(STATIONS).faults == ((DEFECTS[wrong].fault,) if wrong else ())
    weights = [station.card_g for station in run.bench.profile.stations.values()]
    assert len(weights) == len(run.bench.stations("count"))
    assert weights == pytest.approx([4.0] * len(weights), rel=0.06)
    assert run.bench.profile.buttons == tuple(run.bench.stations("button"))
    electrodes = run.bench.profile.electrodes
    assert len(electrodes) == len(run.bench.stations("touch")) - (wrong == "dead electrode")
    for one in electrodes.values():
        # 20 pF and a finger of 1.8 pF.
        assert one.rest - one.touched == pytest.approx(one.rest * 1.8 / 21.8, rel=0.1)
        assert one.rest * one.share / 1000 == pytest.approx((one.rest - one.touched) / 3, rel=0.1)


def test_only_a_button_that_is_heard_as_its_own_and_as_no_other_one_is_known() -> None:
    assert own_buttons({"a": "b", "b": "a", "c": "c"}, {"a": "b", "b": "a"}) == ("a", "b", "c")
    assert own_buttons({"a": "b", "b": "b", "c": "c"}, {}) == ("c",)


@pytest.mark.long
def test_crossed_wires_are_found_once_and_right_from_then_on() -> None:
    run = a_run("crossed scales")
    run.step(STATIONS)
    stations = run.bench.stations("count")
    assert run.bench.profile.wires == {"count": {stations[1]: stations[2], stations[2]: stations[1]}}
    result = run.step(REHEARSAL)
    assert result.verdict is not Verdict.NOT_GOOD
    assert {check.verdict for check in result.checks if check.name == "count"} == {Verdict.GOOD}


@pytest.mark.long
def test_a_scale_that_weight_makes_smaller_is_named_and_used_with_its_sign() -> None:
    run = a_run("reversed cell")
    assert run.step(STATIONS).faults == ("reversed cell",)
    stations = run.bench.profile.stations
    assert [one.reversed for one in stations.values()].count(True) == 1
    assert stations[run.bench.stations("count")[2]].reversed
    assert run.step(REHEARSAL).verdict is not Verdict.NOT_GOOD


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "why"),
    [("foil too large", "62 pF"), ("foil without a wire", "nothing hangs"), ("foil on ground", "ground")],
)
def test_an_electrode_that_cannot_feel_is_named_with_its_capacitance(wrong: str, why: str) -> None:
    run = a_run(wrong)
    result = run.step(STATIONS)
    assert result.faults == (DEFECTS[wrong].fault,)
    assert any(why in check.said for check in result.checks if "electrode" in check.name)


def test_a_matrix_without_row_resistors_enrols_nothing_and_is_named() -> None:
    run = a_run("no row resistors")
    assert run.step(TEXTURE).faults == ("rows float",)
    assert run.bench.profile.presses == {}


@pytest.mark.long
def test_raised_pictures_that_cannot_be_told_apart_are_named() -> None:
    assert a_run("alike textures").step(TEXTURE).faults == ("alike textures",)


def test_raised_pictures_are_told_apart_by_two_presses_each_and_some_more_of_those_mixed_up() -> None:
    run = a_run()
    assert run.step(TEXTURE).verdict is Verdict.GOOD
    presses = run.bench.profile.presses
    assert sorted(len(those) for those in presses.values())[:-1] == 9 * [2]
    assert run.step(TEXTURE).verdict in (Verdict.GOOD, Verdict.USABLE)
    again = run.bench.profile.presses
    assert {len(those) for those in again.values()} <= {2, 4, 6}
    assert not any(set(again[kind]) & set(presses[kind]) for kind in presses), "done again, pressed again"


@pytest.mark.long
def test_presses_of_the_pairing_count_and_nobody_is_asked_for_more() -> None:
    run = a_run()
    run.step(TEXTURE)
    presses = run.bench.profile.presses
    run.bench.update(steps={})
    run.bench.operator = None
    assert run.step(TEXTURE).verdict is Verdict.GOOD
    assert run.bench.profile.presses == presses


def test_the_rig_that_judges_is_set_up_without_asking_for_what_it_lacks() -> None:
    rig = json.loads(read_rig(Path("judge")))
    table = VirtualSetup(GAME, VARIANT, seed=5, has_camera=False, board_rig=rig)
    bench = SetupBench(load_game(GAME), VARIANT, table, table, table.clock, tick_s=1 / 30)
    run = SetupRun(bench, machine=table.machine)
    assert "no pressure matrix" in run.step(TEXTURE).said
    result = run.step(STATIONS)
    assert result.verdict is Verdict.GOOD
    assert {check.name for check in result.checks if "touch" in check.name or "lamp" in check.name} == set()


@pytest.mark.long
def test_what_is_wrong_with_the_picture_is_named() -> None:
    run = a_run(camera=True, board=False)
    table = run.bench.devices
    assert isinstance(table, VirtualSetup)
    for wrong in ("glare", "flicker", ""):
        table.defect = defect(wrong)
        result = run.step(CAMERA)
        assert result.faults == ((DEFECTS[wrong].fault,) if wrong else ())
    assert run.results[CAMERA].verdict is Verdict.GOOD
    assert "lens well enough" in run.not_needed(LENS)


@pytest.mark.long
def test_a_soft_lens_is_named_and_no_marker_that_it_blurs_is_called_covered() -> None:
    table = VirtualSetup(GAME, "basic", seed=7010, defect=defect("soft lens"), has_board=False)
    bench = SetupBench(load_game(GAME), "basic", table, table, table.clock, tick_s=1 / 30)
    run = SetupRun(bench, machine=table.machine)
    assert len(markers_in_sight(bench.frames(1)[0].gray) & {one.id for one in bench.mat.markers}) < 4
    assert run.step(CAMERA).faults == ("soft lens",)


@pytest.mark.long
def test_a_table_without_a_mat_is_learned_from_four_cards() -> None:
    table = VirtualSetup(GAME, VARIANT, seed=7010, has_board=False, mat=NO_MAT)
    bench = SetupBench(load_game(GAME), VARIANT, table, table, table.clock, tick_s=1 / 30)
    run = SetupRun(bench, machine=table.machine)
    assert run.step(CAMERA).verdict in (Verdict.GOOD, Verdict.USABLE)
    home = home_of(bench.profile.home, "table").registration
    places = [(x, y) for x in (60.0, 480.0, 900.0) for y in (60.0, 480.0)]
    apart = home.to_mm(table.lens.seen(places)) - places
    assert np.linalg.norm(apart - apart.mean(axis=0), axis=1).max() < 12
    assert table_in(bench, bench.frames(1)[0].gray) is not None
    assert bench.ask(ClearTable())
    assert bench.ask(LayRows(1))
    photo = CardReader(bench).photograph()
    assert photo is not None
    assert len(photo.codes) > 40, "their stickers are read where no marker tells the place"


def test_another_mat_is_named_and_what_needs_the_camera_is_left_out() -> None:
    run = a_run("another mat", camera=True, board=False)
    assert run.step(CAMERA).faults == ("another mat",)
    assert run.step(TAGS).verdict is Verdict.NOT_TESTED


def test_a_mirrored_picture_is_named() -> None:
    assert a_run("mirrored picture", camera=True, board=False).step(CAMERA).faults == ("mirrored picture",)


@pytest.mark.parametrize("step", [TEXTURE, STATIONS])
def test_nothing_of_a_step_that_was_left_is_kept(step: str) -> None:
    run = a_run()

    class Impatient:
        def ask(self, request: object) -> None:
            if not isinstance(request, ClearTable):
                run.bench.cancel()

        def answered(self) -> bool:
            return True

    run.bench.operator = Impatient()
    with pytest.raises(StepLeftError):
        run.step(step)
    assert step not in run.results
    assert run.bench.profile.presses == {}
    run.bench.begin()
    run.bench.wait(0.2)
    assert run.bench.samples(0.5) == {}, "the board goes on sending readings"


@pytest.mark.long
def test_a_cable_pulled_in_the_middle_of_a_step_is_named_and_keeps_nothing(tmp_path: Path) -> None:
    run = a_run("crossed buttons", store=RigStore(tmp_path))
    run.step(STATIONS)
    crossed, buttons = run.bench.profile.wires, run.bench.profile.buttons
    station_checks.checks_of(run.bench, station_checks.Found())
    assert (run.bench.profile.wires, run.bench.profile.buttons) == (crossed, buttons), "nothing was tried"
    assert crossed
    table = run.bench.devices
    assert isinstance(table, VirtualSetup)
    ask = table.ask

    def clumsy(request: Request) -> None:
        ask(request)
        if isinstance(request, PushButton):
            table.unplug()

    table.ask = clumsy
    result = run.step(STATIONS)
    assert (result.verdict, result.faults) == (Verdict.NOT_GOOD, ("board lost",))
    assert "plug it in" in result.fix
    assert RigStore(tmp_path).load("den").wires == crossed


def test_a_rig_without_camera_goes_without_it_and_nothing_at_all_is_no_go() -> None:
    run = a_run(camera=False)
    run.run([FIND, STATIONS])
    report = run.report()
    assert (report.decision, report.without) == (Decision.GO_WITHOUT, ("camera", "rehearsal", "texture"))
    assert report.left == (TEXTURE, REHEARSAL)
    bare = a_run(camera=False, board=False)
    kept = bare.bench.profile
    (found,) = bare.run([FIND])
    assert bare.report().decision is Decision.NO_GO
    assert (found.verdict, found.said, found.number) == (Verdict.NOT_TESTED, "nothing found yet", None)
    assert bare.bench.profile is kept


def test_a_step_that_was_skipped_or_a_bad_rehearsal_is_no_go_however_good_all_else_is() -> None:
    run = a_run(camera=True)
    run.run([FIND])
    for name in STEP_NAMES[1:]:
        run.note(result_of(name, [Check(name, Verdict.GOOD)]))
    assert (run.report().decision, run.report().left) == (Decision.GO, ())
    del run.results[TAGS], run.bench.profile.steps[TAGS]
    run.skip(TAGS)
    assert (run.report().decision, run.report().left) == (Decision.GO_WITHOUT, (TAGS,))
    run.note(result_of(TAGS, [Check(TAGS, Verdict.GOOD)]))
    run.note(result_of(REHEARSAL, [Check("texture", Verdict.NOT_GOOD, 33, "%")]))
    assert run.report().decision is Decision.NO_GO


def test_results_are_kept_in_the_profile(tmp_path: Path) -> None:
    run = a_run(store=RigStore(tmp_path))
    run.run([FIND, STATIONS])
    kept = RigStore(tmp_path).load("den")
    assert kept.steps[STATIONS].verdict is Verdict.GOOD
    assert kept.fingerprints.board
    assert run.report().profile == str(tmp_path / "den.toml")


def test_a_disk_that_fills_up_is_no_go_and_what_was_saved_before_is_whole(tmp_path: Path) -> None:
    run = a_run(store=virtual_store(DEFECTS["disk fills up"], tmp_path))
    run.run([FIND, STATIONS])
    report = run.report()
    assert (report.decision, report.faults) == (Decision.NO_GO, ("full disk",))
    assert RigStore(tmp_path).load("den").fingerprints.board
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("number", "fault", "fix"),
    [
        (errno.ENOSPC, "full disk", "free some space"),
        (errno.EROFS, "not saved", "restart the computer"),
        (errno.EACCES, "not saved", "companion doctor"),
    ],
)
def test_a_rig_that_cannot_be_saved_is_told_with_what_helps(
    tmp_path: Path, number: int, fault: str, fix: str
) -> None:
    def refuse(path: Path, _data: bytes) -> None:
        raise OSError(number, os.strerror(number), str(path))

    run = a_run(store=RigStore(tmp_path, refuse))
    run.bench.update(names=("Kites",))
    told = run.note(StepResult(NAMES, Verdict.GOOD))
    assert (told.verdict, told.faults) == (Verdict.NOT_GOOD, (fault,))
    assert fix in told.checks[0].fix
    assert run.report().decision is Decision.NO_GO


@pytest.mark.long
def test_a_lens_that_hides_the_mat_leads_to_its_own_step_and_back() -> None:
    noise = replace(profile("home"), lens_k1=-0.5)
    table = VirtualSetup(GAME, VARIANT, seed=3, noise=noise, has_board=False)
    bench = SetupBench(load_game(GAME), VARIANT, table, table, table.clock, tick_s=1 / 30)
    run = SetupRun(bench, machine=table.machine)
    assert run.step(CAMERA).faults == ("bent lens",)
    assert "companion setup lens" in run.results[CAMERA].fix
    lens, camera = run.run([LENS])
    assert lens.verdict is not Verdict.NOT_TESTED
    assert (camera.name, run.results[CAMERA]) == (CAMERA, camera)


def test_an_unknown_step_or_defect_lists_those_that_exist() -> None:
    with pytest.raises(BadInputError, match="one of: find, camera"):
        a_run().step("bake")
    with pytest.raises(BadInputError, match="soft lens"):
        defect("haunted")


def test_each_sensor_is_mended_by_a_step_that_exists() -> None:
    sensors = ("camera", "camera's view", "lamp", "stickers", "bed 3 scale", "bed 1 electrode", "bed 2 button",
               "reader of the pad", "pressure matrix of the pad", "board")  # fmt: skip
    assert {mending_step(sensor) for sensor in sensors} <= set(STEP_NAMES)
    assert mending_step("weather") == ""
    with speaking("de"):  # as a screen has it
        assert mending_step("camera", localized(LENS_HELP)) == "lens"


def test_a_part_that_is_away_keeps_its_name() -> None:
    run = a_run(board=False)
    run.bench.update(fingerprints=Fingerprints("our camera", "our board"))
    run.step(FIND)
    assert run.bench.profile.fingerprints == Fingerprints("our camera", "our board")


class _Pad(SetupBench):
    """A bench whose board and camera do what is written for each poll of the board."""

    def __init__(self, told: dict[int, Message]) -> None:
        polls = 0

        def poll() -> list[Message]:
            nonlocal polls
            polls += 1
            return [told[polls]] if polls in told else []

        picture = Frame(0.0, np.zeros((4, 4), np.uint8))
        devices = SimpleNamespace(
            poll=poll,
            frame=lambda: picture if polls % 4 == 0 else None,
            camera=CameraInfo(4, 4, 0.0, "fake"),
            link=SimpleNamespace(zero=lambda: None),
        )
        super().__init__(load_game(GAME), VARIANT, devices, SimpleNamespace(), ManualClock(), patience_s=20.0)


def test_a_tag_that_is_read_while_a_picture_is_awaited_counts() -> None:
    bench = _Pad({2: TagEvent(0.0, "pad", b"\4\1"), 60: TagEvent(1.0, "pad", None)})
    reader = SimpleNamespace(in_zone=lambda *_: frozenset({"M0A"}) if bench.clock.now() < 1.0 else frozenset())
    gesture = watch_gesture(bench, reader, "pad")
    assert gesture.uids == {"0401"}
    assert gesture.face == "M0A"
    assert bench.clock.now() < 5.0, "it was taken away"


@pytest.mark.parametrize("last_time", [{}, {"01": "M0A"}])
def test_a_tag_that_two_cards_showed_is_believed_of_neither(last_time: dict[str, str]) -> None:
    bench, pairing, before = _Pad({}), Pairing(), dict(last_time)
    for card in ("M0A", "M0B"):
        shown = Gesture(faces=Counter([card]), uids={"01"})
        _take(bench, pairing, shown, {"M0A": "", "M0B": ""}, before)
    assert pairing.tags == bench.profile.tags == {}


def test_reports_of_another_zero_say_nothing_of_a_scale() -> None:
    bench = _Pad({1: WeightEvent(0.0, "bed 1", -10.0, 100_000), 3: WeightEvent(0.2, "bed 1", 10.0, 104_200)})
    bench.wait(0.02)
    bench.zero()
    bench.wait(0.05)
    assert [one.grams for one in bench.weights] == [10.0]


def test_a_table_that_was_just_cleared_is_not_asked_to_be_cleared_again() -> None:
    run = a_run(board=False)
    bench, asked = run.bench, []

    class Person:
        def ask(self, request: Request) -> None:
            asked.append(type(request).__name__)

        def answered(self) -> bool:
            return True

    bench.operator = Person()
    assert bench.ask(ClearTable())
    assert bench.ask(ClearTable())
    assert asked == ["ClearTable"]
    assert bench.ask(LayRows(1))
    assert bench.ask(ClearTable())
    bench.clock.sleep(CLEARED_S)
    assert bench.ask(ClearTable())
    assert asked == ["ClearTable", "LayRows", "ClearTable", "ClearTable"]
