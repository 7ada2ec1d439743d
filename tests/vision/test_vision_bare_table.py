"""A tablecloth without markers: four cards tell where the zones lie, landmarks whether that still holds."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.errors import BadInputError
from companion.core.language import Language
from companion.sensing.open_sources import home_in
from companion.sensing.vision_words import in_words, words_of
from tests.vision.test_vision_scene import BY_CODE, MAT, PAPER, TAGS, Lying, Table, Watch
from vision.camera.frames import Frame
from vision.codes.sticker_set import Tags
from vision.mat.corner_cards import card_quality, corner_places, register_cards
from vision.mat.landmarks import halved, learn
from vision.mat.lens_model import Lens
from vision.mat.remembered_table import Home, home_bytes, home_of
from vision.reasons import MatFound, Simple
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState, ZoneSeen

BACK = "back"
ROW = replace(MAT, zones=(MAT.zone("row"),))
PLACES = np.array([(x, y) for x in (60, 480, 900) for y in (60, 270, 480)], np.float64)


class BareTable(Table):
    """A cloth: woven, checked (every 40 mm) or smooth."""

    def __init__(self, cloth="woven", **options):
        super().__init__(**options)
        self.cloth = cloth

    def shown(self):
        return (*super().shown(), self.cloth)

    def _sheet(self):
        if not hasattr(self, "_paper"):
            h, w = int(MAT.h * PAPER), int(MAT.w * PAPER)
            paper = np.full((h, w), 128, np.uint8)
            if self.cloth == "woven":
                rough = np.random.default_rng(4).normal(0, 18, (h // 6, w // 6))
                paper = np.clip(128 + cv2.resize(rough, (w, h), interpolation=cv2.INTER_CUBIC), 0, 255)
            elif self.cloth == "checked":
                y, x = np.mgrid[0:h, 0:w] // int(40 * PAPER)
                paper = 110 + 25 * ((x + y) % 2)
            self._paper = paper.astype(np.uint8)
        return self._paper

    def lay_corners(self):
        askew = ((4, 6, 3.0), (-8, 2, -4.0), (-3, -7, 2.0), (9, -1, -1.5))
        for (x, y), (right, down, turn) in zip(corner_places(MAT), askew, strict=True):
            self.cards[f"corner {x:.0f} {y:.0f}"] = Lying(x + right, y + down, turn, BACK)

    def _face(self, card):
        if card.payload != BACK:
            return super()._face(card)
        face = np.full((435, 280), 225, np.uint8)
        face[12:-12, 12:-12] = 60
        cv2.circle(face, (140, 217), 60, (190,), -1)
        return face, 56.0, 87.0


def home_on(table):
    """What setup learns: the empty table, four cards, and the table without them."""
    empty = table.picture()
    table.lay_corners()
    cards = register_cards(MAT, table.picture(), empty)
    assert cards is not None
    table.cards.clear()
    return Home.of(cards.registration, table.picture())


@pytest.fixture(scope="module")
def home():
    return home_on(BareTable())


def off(registration, table):
    """How far places lie from the true ones (mm), after the shift of the cards' own places."""
    px = cv2.perspectiveTransform(PLACES[None], table.homography())[0]
    apart = registration.to_mm(px) - PLACES
    return float(np.linalg.norm(apart - apart.mean(axis=0), axis=1).max())


def test_four_cards_tell_where_the_zones_lie_and_how_sharp_the_picture_is():
    table = BareTable()
    empty = table.picture()
    table.lay_corners()
    table.put("H05A", 480, 290)  # anything else may come meanwhile
    cards = register_cards(MAT, table.picture(), empty)
    assert off(cards.registration, table) < 9
    assert cards.registration.px_per_mm(480, 270) == pytest.approx(1.92, rel=0.015)
    quality = card_quality(cards, table.picture())
    assert 1.0 < quality.edge_px < 2.4
    assert quality.black < 70
    assert quality.white > 200


def test_three_cards_are_no_table():
    table = BareTable("smooth")
    empty = table.picture()
    table.lay_corners()
    table.cards.popitem()
    assert register_cards(MAT, table.picture(), empty) is None


def test_a_smooth_and_a_checked_cloth_have_no_unique_landmarks_but_at_the_edge():
    for cloth in ("smooth", "checked"):
        for one in learn(halved(BareTable(cloth).picture())):
            assert not one.unique or min(one.x, 1920 - one.x) < 130 or min(one.y, 1080 - one.y) < 130
    assert sum(one.unique for one in learn(halved(BareTable().picture()))) > 60


def test_a_camera_that_was_pushed_is_noticed_and_nothing_wrong_is_told(home):
    table = BareTable()
    watch = Watch(table, Vision(ROW, Tags.of([BY_CODE["H05A"]]), home=home))
    table.put("H05A", 411, 297)
    assert any(isinstance(one, CameraState) and one.ok for one in watch.frames(20))
    assert watch.last["row"] == ("H05A",)
    before = watch.vision.registration
    was = cv2.perspectiveTransform(PLACES[None], table.homography())[0]
    table.nudge = (60.0, 18.0, 0.5)  # by 30 mm: the card seems to lie elsewhere
    now = cv2.perspectiveTransform(PLACES[None], table.homography())[0]
    said = watch.frames(26)
    states = [one for one in said if isinstance(one, CameraState)]
    assert states[-1].ok
    assert "camera moved by 6" in words_of(states[-1].detail)
    told = [card for one in said if isinstance(one, ZoneSeen) for card in one.cards]
    assert all(abs(card.x - 411) < 8 for card in told)
    assert watch.last["row"] == ("H05A",)
    assert np.abs(watch.vision.registration.to_px(PLACES) - before.to_px(PLACES) - now + was).max() < 1.5


def test_a_camera_that_sinks_slowly_is_noticed(home):
    vision = Vision(MAT, Tags.of(()), home=home)
    picture = BareTable().picture()
    said = [one for n in range(20) for one in vision.feed(Frame(n / 15, picture))]
    for step in range(60):
        moved = np.roll(picture, step // 12, axis=1)  # a pixel in 0.8 s: nothing seems to move
        said += vision.feed(Frame((20 + step) / 15, moved))
    said += [one for n in range(80, 120) for one in vision.feed(Frame(n / 15, moved))]
    states = [one for one in said if isinstance(one, CameraState)]
    assert [one.ok for one in states[:3]] == [True, False, True]
    assert not [one for one in said if isinstance(one, ZoneSeen) and one.cards]


def test_a_table_in_the_dark_is_found_again_in_the_light(home):
    vision = Vision(MAT, Tags.of(()), home=home)
    picture = BareTable().picture()
    dark = picture // 40  # a hand before the lens, or the lamp is out: the cloth still shines through a little
    said = [one for n in range(70) for one in vision.feed(Frame(n / 15, dark if 20 <= n < 45 else picture))]
    states = [(one.ok, words_of(one.detail)) for one in said if isinstance(one, CameraState)]
    assert [ok for ok, _ in states] == [True, False, True]
    assert "dark" in states[1][1]
    assert vision.registration.to_px(PLACES) == pytest.approx(home.registration.to_px(PLACES))


def test_a_table_elsewhere_asks_for_four_cards_and_takes_them(home):
    table = BareTable("smooth")
    watch = Watch(table, Vision(MAT, TAGS, home=home))
    states = [one for one in watch.frames(30) if isinstance(one, CameraState)]
    assert [one.ok for one in states] == [False]
    assert states[0].detail is Simple.TABLE_LOST
    table.reach(200, 200)
    watch.frames(5)
    table.withdraw()
    table.lay_corners()
    states = [one for one in watch.frames(40) if isinstance(one, CameraState)]
    assert [one.ok for one in states] == [True]
    assert off(watch.vision.registration, table) < 9


def test_on_a_checked_cloth_the_place_is_known_while_nothing_moved():
    table = BareTable("checked")
    vision = Vision(MAT, Tags.of(()), home=home_on(table))
    states = [one for n in range(12) for one in vision.feed(Frame(n / 15, table.picture()))]
    assert [one.ok for one in states if isinstance(one, CameraState)] == [True]


def test_on_a_smooth_cloth_what_lies_there_becomes_the_landmarks():
    table = BareTable("smooth")
    learned = replace(home_on(table), fresh=True)
    vision = Vision(ROW, Tags.of(()), home=learned)
    said = [one for n in range(12) for one in vision.feed(Frame(n / 15, table.picture()))]
    assert any(isinstance(one, CameraState) and one.ok for one in said)
    before = len(vision.landmarks)
    for k, code in enumerate(("H01A", "H02A", "H03A", "H04A", "P0A", "P1A")):
        table.put(code, 150 + 120 * k, 150 + 60 * (k % 3))
    picture = table.picture()
    for n in range(12, 120):
        vision.feed(Frame(n / 15, picture))
    assert len(vision.landmarks) >= before + 6
    said = [one for n in range(120, 160) for one in vision.feed(Frame(n / 15, np.roll(picture, 9, axis=0)))]
    assert [one.ok for one in said if isinstance(one, CameraState)][-1]
    assert "camera moved by 9 px" in words_of([one.detail for one in said if isinstance(one, CameraState)][-1])


def test_a_row_that_is_pushed_as_a_whole_is_no_push_of_the_camera():
    learned = replace(home_on(BareTable("smooth")), fresh=True)
    vision = Vision(ROW, Tags.of(()), home=learned)
    table = BareTable("smooth", view_mm=940.0)  # no edge of the cloth is in sight
    row = ("H01A", "H02A", "H03A", "H04A", "H05A")
    for code, x, y in (*((one, 345 + 66 * k, 297) for k, one in enumerate(row)), ("P0A", 200, 120)):
        table.put(code, x, y)
    picture = table.picture()
    for n in range(90):
        vision.feed(Frame(n / 15, picture))
    before = vision.registration
    of_row = sum(abs(one.y - 297) < 60 for one in vision.landmarks)
    assert len(vision.landmarks) > of_row > 0.6 * len(vision.landmarks)
    for k, code in enumerate(row):
        table.put(code, 348 + 66 * k, 299)
    picture = table.picture()
    said = [one for n in range(90, 150) for one in vision.feed(Frame(n / 15, picture))]
    assert not [one for one in said if isinstance(one, CameraState)]
    assert vision.registration is before


def test_a_mat_that_was_laid_there_since_is_found_by_its_markers(home):
    vision, picture = Vision(MAT, Tags.of(()), home=home), Table().picture()
    states = [one for n in range(12) for one in vision.feed(Frame(n / 15, picture))]
    assert any(
        isinstance(one, CameraState) and isinstance(one.detail, MatFound) and one.detail.markers == 4
        for one in states
    )


def test_the_file_of_a_home_is_read_and_a_missing_one_named(home, tmp_path):
    (tmp_path / "den.home").write_bytes(home_bytes(home))
    assert home_in("") is None
    assert home_in(str(tmp_path / "den.home")).registration.width == 1920
    with pytest.raises(BadInputError, match="companion setup camera"), in_words():
        home_in(str(tmp_path / "none.home"))


def test_a_home_is_kept_and_a_damaged_one_refused(home):
    again = home_of(home_bytes(home), "table")
    assert np.abs(again.registration.to_px(PLACES) - home.registration.to_px(PLACES)).max() < 1e-6
    assert len(again.spots) == pytest.approx(len(home.spots), abs=4)
    for data in (
        b"",
        b"\x80",
        home_bytes(home)[:-200],
        home_bytes(home).replace(b"version\x01", b"version\x09"),
    ):
        with pytest.raises(BadInputError), in_words():
            home_of(data, "table")


def test_a_lens_that_was_measured_in_another_shape_is_named(home):
    vision = Vision(MAT, Tags.of(()), home=home, lens=Lens(640, 480, 500, 320, 240))
    picture = BareTable("smooth").picture()
    said = [one for n in range(12) for one in vision.feed(Frame(n / 15, picture))]
    assert "640 x 480" in words_of(said[-1].detail)
    assert Language("de").say(words_of(said[-1].detail)) != words_of(said[-1].detail)


def test_a_camera_of_another_size_asks_for_cards(home):
    small = BareTable(size=(1280, 720))
    vision = Vision(MAT, TAGS, home=home)
    states = [one for n in range(12) for one in vision.feed(Frame(n / 15, small.picture()))]
    assert not states[-1].ok
