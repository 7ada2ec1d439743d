"""Hands about as bright as the cloth: what they cover is not gone, and what they take is."""

import pickle
from functools import cache

import cv2
import numpy as np
import pytest

from companion.core.clock import ManualClock
from companion.games.registry import load_mat
from companion.virtual.render import arm
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.virtual_table import VirtualTable
from companion.virtual.world import Hand
from tests.vision import test_vision_scene
from tests.vision.test_vision_scene import MAT, TAGS, Table, Watch, drawn_once, expected
from tests.vision.test_vision_tracker import ROW
from vision.camera.frames import Frame
from vision.mat.mat_finder import register
from vision.mat_geometry import Mat, Zone
from vision.scene.bare_mat import BareMat
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import HandCame, HandLeft, ZoneSeen
from vision.scene.hand_segmentation import Scene
from vision.scene.small_picture import SmallPicture

GREEN, SAND, GREY = (70, 140, 85), (120, 150, 175), (148, 148, 148)
"""BGR of cloths."""
SKINS = {"light": (138, 170, 212), "brown": (92, 124, 172), "dark": (52, 72, 108)}
"""BGR of skins (after von Luschan's chromatic scale)."""


def luma(bgr):
    return 0.114 * bgr[0] + 0.587 * bgr[1] + 0.299 * bgr[2]


class Coloured(Table):
    """A table on a cloth of some colour, seen by a colour camera."""

    def __init__(self, cloth=GREY, **options):
        super().__init__(**options)
        self.cloth = cloth
        self.hand = GREY
        self._noise = np.dstack([self._grain, self._grain[::-1], self._grain[:, ::-1]])

    def picture(self):
        self.skin = self.hand if self.hands else None
        key = (self.cloth, self.shown())
        clean = drawn_once(key, lambda: np.stack([self._channel(k) for k in range(3)], axis=2))
        x, y = self._rng.integers(0, 64, 2)
        height, width = clean.shape[:2]
        return cv2.add(clean, self._noise[y : y + height, x : x + width], dtype=cv2.CV_8U)

    def _channel(self, k):
        self.skin = self.hand[k]
        self._paper = self._papers[k]
        return self._clean()

    @property
    def _papers(self):
        if not hasattr(self, "_made"):
            grey = Table()._sheet()
            self._made = [np.clip(grey * (level / 128), 0, 255).astype(np.uint8) for level in self.cloth]
        return self._made


class Grey(Coloured):
    """The same, seen by a grey camera."""

    def picture(self):
        return cv2.cvtColor(super().picture(), cv2.COLOR_BGR2GRAY)


class Partly:
    """A picture in colour whose reduced one is grey, as a camera decodes two of three while nothing moves."""

    def __init__(self, image):
        self.image = image
        self.height, self.width = image.shape[:2]

    @property
    def quickest(self):
        return cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY)


class Sparing(Watch):
    """Feeds colours as a camera does that is told when nothing moves."""

    count = plain = 0

    def frames(self, n):
        picture = self.table.picture

        def sparing():
            self.count += 1
            image = picture()
            if not self.vision.still or self.count % 3 == 0 or image.ndim == 2:
                return image
            self.plain += 1
            return Partly(image)

        self.table.picture = sparing
        try:
            return super().frames(n)
        finally:
            del self.table.picture


def game(kind, cloth, hand):
    """A table and who watches it: a copy of those that were made first."""
    table, watch = pickle.loads(_game(kind, cloth))
    table.hand = hand
    return table, watch


@cache
def _game(kind, cloth):
    table = kind(cloth)
    for code, (x, y) in ROW.items():
        table.put(code, x, y, 4)
    table.put("M3A", 130, 297, -7)
    watch = Sparing(table, Vision(MAT, TAGS))
    watch.frames(16)
    assert watch.last == expected(table)
    assert watch.plain > 0 or kind is Grey
    return pickle.dumps((table, watch))


def equally_bright(skin, cloth):
    """The skin, lit so that it is as bright as the cloth."""
    return tuple(min(255.0, level * luma(cloth) / luma(skin)) for level in skin)


def reach_in(table, watch, x, y):
    out = []
    for far in (230, 150, 70, 0):
        table.withdraw()
        table.reach(x + far / 4, y + far)
        out += watch.frames(1)
    return out


def go_away(table, watch):
    table.withdraw()
    return watch.frames(20)


def row_seen(events):
    return [one for one in events if isinstance(one, ZoneSeen) and one.zone == "row"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("skin", "cloth"),
    [("light", SAND), ("light", GREY), ("brown", GREEN), ("brown", SAND), ("dark", GREY)],
    ids=["light-sand", "light-grey", "brown-green", "brown-sand", "dark-grey"],
)
def test_a_hand_as_bright_as_the_cloth_covers_in_colour(skin, cloth):
    table, watch = game(Coloured, cloth, equally_bright(SKINS[skin], cloth))
    watch.frames(12)
    assert watch.plain > 3, "pictures are without their colours while nothing moves"
    out = reach_in(table, watch, 477, 310) + watch.frames(90)
    if cloth != SAND:  # sand is a skin's colour: there its shape tells, below
        assert "row" in [one.zone for one in out if isinstance(one, HandCame)]
    assert row_seen(out) == []
    out = go_away(table, watch)
    assert row_seen(out) == []
    assert watch.last == expected(table)


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "level"),
    [(Grey, 140), (Grey, 145), (Grey, 148), (Grey, 150), (Coloured, 140), (Coloured, 148)],
    ids=["grey-140", "grey-145", "grey-148", "grey-150", "colour-140", "colour-148"],
)
def test_a_grey_hand_on_grey_cloth_takes_no_card_by_lying_there(kind, level):
    table, watch = game(kind, GREY, (level, level, level))
    out = reach_in(table, watch, 477, 310) + watch.frames(90) + go_away(table, watch)
    assert row_seen(out) == []
    assert watch.last == expected(table)


@pytest.mark.long
@pytest.mark.parametrize(
    ("lying", "place"),
    [(["discard"], "discard"), (["queen 2"], "queen 2"), ([f"queen {n}" for n in range(1, 13)], "queen 2")],
    ids=["pile", "last-queen", "all-queens"],
)
def test_such_a_hand_takes_nothing_on_the_mat_of_sleeping_queens(monkeypatch, lying, place):
    """Far from other lines, empty places show their outlines until an arm hides those as well. Between cards
    there are none: the arm hides other cards too."""
    mat = load_mat("sleeping-queens")
    monkeypatch.setattr(test_vision_scene, "MAT", mat)
    table = Table()
    cards = dict(zip(lying, [f"H{n:02d}{copy}" for copy in "AB" for n in range(1, 7)], strict=False))
    for name, card in cards.items():
        table.put(card, *mat.zone(name).centre, 3)
    watch = Watch(table, Vision(mat, TAGS))
    watch.frames(20)
    assert watch.last[place] == (cards[place],)
    table.skin = 128
    table.reach(mat.zone(place).centre[0], mat.zone(place).centre[1] + 5)
    out = watch.frames(25)
    table.withdraw()
    out += watch.frames(10)
    assert [one for one in out if isinstance(one, ZoneSeen)] == []


@pytest.mark.quick(1)
@pytest.mark.parametrize("level", [148, 140])
def test_what_such_a_hand_takes_is_gone_soon_after_it_has_left(level):
    table, watch = game(Grey, GREY, (level, level, level))
    reach_in(table, watch, 477, 310)
    table.take("H03A")
    watch.frames(8)
    table.withdraw()
    watch.frames(15)
    assert watch.last == expected(table)


def test_a_card_taken_in_colour_is_gone_at_once_and_its_neighbour_pushed():
    table, watch = game(Coloured, GREEN, equally_bright(SKINS["light"], GREEN))
    reach_in(table, watch, 411, 310)
    table.take("H02A")
    table.cards["H01A"].x += 4
    watch.frames(8)
    table.withdraw()
    out = watch.frames(8)
    assert watch.last == expected(table)
    assert [one.zone for one in out if isinstance(one, HandLeft)]


@pytest.mark.long
@pytest.mark.parametrize("sees", ["frame", "grey"])
def test_a_drawn_hand_in_the_colours_of_the_felt_takes_nothing(monkeypatch, sees):
    """The table that the product draws: felt of BGR 92, 104, 62, and a hand and a sleeve just like it."""
    felt = (92, 104, 62) if sees == "grey" else equally_bright(SKINS["light"], (92, 104, 62))
    monkeypatch.setattr(arm, "_SKINS", (felt,))
    monkeypatch.setattr(arm, "_SLEEVES", (felt,))
    clock = ManualClock()
    table = VirtualTable(3, "basic", 2, clock=clock, board=NoBoard())
    table.world.clear()
    row = table.mat.zone("row")
    for k in range(3):
        table.world.put(f"H0{k + 1}A", (row.x + 40 + 66 * k, row.centre[1]), 3)
    watch = Watch(table, Vision(table.mat, TAGS))
    table.picture = getattr(table.camera, sees)

    def frames(n):
        out = []
        for _ in range(n):
            clock.sleep(1 / 15)
            picture = getattr(table.camera, sees)(clock.now())
            out += watch.vision.feed(Frame(clock.now(), picture))
        return out

    seen = row_seen(frames(16))
    assert [sorted(card.code for card in one.cards) for one in seen][-1:] == [["H01A", "H02A", "H03A"]]
    at = (row.x + 106.0, row.centre[1] + 5)
    now = clock.now()
    table.world.hand = Hand(0, (at[0], 900.0), (at[0], 700.0), at, now, now + 0.8)
    out = frames(60)
    table.world.hand = None
    out += frames(20)
    assert row_seen(out) == []


@pytest.mark.long
@pytest.mark.parametrize("level", [1.1, 0.8])
def test_another_exposure_is_no_change(level):
    """A camera that cannot be locked exposes anew for every hand; nothing is read again because of it."""
    table, watch = game(Grey, GREY, (200, 200, 200))
    reads = []
    stickers = watch.vision._stickers
    read = stickers.read
    stickers.read = lambda *given, **how: reads.append(given[1]) or read(*given, **how)
    for step in range(20):
        table.light = 1 + (level - 1) * step / 20
        watch.frames(1)
    assert not reads
    reach_in(table, watch, 477, 310)
    out = watch.frames(20) + go_away(table, watch)
    assert row_seen(out) == []
    assert watch.last == expected(table)
    table.take("H01A")
    watch.frames(60)
    assert watch.last == expected(table)


@pytest.mark.filterwarnings("error")
def test_a_sudden_dark_needs_no_warning():
    """All of the picture changes at once: the change has no outline."""
    registration = register(MAT, Table().picture())
    scene = Scene(MAT, registration, SmallPicture(np.full((270, 480), 120, np.uint8)), 0.0)
    dark = SmallPicture(np.zeros((270, 480), np.uint8))
    glances = [scene.step(dark, n / 15) for n in range(8)]
    assert all(glance.upheaval for glance in glances)
    assert not any(glance.bared.any() for glance in glances)


def test_a_card_that_was_taken_for_the_mat_is_none_once_it_has_gone():
    """It lay there unread when the mat was seen first. A printed line stays known, whatever covers it."""
    cloth = np.full((120, 160), 100, np.uint8)
    cloth[:, 40:42] = 125
    first, covered = cloth.copy(), cloth.copy()
    first[30:80, 80:115] = 200
    covered[30:80, 30:60] = 102
    everywhere = np.ones(cloth.shape, np.bool_)
    bare = BareMat(cloth.shape)
    for gray in (first, cloth, covered):
        bare.learn(SmallPicture(gray), everywhere)
    assert bare.looks_bare(SmallPicture(cloth)).all()
    assert not bare.looks_bare(SmallPicture(first))[40:70, 90:105].any()


def test_the_dark_parts_of_a_card_are_not_taken_for_a_checked_cloth():
    """The dark part of a card may be as bright as a square of the cloth. It is not learned as cloth while the
    rest of the card lies there."""
    across, down = np.meshgrid(np.arange(160) // 20 % 2, np.arange(120) // 20 % 2)
    cloth = (84 * np.where(across, 0.8, 1.0) * np.where(down, 0.8, 1.0)).astype(np.uint8)
    card = cloth.copy()
    card[30:72, 60:88] = cv2.resize(
        np.random.default_rng(1).integers(20, 200, (21, 14), np.uint8),
        (28, 42),
        interpolation=cv2.INTER_NEAREST,
    )
    everywhere = np.ones(cloth.shape, np.bool_)
    bare = BareMat(cloth.shape)
    bare.learn(SmallPicture(cloth), everywhere)
    bare.learn(SmallPicture(card), everywhere)
    assert bare.looks_bare(SmallPicture(cloth)).all()


def test_a_deck_little_darker_than_the_cloth_is_no_part_of_the_mat_once_it_is_used_up():
    """It lay there when the mat was seen first. Later its rim is no printed line that something hides, and the
    last card of the row beside it is gone when it is taken."""
    cloth = np.full((120, 160), 88, np.uint8)
    first = cloth.copy()
    first[30:76, 60:90] = 220
    first[32:74, 62:88] = 63
    everywhere = np.ones(cloth.shape, np.bool_)
    bare = BareMat(cloth.shape)
    bare.learn(SmallPicture(first), everywhere)
    bare.learn(SmallPicture(cloth), everywhere)
    assert bare.looks_bare(SmallPicture(cloth)).all()
    with_card = cloth.copy()
    with_card[40:70, 100:120] = 225
    place = np.zeros(cloth.shape, np.bool_)
    place[50:60, 105:115] = True
    small, settled = SmallPicture(cloth), SmallPicture(with_card)
    assert not bare.hidden(small, settled, np.zeros_like(cloth), place, everywhere & (with_card == cloth))


def test_nothing_of_a_deck_is_taken_for_the_mat_that_was_seen_before():
    """Where its rim and its back are as bright as the mat, they would be learned step by step while the deck
    becomes lower."""
    cloth = np.full((120, 160), 88, np.uint8)
    everywhere = np.ones(cloth.shape, np.bool_)
    bare = BareMat(cloth.shape)
    bare.learn(SmallPicture(cloth), everywhere)
    for shade in (94, 100, 106):
        deck = cloth.copy()
        deck[30:76, 60:90] = shade
        deck[31:75, 61:89] = 63
        deck[50:52, 70:76] = shade
        bare.learn(SmallPicture(deck), everywhere)
    assert bare.looks_bare(SmallPicture(cloth)).all()


def test_a_deck_s_shadow_is_no_printed_line_once_it_is_used_up():
    """It was taken for the mat together with the deck. Specks and thin lines of it would look like print that a
    hand hides."""
    cloth = np.full((120, 160), 88, np.uint8)
    first = np.full((120, 160), 88.0, np.float32)
    first[30:80, 60:94] = 76
    first = cv2.GaussianBlur(first, (0, 0), 1).astype(np.uint8)
    first[30:76, 60:90] = 110
    first[31:75, 61:89] = 70
    everywhere = np.ones(cloth.shape, np.bool_)
    bare = BareMat(cloth.shape)
    for gray in (first, cloth):
        bare.learn(SmallPicture(gray), everywhere)
    assert bare.looks_bare(SmallPicture(cloth)).all()


def test_a_deck_that_was_pushed_hides_no_card_of_the_row_beside_it():
    """It lay there when the mat was found, so its rim was taken for print of the mat. A deck that becomes lower
    shifts its picture as well."""
    mat = Mat(
        "test",
        960,
        540,
        MAT.markers,
        (Zone("deck", 228, 246, 76, 103, (56, 87)), Zone("row", 310, 246, 340, 103)),
    )
    registration = register(mat, Table().picture())
    card = (345.0, 297.0)

    def picture(deck_mm, *, taken=False):
        gray = np.full((270, 480), 88, np.uint8)
        deck = (266.0 + deck_mm, 297.0 - deck_mm)
        cards = [(deck, 220, (56, 87)), (deck, 63, (46, 77)), (card, 225, (56, 87))]
        for at, level, (w, h) in cards[:2] if taken else cards:
            corners = [(at[0] + a * w / 2, at[1] + b * h / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            px = registration.to_px(corners) * (480 / registration.width)
            cv2.fillConvexPoly(gray, np.round(px).astype(np.int32), level)
        return SmallPicture(gray)

    scene = Scene(mat, registration, picture(0), 0.0)
    for deck_mm in (0, 12):
        scene.step(picture(deck_mm), 1.0)
        scene.absorb(0, picture(deck_mm), [], alone=True)
        scene.absorb(1, picture(deck_mm), [card], alone=True)
    left = picture(12, taken=True)
    scene.step(left, 2.0)
    assert not scene.hidden(left, [card], [card], 30.0, 2.0)


@pytest.mark.parametrize("taken", [True, False])
def test_a_tile_on_its_edge_that_was_taken_is_no_printed_line_that_a_hand_hides(taken: bool):
    """A tile that stood there first was taken for print. A line partly in sight is covered, not taken."""
    cloth = np.full((120, 160), 42, np.uint8)
    first = cloth.copy()
    first[20, 60:80], first[21, 60:80] = 74, 58
    with_card = first.copy()
    with_card[40:70, 60:80] = 160
    left = first.copy()
    left[18:24, 60 : 82 if taken else 73] = 42
    everywhere = np.ones(cloth.shape, np.bool_)
    bare = BareMat(cloth.shape)
    bare.learn(SmallPicture(first), everywhere)
    place = np.zeros(cloth.shape, np.bool_)
    place[50:60, 65:75] = True
    small, settled = SmallPicture(left), SmallPicture(with_card)
    hidden = bare.hidden(small, settled, np.zeros_like(cloth), place, everywhere & (with_card == first))
    assert hidden is not taken


@pytest.mark.parametrize("left", [True, False])
def test_an_arm_over_cards_when_the_mat_was_found_is_gone_once_it_has_left(left: bool):
    """What it laid bare has edges of its own. An arm that lies there now, over such cards, has not left."""
    chance = np.random.default_rng(2)
    table = np.full((270, 480), 42, np.uint8)
    for x in (180, 212, 244):
        for y in (110, 175):
            table[y : y + 44, x : x + 28] = 255 * chance.integers(0, 2, (44, 28))
    with_arm = table.copy()
    cv2.fillConvexPoly(with_arm, np.array([(200, 50), (225, 45), (262, 270), (222, 270)]), 20)
    first, second = (with_arm, table) if left else (table, with_arm)
    scene = Scene(MAT, register(MAT, Table().picture()), SmallPicture(first), 0.0)
    glances = [scene.step(SmallPicture(second), n / 15) for n in range(8)]
    assert any(glance.bared.any() for glance in glances) is left
    assert glances[-1].covered.any() is not left


def test_an_arm_over_the_mat_when_it_was_found_is_no_print_of_the_mat():
    """It was learned between the zones. Where it lay nothing printed has vanished, so a card of the row that
    goes later is not hidden."""
    table = np.full((270, 480), 42, np.uint8)
    with_card = table.copy()
    with_card[125:169, 191:219] = 160
    with_arm = with_card.copy()
    cv2.fillConvexPoly(with_arm, np.array([(0, 96), (0, 114), (300, 110), (310, 92)]), 130)
    card = (410.0, 297.0)
    scene = Scene(MAT, register(MAT, Table().picture()), SmallPicture(with_arm), 0.0)
    for n in range(8):
        glance = scene.step(SmallPicture(with_card), n / 15)
    assert not glance.covered.any(), "the arm has left"
    for index, zone in enumerate(MAT.zones):
        scene.absorb(index, SmallPicture(with_card), [card] if zone.name == "row" else [], alone=True)
    scene.step(SmallPicture(table), 1.0)
    assert not scene.hidden(SmallPicture(table), [card], [card], 30.0, 1.0)
