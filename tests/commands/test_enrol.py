"""`companion enrol` and the file of enrolled cards: added, listed, forgotten; damaged files lose nothing."""

import json
import os

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.commands.enrol import enrol
from companion.core.clock import ManualClock
from companion.core.config import art_file
from companion.core.errors import BadInputError, SourceError
from companion.sensing.vision_words import in_words, told
from companion.virtual.render.art_faces import faces
from vision.art.art_book import load_book, save_book
from vision.art.art_match import ArtView
from vision.art.art_plane import FINE, TALL, WIDE
from vision.art.art_recogniser import ArtBook, recognise
from vision.art.enrolment import still_view
from vision.camera.open_camera import CameraInfo, CameraStatus, Frame
from vision.errors import UnusableError

FACES = faces(8, 5)


@pytest.fixture
def pictures(tmp_path):
    """Eight files, each nothing but a card."""
    files = []
    for number, face in enumerate(FACES):
        files.append(tmp_path / f"card{number}.png")
        cv2.imwrite(str(files[-1]), face)
    return files


def run(book, *args):
    result = CliRunner().invoke(enrol, ["--book", str(book), "--json", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return json.loads(result.stdout)


def random_book(seed, names):
    rng = np.random.default_rng(seed)
    return ArtBook(
        tuple(
            ArtView(
                name,
                0.7,
                rng.integers(0, 256, (FINE * TALL, FINE * WIDE, 3)).astype(np.uint8),
                rng.random((TALL, WIDE)) < 0.1,
            )
            for name in names
        )
    )


def test_cards_are_enrolled_listed_known_and_forgotten(tmp_path, pictures):
    book = tmp_path / "deep" / "cards.art"
    assert run(book, "Rose Queen", pictures[0])["cards"] == {"Rose Queen": 1}
    assert run(book, "Knight", pictures[1], pictures[2])["cards"] == {"Rose Queen": 1, "Knight": 2}
    small = cv2.resize(FACES[0], (90, 129), interpolation=cv2.INTER_AREA)
    table = np.full((260, 300, 3), (60, 110, 70), np.uint8)
    table[60:189, 100:190] = small
    assert [one.name for one in recognise(table, load_book(book))] == ["Rose Queen"]
    assert run(book, "--forget", "Rose Queen")["cards"] == {"Knight": 2}
    assert recognise(table, load_book(book)) == []
    assert run(book, "--list") == {"book": str(book), "cards": {"Knight": 2}}


def test_a_known_name_gets_one_more_view_or_a_new_one_alone(tmp_path, pictures):
    book = tmp_path / "cards.art"
    run(book, "Queen", pictures[0])
    assert run(book, "Queen", pictures[1])["cards"] == {"Queen": 2}
    assert run(book, "Queen", pictures[2], "--replace")["cards"] == {"Queen": 1}
    fresh = load_book(book).views[0]
    assert float(fresh.coarse @ random_book(1, "x").views[0].coarse) < 0.5
    assert run(tmp_path / "other", "Queen", pictures[2])["cards"] == {"Queen": 1}
    assert np.array_equal(load_book(tmp_path / "other").views[0].art, fresh.art)


def test_a_card_that_looks_like_another_is_said_to(tmp_path, pictures):
    book = tmp_path / "cards.art"
    assert run(book, "Queen", pictures[0])["looks_like"] == []
    assert run(book, "Princess", pictures[0])["looks_like"] == ["Queen"]
    assert run(book, "Knight", pictures[1])["looks_like"] == []
    said = CliRunner().invoke(enrol, ["--book", str(book), "Twin", str(pictures[1])]).output
    assert "Twin is known, 1 view" in said
    assert "so much like Knight" in said


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "one thing at a time"),
        (("Queen",), "one thing at a time"),
        (("Queen", "PICTURE", "--list"), "one thing at a time"),
        (("Queen", "PICTURE", "--camera", "0"), "one thing at a time"),
        (("--forget", "Nobody"), "is not enrolled"),
        (("Queen", "missing.png"), "no such file"),
        (("bad\nname", "PICTURE"), "cannot be a card's name"),
        (("x" * 61, "PICTURE"), "cannot be a card's name"),
        (("Queen", "PICTURE", "EMPTY"), "no card can be made out"),
        (("Queen", "--camera", "/no/such/camera"), "no such camera"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(tmp_path, pictures, args, words):
    book = tmp_path / "cards.art"
    run(book, "Kept", pictures[3])
    before = book.read_bytes()
    cv2.imwrite(str(tmp_path / "empty.png"), np.full((100, 400, 3), 90, np.uint8))
    named = {"PICTURE": pictures[0], "EMPTY": tmp_path / "empty.png"}
    with pytest.raises((BadInputError, SourceError), match=words):
        run(book, *(named.get(arg, arg) for arg in args))
    assert book.read_bytes() == before


def test_nobody_is_told_to_lay_a_card_under_a_camera_that_cannot_be_opened(tmp_path):
    result = CliRunner().invoke(enrol, ["--book", str(tmp_path / "b"), "Queen", "--camera", "/no/such/camera"])
    assert isinstance(result.exception, SourceError)
    assert result.output == ""


def test_a_book_is_read_as_it_was_written(tmp_path):
    book = random_book(3, ["a", "b", "a"])
    save_book(tmp_path / "cards.art", book)
    again = load_book(tmp_path / "cards.art")
    assert again.names == ("a", "b")
    for one, other in zip(book.views, again.views, strict=True):
        assert (one.name, one.aspect) == (other.name, other.aspect)
        assert np.array_equal(one.art, other.art)
        assert np.array_equal(one.hidden, other.hidden)
    assert load_book(tmp_path / "none").views == ()


@settings(max_examples=60)
@given(cut=st.integers(0, 9000), byte=st.integers(0, 255), truncated=st.booleans())
def test_a_damaged_file_is_read_whole_or_refused_in_a_line(tmp_path_factory, cut, byte, truncated):
    path = tmp_path_factory.mktemp("book") / "cards.art"
    save_book(path, random_book(4, ["one", "two"]))
    data = path.read_bytes()
    cut %= len(data)
    path.write_bytes(data[:cut] if truncated else data[:cut] + bytes([byte]) + data[cut + 1 :])
    try:
        views, said = len(load_book(path).views), ""
    except UnusableError as error:
        views, said = 0, str(told(error))
    assert (views == 2 and not truncated) or (str(path) in said and "\n" not in said)


def test_nothing_is_written_over_a_file_that_cannot_be_read(tmp_path, pictures):
    book = tmp_path / "cards.art"
    book.write_bytes(b"somebody's notes")
    with pytest.raises(BadInputError, match="cannot be read as enrolled cards"):
        run(book, "Queen", pictures[0])
    assert book.read_bytes() == b"somebody's notes"
    book.unlink()
    book.mkdir()
    with pytest.raises(BadInputError, match="irectory"):
        run(book, "Queen", pictures[0])


def test_a_disk_that_fails_while_writing_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "cards.art"
    save_book(path, random_book(5, ["old"]))

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInputError, match="No space left"), in_words():
        save_book(path, random_book(6, ["new"]))
    assert load_book(path).names == ("old",)
    assert [file.name for file in tmp_path.iterdir()] == ["cards.art"]


class Desk:
    """A camera above a desk: pictures one after the other, then nothing new."""

    info = CameraInfo(300, 300, 5.0, "desk")
    state = CameraStatus(True, "desk")
    finished = False

    def __init__(self, *pictures):
        self._pictures = list(pictures)

    def read(self):
        return Frame(0.0, self._pictures.pop(0)) if self._pictures else None


def desk(number, x):
    picture = np.full((300, 300, 3), (150, 120, 60), np.uint8)
    if number is not None:
        picture[60:231, x : x + 120] = cv2.resize(FACES[number], (120, 171), interpolation=cv2.INTER_AREA)
    return picture


def test_the_camera_takes_the_card_once_it_lies_still():
    clock = ManualClock()
    scenes = [desk(None, 0), desk(1, 20), desk(None, 0), desk(4, 80), desk(4, 80), desk(4, 80)]
    view = still_view("Queen", Desk(*scenes), clock)
    table = desk(4, 100)
    assert [one.name for one in recognise(table, ArtBook((view,)))] == ["Queen"]
    with pytest.raises(SourceError, match="no card lay still"), in_words():
        still_view("Queen", Desk(desk(1, 20), desk(None, 0), desk(1, 20)), ManualClock())


def test_the_usual_file_lies_among_the_users_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert art_file() == tmp_path / "companion" / "cards.art"
