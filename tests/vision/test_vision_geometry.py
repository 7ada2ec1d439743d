"""Where the mat lies: through lenses that bend lines, by few markers, before and after a push."""

from dataclasses import replace
from math import inf
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInputError
from companion.core.language import Language
from companion.games.registry import load_game
from companion.sensing.vision_words import in_words, words_of
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.games.sleepless_princess.card_positions import row_slot
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.render.table_surface import corners_alone
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.world import Hand, World
from tests.benchmarks import place_accuracy as places_bench
from vision.camera.frames import Frame
from vision.codes.sticker_set import Tags
from vision.mat.lens_model import Lens
from vision.mat.marker_alignment import Aligned
from vision.mat.mat_finder import register
from vision.mat.straight_views import part_of
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState, HandCame, HandLeft, ZoneSeen

GAME = load_game("sleepless-princess")
MAT = GAME.mat("basic")
CARDS = GAME.cards("basic")
PLACES = [(x, y) for x in np.linspace(5, MAT.w - 5, 20) for y in np.linspace(5, MAT.h - 5, 12)]
FPS = 15


def mounted(k1: float, world: World | None = None) -> TableCamera:
    """A camera whose lens bends lines by `k1`; its length and centre are not what a reader would guess."""
    noise = replace(profile("clean"), sensor_sigma=3.0, lens_blur=0.7, lens_k1=k1)
    return TableCamera(world or World(), MAT, CARDS, VIRTUAL.looks, noise, Random("mounted"))


def grey(camera: TableCamera, t: float = 0.0) -> np.ndarray:
    return cv2.cvtColor(camera.frame(t), cv2.COLOR_BGR2GRAY)


def off(registration, camera: TableCamera) -> float:
    """The 95th percentile over the mat of how far places are from where they are seen, mm."""
    seen = registration.to_mm(camera.lens.seen(PLACES))
    return float(np.percentile(np.linalg.norm(seen - PLACES, axis=1), 95))


def hidden(picture: np.ndarray, camera: TableCamera, *corners: int) -> np.ndarray:
    """The picture with some of the mat's corners (0 to 3, clockwise) covered."""
    covered = picture.copy()
    for corner in corners:
        marker = MAT.markers[corner]
        x, y = camera.lens.seen([(marker.x, marker.y)])[0].astype(int)
        cv2.circle(covered, (int(x), int(y)), 70, (130,), -1)
    return covered


@pytest.fixture(scope="module")
def webcam() -> TableCamera:
    return mounted(-0.15)


@pytest.mark.quick(1)
@pytest.mark.parametrize(("k1", "most_mm"), [(-0.25, 3.0), (0.0, 0.7), (-0.1, 1.2), (0.06, 1.2)])
def test_places_are_right_through_lenses_that_bend_lines(k1: float, most_mm: float) -> None:
    camera = mounted(k1)
    found = register(MAT, grey(camera))
    assert found is not None
    assert off(found, camera) < most_mm
    true = camera.lens._bent or found.lens
    assert found.lens.bent_by == pytest.approx(true.bent_by, abs=0.02)
    straight = replace(found, fit=replace(found.fit, lens=replace(found.lens, k=())))
    assert k1 == 0 or off(straight, camera) > 3 * most_mm, "it is the lens that does it"


def test_a_measured_lens_is_taken_as_it_is(webcam: TableCamera) -> None:
    assert webcam.lens._bent is not None
    measured = webcam.lens._bent
    found = register(MAT, grey(webcam), measured=measured)
    assert found is not None
    assert found.lens == measured
    assert off(found, webcam) < 0.7
    half = register(MAT, cv2.resize(grey(webcam), (960, 540), interpolation=cv2.INTER_AREA), measured=measured)
    assert half is not None
    assert half.lens.k == measured.k
    with pytest.raises(BadInputError, match="1920 x 1080, pictures are 1920 x 1000"), in_words():
        register(MAT, grey(webcam)[:1000], measured=measured)


@pytest.mark.parametrize("corners", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
def test_any_two_markers_do_after_a_registration_or_a_measurement(
    webcam: TableCamera, corners: tuple[int, int]
) -> None:
    picture = grey(webcam)
    before = register(MAT, picture)
    covered = hidden(picture, webcam, *corners)
    assert register(MAT, covered) is None
    held, measured = register(MAT, covered, before), register(MAT, covered, measured=webcam.lens._bent)
    assert held is not None
    assert held.markers == 2
    assert off(held, webcam) < 1.5
    # The other end of the mat is too far from two markers of a short side.
    assert (measured is None) == (corners in ((0, 3), (1, 2)))
    assert measured is None or off(measured, webcam) < 1


def test_two_markers_follow_a_camera_that_was_pushed() -> None:
    camera = mounted(-0.15)
    before = register(MAT, grey(camera))
    camera.nudge(17, -11, 1.2)
    for corners in ((0, 1), (1, 3), (1, 2)):
        found = register(MAT, hidden(grey(camera), camera, *corners), before)
        if corners == (1, 2):  # the far end of the mat is in doubt
            assert found is None
            continue
        assert found is not None
        assert off(found, camera) < 1.5
        assert before is not None
        assert off(before, camera) > 8


def test_three_markers_are_mostly_enough_from_the_start_and_never_wrong() -> None:
    webcam = mounted(-0.15)
    found = [one for n in range(4) if (one := register(MAT, hidden(grey(webcam), webcam, n))) is not None]
    assert len(found) >= 3
    assert all(one.markers == 3 and off(one, webcam) < 3.5 for one in found)


def test_a_copy_of_a_marker_is_not_taken_for_it(webcam: TableCamera) -> None:
    picture = grey(webcam)
    x, y = webcam.lens.seen([(MAT.markers[0].x, MAT.markers[0].y)])[0].astype(int)
    picture[500:600, 900:1000] = picture[y - 50 : y + 50, x - 50 : x + 50]
    found = register(MAT, picture)
    assert found is not None
    # Three others say which of the two it is.
    assert found.markers == 4
    assert off(found, webcam) < 1.5
    picture[y - 50 : y + 50, x - 50 : x + 50] = 130
    found = register(MAT, picture)
    assert found is not None
    assert found.markers == 3
    assert off(found, webcam) < 1.5


def seen_at(monkeypatch: pytest.MonkeyPatch, quads: dict[int, np.ndarray]) -> None:
    """From now on these corners are what is found in any picture."""
    found = {number: [Aligned(number, quad, 1.0, 1.0, 100.0, 0.8)] for number, quad in quads.items()}
    monkeypatch.setattr("vision.mat.mat_finder.search", lambda *_: found)


@pytest.mark.parametrize(
    ("loose_mm", "words"),
    [(0.0, "1.8 px per mm"), (12.0, "12 mm beside its place: has it moved?"), (250.0, "1.8 px per mm")],
)
def test_a_sheet_that_lies_loose_is_told(monkeypatch: pytest.MonkeyPatch, loose_mm: float, words: str) -> None:
    quads = {}
    for number, marker in enumerate(MAT.markers):
        middle = np.array((marker.x + (loose_mm if number == 2 else 0), marker.y))
        corners = middle + marker.side / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        quads[marker.id] = 1.8 * corners + (90, 50)
    seen_at(monkeypatch, quads)
    found = register(MAT, np.zeros((1080, 1920), np.uint8))
    assert found is not None
    assert words_of(found.summary).endswith(words)
    # Three that agree are the mat; a fourth far away is a copy of its corner.
    assert found.markers == (3 if loose_mm > 100 else 4)
    assert np.linalg.norm(found.to_mm(1.8 * np.array(PLACES) + (90, 50)) - PLACES, axis=1).max() < 0.1


@pytest.mark.parametrize(
    "askew",
    [
        ((4.1, -6.4, -0.6), (-6.3, -5.1, 0.5), (3.2, 8.7, 1.9), (-1.1, 2.8, -0.5)),
        ((1.7, 4.1, 0.48), (-8.1, 14.2, -0.41), (2.1, -12.0, 0.06), (4.3, -6.4, 1.21)),  # nearly square
    ],
)
def test_corners_laid_askew_below_a_bent_lens_are_a_mat(
    monkeypatch: pytest.MonkeyPatch, askew: tuple[tuple[float, float, float], ...]
) -> None:
    """Three of the four fit a lens that bends otherwise."""
    lens, quads = Lens.guessed(1920, 1080, (-0.1,)), {}
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for marker, (right, down, turn) in zip(MAT.markers, askew, strict=True):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        mm = (marker.x + right, marker.y + down) + marker.side / 2 * square @ np.array([(c, s), (-s, c)])
        quads[marker.id] = lens.pixels(Lens.guessed(1920, 1080).rays(1.67 * mm + (120, 60)))
    seen_at(monkeypatch, quads)
    found = register(MAT, np.zeros((1080, 1920), np.uint8))
    assert found is not None
    assert found.fit.rms_px < 0.1
    assert [one.angle for one in found.laid] == pytest.approx([turn for _, _, turn in askew], abs=0.3)


def test_corners_laid_on_a_cloth_by_hand_are_a_mat_and_not_taken_for_a_push() -> None:
    cloth = corners_alone(MAT, Random(8))
    camera = TableCamera(
        World(), cloth, CARDS, VIRTUAL.looks, replace(profile("clean"), lens_k1=-0.1), Random(2)
    )
    vision = Vision(MAT, Tags.of(CARDS))
    said = [one for n in range(40) for one in vision.feed(Frame(n / FPS, grey(camera)))]
    assert [
        (one.ok, "corners laid by hand" in words_of(one.detail)) for one in said if isinstance(one, CameraState)
    ] == [(True, True)]
    seen = vision.registration.to_mm(camera.lens.seen(PLACES)) - PLACES
    # Where the mat as a whole lies is a matter of the corners; its zones keep their sizes.
    assert np.linalg.norm(seen - seen.mean(axis=0), axis=1).max() < 15


@pytest.mark.long
@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 2]), st.integers(2, 4))
def test_corners_at_random_are_no_mat(
    monkeypatch: pytest.MonkeyPatch, seed: int, kind: int, count: int
) -> None:
    rng = np.random.default_rng(seed)
    square = np.array([(0, 0), (50, 0), (50, 50), (0, 50)], float)
    shapes = (
        lambda: rng.uniform(0, 1900, (4, 2)),
        lambda: rng.uniform(0, 1900, 2) + rng.normal(0, 0.01, (4, 2)),
        lambda: np.column_stack([rng.uniform(0, 1900, 4), np.full(4, 500.0)]),
    )
    quads = {marker.id: shapes[kind]() for marker in MAT.markers[:count]}
    quads[MAT.markers[0].id] = square
    seen_at(monkeypatch, quads)
    assert register(MAT, np.zeros((1080, 1920), np.uint8)) is None


def test_a_part_is_flattened_where_the_lens_makes_its_scale_uneven_and_nowhere_else() -> None:
    picture = grey(mounted(-0.3))
    found = register(MAT, picture)
    assert found is not None
    middle = part_of(picture, (900, 500, 1100, 600), found)
    assert not middle.flat
    assert (middle.image == picture[500:600, 900:1100]).all()
    assert middle.scale == pytest.approx(found.px_per_mm(*found.to_mm([(1000, 550)])[0]), rel=0.01)
    rim = part_of(picture, found.zone_rect(MAT.zones[0]), found)
    assert rim.flat
    left, top, right, bottom = found.zone_rect(MAT.zones[0])
    spots = np.array([(left + 9.0, top + 5.0), (right - 30.0, bottom - 20.0)])
    assert np.abs(rim.to_px(rim.from_px(spots)) - spots).max() < 0.05
    ends = rim.from_px(found.to_px([(60, 60), (160, 60), (60, 160)]))
    assert np.linalg.norm(ends[1:] - ends[0], axis=1) / 100 == pytest.approx(rim.scale, rel=1e-3)
    for x, y in np.random.default_rng(1).uniform(20, 80, (20, 2)):
        u, v = rim.to_px([(round(x), round(y))])[0]
        there = cv2.getRectSubPix(picture, (1, 1), (float(u), float(v)))[0, 0]
        assert int(there) == pytest.approx(int(rim.image[round(y), round(x)]), abs=16)


def test_a_straight_lens_needs_no_flattening() -> None:
    picture = grey(mounted(0.0))
    found = register(MAT, picture)
    assert found is not None
    assert not any(part_of(picture, found.zone_rect(zone), found).flat for zone in MAT.zones)
    assert part_of(picture, (10, 10, 10, 10), found).image.size == 0


@pytest.mark.parametrize("k", [(-0.3,), (-0.9, 0.2), (0.8, 3.0)])
def test_where_a_lens_cannot_be_turned_back_the_picture_is_left_as_it_is(k: tuple[float, ...]) -> None:
    found = register(MAT, grey(mounted(0.0)))
    assert found is not None
    odd = replace(found, fit=replace(found.fit, lens=Lens(1920, 1080, 900.0, 960.0, 540.0, k)))
    picture = np.zeros((1080, 1920), np.uint8)
    for rect in ((0, 0, 1920, 1080), (1700, 900, 1920, 1080), (0, 0, 1, 1), (900, 500, 1000, 560)):
        part = part_of(picture, rect, odd)
        assert part.image.size <= 2.6 * (rect[2] - rect[0]) * (rect[3] - rect[1]) + 4000
        assert np.isfinite(part.to_px([(1.0, 1.0)])).all()


def test_zones_follow_bent_lines(webcam: TableCamera) -> None:
    found = register(MAT, grey(webcam))
    assert found is not None
    zone = MAT.zone("play")
    left, top, right, bottom = found.zone_rect(zone)
    edge = [(x, zone.y + zone.h) for x in np.linspace(zone.x, zone.x + zone.w, 50)]
    lowest = webcam.lens.seen(edge)[:, 1].max()
    ends = webcam.lens.seen([edge[0], edge[-1]])[:, 1].max()
    assert lowest - ends > 3, "the edge bulges"
    assert abs(bottom - lowest) < 3
    mask = found.zone_mask(zone, 480, 270)
    x, y = webcam.lens.seen([zone.centre])[0]
    assert mask[int(y / 4), int(x / 4)] == 255
    assert abs(float((mask > 0).sum()) * 16 / ((right - left) * (bottom - top)) - 1) < 0.08


# ---------------------------------------------------------------------- a game that goes on


class Game:
    """Five cards in the row, a camera, and the eyes behind it."""

    def __init__(self, k1: float) -> None:
        self.world = World()
        for slot in range(5):
            self.world.put(f"H0{slot + 1}A", row_slot(MAT, slot), 2.0 * slot)
        self.camera = mounted(k1, self.world)
        self.vision = Vision(MAT, Tags.of(CARDS))
        self.t = 0.0

    def watch(self, seconds: float, until: type | None = None) -> list:
        """What is seen in so many seconds; `until`: or up to and with the first of that kind."""
        seen: list = []
        for _ in range(round(seconds * FPS)):
            seen += self.vision.feed(Frame(self.t, grey(self.camera, self.t)))
            self.t += 1 / FPS
            if until is not None and any(isinstance(one, until) for one in seen):
                break
        return seen

    def reach(self, x: float, y: float) -> None:
        """A hand that came over the near edge rests at (x, y)."""
        self.world.hand = Hand(0, (x, 900.0), (x, y), (x, y), self.t, self.t)


@pytest.fixture
def game() -> Game:
    one = Game(-0.15)
    one.watch(1.6)
    return one


def places(seen: list) -> dict[str, tuple[float, float]]:
    return {card.code: (card.x, card.y) for one in seen if isinstance(one, ZoneSeen) for card in one.cards}


@pytest.mark.long
@pytest.mark.parametrize("push", [(2.5, 1.0, 0.0), (-60.0, 35.0, -3.0)])
def test_a_push_is_noticed_within_a_second_and_nothing_concluded_meanwhile(
    game: Game, push: tuple[float, float, float]
) -> None:
    before = game.t
    game.camera.nudge(*push)
    *hands, lost = game.watch(2, until=CameraState)
    assert all(isinstance(one, HandCame) for one in hands), "what comes over everything may be a hand at first"
    assert isinstance(lost, CameraState)
    assert not lost.ok
    assert lost.t - before < 1.0
    found, *rest = game.watch(1.5)
    assert isinstance(found, CameraState)
    assert found.ok
    assert not rest, "the cards have not moved on the mat"
    assert "lens bends lines by -" in words_of(found.detail)
    game.world.put("H07A", MAT.zone("discard").centre)
    assert np.hypot(*np.subtract(places(game.watch(0.5))["H07A"], MAT.zone("discard").centre)) < 2


@pytest.mark.long
def test_a_push_amid_hands_is_no_reach_for_the_deck(game: Game) -> None:
    game.reach(300, 420)  # over the play zone and the lower edge of the deck
    game.watch(0.5)
    game.camera.nudge(20, 12, 1.0)
    seen = game.watch(0.4)
    game.world.hand = None
    seen += game.watch(1.5)
    assert [one.ok for one in seen if isinstance(one, CameraState)] == [False, True]
    assert not [one for one in seen if isinstance(one, ZoneSeen | HandLeft)]


@pytest.mark.long
def test_a_hand_that_rests_while_the_mat_is_found_hides_no_more_when_it_has_left(game: Game) -> None:
    x, y = MAT.zone("row").centre
    game.reach(x, y)
    game.watch(0.5)
    game.camera.nudge(20, 12, 1.0)
    seen = game.watch(2.0)
    assert [one.ok for one in seen if isinstance(one, CameraState)] == [False, True]
    assert not [one for one in seen if isinstance(one, ZoneSeen)], "what the hand covers is not gone"
    # It leaves and comes again before anything has rested for long.
    for code, zone in (("H07A", "row"), ("H08A", "play"), ("H09A", "row")):
        game.world.hand = None
        seen = game.watch(0.6)
        game.world.put(code, MAT.zone(zone).centre)
        assert code in places(game.watch(0.4))
        game.reach(x, y)
        game.watch(0.6)


@pytest.mark.long
def test_a_mat_found_by_few_markers_is_found_better_when_arms_leave() -> None:
    one = Game(0.0)
    one.watch(1)
    one.camera.nudge(20, 12, 1.0)
    x, y = MAT.markers[2].x, MAT.markers[2].y
    one.reach(x, y)
    seen = [event for event in one.watch(2) if isinstance(event, CameraState)]
    assert "by 3 markers" in words_of(seen[-1].detail)
    one.world.hand = None
    seen = [event for event in one.watch(3) if isinstance(event, CameraState)]
    assert "by 4 markers" in words_of(seen[-1].detail)
    assert one.vision.registration is not None
    assert off(one.vision.registration, one.camera) < 0.8


@pytest.mark.long
def test_a_marker_that_is_there_twice_does_not_keep_the_eyes_from_reading(game: Game) -> None:
    x, y = game.camera.lens.seen([(MAT.markers[0].x, MAT.markers[0].y)])[0].astype(int)
    picture = grey(game.camera)
    picture[900:1000, 900:1000] = picture[y - 50 : y + 50, x - 50 : x + 50]
    vision = Vision(MAT, Tags.of(CARDS))
    seen = [one for n in range(45) for one in vision.feed(Frame(n / FPS, picture))]
    # Three others say which of the two it is.
    assert ["by 4 markers" in words_of(one.detail) for one in seen if isinstance(one, CameraState)] == [True]
    assert len(places(seen)) == 5
    searched = vision.registration
    assert searched is not None
    for n in range(45, 75):
        vision.feed(Frame(n / FPS, picture))
    assert vision.registration is searched, "looked for in vain once, not for ever"


def test_a_lens_of_another_shape_is_said_and_nothing_is_read() -> None:
    vision = Vision(MAT, Tags.of(CARDS), lens=Lens(640, 480, 500, 320, 240))
    blank = np.full((1080, 1920), 120, np.uint8)
    seen = [one for n in range(15) for one in vision.feed(Frame(n / FPS, blank))]
    assert [one.ok for one in seen if isinstance(one, CameraState)] == [False]
    assert "measured with 640 x 480" in words_of(seen[0].detail)
    assert Language("de").say(words_of(seen[0].detail)) != words_of(seen[0].detail)


@pytest.mark.long
def test_the_bench_measures_beside_a_plain_homography(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places_bench, "LENSES", (-0.2,))
    found = places_bench.bench_places(0.0)
    assert found["rounds"] == 1
    assert found["plain_homography_k1_-0.2_mm_p95"] > 15
    least = {name.split("_k1")[0]: value for name, value in found.items() if "markers" in name}
    assert max(least["four_markers"], least["two_markers_after_a_push"]) < 4
    # A lens that nobody knows leaves the place by three markers in doubt: it may be refused.
    assert least["three_markers"] < 4 or least["three_markers"] == inf


# ---------------------------------------------------------------------- the lens by itself

COEFFICIENT = st.floats(-0.12, 0.12)


@settings(max_examples=60)
@given(st.tuples(COEFFICIENT, COEFFICIENT, st.floats(-0.005, 0.005), st.floats(-0.005, 0.005)), st.data())
def test_rays_and_pixels_are_inverse(k: tuple[float, ...], data: st.DataObject) -> None:
    lens = Lens.guessed(1280, 720, k)
    x, y = data.draw(st.floats(0, 1279)), data.draw(st.floats(0, 719))
    assert lens.pixels(lens.rays([(x, y)]))[0] == pytest.approx((x, y), abs=1e-3)


def test_a_lens_is_the_same_at_every_size() -> None:
    lens = Lens(1920, 1080, 1400, 950, 545, (-0.2, 0.03))
    small = lens.scaled(960, 540)
    # The middle of four pixels is one of half the size.
    assert small.rays([(100, 200)])[0] == pytest.approx(lens.rays([(200.5, 400.5)])[0], abs=1e-9)
    assert lens.scaled(1920, 1080) is lens


@pytest.mark.parametrize(
    "fields",
    [(0, 1080, 1.0, 0.0, 0.0, ()), (1920, 1080, 0.0, 0.0, 0.0, ()), (1920, 1080, 900.0, 0, 0, (np.nan,))],
)
def test_impossible_lenses_are_refused(fields: tuple) -> None:
    with pytest.raises(BadInputError, match="lens"), in_words():
        Lens(*fields)
    with pytest.raises(BadInputError, match="too many"), in_words():
        Lens(1920, 1080, 900, 0, 0, (0.0,) * 6)


def test_coefficients_that_fold_the_picture_are_told() -> None:
    corner = [(0.62, 0.35)]
    assert not Lens.guessed(1920, 1080, (-0.3,)).folds(corner)
    assert Lens.guessed(1920, 1080, (-0.8,)).folds(corner)
