"""The pictures of the virtual table: readable by others, covered by hands, never twice the same."""

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clock import ManualClock
from companion.games.registry import load_game
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.render.camera_optics import Lens
from companion.virtual.render.image_sensor import Sensor
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.virtual_table import VirtualTable
from companion.virtual.world import Hand, World

TICK = 1 / 15


def a_table(seed: int = 1, variant: str = "basic") -> VirtualTable:
    return VirtualTable(seed, variant, 2, clock=ManualClock(), board=NoBoard(), pace=0.2)


def run_until(table: VirtualTable, condition) -> None:
    while not condition():
        assert table.clock.now() < 600
        table.clock.sleep(TICK)
        table.step(table.clock.now())


def cut(table: VirtualTable, frame, name: str, margin: float = 8.0):
    zone = table.mat.zone(name)
    corners = table.camera.lens.seen(
        [(zone.x - margin, zone.y - margin), (zone.x + zone.w + margin, zone.y + zone.h + margin)]
    )
    (left, top), (right, bottom) = corners.astype(int)
    return frame[max(0, top) : bottom, max(0, left) : right]


def payloads(picture) -> set[str]:
    """Read by zxing-cpp alone: none of our own reader takes part."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(gray, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    return {code.text for code in zxingcpp.read_barcodes(large)}


def lying(table: VirtualTable, name: str) -> set[str]:
    zone = table.mat.zone(name)
    things = table.world.things.values()
    return {table.camera.cards[t.code].payload for t in things if zone.contains(t.x, t.y) and t.side == "up"}


@pytest.mark.long
def test_stickers_in_row_and_play_can_be_read() -> None:
    read = wanted = 0
    blankets = 0
    for seed in (1, 2, 3):
        table = a_table(seed)
        for _ in range(3):
            before = len(table.truth.entries)
            run_until(
                table,
                lambda table=table, before=before: (
                    len(table.truth.entries) > before and table.truth.entries[-1].action.startswith("play")
                ),
            )
            frame = table.frame()
            for name in ("row", "play"):
                there = lying(table, name)
                wanted += len(there)
                read += len(there & payloads(cut(table, frame, name)))
                blankets += any(payload.startswith("SP1B") for payload in there)
            run_until(table, lambda table=table: table.truth.entries[-1].action.startswith(("take", "deck")))
    assert wanted > 60
    assert read >= wanted - 1
    assert blankets


def test_a_fanned_bed_shows_every_sticker() -> None:
    table = a_table(5)
    run_until(table, lambda: len(table.truth.entries) > 25)
    from companion.virtual.games.sleepless_princess.card_positions import fan

    for count in range(1, 9):
        table.world.clear()
        codes = [f"M{n}A" for n in range(count)]
        for code, at in zip(codes, fan(table.mat, 0, count), strict=True):
            table.world.put(code, at)
        found = payloads(cut(table, table.frame(), "bed 1"))
        assert found == {f"SP1{code}" for code in codes}


def test_a_hand_covers_and_leaves() -> None:
    table = a_table()
    table.world.put("H07A", table.mat.zone("play").centre)
    bare = table.frame()
    assert payloads(cut(table, bare, "play")) == {"SP1H07A"}
    x, y = table.mat.zone("play").centre
    table.world.hand = Hand(0, (x, 900.0), (x, 700.0), (x, y), 0.0, 0.0)
    covered = table.frame()
    assert payloads(cut(table, covered, "play")) == set()
    assert np.abs(cut(table, covered, "row", 0).astype(int) - cut(table, bare, "row", 0)).mean() < 12
    table.world.hand = None
    assert payloads(cut(table, table.frame(), "play")) == {"SP1H07A"}
    # What the hand covered is back to the last pixel, noise apart.
    assert np.abs(table.frame().astype(int) - bare).max() < 30


def test_hands_come_in_over_the_border() -> None:
    table = a_table()
    run_until(table, lambda: table.world.hand is not None)
    seen = 0
    for _ in range(60):
        table.clock.sleep(TICK)
        table.step(table.clock.now())
        hand = table.world.hand
        if hand is None:
            continue
        table.frame()
        box = table.camera.arm_box()
        if box is not None:
            seen += 1
            assert box[0] == 0 or box[1] == 0 or box[2] == 1920 or box[3] == 1080
    assert seen > 10


def test_noise_is_new_in_every_frame() -> None:
    table = a_table()
    first, second = table.frame(), table.frame()
    assert first.shape == (1080, 1920, 3)
    assert first.dtype == np.uint8
    difference = first.astype(int) - second
    assert 2.0 < difference.std() < 4.0
    assert abs(difference.mean()) < 0.1


@pytest.mark.long
@pytest.mark.parametrize("noise", ["clean", "home"])
def test_grey_pictures_are_the_others_without_colour(noise: str) -> None:
    table = VirtualTable(2, "basic", 2, clock=ManualClock(), board=NoBoard(), pace=0.2, noise=noise)
    compared = 0
    for step in range(400):
        table.clock.sleep(TICK)
        table.step(table.clock.now())
        grey = table.grey()
        if step % 40:
            continue
        compared += table.world.hand is not None
        off = cv2.cvtColor(table.frame(), cv2.COLOR_BGR2GRAY).astype(np.float32) - grey
        assert 1.5 < off.std() < 2.8
        # A patch that was not redrawn would be tens of levels off.
        assert np.abs(cv2.blur(off, (9, 9))).max() < 8
    assert compared


box = st.tuples(st.integers(0, 1800), st.integers(0, 1000), st.integers(1, 120), st.integers(1, 80)).map(
    lambda at: (at[0], at[1], at[0] + at[2], at[1] + at[3])
)


@pytest.mark.long
@settings(max_examples=6)
@given(st.lists(box, min_size=1, max_size=3), st.none() | box, st.integers(0, 99))
def test_a_grey_picture_made_of_parts_equals_one_made_whole(boxes, passing, seed: int) -> None:
    rng = np.random.default_rng(seed)
    clean = cv2.resize(rng.integers(0, 245, (54, 96, 3), np.uint8), (1920, 1080))
    in_parts, whole = (Sensor(profile("home"), Random(seed)) for _ in range(2))
    for sensor in (in_parts, whole):
        for _ in range(4):
            sensor.grey(clean)
    for left, top, right, bottom in boxes:
        clean[top:bottom, left:right] = rng.integers(0, 245, (bottom - top, right - left, 3))
        in_parts.changed((left, top, right, bottom))
    whole.changed((0, 0, 1920, 1080))
    kept = clean.copy()
    for hidden in (passing, None, None):
        if hidden is not None:
            left, top, right, bottom = hidden
            clean[top:bottom, left:right] = rng.integers(0, 245, (bottom - top, right - left, 3))
        assert np.array_equal(in_parts.grey(clean, hidden), whole.grey(clean, hidden))
        clean[:] = kept


def test_redrawing_parts_equals_drawing_the_whole() -> None:
    table = a_table(6)
    run_until(table, lambda: len(table.truth.entries) > 35 and table.world.hand is None)
    table.frame()
    partly = table.camera.clean_picture().copy()
    table.camera.redraw()
    assert np.abs(partly.astype(int) - table.camera.clean_picture()).max() <= 1


def test_a_camera_is_pushed_as_the_profile_says() -> None:
    mat = load_game("sleepless-princess").mat("basic")
    noise = replace(profile("clean"), nudges_per_game=2.0)
    camera = TableCamera(World(), mat, (), VIRTUAL.looks, noise, Random("pushes"))
    places = []
    for t in (0.0, 1.0, 1200.0):
        camera.frame(t)
        places.append(camera.lens.seen([(480, 270)]).tolist())
    assert places[0] == places[1] != places[2]


def test_pictures_that_differ_by_noise_alone_are_no_change() -> None:
    game, world = load_game("sleepless-princess"), World()
    mat, cards = game.mat("basic"), game.cards("basic")
    camera = TableCamera(world, mat, cards, VIRTUAL.looks, profile("clean"), Random("changes"))

    def changed(t: float) -> bool:
        before = camera.changes
        camera.grey(t)
        camera.frame(t)
        return camera.changes > before

    assert [changed(t) for t in (0.0, 0.1)] == [True, False]
    world.hand = Hand(0, (480, 900.0), (480, 700.0), (480, 500.0), 1.0, 1.5)
    assert [changed(t) for t in (1.0, 1.2, 1.5, 1.6)] == [True, True, True, False]
    world.hand = None
    assert [changed(t) for t in (2.0, 2.1)] == [True, False]
    camera.nudge(3.0, 0.0, 0.0)
    assert [changed(t) for t in (3.0, 3.1)] == [True, False]
    world.put("H07A", (480, 270))
    assert [changed(t) for t in (4.0, 4.1)] == [True, False]


@pytest.mark.parametrize("name", ["clean", "home"])
@pytest.mark.parametrize("box", [(0, 0, 1920, 1080), (333, 207, 1611, 902)])
def test_what_is_drawn_lies_where_the_lens_sees_it(name: str, box: tuple[int, int, int, int]) -> None:
    """A sheet of 1 px per mm is drawn in whole and in part, through a straight and a bent lens."""
    mat = load_game("sleepless-princess").mat("basic")
    lens = Lens(mat, profile(name), Random(4))
    sheet = np.zeros((round(mat.h), round(mat.w)), np.uint8)
    dots = [(x, y) for x in range(250, round(mat.w) - 250, 90) for y in range(150, round(mat.h) - 150, 90)]
    for x, y in dots:
        sheet[y - 2 : y + 3, x - 2 : x + 3] = 255
    drawn = lens.twice(sheet, lens.matrix, box)
    assert drawn.shape == (2 * (box[3] - box[1]), 2 * (box[2] - box[0]))
    for dot, (x, y) in zip(dots, 2 * (lens.seen(dots) - box[:2]), strict=True):
        left, top = int(x) - 12, int(y) - 12
        weight = drawn[top : top + 25, left : left + 25].astype(float)
        rows, columns = np.mgrid[top : top + 25, left : left + 25]
        centre = (columns * weight).sum() / weight.sum(), (rows * weight).sum() / weight.sum()
        assert centre == pytest.approx((x, y), abs=0.15), dot
