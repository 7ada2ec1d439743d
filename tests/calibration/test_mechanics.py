"""Drawings and printed parts of a rig: as in docs, on the paper, beside the markers, watertight."""

import struct
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

from calibration.camera_height import lens_heights as heights_of_lenses
from calibration.drawings.arm_plan import arm_plans
from calibration.drawings.plan import off_paper
from calibration.drawings.printed_plate import arm_prints, raised
from calibration.drawings.rig_plans import TITLE, rig_plans
from calibration.drawings.sizes import (
    BASE_THICK,
    CARD_AT,
    COIL,
    FIELD_AT,
    PAD_H,
    PAD_THICK,
    PLATE_H,
    PLATE_HEIGHT,
    PLATE_W,
    READER_AT,
    READER_W,
    At,
    base_board,
    hides,
    lens_heights,
    stations_of,
)
from calibration.drawings.svg_sheet import sheet_svg
from calibration.sheets.pdf_writer import pdf_bytes
from calibration.sheets.sheet_shapes import Line
from companion.cli import cli
from companion.games.registry import DEFAULT_GAME, load_game
from companion.virtual.games.sleepless_princess.raised_pictures import PICTURES, RAISED
from companion.virtual.parameters import PRESS
from firmware.pad_sizes import CARD_H, CARD_W, FIELD, RAISED_FROM_END, TAG, TAG_CLEAR, TAG_FROM_END

RIGS = Path(__file__).parents[2] / "docs" / "rigs"
MATS = [load_game(DEFAULT_GAME).mat(variant) for variant in load_game(DEFAULT_GAME).variants]
MAT = MATS[0]


def test_the_drawings_in_docs_are_those_of_today() -> None:
    plans = rig_plans(MAT)
    for plan in plans:
        assert (RIGS / f"{plan.name}.svg").read_text(encoding="utf-8") == sheet_svg(plan), "make docs"
    assert (RIGS / "rig-drawings.pdf").read_bytes() == pdf_bytes(plans, TITLE), "make docs"


@pytest.mark.parametrize("plan", rig_plans(MAT), ids=lambda plan: plan.name)
def test_nothing_is_drawn_beyond_the_paper_and_the_svg_is_true_to_size(plan) -> None:
    assert list(off_paper(plan)) == []
    root = ElementTree.fromstring(sheet_svg(plan))
    assert root.attrib["width"] == f"{plan.w:g}mm"
    assert root.attrib["viewBox"] == f"0 0 {plan.w:g} {plan.h:g}"


def test_a_plate_is_drawn_as_large_as_it_is() -> None:
    plate = next(plan for plan in rig_plans(MAT) if plan.name == "station-plate")
    edges = [shape for shape in plate.shapes if isinstance(shape, Line) and not shape.dashed]
    assert any(abs(one.x1 - one.x0) == pytest.approx(PLATE_W) and one.y0 == one.y1 for one in edges)
    assert any(abs(one.y1 - one.y0) == pytest.approx(PLATE_H) and one.x0 == one.x1 for one in edges)


@pytest.mark.parametrize("mat", MATS)
def test_no_plate_hides_a_corner_marker_from_the_lowest_camera(mat) -> None:
    lowest = min(one.cm for one in heights_of_lenses(mat)) * 10.0
    stations = stations_of(mat)
    assert len(stations) == sum(zone.name.startswith("foot") for zone in mat.zones)
    for one in stations:
        end = At(one.corner.x + PLATE_W, one.corner.y + PLATE_H)
        assert hides(mat, one.corner, end, PLATE_HEIGHT, lowest) == []
    left, top, right, bottom = base_board(mat)
    assert hides(mat, At(left, top), At(right, bottom), BASE_THICK, lowest) == []
    # A plate as wide as its zone would hide the markers beside the first and the last.
    zone = stations[0].zone
    assert hides(mat, At(zone.x, zone.y), At(zone.x + zone.w, zone.y + zone.h), PLATE_HEIGHT, lowest)


def test_plates_keep_clear_of_each_other_and_holes_lie_within_their_wood() -> None:
    left, top, right, bottom = base_board(MAT)
    stations = stations_of(MAT)
    for one, other in pairwise(stations):
        assert other.corner.x - one.corner.x - PLATE_W > 10
    for one in stations:
        for hole in (*one.base_holes, one.button, one.lamp):
            assert left + hole.across < hole.x < right - hole.across
            assert top + hole.across < hole.y < bottom - hole.across
        for hole in one.plate_holes:
            assert one.corner.x < hole.x < one.corner.x + PLATE_W
            assert one.corner.y < hole.y < one.corner.y + PLATE_H


def test_a_tag_lies_above_the_coil_and_not_above_copper() -> None:
    middle = CARD_AT.x + CARD_W - TAG_FROM_END
    assert middle - TAG / 2 >= FIELD_AT.x + FIELD + TAG_CLEAR
    assert FIELD_AT.x + FIELD < READER_AT.x < middle - TAG / 2
    assert abs(middle - READER_AT.x - COIL / 2) < COIL / 4


def test_wires_reach_from_the_breadboard_left_of_the_pad_to_every_part() -> None:
    pad = next(zone for zone in MAT.zones if zone.name == "pad")
    pins = At(pad.x + READER_AT.x + READER_W / 2, pad.y + READER_AT.y)
    breadboard = At(0, pins.y)
    stations = stations_of(MAT)
    chip = At((stations[1].corner.x + PLATE_W + stations[2].corner.x) / 2, stations[1].corner.y + PLATE_H)
    feet = [At(one.zone.x + one.zone.w / 2, one.foot.y + one.foot.h / 2) for one in stations]
    foils = [*feet, At(pad.x + READER_AT.x + 20, pad.y + PAD_H - 11)]
    last = At(stations[-1].corner.x, stations[-1].corner.y + PLATE_H)
    assert breadboard.x + pins.x <= 200
    assert square_way(chip, breadboard) <= 600
    assert max(square_way(chip, foil) for foil in foils) <= 500
    assert square_way(last, At(0, 0)) + breadboard.y <= 1200


def square_way(one: At, other: At) -> float:
    """Length (mm) of a wire that runs along the edges of wood."""
    return abs(one.x - other.x) + abs(one.y - other.y)


def test_the_readers_crystal_hangs_in_the_opening_and_its_coil_is_level_with_the_card() -> None:
    board, crystal, card = 1.6, 4.3, 1.5
    assert PAD_THICK + card >= board + crystal


def test_people_press_a_raised_picture_where_the_pad_has_it_all_of_it_above_strips() -> None:
    across, down = CARD_AT.x + RAISED_FROM_END, CARD_AT.y + CARD_H / 2
    assert PRESS.picture_mm == (across - FIELD_AT.x - FIELD / 2, down - FIELD_AT.y - FIELD / 2)
    assert PRESS.from_end_mm == RAISED_FROM_END
    assert (RAISED.w, RAISED.h) == (CARD_W, CARD_H)
    for picture in PICTURES:
        right = max(max(x1, x2) + pen for x1, _, x2, _, pen in picture)
        assert across + right <= FIELD_AT.x + FIELD


def test_the_arm_reaches_every_height_that_a_lens_wants() -> None:
    low, high = lens_heights()
    wanted = [one.cm * 10 for one in heights_of_lenses(MAT)]
    assert low <= min(wanted)
    assert max(wanted) <= high
    assert len(arm_plans(MAT)) == 3


def corners_of(data: bytes) -> np.ndarray:
    """The triangles of a binary STL, n x 3 x 3 in mm."""
    (count,) = struct.unpack("<I", data[80:84])
    assert len(data) == 84 + 50 * count
    rows = np.frombuffer(data[84:], dtype=[("normal", "<f4", 3), ("at", "<f4", (3, 3)), ("no", "<u2")])
    return rows["at"].astype(float)


def is_watertight(triangles: np.ndarray) -> bool:
    """Whether each edge belongs to two triangles that run along it in opposite directions."""
    edges = Counter((tuple(one[n]), tuple(one[(n + 1) % 3])) for one in triangles.tolist() for n in range(3))
    return all(count == 1 and edges[other, one] == 1 for (one, other), count in edges.items())


@pytest.mark.parametrize(
    ("name", "size", "mm3"),
    [
        ("arm-corner.stl", (180, 180, 8), 8 * (180 * 180 - 132 * 132 / 2 - 4 * np.pi * 3.25**2)),
        ("arm-head.stl", (60, 118, 8), 8 * (60 * 118 - 2 * np.pi * 3.25**2 - np.pi * 3.3**2 - 26 * 6.6)),
    ],
)
def test_a_printed_plate_is_watertight_and_as_large_as_drawn(
    name: str, size: tuple[int, ...], mm3: float
) -> None:
    data = arm_prints()[name]
    assert data == (RIGS / name).read_bytes(), "make docs"
    triangles = corners_of(data)
    assert is_watertight(triangles)
    points = triangles.reshape(-1, 3)
    assert (points.max(axis=0) - points.min(axis=0)).tolist() == list(size)
    inside = np.einsum("ij,ij->i", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])).sum() / 6
    assert inside == pytest.approx(mm3, rel=0.001)


def test_a_plate_with_a_missing_triangle_is_not_watertight() -> None:
    square = [At(0, 0), At(10, 0), At(10, 10), At(0, 10)]
    plate = raised(square, [], 2)
    assert is_watertight(plate)
    assert not is_watertight(plate[1:])


def test_the_drawings_are_printed_and_a_game_by_camera_alone_has_none(tmp_path: Path) -> None:
    out = tmp_path / "rig.pdf"
    assert CliRunner().invoke(cli, ["sheets", "--only", "rig", "--out", str(out)]).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")
    refused = CliRunner().invoke(cli, ["sheets", "--only", "rig", "--game", "sleeping-queens"])
    assert "no rig to build" in str(refused.exception)
