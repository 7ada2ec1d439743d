"""Kinds of cards enrolled from photographs of rows: order, several photographs, look-alikes, refusals."""

import cv2
import msgspec
import numpy as np
import pytest

from companion.core.errors import BadInputError
from companion.sensing.vision_words import in_words
from companion.virtual.render.art_faces import faces
from vision.art.art_book import load_book, save_book
from vision.art.art_recogniser import identify
from vision.art.row_enrolment import cards_apart, enrol_rows

CARD = (112, 160)
"""Width and height of a card in the photographs, px."""


def photographed(deck, columns, seed, gap=34):
    """A photograph of the deck in rows on a cloth, each card a little askew, and the middle of each card."""
    rng = np.random.default_rng(seed)
    w, h = CARD
    rows = -(-len(deck) // columns)
    size = (rows * (h + gap) + 120, columns * (w + gap) + 120, 3)
    picture = np.clip(rng.normal((70, 90, 60), 3, size), 0, 255).astype(np.uint8)
    middles = []
    for n, face in enumerate(deck):
        row, column = divmod(n, columns)
        x = 60 + column * (w + gap) + w / 2 + rng.uniform(-4, 4)
        y = 60 + row * (h + gap) + h / 2 + rng.uniform(-4, 4) + 3 * column
        middles.append((x, y))
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(-3, 3)), 1.0)
        turn[:, 2] += (x - w / 2, y - h / 2)
        small = cv2.resize(face, CARD, interpolation=cv2.INTER_AREA)
        mask = cv2.warpAffine(np.full((h, w), 255, np.uint8), turn, size[1::-1])[:, :, None] / 255
        picture = (picture * (1 - mask) + cv2.warpAffine(small, turn, size[1::-1]) * mask).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8), middles


@pytest.fixture(scope="module")
def deck():
    return [face for n, face in enumerate(faces(40, 9)) if n % 4 != 3][:10]


def test_kinds_are_enrolled_row_by_row_in_the_order_of_the_list(deck):
    picture, middles = photographed(deck, 4, 1)
    names = [f"kind {n}" for n in range(10)]
    enrolled = enrol_rows([picture], names, short_mm=56.0)
    assert [view.name for view in enrolled.book.views] == names
    assert all(view.short_mm == pytest.approx(56, abs=2) for view in enrolled.book.views)
    assert enrolled.confusions == ()
    other, middles = photographed(deck, 5, 2)
    half = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], np.float32) * CARD
    for name, middle in list(zip(names, middles, strict=True))[::3]:
        found = identify(other, half + np.array(middle, np.float32), enrolled.book)
        assert found is not None
        assert found.view.name == name


def test_photographs_follow_each_other_or_each_shows_all_kinds(deck):
    first, second = photographed(deck[:4], 2, 3)[0], photographed(deck[4:6], 2, 4)[0]
    names = list("abcdef")
    assert [view.name for view in enrol_rows([first, second], names).book.views] == names
    again = photographed(deck[:4], 4, 5)[0]
    views = enrol_rows([first, again], names[:4]).book.views
    assert [view.name for view in views] == [*names[:4], *names[:4]]


def test_kinds_that_look_alike_are_said(deck):
    twin = deck[1].copy()
    cv2.circle(twin, (140, 200), 5, (255, 255, 255), -1)
    enrolled = enrol_rows([photographed([deck[0], deck[1], twin, deck[2]], 4, 6)[0]], ["0", "6", "9", "2"])
    assert [(one.first, one.second) for one in enrolled.confusions] == [("6", "9")]


def test_another_number_of_cards_is_refused(deck):
    picture = photographed(deck[:4], 2, 7)[0]
    assert len(cards_apart(picture)) == 4
    with pytest.raises(BadInputError, match="5 cards are named and 4 lie apart"), in_words():
        enrol_rows([picture], list("abcde"))
    with pytest.raises(BadInputError, match="nothing to enrol"), in_words():
        enrol_rows([], ["a"])
    with pytest.raises(BadInputError, match="1 cards are named and 0 lie apart"), in_words():
        enrol_rows([np.full((300, 400, 3), 90, np.uint8)], ["a"])


def test_the_size_of_a_card_is_kept_in_the_book_and_an_older_book_is_read(deck, tmp_path):
    book = enrol_rows([photographed(deck[:2], 2, 8)[0]], ["a", "b"], short_mm=56.0).book
    path = tmp_path / "cards.art"
    save_book(path, book)
    assert [view.short_mm for view in load_book(path).views] == [view.short_mm for view in book.views]
    stored = msgspec.msgpack.decode(path.read_bytes())
    for view in stored["views"]:
        del view["short_mm"]
    path.write_bytes(msgspec.msgpack.encode({**stored, "version": 2}))
    assert [view.short_mm for view in load_book(path).views] == [0.0, 0.0]
    stored["views"][0]["short_mm"] = -3.0
    path.write_bytes(msgspec.msgpack.encode(stored))
    with pytest.raises(BadInputError, match="side of -3 mm"), in_words():
        load_book(path)


def test_a_card_with_an_end_like_the_cloth_is_enrolled_whole(deck):
    like_cloth = deck[0].copy()
    like_cloth[-len(like_cloth) // 4 :] = (80, 104, 68)
    picture, middles = photographed([like_cloth, *deck[1:8]], 4, 5)
    first = cards_apart(picture)[0]
    assert np.linalg.norm(first.mean(axis=0) - middles[0]) < 4
    sides = np.linalg.norm(first - np.roll(first, 1, axis=0), axis=1)
    assert sorted(sides)[2] == pytest.approx(CARD[1], rel=0.04)


def test_a_photograph_of_a_few_pixels_shows_no_cards():
    assert cards_apart(np.zeros((1, 1, 3), np.uint8)) == []
