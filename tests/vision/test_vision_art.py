"""Cards known by their art: outlines, any turn, poor light, strangers, look-alikes, other copies of a card."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInputError
from companion.games.sleepless_princess.rules.card_kinds import catalogue
from companion.sensing.vision_words import in_words
from companion.virtual.games.sleepless_princess.printed_faces import printed
from companion.virtual.render.art_faces import HEIGHT, WIDTH, faces
from companion.virtual.world import UP
from tests.benchmarks.art_bench import ArtTally, score
from tests.benchmarks.art_photos import CLEAN, POOR, Photo, photograph
from vision.art.art_align import align, align_finely
from vision.art.art_match import likeness
from vision.art.art_plane import art_at, corners_of, pose_of
from vision.art.art_recogniser import ACCEPTED, ArtBook, ArtSeen, enrol, identify, recognise
from vision.art.card_outline import card_outline
from vision.art.corner_guess import CardSize
from vision.art.quad_finder import find_edges, find_quads

FACES = faces(40, 5)
KNOWN = tuple(range(0, 32, 2))


def alone(face, turn=2):
    """A clean picture to enrol a card from."""
    return on_cloth(face, turn, width=130, cloth=(150, 120, 60))[0]


@pytest.fixture(scope="module")
def book():
    return ArtBook(tuple(enrol(str(n), alone(FACES[n])) for n in KNOWN))


@pytest.fixture(scope="module")
def table():
    """Eight cards, every second of them enrolled, as a poor camera sees them."""
    shown = [0, 1, 8, 3, 10, 5, 14, 7]
    return shown, photograph([FACES[n] for n in shown], POOR, (900, 640), np.random.default_rng(3))


def on_cloth(face, turn=0.0, width=90, cloth=(60, 110, 70), gain=(1, 1, 1)):
    """A card in the middle of a plain cloth, turned by `turn` degrees; the picture and the corners."""
    scale = width / WIDTH
    a = np.radians(turn)
    matrix = scale * np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0]])
    matrix[:, 2] = 120 - matrix[:, :2] @ (WIDTH / 2, HEIGHT / 2)
    small = cv2.GaussianBlur(face, (0, 0), 0.5 / scale)
    picture = np.full((240, 240, 3), cloth, np.uint8)
    cv2.warpAffine(small, matrix, (240, 240), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    corners = np.array([(0, 0, 1), (WIDTH, 0, 1), (WIDTH, HEIGHT, 1), (0, HEIGHT, 1)]) @ matrix.T
    lit = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) * np.array(gain), 0, 255)
    return lit.astype(np.uint8), corners.astype(np.float32)


def test_enrolled_cards_of_a_poor_photograph_are_named_and_strangers_are_not(book, table):
    shown, photo = table
    tally = ArtTally()
    score(tally, photo, shown, frozenset(KNOWN), recognise(photo.image, book))
    assert (tally.known, tally.strangers) == (4, 4)
    assert tally.recognised == 4
    assert (tally.strangers_accepted, tally.wrong) == (0, 0)


def test_corners_are_those_of_the_card_from_its_own_upper_left(book, table):
    shown, photo = table
    for one in recognise(photo.image, book):
        place = photo.places[shown.index(int(one.name))]
        width = np.linalg.norm(place[1] - place[0])
        assert np.abs(np.array(one.corners) - place).max() < 0.12 * width
        assert 0.5 <= one.quality <= 1
        assert one.margin >= 0.3


@pytest.mark.parametrize("number", [0, 6, 8, 12])
def test_no_stranger_is_accepted_though_its_deck_is_known(book, number):
    picture, corners = on_cloth(FACES[number + 1], 12)
    assert identify(picture, corners, book) is None


@settings(max_examples=15)
@given(
    number=st.sampled_from(KNOWN),
    turn=st.floats(0, 360),
    first=st.integers(0, 3),
    off=st.lists(st.floats(-4, 4), min_size=8, max_size=8),
)
def test_any_turn_any_first_corner_and_a_careless_outline_make_no_difference(book, number, turn, first, off):
    picture, corners = on_cloth(FACES[number], turn)
    careless = np.roll(corners, first, axis=0) + np.reshape(off, (4, 2)).astype(np.float32)
    found = identify(picture, careless, book)
    assert found is not None
    assert found.view.name == str(number)
    assert np.abs(found.corners - corners).max() < 5


@pytest.mark.parametrize("through", [0.45, 0.7])
@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_clear_rim_of_a_sleeve_is_no_part_of_the_card(number, through):
    cloth = np.array([150, 120, 60], np.float32)
    rim = 10
    inner = cv2.GaussianBlur(FACES[number], (0, 0), 1.0)
    pale = 255 * (through * (cloth / 255) ** 2.2 + (1 - through) * 0.4) ** (1 / 2.2)
    sleeve = np.full((HEIGHT + 2 * rim, WIDTH + 2 * rim, 3), np.round(pale), np.uint8)
    sleeve[rim:-rim, rim:-rim] = inner
    picture = np.full((640, 640, 3), cloth, np.uint8)
    left, top = 320 - sleeve.shape[1] // 2, 320 - sleeve.shape[0] // 2
    picture[top : top + sleeve.shape[0], left : left + sleeve.shape[1]] = sleeve
    near = np.array([left + rim - 0.5, top + rim - 0.5])
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    corners = card_outline(lab)
    assert np.abs(corners.min(axis=0) - near).max() < 2.5
    assert np.abs(corners.max(axis=0) - near - (WIDTH, HEIGHT)).max() < 2.5


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_the_outline_is_found_between_pixels_with_and_without_a_sleeve(number, seed):
    photo = photograph([FACES[number]], CLEAN, (640, 640), np.random.default_rng([number, seed]))
    found = card_outline(cv2.cvtColor(photo.image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
    place = photo.places[0]
    off = min(np.abs(np.roll(found, turn, axis=0) - place).max() for turn in range(4))
    assert off < 0.015 * np.linalg.norm(place[1] - place[0])


def test_a_white_border_is_part_of_the_card():
    number = 2
    picture, corners = on_cloth(FACES[number], 4, width=140, cloth=(90, 130, 80))
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    found = card_outline(lab)
    assert min(np.abs(np.roll(found, turn, axis=0) - corners).max() for turn in range(4)) < 4


def test_a_dark_framed_card_on_a_dark_cloth_is_enrolled_whole():
    photo = photograph([faces(5, 7)[4]], CLEAN, (640, 640), np.random.default_rng([7, 2, 4]))
    found = card_outline(cv2.cvtColor(photo.image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
    assert cv2.contourArea(found) > 0.75 * cv2.contourArea(photo.places[0])


def test_a_card_nearly_of_the_cloths_colours_is_enrolled_whole():
    photo = photograph([faces(30, 42)[29]], CLEAN, (640, 640), np.random.default_rng([42, 2, 29]))
    found = card_outline(cv2.cvtColor(photo.image.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
    place = photo.places[0]
    off = min(np.abs(np.roll(found, turn, axis=0) - place).max() for turn in range(4))
    assert off < 0.015 * np.linalg.norm(place[1] - place[0])


@pytest.mark.parametrize("gain", [(0.6, 0.6, 0.6), (1.15, 1, 0.9), (0.85, 1, 1.12)])
def test_light_and_white_balance_make_no_difference(book, gain):
    picture, corners = on_cloth(FACES[8], 30, gain=gain)
    found = identify(picture, corners, book)
    assert found is not None
    assert found.view.name == "8"


def test_a_lamp_mirrored_in_the_sleeve_hides_a_part_only(book):
    picture, corners = on_cloth(FACES[9 + 1], 0)
    shine = np.zeros(picture.shape[:2], np.float32)
    cv2.ellipse(shine, (125, 135), (20, 14), 20, 0, 360, 1.0, -1)
    shine = cv2.GaussianBlur(shine, (0, 0), 2)[:, :, None]
    bright = (picture * (1 - shine) + 255 * shine).astype(np.uint8)
    found = identify(bright, corners, book)
    assert found is not None
    assert found.view.name == "10"


def test_two_names_for_one_art_are_both_left_out(book):
    picture, corners = on_cloth(FACES[8])
    twice = book.with_views([enrol("another", alone(FACES[8], 20))])
    assert identify(picture, corners, book) is not None
    assert identify(picture, corners, twice) is None
    assert twice.twin(twice.views[-1]) == "8"
    assert identify(picture, corners, twice.without("another")) is not None


def test_a_bare_cloth_is_no_card(book):
    rng = np.random.default_rng(1)
    for shade in (40, 120, 220):
        cloth = np.clip(shade + rng.normal(0, 3, (300, 300, 3)), 0, 255).astype(np.uint8)
        assert recognise(cloth, book) == []
        assert identify(cloth, np.float32([(100, 80), (190, 80), (190, 210), (100, 210)]), book) is None


def test_no_light_makes_a_bare_cloth_like_a_card(book):
    rng = np.random.default_rng(2)
    for shade in (30, 110, 200):
        cloth = np.clip(shade + rng.normal(0, 1.5, (48, 32, 3)), 0, 255).astype(np.uint8)
        assert max(likeness(cloth, view) for view in book.views) < ACCEPTED


def test_one_emblem_more_weighs_as_much_as_a_card_that_differs_all_over():
    """Nine and ten of one suit: the mean difference is small, the worst place tells them apart."""
    nine = enrol("nine", alone(FACES[35]))
    agree = []
    for face in (FACES[35], FACES[39]):
        picture, corners = on_cloth(face, 25, width=110)
        poses = [align(picture, pose_of(np.roll(corners, turn, axis=0)), nine.target) for turn in (0, 2)]
        agree.append(max(likeness(art_at(picture, pose), nine) for pose in poses))
    assert agree[0] - agree[1] > 2
    assert identify(*on_cloth(FACES[39], 25, width=110), ArtBook((nine,))) is None


def under_a_lamp(face, at, size=(52, 40)):
    """The face with a lamp mirrored in it at `at`, px of the face."""
    shine = np.zeros(face.shape[:2], np.float32)
    cv2.ellipse(shine, at, size, 25, 0, 360, 1.0, -1)
    shine = cv2.GaussianBlur(shine, (0, 0), 5.0)[:, :, None]
    return (face * (1 - shine) + 255 * shine).astype(np.uint8)


def test_an_emblem_that_is_missing_beside_a_lamp_is_not_taken_for_hidden():
    """Five and six: the sixth emblem's place is as bright as the lamp's halo, and touches it."""
    six = enrol("six", FACES[23])
    cards = ArtBook((six, enrol("eight", FACES[31])))
    assert cards.alike_in_most(six)
    for face, lamp, known in ((FACES[19], (240, 262), False), (FACES[23], (262, 262), True)):
        picture, corners = on_cloth(under_a_lamp(face, lamp, (38, 30)), 2, width=108)
        assert (identify(picture, corners, cards) is not None) is known


def test_cards_of_one_deck_differ_in_few_places_and_a_lone_card_may_too(book):
    drawn = {n: enrol(str(n), FACES[n]) for n in (1, 5, 23, 31)}
    cards = ArtBook(tuple(drawn.values()))
    assert [cards.alike_in_most(drawn[n]) for n in (1, 5, 23, 31)] == [False, False, True, True]
    assert ArtBook((drawn[1],)).alike_in_most(drawn[1])


@pytest.mark.parametrize("number", [0, 8, 16])
def test_cards_that_differ_all_over_are_known_though_a_lamp_hides_a_place(book, number):
    found = identify(*on_cloth(under_a_lamp(FACES[number], (188, 262)), 25, width=110), book)
    assert found is not None
    assert found.view.name == str(number)


@pytest.mark.parametrize("lamp", [(40, 40), (240, 360), (262, 150)])
@pytest.mark.parametrize("number", [0, 8, 16])
def test_a_lamp_does_not_pull_an_outline(book, number, lamp):
    picture, corners = on_cloth(under_a_lamp(FACES[number], lamp), 0, width=110)
    askew = corners + np.float32([(4, -3), (3, 4), (-4, 3), (-3, -4)])
    target = book.views[KNOWN.index(number)].target
    pose = align_finely(picture, align(picture, pose_of(askew), target), target)
    assert np.abs(corners_of(pose) - corners).max() < 0.02 * 110


def test_a_camera_without_colour_knows_cards_enrolled_in_colour(book):
    picture, _ = on_cloth(FACES[10], 40, cloth=(30, 30, 30))
    seen = recognise(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), book)
    assert [one.name for one in seen] == ["10"]


@pytest.mark.long
def test_the_stripes_of_a_cloth_leave_room_for_the_edges_of_a_card():
    y, x = np.mgrid[:800, :1280]
    rng = np.random.default_rng(4)
    striped = 120 + 20 * np.sign(np.sin((x + 0.6 * y) * 0.7)) + rng.normal(0, 20, (800, 1280))
    picture = np.repeat(cv2.GaussianBlur(striped, (0, 0), 0.8)[:, :, None], 3, axis=2).astype(np.uint8)
    card, corners = on_cloth(FACES[8], 15)
    mask = np.zeros(card.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (1,))
    picture[300:540, 500:740][mask > 0] = card[mask > 0]
    edges = find_edges(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
    off = [
        np.abs(np.roll(quad.corners, turn, axis=0) - corners - (500, 300)).max()
        for quad in find_quads(edges)
        for turn in range(4)
    ]
    assert min(off) < 8


def test_pale_cards_side_by_side_without_an_edge_between_them():
    """Their white meets: only the one at the end has four edges of its own."""
    pale = [FACES[n] for n in (3, 7, 11)]
    book = ArtBook(tuple(enrol(f"pale {n}", face) for n, face in enumerate(pale)))
    strip = cv2.resize(np.hstack(pale), (270, 129), interpolation=cv2.INTER_AREA)
    picture = np.full((260, 420, 3), (120, 60, 40), np.uint8)
    picture[60:189, 70:340] = strip
    seen = recognise(cv2.GaussianBlur(picture, (0, 0), 0.7), book)
    assert sorted(one.name for one in seen) == ["pale 0", "pale 1", "pale 2"]


def test_a_card_is_found_by_one_corner_where_others_tell_how_large_it_is():
    """Two of its sides melt into the cloth."""
    cloth = np.array([150, 110, 70])
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    fades = np.clip((x / WIDTH + y / HEIGHT - 0.8) / 0.3, 0, 1)[:, :, None]
    melting = (FACES[1] * (1 - fades) + cloth * fades).astype(np.uint8)
    others = [FACES[n] for n in (0, 2)]
    book = ArtBook((*(enrol(str(n), FACES[n]) for n in (0, 2)), enrol("melts", melting)))
    picture = np.full((300, 520, 3), cloth, np.uint8)
    for k, face in enumerate((melting, *others)):
        small = cv2.resize(face, (90, 129), interpolation=cv2.INTER_AREA)
        picture[80:209, 40 + 160 * k : 130 + 160 * k] = small
    noise = np.random.default_rng(4).normal(0, 1.5, picture.shape)
    picture = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)
    assert sorted(one.name for one in recognise(picture, book)) == ["0", "2", "melts"]


def test_the_size_of_cards_is_told_by_others_on_a_tilted_table():
    tilted = np.array([[1.0, 0.1, 40], [0.0, 0.85, 30], [0.0, 0.0004, 1]])
    cards = []
    for x, y, turn in ((0, 0, 0.3), (500, 60, 1.9), (200, 320, 4.0), (650, 380, 5.5), (330, 150, 2.5)):
        across, down = np.array([np.cos(turn), np.sin(turn)]) * 35, np.array([-np.sin(turn), np.cos(turn)]) * 50
        flat = [(x, y) + i * across + j * down for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cards.append(cv2.perspectiveTransform(np.array([flat]), tilted)[0])
    size = CardSize.of(cards[:-1], 0.7)
    wanted = cards[-1]
    along = np.linalg.inv(size.shape) @ (wanted[3] - wanted[0] + wanted[2] - wanted[1]) / 2
    assert size.long_side(wanted.mean(axis=0)) == pytest.approx(np.linalg.norm(along), rel=0.03)


def test_a_picture_that_is_nothing_but_the_card_is_enrolled_whole():
    view = enrol("whole", FACES[8])
    picture, corners = on_cloth(FACES[8], 200)
    assert view.aspect == pytest.approx(WIDTH / HEIGHT, abs=0.01)
    assert identify(picture, corners, ArtBook((view,))) is not None


@pytest.mark.parametrize(
    "picture",
    [
        np.full((300, 900, 3), 128, np.uint8),
        np.random.default_rng(1).normal(128, 6, (900, 600, 3)).astype(np.uint8),
        np.zeros((5, 5, 3), np.uint8),
        np.zeros((1, 2000, 3), np.uint8),
    ],
)
def test_a_picture_without_a_card_enrols_nothing(picture):
    with pytest.raises(BadInputError, match="no card can be made out"), in_words():
        enrol("nothing", picture)


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (900, 40), (37, 37, 3)])
def test_pictures_of_odd_shapes_hold_no_cards(book, shape):
    assert recognise(np.full(shape, 90, np.uint8), book) == []
    assert recognise(np.full(shape, 90, np.uint8), ArtBook()) == []


@pytest.mark.long
def test_large_pictures_are_read_at_the_scale_of_the_card(book):
    picture, corners = on_cloth(FACES[8], 15)
    large = cv2.resize(picture, None, fx=11, fy=11, interpolation=cv2.INTER_CUBIC)
    seen = recognise(large, book)
    assert [one.name for one in seen] == ["8"]
    assert np.abs(np.array(seen[0].corners) / 11 - corners).max() < 5


def test_alignment_finds_the_outline_and_likeness_tells_right_from_wrong(book):
    picture, corners = on_cloth(FACES[8], 0)
    right, wrong = book.views[KNOWN.index(8)], book.views[KNOWN.index(0)]
    askew = corners + np.float32([(4, -3), (3, 4), (-4, 3), (-3, -4)])
    pose = align(picture, pose_of(askew), right.target)
    assert np.abs(corners_of(pose) - corners).max() < 0.4 * np.abs(askew - corners).max()
    assert likeness(art_at(picture, pose), right) > likeness(art_at(picture, pose_of(askew)), right)
    assert likeness(art_at(picture, pose), right) > ACCEPTED > likeness(art_at(picture, pose), wrong)


def helper(code):
    cards = catalogue(helpers_up_to=10, witches=4, smooth=True, glass=True)
    card = next(card for card in cards if card.code == code)
    picture = printed(card, code, UP)[0]
    return cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)


def test_helpers_blanket_and_witch_are_known_by_the_art_of_another_copy():
    """Stickers differ from copy to copy, the drawings only in number and hue."""
    kinds = [(str(value), f"H{value:02d}A", f"H{value:02d}C") for value in range(1, 11)]
    kinds += [("B", "B1", "B2"), ("W", "W1", "W2")]
    book = ArtBook(tuple(enrol(name, alone(helper(code))) for name, code, _ in kinds))
    named = []
    for _, _, other in kinds:
        found = identify(*on_cloth(helper(other), 77, width=100), book)
        named.append(found.view.name if found is not None else None)
    right = [name for name, _, _ in kinds]
    assert all(name in (None, wanted) for name, wanted in zip(named, right, strict=True))
    assert sum(name is not None for name in named) >= 11


def test_the_bench_counts_a_name_beside_its_card_as_wrong():
    photo = Photo(
        np.zeros((100, 200, 3), np.uint8),
        tuple(np.float32([(x, 10), (x + 40, 10), (x + 40, 70), (x, 70)]) for x in (10, 110)),
    )

    def said(name, x):
        return ArtSeen(name, ((x, 10), (x + 40, 10), (x + 40, 70), (x, 70)), 1.0, 1.0)

    tally = ArtTally()
    score(tally, photo, [4, 9], frozenset({4}), [said("4", 10), said("4", 110), said("4", 60)])
    assert (tally.known, tally.recognised, tally.strangers) == (1, 1, 1)
    assert (tally.strangers_accepted, tally.wrong) == (1, 1)
