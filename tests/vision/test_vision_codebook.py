"""Stickers of the closed set at a pixel a module; strangers, damage and near candidates are left unread."""

from functools import cache

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInputError
from companion.games.sleepless_princess.rules.card_kinds import catalogue
from companion.sensing.vision_words import in_words
from vision.codes import codebook_finders
from vision.codes.code_reader import CODEBOOK, ENLARGED, find_codes, find_codes_enlarged, read_region
from vision.codes.codebook import CERTAIN, SURE, Codebook
from vision.codes.codebook_finders import find_poses
from vision.codes.codebook_votes import Votes
from vision.scene.camera_reports import CardSeen
from vision.scene.sighting_assignment import same_cards, twins

PAYLOADS = [c.payload for c in catalogue(helpers_up_to=10, witches=4, smooth=True, glass=True) if c.payload]
SMALL = 1.15
"""Pixels a module of a 15 mm sticker where 1080p spans a metre."""


@pytest.fixture(scope="module")
def book():
    return shared()


def paper(content, **options):
    """A code with two white modules around it, 12 px a module, ink 30 on paper 225."""
    options = {"version": 1, "error": "h", "boost_error": False} | options
    black = np.array([list(row) for row in segno.make_qr(content, **options).matrix], bool)
    return np.where(np.kron(np.pad(black, 2), np.ones((12, 12), bool)), 30, 225).astype(np.uint8)


def seen(sheet, module, rng, *, angle=None, blur=0.7, noise=3.0, tilt=0.1, slope=0.1, ground=None):
    """`sheet` on a card through a camera: askew, tilted, blurred, shaded, noisy; and its outline in px."""
    over, n = 6, sheet.shape[0] / 12
    size = int(2.4 * n * module)
    turn = np.radians(rng.uniform(0, 360) if angle is None else angle)
    cos, sin = module * over * np.array([np.cos(turn), np.sin(turn)])
    to_middle = np.array([[1 / 12, 0, -n / 2], [0, 1 / 12, -n / 2], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, 1 - tilt * rng.random() / 5, 0], [0, tilt * rng.uniform(-1, 1) / 100, 1]])
    shift = size * over / 2 + rng.uniform(-1, 1, 2) * over * 2
    matrix = np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0, 0, 1]]) @ lean @ to_middle
    ground = int(rng.integers(60, 200)) if ground is None else ground
    card = np.full((size * over, size * over), ground, np.uint8)
    cv2.circle(card, (size, size * over // 2), size * 2, (int(rng.integers(30, 240)),), -1)
    mask = cv2.warpPerspective(np.full_like(sheet, 255), matrix, card.shape[::-1])
    np.copyto(card, cv2.warpPerspective(sheet, matrix, card.shape[::-1]), where=mask > 127)
    soft = cv2.GaussianBlur(card, (0, 0), blur * over)
    frame = cv2.resize(soft, (size, size), interpolation=cv2.INTER_AREA).astype(float)
    frame *= 1 + slope * np.linspace(-1, 1, size)[None, :]
    frame = np.clip(frame + rng.normal(0, noise, frame.shape), 0, 255).astype(np.uint8)
    side = sheet.shape[0]
    ends = np.array([[(24, 24), (side - 24, 24), (side - 24, side - 24), (24, side - 24)]], np.float64)
    return frame, cv2.perspectiveTransform(ends, matrix)[0] / over - 0.5


def believed(matches):
    return [match.payload for match in matches if match.believed]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("module", "optics"), [(SMALL, {}), (SMALL, {"blur": 1.1, "noise": 6}), (0.8, {}), (2.4, {}), (5.0, {})]
)
def test_stickers_are_read_far_below_what_can_be_decoded(book, module, optics):
    rng = np.random.default_rng(3)
    for payload in rng.permutation(PAYLOADS)[:30]:
        frame, outline = seen(paper(payload), module, rng, **optics)
        (match,) = book.read(frame, module)
        assert believed([match]) == [payload]
        assert np.linalg.norm(np.array(match.corners) - outline, axis=1).max() < 0.35 * module + 0.2
        if module < 1.2:
            assert not find_codes(frame)
            assert not find_codes_enlarged(frame)


@pytest.mark.parametrize("angle", range(0, 360, 15))
def test_corners_begin_at_the_codes_own_upper_left(book, angle):
    frame, outline = seen(paper("SP1M3S"), SMALL, np.random.default_rng(angle), angle=angle)
    (match,) = book.read(frame, SMALL)
    assert np.linalg.norm(match.corners[0] - outline[0]) < 1


def strangers(rng):
    letters = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    for _ in range(14):
        ours = str(rng.choice(PAYLOADS))
        yield paper(ours, error="m")
        yield paper(ours, error="q")
        yield paper("".join(rng.choice(letters, 8)))
        place = int(rng.integers(3, len(ours)))
        changed = ours[:place] + str(rng.choice(letters)) + ours[place + 1 :]
        if changed not in PAYLOADS:
            yield paper(changed)
        yield paper("HTTPS://WWW.EXAMPLE", version=2, error="m")


def test_strangers_are_never_believed(book):
    rng = np.random.default_rng(5)
    looked_at = 0
    for sheet in strangers(rng):
        frame, _ = seen(sheet, SMALL, rng)
        found = book.read(frame, SMALL)
        looked_at += len(found)
        assert not believed(found)
        assert all(match.evidence < 0.6 for match in found)
    assert looked_at > 50, "they were found, and left unread for what they show"


def test_damaged_stickers_are_read_right_or_not_at_all(book):
    rng = np.random.default_rng(7)
    right = 0
    for payload in rng.permutation(PAYLOADS)[:60]:
        sheet = paper(payload)
        for _ in range(2):
            at = tuple(int(v) for v in rng.integers(0, 300, 2))
            cv2.circle(sheet, at, int(rng.integers(15, 60)), (int(rng.integers(256)),), -1)
        names = believed(book.read(seen(sheet, SMALL, rng)[0], SMALL))
        assert set(names) <= {payload}
        right += len(names)
    assert right > 15


def test_stain_is_not_taken_for_the_dark_part_of_another_code(book):
    looks = 0
    for seed, payload in enumerate(PAYLOADS):
        sheet = paper(payload)
        at = (sheet.shape[0] // 2 + 10 * (seed % 3), sheet.shape[0] // 2)
        stain = cv2.ellipse(np.zeros(sheet.shape), at, (110, 30 + 15 * (seed % 2)), 0, 0, 360, (1.0,), -1)
        dark = (sheet * (1 - 0.93 * cv2.GaussianBlur(stain, (0, 0), 7))).astype(np.uint8)
        for match in book.read(seen(dark, SMALL, np.random.default_rng(seed), blur=1.0)[0], SMALL):
            assert match.payload in (payload, None) or match.evidence < 0.35
            looks += 1
    assert looks > 30


def test_two_candidates_as_near_as_each_other_are_neither(book):
    both = paper("SP1H01B") // 2 + paper("SP1H08B") // 2
    for seed in range(5):
        (match,) = book.read(seen(both, SMALL, np.random.default_rng(seed))[0], SMALL)
        assert match.payload in ("SP1H01B", "SP1H08B")
        assert match.evidence < SURE / 2
        assert not match.believed


def test_book_of_one_sticker_knows_strangers():
    rng = np.random.default_rng(2)
    small = Codebook(["SP1G"])
    assert believed(small.read(seen(paper("SP1G"), SMALL, rng)[0], SMALL)) == ["SP1G"]
    for payload in PAYLOADS[:20]:
        assert not believed(small.read(seen(paper(payload), SMALL, rng)[0], SMALL))
    assert not believed(Codebook([]).read(seen(paper("SP1G"), SMALL, rng)[0], SMALL))
    with pytest.raises(BadInputError), in_words():
        Codebook(["much too long for a sticker"])


def test_one_sticker_twice_in_a_picture_stays_two(book):
    rng = np.random.default_rng(1)
    strip = np.hstack([seen(paper(p), SMALL, rng, ground=120)[0] for p in ("SP1B2", "SP1W1", "SP1B2")])
    matches = book.read(strip, SMALL)
    assert sorted(believed(matches)) == ["SP1B2", "SP1B2", "SP1W1"]
    middles = sorted(np.mean(match.corners, axis=0)[0] for match in matches)
    rest = book.read(strip, SMALL, [(float(middles[0]), 34.0)])
    assert len(rest) == 2, "what is explained already is left out"


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 60), st.floats(0.3, 9.0))
@settings(max_examples=60)
def test_noise_of_any_shape_is_no_sticker(seed, height, width, module):
    rng = np.random.default_rng(seed)
    picture = rng.choice([0, 60, 255], (height, width)).astype(np.uint8)
    assert not believed(shared().read(np.repeat(np.repeat(picture, 2, 0), 2, 1), module))


def test_a_crowd_of_finder_patterns_is_borne(book):
    """Finder patterns 14 modules apart: every three neighbours might be a code."""
    pattern = np.ones((14, 14))
    pattern[1:8, 1:8] = 0
    pattern[2:7, 2:7] = 1
    pattern[3:6, 3:6] = 0
    crowd = cv2.GaussianBlur(np.tile(255 * pattern, (60, 60)), (0, 0), 0.7).astype(np.uint8)
    assert len(find_poses(crowd, 1.0)) == 300
    assert not believed(book.read(crowd, 1.0))


@cache
def shared():
    """One book for all examples of a property."""
    return Codebook(PAYLOADS)


# ---------------------------------------------------------------------- in the cascade


def test_region_names_the_stage_that_read(book):
    rng = np.random.default_rng(4)
    reading = read_region(seen(paper("SP1H07C"), SMALL, rng)[0], 25 * SMALL, book)
    ((text, payload, stage),) = [(c.text, c.payload, c.stage) for c in reading.codes]
    assert (text, payload, stage) == ("SP1H07C", "SP1H07C", CODEBOOK)
    assert 0.9 < reading.codes[0].quality < 1
    assert not reading.unread
    stranger = read_region(seen(paper("HELLO"), 1.6, rng, angle=3)[0], 25 * 1.6, book)
    assert [(c.text, c.stage) for c in stranger.codes] == [("HELLO", ENLARGED)]
    tiny = read_region(seen(paper("HELLO"), SMALL, rng)[0], 25 * SMALL, book)
    assert not tiny.codes
    assert len(tiny.unread) == 1
    assert tiny.doubtful == () or not tiny.doubtful[0].believed


# ---------------------------------------------------------------------- several looks


def card(code="H07C", x=100.0, y=50.0, angle=0.0):
    return CardSeen(code, x, y, angle, 0.7)


def test_weak_evidence_adds_up_and_a_strangers_does_not():
    votes = Votes()
    assert [votes.add(card(), 0.65) for _ in range(3)] == [False, False, True]
    votes = Votes()
    assert not any(votes.add(card(), 0.54) for _ in range(1000))
    votes = Votes()
    assert not votes.add(card(), 0.7)
    assert not votes.add(card(x=140), 0.7), "another place is another card"
    assert votes.add(card(x=101), 0.66)


def test_one_look_is_enough_if_it_is_certain_and_else_a_second_one_must_agree():
    assert Votes().add(card(), CERTAIN)
    votes = Votes()
    assert [votes.add(card(), CERTAIN - 0.01) for _ in range(2)] == [False, True]
    votes = Votes()
    assert not votes.add(card(), 1.0)
    assert not votes.add(card("H08A"), 1.0), "another card in its place"
    assert [votes.add(card(), 1.0) for _ in range(2)] == [False, True], "counted anew"


def test_cards_are_compared_by_place_and_angle():
    here = (card(), card("B1", 300))
    assert same_cards(here, (card("B1", 301), card(x=98, angle=359)))
    assert not same_cards(here, here[:1])
    assert not same_cards(here, (card(angle=40), here[1]))
    assert not same_cards((card(), card()), (card(), card("B1")))
    assert twins([("row", card()), ("play", card("B1")), ("row", card(x=300))]) == {
        "H07C": (("row", 100.0, 50.0), ("row", 300.0, 50.0))
    }


@pytest.mark.parametrize("module", [0.8, 1.5])
def test_the_finder_filter_is_the_correlation_with_its_kernel(module):
    """By its definition, in double precision, at a few pixels; small and large filters go different ways."""
    gray = np.random.default_rng(4).integers(0, 256, (60, 70)).astype(np.uint8)
    kernel, disk = codebook_finders._filter(round(10 * module))
    reach = len(kernel) // 2
    seen = codebook_finders._response(gray, module)
    assert seen.shape == gray.shape
    for y, x in ((30, 30), (20, 41), (44, 25)):
        patch = gray[y - reach : y + reach + 1, x - reach : x + reach + 1].astype(float)
        inside = patch[disk > 0]
        spread = ((inside - inside.mean()) ** 2).sum()
        assert seen[y, x] == pytest.approx((patch * kernel).sum() / np.sqrt(spread), abs=1e-4)
