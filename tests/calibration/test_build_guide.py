"""The build guide: its pages, lists and pictures are what its steps and drawings say today."""

import re
from collections import Counter
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from calibration.guide.build_steps import load_guide
from calibration.guide.camera_views import RIGHT, VIEWS, page, rendered, section
from calibration.guide.guide_pages import RANGES, pages, with_ladder
from calibration.guide.parts_list import added_parts, hours_of, parts_of, price_of
from calibration.watch.bench_tests import Bench
from calibration.watch.virtual_bench import VirtualBench
from companion.cli import cli
from companion.core.clock import ManualClock
from companion.rehearse.table_parts import RIGS
from firmware.board.default_rig import COUNTS_PER_GRAM
from firmware.simulator.chips.hx711_model import ONE_KG

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDE = load_guide()
TODAY = "run `make docs`: calibration/guide/build.toml says something else"


def test_the_pages_are_what_the_steps_say_today() -> None:
    for name, text in pages(GUIDE).items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, TODAY
    index = (DOCS / "build-guide.md").read_text(encoding="utf-8")
    assert with_ladder(index, GUIDE) == index, TODAY


def test_the_guide_names_the_load_cell_that_the_recommended_rig_counts_with() -> None:
    assert GUIDE.part["cell"].name.endswith(" 1 kg")
    assert ONE_KG.counts_per_gram == COUNTS_PER_GRAM


def test_price_and_hours_are_on_line_one_and_everything_needed_stands_before_the_steps() -> None:
    for rung in GUIDE.rung:
        text = pages(GUIDE)[rung.page]
        least, most = price_of(GUIDE, rung)
        assert f"{least} to {most} euros, {hours_of(GUIDE, rung)} hours" in text.splitlines()[0]
        before = text.partition("\n## The steps")[0]
        for step in GUIDE.steps_of(rung):
            assert [one for one in (*step.warnings, *step.tools) if one not in before] == []
        assert [one.part.name for one in added_parts(GUIDE, rung) if one.part.name not in before] == []


def test_a_rung_lists_what_it_adds_and_links_to_the_list_below_it() -> None:
    for rung in GUIDE.rung:
        wanted = {one.id: one.count for one in parts_of(GUIDE, rung)}
        found = Counter({one.id: one.count for one in added_parts(GUIDE, rung)})
        if rung.after:
            below = GUIDE.rung_of(rung.after[0])
            assert f"]({below.page}#parts)" in pages(GUIDE)[rung.page]
            found.update({one.id: one.count for one in parts_of(GUIDE, below)})
        assert found == wanted


def test_every_step_of_a_rung_is_written_on_its_page_or_linked_to_the_page_that_has_it() -> None:
    for rung in GUIDE.rung:
        text = pages(GUIDE)[rung.page]
        for number, name in enumerate(rung.steps, 1):
            home, title = GUIDE.home_of(rung, name), GUIDE.step[name].title
            assert re.search(rf"^{number}\. \[{title}\]\(", text, re.MULTILINE)
            assert (f"## {number}. {title}\n" in text) == (home is rung)
            assert re.search(rf"^## \d+\. {title}$", pages(GUIDE)[home.page], re.MULTILINE)


def test_what_a_rung_does_otherwise_stands_beside_the_link() -> None:
    full = pages(GUIDE)["build-full.md"]
    assert "(here: `companion flash --rig full`)" in full
    assert "(here: pins 6 to 10 of the touch chip for beds 1 to 5)" in full
    assert "6 x copper foil with glue, 30 x 30 mm; 6 x resistor 1 kOhm)" in full
    assert "(here: `companion flash --rig pad`)" in pages(GUIDE)["build-pad.md"]


def test_the_readme_has_the_prices_of_the_steps() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for rung in GUIDE.rung:
        least, most = price_of(GUIDE, rung)
        assert re.search(rf"\*\*\[?{rung.short}[^|]*\| {least} to {most} euros \|", readme), rung.id


def test_every_part_and_step_is_used_and_every_name_is_known() -> None:
    used = {name for rung in GUIDE.rung for name in rung.steps}
    assert used == set(GUIDE.step)
    assert {name for one in used for name in GUIDE.step[one].parts} == set(GUIDE.part)
    for step in GUIDE.step.values():
        assert {step.bench, step.again} - {""} <= set(RANGES)
    assert all(rung.rig in RIGS for rung in GUIDE.rung)


def test_steps_come_after_those_whose_work_they_use() -> None:
    for rung in GUIDE.rung:
        wanted = ("reader", "tags", "pad-of-reader", "matrix", "pad-of-matrix")
        there = [name for name in rung.steps if name in wanted]
        assert there == [name for name in wanted if name in rung.steps], rung.id


def test_the_camera_hangs_at_a_bracket_that_turns_the_long_side_of_its_picture_along_the_mat() -> None:
    # The thread of a camera points along the short side of its picture; the plate's face looks along the mat.
    assert {"bracket", "m6x25", "tripod-screw"} <= set(GUIDE.step["camera"].parts)


def test_every_wire_that_jumpers_do_not_reach_is_in_the_list() -> None:
    for name in ("cells", "buttons", "touch", "matrix", "lamps"):
        assert GUIDE.step[name].parts["thin-wire"], name


def test_a_list_is_the_sum_of_the_steps() -> None:
    full = GUIDE.named("full")
    assert full is not None
    counts = {one.id: one.count for one in parts_of(GUIDE, full)}
    assert (counts["cell"], counts["copper-foil"], counts["r470"], counts["r2k2"]) == (5, 6, 16, 1)
    judge = GUIDE.named("judge")
    assert judge is not None
    assert not {"r470", "mpr121", "copper-foil"} & {one.id for one in parts_of(GUIDE, judge)}


@pytest.mark.parametrize("name", [*pages(GUIDE), "build-guide.md", "build-camera.md"])
def test_links_of_the_pages_lead_somewhere(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, heading = target.partition("#")
        there = DOCS / file if file else DOCS / name
        assert there.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in titles}
            assert heading in anchors, target


@pytest.mark.quick(2)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.file)
def test_the_page_of_wrong_views_says_what_the_set_up_says(view: object) -> None:
    assert view in VIEWS
    one = next(known for known in VIEWS if known is view)
    _, wrong = rendered(one)
    assert wrong
    assert section(one, wrong) in (DOCS / "build-camera.md").read_text(encoding="utf-8"), "make docs"


def test_the_right_view_is_right_and_all_pictures_are_there() -> None:
    picture, wrong = rendered(RIGHT)
    assert wrong == ()
    kept = cv2.imread(str(DOCS / "views" / "view-right.jpg"), cv2.IMREAD_GRAYSCALE)
    assert kept is not None
    assert float(cv2.absdiff(kept, picture).mean()) < 3
    text = (DOCS / "build-camera.md").read_text(encoding="utf-8")
    assert text.startswith(page({view.file: () for view in VIEWS}).partition("\n## ")[0])
    assert all((DOCS / "views" / f"{view.file}.jpg").exists() for view in VIEWS)


def test_the_ranges_of_the_pages_are_those_of_the_bench_test() -> None:
    clock = ManualClock()
    virtual = VirtualBench(clock)
    bench = Bench(virtual, clock, lambda _said: None, do=virtual.do)
    try:
        bench.connect()
        found = {
            part: bench.test(station, part).numbers
            for part, station in (("button", "bed 1"), ("scale", "bed 1"))
        }
    finally:
        virtual.close()
    for part, numbers in found.items():
        assert [(str(one.what), one.low, one.high) for one in numbers] == [
            (one.what, one.low, one.high) for one in RANGES[part]
        ]


def test_the_command_lists_parts_and_refuses_rigs_that_do_not_exist() -> None:
    told = CliRunner().invoke(cli, ["guide", "judge"]).output
    assert "5 x load cell" in told
    assert "docs/build-judge.md" in told
    assert "load cell" not in CliRunner().invoke(cli, ["guide", "pad"]).output
    assert "choose one of: webcam, pad, judge, full" in str(
        CliRunner().invoke(cli, ["guide", "radar"]).exception
    )
