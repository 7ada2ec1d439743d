"""The mat is never wrong: in hostile pictures its place is true or refused, and held while it is covered."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.benchmarks.mat_bench import WRONG_MM, off_mm, places
from tests.benchmarks.mat_camera import Camera
from tests.benchmarks.mat_pictures import KINDS, MAT, HostilePicture, clean_picture, pictures_of
from vision.camera.frames import Frame
from vision.codes import sticker_set
from vision.codes.sticker_set import Gray, Tags
from vision.mat.marker_alignment import align
from vision.mat.marker_search import believed
from vision.mat.mat_finder import reaches_beyond, register, scales_in_sight
from vision.mat.registration import Registration
from vision.reasons import Reason, Simple
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState

FPS = 15
SEED = 17
PARTS = 6
NO_MAT = ("mirrored", "reordered")
CLEAN = "jpeg"
SHAPE_PX = 0.15


@cache
def pictures() -> dict[str, HostilePicture]:
    return {one.kind: one for one in pictures_of((*NO_MAT, CLEAN), SEED)}


@cache
def before_of(kind: str) -> Registration:
    found = register(MAT, pictures()[kind].before)
    assert found is not None
    return found


@pytest.mark.quick(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_hostile_picture_puts_the_mat_where_it_is_not(part: int) -> None:
    found = 0
    for picture in pictures_of([*KINDS][part::PARTS], SEED):
        before = register(MAT, picture.before)
        for one in places(picture, ("alone", "last place"), before).values():
            if one is not None:
                found += 1
                assert off_mm(one, picture) <= WRONG_MM, picture.kind
    assert found > len(KINDS) // PARTS // 2, "refusing everything is no art"


@pytest.mark.parametrize("kind", NO_MAT)
def test_what_is_no_mat_is_refused(kind: str) -> None:
    assert pictures()[kind].truths == ()
    assert register(MAT, pictures()[kind].gray) is None
    assert register(MAT, pictures()[kind].gray, before_of(kind)) is None


def clean() -> HostilePicture:
    return pictures()[CLEAN]


def covered(gray: Gray, truth: HostilePicture, numbers: Iterator[int] | tuple[int, ...]) -> Gray:
    """The picture before with some of the markers (0 to 3) under something grey."""
    picture = gray.copy()
    for number in numbers:
        marker = MAT.markers[number]
        x, y = truth.before_from(np.array([(marker.x, marker.y)]))[0].round().astype(int)
        cv2.circle(picture, (int(x), int(y)), 60, (130,), -1)
    return picture


@pytest.mark.parametrize("numbers", [(0, 1), (0, 3), (0, 1, 2), (1, 2, 3)])
def test_the_last_place_holds_while_two_or_three_markers_are_covered(numbers: tuple[int, ...]) -> None:
    picture, before = clean(), before_of(CLEAN)
    hidden = covered(picture.before, picture, numbers)
    held = register(MAT, hidden, before)
    assert held is not None
    assert np.allclose(held.to_px([(0, 0)]), before.to_px([(0, 0)]), atol=1)
    assert register(MAT, hidden) is None
    # The same after a push of 4 px: what is in sight of one marker is not enough to follow it.
    pushed = np.roll(hidden, (4, 4), axis=(0, 1))
    found = register(MAT, np.ascontiguousarray(pushed), before)
    if len(numbers) == 3:
        assert found is None
    elif found is not None:
        moved = found.to_px([(MAT.w / 2, MAT.h / 2)]) - before.to_px([(MAT.w / 2, MAT.h / 2)])
        assert moved[0] == pytest.approx([4, 4], abs=1.5)


def test_markers_that_were_exchanged_hold_no_mat() -> None:
    assert register(MAT, _two_exchanged(), before_of(CLEAN)) is None


def _two_exchanged() -> Gray:
    """The clean picture with two corner markers in each other's place."""
    picture = clean()
    one, other = (picture.before_from(np.array([(m.x, m.y)]))[0].round().astype(int) for m in MAT.markers[:2])
    exchanged = picture.before.copy()
    for (x, y), (u, v) in ((one, other), (other, one)):
        exchanged[y - 45 : y + 45, x - 45 : x + 45] = picture.before[v - 45 : v + 45, u - 45 : u + 45]
    return exchanged


def test_a_marker_is_known_by_its_print_and_not_by_its_outline() -> None:
    picture = clean()
    marker = MAT.markers[0]
    truth = picture.before_from(np.array(marker.corners))
    beside = truth + np.array((3.0, -2.0))
    there = align(picture.before, marker.id, beside)
    assert believed(there) is not None
    assert there is not None
    assert np.linalg.norm((there.corners - truth).mean(axis=0)) < 0.1
    other = align(picture.before, MAT.markers[1].id, truth)
    assert believed(other) is None, "another marker lies there"
    # A card that takes two millimetres off one side moves an outline by as much, and the print not at all.
    cut = picture.before.copy()
    edge = truth[[0, 3]].mean(axis=0).round().astype(int)
    cv2.rectangle(cut, (edge[0] - 30, edge[1] - 40), (edge[0] + 3, edge[1] + 40), (130,), -1)
    halved = align(cut, marker.id, truth + np.array((2.0, 0.0)))
    assert halved is not None
    assert np.linalg.norm((halved.corners - truth).mean(axis=0)) < 0.8


@pytest.mark.parametrize("trouble", ["motion", "bright tones"])
def test_a_marker_keeps_its_shape_where_edges_move_or_blur_in_one_direction(trouble: str) -> None:
    before = clean().before
    if trouble == "motion":
        spoiled = moved_during(before, 5)
    else:
        soft = cv2.GaussianBlur(before, (0, 0), 1.5)
        spoiled = np.asarray(255 * np.sqrt(soft / 255), np.uint8)
    for marker in MAT.markers:
        truth = clean().before_from(np.array(marker.corners))
        found = align(spoiled, marker.id, truth + np.array((1.0, -1.0)))
        assert found is not None
        off = found.corners - truth
        assert np.abs(off.mean(axis=0)).max() < 0.1
        assert np.abs(off - off.mean(axis=0)).max() < SHAPE_PX


@pytest.mark.parametrize("side", [40, 90, 150, 260])
def test_a_marker_of_any_size_is_found_to_a_fraction_of_a_pixel(side: int) -> None:
    """A large one too: a fine camera near the mat has edges that are sharp between its samples."""
    fine, edge = 40 * 8, 40 * 2
    print_ = cv2.copyMakeBorder(sticker_set.marker(240, fine), *[edge] * 4, cv2.BORDER_CONSTANT, value=255)
    ends = np.array([(0, 0), (fine, 0), (fine, fine), (0, fine)], np.float32) + edge - 0.5
    truth = side * np.array([(0.41, 0.43), (1.43, 0.4), (1.41, 1.44), (0.4, 1.42)]) + 0.3
    place = cv2.getPerspectiveTransform(ends, truth.astype(np.float32))
    four = np.array([(4, 0, 1.5), (0, 4, 1.5), (0, 0, 1)])
    large = cv2.warpPerspective(print_, four @ place, (8 * side, 8 * side), borderValue=200)
    gray = np.asarray(cv2.resize(large, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)
    found = align(gray, 240, truth + side * np.array([(0.02, 0.01), (-0.01, 0.02), (0.01, -0.02), (0, 0.01)]))
    assert found is not None
    assert np.abs(found.corners - truth).max() < 0.7


def test_a_picture_of_nothing_holds_no_marker() -> None:
    corners = np.array([(100, 100), (160, 100), (160, 160), (100, 160)], float)
    for gray in (np.full((300, 300), 128, np.uint8), np.random.default_rng(1).integers(0, 255, (300, 300))):
        assert believed(align(np.asarray(gray, np.uint8), 240, corners)) is None
    assert align(np.full((300, 300), 128, np.uint8), 240, corners - 500) is None


@pytest.mark.parametrize(("number", "aside"), [(0, (8, 0)), (2, (-8, 2))])
def test_a_marker_a_few_mm_beside_its_place_bends_no_lens(number: int, aside: tuple[int, int]) -> None:
    picture, one = clean().before.copy(), MAT.markers[number]
    x, y = clean().before_from(np.array([(one.x, one.y)]))[0].round().astype(int)
    sheet = picture[y - 45 : y + 45, x - 45 : x + 45].copy()
    x, y = x + aside[0], y + aside[1]
    picture[y - 45 : y + 45, x - 45 : x + 45] = sheet
    alone = register(MAT, picture)
    assert alone is None or off_mm(alone, replace_truth()) < 1.5
    held = register(MAT, picture, before_of(CLEAN))
    assert held is not None
    assert off_mm(held, replace_truth()) < 0.5


@pytest.mark.parametrize(("motion", "found"), [(1, True), (5, True), (9, False)])
def test_two_markers_that_motion_blurs_follow_no_pushed_camera(motion: int, found: bool) -> None:
    """A blur makes markers narrower by 0.7 %, as a camera does that is tilted by 7 degrees."""
    height, width = clean().before.shape
    ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = ends + np.array([(30, 20), (30, 20), (60, 20), (0, 20)], np.float32)
    push = cv2.getPerspectiveTransform(ends, moved)
    hidden = covered(clean().before, clean(), (2, 3))
    gray = moved_during(np.asarray(cv2.warpPerspective(hidden, push, (width, height)), np.uint8), motion)

    def truth(places: np.ndarray) -> np.ndarray:
        return np.asarray(cv2.perspectiveTransform(clean().before_from(places)[None], push)[0], np.float64)

    placed = register(MAT, gray, before_of(CLEAN))
    assert (placed is not None) == found
    assert placed is None or off_mm(placed, replace(clean(), truths=(truth,))) < 1.5


def test_two_exposures_in_one_picture_place_no_mat() -> None:
    """Each marker is aligned with one exposure, or with both, by chance."""
    light = cv2.LUT(clean().before, ((np.arange(256) / 255) ** 2.2).astype(np.float32))
    both = cv2.addWeighted(light, 0.62, np.roll(light, (4, 13), axis=(0, 1)), 0.38, 0)
    found = register(MAT, np.asarray(255 * both ** (1 / 2.2), np.uint8), before_of(CLEAN))
    assert found is None or off_mm(found, replace_truth()) < 0.5


class Watched:
    """A tracker that is shown pictures, and what it said."""

    def __init__(self) -> None:
        self.vision = Vision(MAT, Tags({}, {}))
        self.said: list[tuple[float, bool, Reason | str]] = []
        self.t = 0.0

    def show(self, seconds: float, *grays: Gray) -> None:
        for number in range(round(seconds * FPS)):
            for one in self.vision.feed(Frame(self.t, grays[number % len(grays)])):
                if isinstance(one, CameraState):
                    self.said.append((self.t, one.ok, one.detail))
            self.t += 1 / FPS


def test_markers_that_are_exchanged_while_the_mat_is_watched_hold_no_mat() -> None:
    watched = Watched()
    watched.show(0.8, clean().before)
    assert watched.vision.found
    watched.show(1.2, _two_exchanged())
    assert not watched.vision.found
    assert any(reason is Simple.SHEETS_EXCHANGED for _, ok, reason in watched.said if not ok)


def moved_during(gray: Gray, px: int) -> Gray:
    """The picture of a camera that moved sideways during the exposure."""
    return np.asarray(cv2.blur(gray, (px, 1)), np.uint8)


def test_a_blur_holds_the_mat_and_is_told_once_it_lasts() -> None:
    picture = clean().before
    watched = Watched()
    watched.show(1, picture)
    assert watched.vision.found
    (found,) = watched.said
    watched.show(4, moved_during(picture, 9), moved_during(picture, 10))
    assert watched.vision.found
    assert watched.said == [found]
    watched.show(4, moved_during(picture, 9), moved_during(picture, 10))
    assert [(ok, said) for _, ok, said in watched.said[1:]] == [(True, Simple.BLURRED)]
    watched.show(3, picture)
    assert watched.vision.found
    assert watched.said[-1][1:] == found[1:]
    assert off_mm(watched.vision.registration, replace_truth()) <= 1


def test_cards_on_the_table_are_no_blur_and_hide_none() -> None:
    """Their codes have many times the edges of an empty mat, and in other directions."""
    picture, chance = clean().before, np.random.default_rng(7)
    watched = Watched()
    watched.show(1, picture)
    (found,) = watched.said
    height, width = picture.shape
    laid = picture.copy()
    for left in range(3 * width // 10, 7 * width // 10, width // 10):
        part = laid[2 * height // 5 : 3 * height // 5, left : left + width // 16]
        code = chance.integers(0, 2, (part.shape[0] // 16, part.shape[1] // 4), np.uint8)
        part[:] = cv2.resize(30 + 190 * code, part.shape[::-1], interpolation=cv2.INTER_NEAREST)
    watched.show(7, laid)
    assert watched.said == [found]
    watched.show(7, moved_during(laid, 10), moved_during(laid, 11))
    assert [(ok, said) for _, ok, said in watched.said[1:]] == [(True, Simple.BLURRED)]


def test_a_camera_that_turned_around_two_markers_is_noticed_while_the_others_are_covered() -> None:
    """The right side moves by less than a push, the left side by 9 px, and its markers are covered."""
    picture = clean()
    height, width = picture.before.shape
    ends = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    turned = ends + np.array([(0, 9), (0, 0.3), (0, 0.3), (0, 9)], np.float32)
    hidden = covered(picture.before, picture, (0, 3))
    pushed = cv2.warpPerspective(hidden, cv2.getPerspectiveTransform(ends, turned), (width, height))
    watched = Watched()
    watched.show(1, picture.before)
    watched.show(3, np.asarray(pushed, np.uint8))
    before = picture.before_from(np.array([(MAT.w / 2, MAT.h / 2)]))[0]
    assert watched.vision.registration is not None
    now = watched.vision.registration.to_px([(MAT.w / 2, MAT.h / 2)])[0]
    assert not watched.vision.found or np.linalg.norm(now - before - (0, 5)) < 2


def replace_truth() -> HostilePicture:
    return replace(clean(), gray=clean().before, truths=(clean().before_from,))


def test_a_mat_that_reaches_beyond_the_picture_is_told() -> None:
    picture = clean().before
    right = np.ascontiguousarray(picture[:, : picture.shape[1] - 260])
    assert reaches_beyond(MAT, right)
    assert not reaches_beyond(MAT, covered(picture, clean(), (0, 1)))
    watched = Watched()
    watched.show(1, right)
    assert [said.beyond for _, _, said in watched.said] == [True]


def test_a_marker_in_sight_twice_tells_no_scale() -> None:
    picture = clean().before
    assert len(scales_in_sight(MAT, picture)) == len(MAT.markers)
    rest = np.full((picture.shape[0] - picture.shape[0] // 2, picture.shape[1] // 2), 128, np.uint8)
    small = np.vstack([cv2.resize(picture, (picture.shape[1] // 2, picture.shape[0] // 2)), rest])
    assert scales_in_sight(MAT, np.ascontiguousarray(np.hstack([picture, small]))) == []


@pytest.mark.parametrize("tilt", [20.0, 35.0])
def test_a_tilted_camera_finds_the_mat_from_the_start(tilt: float) -> None:
    camera = Camera(tilt=tilt, towards=100.0)
    watched = Watched()
    watched.show(1, clean_picture(camera, 3))
    assert watched.vision.found
    assert watched.vision.registration is not None
    truth = replace(clean(), truths=(camera.to_px,))
    assert off_mm(watched.vision.registration, truth) <= 1
