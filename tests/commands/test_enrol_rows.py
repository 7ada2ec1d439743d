"""`companion enrol --kinds`: photographs of rows become a file by which a game is played without stickers."""

import json

import cv2
import pytest
from click.testing import CliRunner

from companion.commands.enrol import enrol
from companion.commands.play import play
from companion.core.errors import BadInputError
from companion.games.registry import load_game
from companion.sensing.open_sources import kinds_in
from companion.virtual.render.art_faces import faces
from tests.vision.test_row_enrolment import photographed


def run(book, *args):
    result = CliRunner().invoke(enrol, ["--book", str(book), *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture
def photograph(tmp_path):
    path = tmp_path / "rows.png"
    cv2.imwrite(str(path), photographed(faces(12, 9)[:3], 3, 1)[0])
    return path


def test_kinds_in_rows_are_enrolled_and_enrolled_anew(tmp_path, photograph):
    book = tmp_path / "cards.art"
    for _ in range(2):
        report = json.loads(run(book, "--kinds", "1, 2, x", photograph, "--json"))
        assert report["cards"] == {"1": 1, "2": 1, "x": 1}
        assert report["confused"] == []
    assert "3 kinds are known: 1, 2, x" in run(book, "--kinds", "1,2,x", photograph)
    game = load_game("sleepless-princess")
    assert kinds_in(book, game, "basic").names == ("1", "2")
    with pytest.raises(BadInputError, match="knows no card of this game"):
        kinds_in(tmp_path / "none.art", game, "basic")


def test_kinds_are_enrolled_alone(tmp_path, photograph):
    with pytest.raises(BadInputError, match="one thing at a time"):
        run(tmp_path / "cards.art", "--kinds", "1,2,3", photograph, "--camera", "0")
    with pytest.raises(BadInputError, match="2 cards are named and 3 lie apart"):
        run(tmp_path / "cards.art", "--kinds", "1,2", photograph)


def test_playing_by_art_needs_a_camera_and_a_virtual_table_enrols_its_own_cards(tmp_path):
    for arguments, what in (
        (["--art", str(tmp_path / "cards.art")], "enrols its own cards"),
        (["--cards", "art", "--port", "auto"], "only a camera sees art"),
    ):
        result = CliRunner().invoke(play, arguments)
        assert isinstance(result.exception, BadInputError)
        assert what in str(result.exception)
