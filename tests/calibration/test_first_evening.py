"""The guided way of a camera alone: the printed page, what is said of its corner cards, cards shown once."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.rig_store import RigStore
from calibration.sheets import evening_sheet as evening_sheet_module
from calibration.sheets.evening_file import PAGE_FILE, printed_page
from calibration.sheets.evening_sheet import CUTS, PAD, evening_sheet
from calibration.sheets.print_sizes import EDGE_MM, PAPERS
from calibration.sheets.sheet_shapes import Line, Words
from calibration.virtual_rig.rig_defects import SOUND, Defect, defect
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.screens.setup_app import SetupApp
from calibration.wizard.setup_bench import SetupBench, StepLeftError
from calibration.wizard.setup_requests import (
    ClearTable,
    ConfirmOrder,
    LayInOrder,
    LayPaper,
    NameLacking,
    Request,
)
from calibration.wizard.setup_run import ART, CAMERA, EVENING, PAPER, SetupRun
from calibration.wizard.setup_walk import ScreenPerson
from calibration.wizard.step_result import Verdict
from companion.commands.first_evening import Plan, evening, is_live, unfinished
from companion.core.config import Config
from companion.core.language import speaking
from companion.core.sensor_terms import place_name
from companion.games.registry import GAME_NAMES, load_game
from companion.virtual.card_art import CORNERS, Art
from tests.support.few_cards import FewCards
from vision.art.art_book import book_of

GAME, VARIANT, SEED = "sleepless-princess", "basic", 5
KINDS = ("1", "2", "3")


class Person:
    """Does at a virtual table what is asked, remembers it, and may do or say otherwise."""

    def __init__(self, table: VirtualSetup) -> None:
        self.asked: list[Request] = []
        self.refuses: Callable[[Request], bool] = lambda _request: False
        self.leaves: Callable[[Request], bool] = lambda _request: False
        self.types = ""
        self.table = table
        self._refused = False

    def ask(self, request: Request) -> None:
        self.asked.append(request)
        if self.leaves(request):
            raise StepLeftError
        self._refused = self.refuses(request)
        if not self._refused:
            self.table.ask(request)

    def answered(self) -> bool | None:
        return False if self._refused else self.table.answered()

    def typed(self) -> str:
        return self.types

    def of(self, kind: type[Request]) -> list[Any]:
        return [one for one in self.asked if isinstance(one, kind)]


def an_evening(wrong: Defect = SOUND, store: RigStore | None = None) -> tuple[SetupRun, Person, list[str]]:
    """A run at a bare cloth, its person, and the sentences that are said."""
    table = VirtualSetup(
        GAME, VARIANT, seed=SEED, noise="clean", defect=wrong, has_board=False, art=Art.of(SEED), mat=CORNERS
    )
    person, said = Person(table), list[str]()
    bench = SetupBench(
        FewCards(GAME, KINDS), VARIANT, table, person, table.clock, patience_s=6.0, tick_s=1 / 30
    )
    bench.speak = said.append
    return SetupRun(bench, "table", store, print_paper=lambda: "page.pdf"), person, said


@pytest.mark.long
def test_nothing_lies_there_then_four_corners_which_are_no_loose_stand() -> None:
    run, person, said = an_evening()
    assert run.step(PAPER).verdict is Verdict.GOOD
    assert said[0].startswith("no corner card is in sight: lay them")
    assert said[-1].startswith("All 4 corner cards are in sight.")
    assert [one.file for one in person.of(LayPaper)] == ["page.pdf"]
    camera = run.step(CAMERA)
    assert (camera.verdict, camera.faults) == (Verdict.GOOD, ())
    assert not person.of(ClearTable), "nothing but corner cards lies there"
    before = len(person.of(LayPaper))
    assert run.step(PAPER).verdict is Verdict.GOOD
    assert len(person.of(LayPaper)) == before, "what lies there already is not asked for"


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("covered corner", "3 of 4 corner markers in sight, missing: near right"),
        ("mirrored picture", "the picture is mirrored"),
    ],
)
def test_what_the_camera_sees_of_the_corners_is_said(wrong: str, words: str) -> None:
    run, person, said = an_evening(defect(wrong))
    result = run.step(PAPER)
    assert result.verdict is Verdict.NOT_GOOD
    assert words in said[-1]
    assert len(person.of(LayPaper)) > 1, "it is asked for until the person leaves or all lie there"


def test_who_has_no_printer_goes_on_with_four_cards_of_the_game() -> None:
    run, person, _ = an_evening()
    person.refuses = lambda request: isinstance(request, LayPaper)
    assert run.step(PAPER).verdict is Verdict.NOT_TESTED
    assert PAPER not in run.bench.profile.steps


def a_table_with_corners(store: RigStore | None = None) -> tuple[SetupRun, Person]:
    run, person, _ = an_evening(store=store)
    run.run((PAPER, CAMERA))
    return run, person


@pytest.mark.long
def test_a_step_that_was_left_goes_on_with_the_kinds_that_are_left(tmp_path: Path) -> None:
    store = RigStore(tmp_path)
    run, person = a_table_with_corners(store)
    hands = person.table.hands
    lay, hands.in_rows = hands.in_rows, lambda codes, gap: lay(codes[:1], gap)
    person.leaves = lambda request: isinstance(request, LayInOrder) and len(person.of(LayInOrder)) == 2
    with pytest.raises(StepLeftError):
        run.step(ART)
    kept = store.load("table")
    assert book_of(kept.art, "here").names == KINDS[:1]
    assert not kept.has_done(ART)
    hands.in_rows = lay
    again = SetupRun(run.bench, "table", store)
    assert again.step(ART).number == len(KINDS)
    assert [one.kinds for one in person.of(LayInOrder)] == [KINDS, KINDS[1:], KINDS[1:]]
    assert store.load("table").has_done(ART)


@pytest.mark.long
def test_a_kind_that_the_family_lacks_is_typed_and_not_asked_for_again() -> None:
    run, person = a_table_with_corners()
    hands = person.table.hands
    lay = hands.in_rows
    hands.in_rows = lambda codes, gap: lay([code for code in codes if "02" not in code], gap)
    person.refuses = lambda request: isinstance(request, ConfirmOrder) and not person.of(NameLacking)
    person.types = "2"
    result = run.step(ART)
    assert [one.kinds for one in person.of(LayInOrder)] == [KINDS, ("1", "3")]
    assert result.verdict is Verdict.USABLE
    assert "not: 2" in result.said
    assert book_of(run.bench.profile.art, "here").names == ("1", "3")


@pytest.mark.long
def test_cards_that_lay_there_when_the_empty_table_was_looked_at_cost_one_more_look() -> None:
    run, person = a_table_with_corners()
    person.table.hands.world.clear()
    person.table.ask(LayInOrder(KINDS, KINDS))
    assert run.step(ART).number == len(KINDS)
    assert person.of(ClearTable)


async def test_the_screens_lead_from_a_bare_cloth_to_the_end_by_enter_alone() -> None:
    run, person, _ = an_evening()
    keys = ScreenPerson(person)
    run.bench.operator = keys
    app = SetupApp(run, keys, guided=EVENING, paced=False)
    async with app.run_test(size=(100, 30)) as pilot:
        for _ in range(600):
            await pilot.pause()
            if app.walk.done:
                break
            if keys.request is not None:
                await pilot.press("enter")
            await asyncio.sleep(0.02)
    assert app.walk.done
    assert run.bench.profile.has_done(ART)
    assert not app.check_action("report", ())


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_one_page_and_four_cuts_make_the_corners(game: str, paper: str) -> None:
    for variant in load_game(game).variants:
        mat = load_game(game).mat(variant)
        sheet = evening_sheet(mat, PAPERS[paper], "about")
        assert [symbol.tag for symbol in sheet.symbols] == [marker.id for marker in mat.markers]
        for symbol in sheet.symbols:
            left, top, right, bottom = symbol.box
            assert min(left, top) >= EDGE_MM
            assert right <= sheet.w - EDGE_MM
            assert (top + bottom) / 2 == mat.markers[0].y, "as far from the near edge as on the printed mat"
        cuts = [one for one in sheet.shapes if isinstance(one, Line) and one.dashed and one.y0 < 60]
        assert len([one for one in cuts if 0 in (one.x0, one.y0)]) == CUTS
        assert all(shape.box[3] <= sheet.h - EDGE_MM for shape in sheet.shapes)


def test_the_page_names_the_variant_in_the_readers_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(evening_sheet_module, "evening_pdf", lambda *of: about.append(of[2]) or b"%PDF")
    with speaking("fr"):
        printed_page(load_game(GAME).mat(VARIANT), GAME, VARIANT)
    assert about == ["Sleepless Princess (jeu de base)"]


def test_the_page_draws_no_pad_as_a_camera_alone_feels_nothing() -> None:
    mat = load_game("sleepless-princess").mat("basic")
    assert PAD in {zone.name for zone in mat.zones}
    words = {one.text for one in evening_sheet(mat, PAPERS["a4"], "about").shapes if isinstance(one, Words)}
    assert place_name("deck") in words
    assert place_name(PAD) not in words


def test_the_page_takes_the_place_of_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = PAGE_FILE.format(game=GAME)
    (tmp_path / name).write_text("ours")
    mat = load_game(GAME).mat(VARIANT)
    path = Path(printed_page(mat, GAME, VARIANT))
    assert (tmp_path / name).read_text() == "ours"
    assert (path.parent, path.name) == (tmp_path, f"2-{name}")
    assert path.read_bytes().startswith(b"%PDF")
    assert printed_page(mat, GAME, VARIANT) == str(path), "it is there already"


@pytest.mark.parametrize(
    ("camera", "live"),
    [
        ("0", True),
        ("/dev/video2", True),
        ("http://phone:8080/video", True),
        ("csi", True),
        ("table.mp4", False),
    ],
)
def test_a_recording_has_no_first_evening(camera: str, live: bool) -> None:
    assert is_live(camera) == live


@pytest.mark.long
def test_the_way_is_offered_until_the_camera_knows_the_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    settings = Config(camera="0")
    fresh = unfinished(settings, None)
    assert fresh is not None
    assert not fresh.steps
    run, _ = a_table_with_corners(RigStore())
    begun = unfinished(settings, None)
    assert begun is not None
    assert begun.has_done(CAMERA)
    run.step(ART)
    assert unfinished(settings, None) is None
    assert unfinished(settings, None, anew=True) is not None
    run.bench.update(steps={}, port="/dev/ttyACM0")
    assert unfinished(settings, None) is None, "a board wants the whole setup"


def test_without_a_terminal_nothing_is_asked() -> None:
    plan = Plan("auto", None, None, None, None, None, "0")
    assert evening(Config(), plan, None, plain=True, anew=True) == plan


def test_the_command_to_go_on_with_names_what_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    monkeypatch.setattr("companion.commands.first_evening.begins", lambda *_: True)
    monkeypatch.setattr("companion.commands.first_evening.lead", lambda *_, **_how: False)
    plan = Plan("auto", "sleeping-queens", None, 2, ("Lea", "Tom"), None, "0")
    assert evening(Config(), plan, None, plain=False, anew=False) is None
    asked = "--camera 0 --game sleeping-queens --players 2 --names Lea,Tom"
    assert f"To go on: companion play {asked}" in capsys.readouterr().out
