"""Cards compared by local contrast: any lamp and tone, but no other emblem and no other colour."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.virtual.render.art_faces import HEIGHT, WIDTH, faces
from tests.benchmarks.art_live import SCALES, cloth_of, live_tally, straight_face
from tests.benchmarks.art_real import Label, Shot
from tests.benchmarks.cli import bench
from tests.benchmarks.light_pairs import changes_between
from vision.art.art_plane import pose_of
from vision.art.art_recogniser import ArtBook, enrol, identify, recognise

FACES = faces(40, 5)
CLOTH = (60, 110, 70)


def laid(face, width=110, turn=0.0):
    """A card in the middle of a plain cloth, and its corners."""
    scale = width / WIDTH
    a = np.radians(turn)
    matrix = scale * np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0]])
    matrix[:, 2] = 120 - matrix[:, :2] @ (WIDTH / 2, HEIGHT / 2)
    picture = np.full((240, 240, 3), CLOTH, np.uint8)
    small = cv2.GaussianBlur(face, (0, 0), 0.5 / scale)
    cv2.warpAffine(small, matrix, (240, 240), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    corners = np.array([(0, 0, 1), (WIDTH, 0, 1), (WIDTH, HEIGHT, 1), (0, HEIGHT, 1)]) @ matrix.T
    return picture, corners.astype(np.float32)


def in_another_room(picture):
    """The picture under a yellow lamp at one side, and with the steep tones of another camera."""
    light = picture / 255.0 * np.linspace(1.25, 0.6, picture.shape[1])[None, :, None]
    toned = np.clip(light * (0.7, 0.92, 1.0), 0, 1) ** np.array([1.7, 1.4, 1.3])
    return np.round(255 * toned).astype(np.uint8)


def agreement(view, face):
    picture, corners = laid(face, width=64)
    found = [view.texture.compared(picture, pose_of(np.roll(corners, turn, axis=0)))[1] for turn in (0, 2)]
    return max(found, key=lambda one: one.whole)


def view_of(number):
    return enrol(str(number), laid(FACES[number], 150)[0])


@pytest.mark.parametrize("number", [0, 5, 10, 35])
def test_a_card_is_named_in_a_room_whose_lamp_and_camera_differ(number):
    book = ArtBook((view_of(number), view_of(2), view_of(39)))
    picture, corners = laid(FACES[number], turn=20)
    found = identify(in_another_room(picture), corners, book)
    assert found is not None
    assert found.view.name == str(number)
    assert np.abs(found.corners - corners).max() < 2 or np.abs(found.corners[[2, 3, 0, 1]] - corners).max() < 2


def test_nine_and_ten_of_a_suit_disagree_at_the_emblem_that_one_lacks():
    nine = view_of(35)
    assert agreement(nine, FACES[35]).sure
    assert not agreement(nine, FACES[39]).possible


@pytest.mark.parametrize("number", [0, 5, 35])
def test_a_card_printed_in_other_colours_is_another_card(number):
    view = view_of(number)
    assert agreement(view, FACES[number]).sure
    assert not agreement(view, np.ascontiguousarray(FACES[number][:, :, [0, 2, 1]])).sure


def test_two_names_of_one_card_are_not_told_apart():
    book = ArtBook((view_of(0), enrol("again", laid(FACES[0], 150)[0])))
    picture, corners = laid(FACES[0])
    assert identify(in_another_room(picture), corners, book) is None


def test_a_picture_that_is_a_card_cut_out_carelessly_is_named_at_the_first_look():
    picture, _ = laid(FACES[8], 150, turn=3)
    cut = picture[9:231, 40:200]
    seen = recognise(in_another_room(cut), ArtBook((view_of(8), view_of(2))))
    assert [one.name for one in seen] == ["8"]


def photographs(folder):
    """A folder of two kinds and a stranger, photographed at home and elsewhere, with its labels."""
    labels = {}
    for number, name, use in (
        (0, "a", "enrol"),
        (5, "b", "enrol"),
        (0, "c", "recognise"),
        (10, "d", "recognise"),
    ):
        picture, corners = laid(FACES[number], 150)
        shown = picture if use == "enrol" else in_another_room(picture)
        cv2.imwrite(str(folder / f"{name}.png"), shown)
        low, high = corners.min(axis=0), corners.max(axis=0)
        labels[f"{name}.png"] = {"card": str(number), "box": [int(v) for v in (*low, *high)], "use": use}
    (folder / "labels.json").write_text(json.dumps(labels))


def test_the_bench_puts_ours_beside_hash_orb_and_sift_on_real_photographs(tmp_path):
    photographs(tmp_path)
    ran = CliRunner().invoke(bench, ["art", "--photos", str(tmp_path), "--json"])
    report = json.loads(ran.stdout)
    assert (report["kinds"], report["known"], report["strangers"]) == (2, 1, 1)
    for row in ("ours", "ours, whole photographs"):
        assert (report[row]["named"], report[row]["wrong"], report[row]["strangers_named"]) == (1, 0, 0)
    for row in ("hash", "orb", "sift"):
        assert report[row]["named"] + report[row]["refused"] + report[row]["wrong"] == 1


def on_carpet(number, use, *, shown=None):
    """A photograph of a card on a coarse carpet, with its label."""
    rng = np.random.default_rng(number)
    image = np.clip(rng.normal(110, 14, (420, 320, 3)), 0, 255).astype(np.uint8)
    face = cv2.resize(FACES[number], (126, 176), interpolation=cv2.INTER_AREA)
    image[60:236, 90:216] = face if shown is None else shown(face)
    return Shot(Label(str(number), (90, 60, 216, 236), use), image)


def test_cards_of_photographs_are_laid_on_the_cloth_of_photographs_and_known_live():
    shots = [on_carpet(0, "enrol"), on_carpet(4, "enrol")]
    shots += [on_carpet(number, "recognise", shown=in_another_room) for number in (0, 4, 10)]
    assert straight_face(shots[2]).shape == (352, 252, 3)
    assert min(cloth_of(shots[2]).shape[:2]) > 4 * 45
    tally = live_tally(shots, SCALES[1], "clean", 1, 2).row()
    assert (tally["shown"], tally["strangers"]) == (2, 1)
    assert (tally["named"], tally["wrong"], tally["strangers_named"]) == (2, 0, 0)


def test_the_light_between_two_photographs_is_measured_as_it_was_changed():
    def developed(face):
        return np.round(255 * (face / 255.0) ** 0.8 * (0.8, 0.9, 1.0)).astype(np.uint8)

    (change,) = changes_between([on_carpet(0, "enrol"), on_carpet(0, "recognise", shown=developed)])
    assert (change.blue, change.green, change.red) == pytest.approx((0.8, 0.9, 1.0), abs=0.02)
    assert change.gamma == pytest.approx(0.8, abs=0.03)
    assert max(abs(change.across), abs(change.down)) < 0.05


@pytest.mark.parametrize("labels", [None, b"{", b'{"a.png": {"card": "x", "box": [1], "use": "enrol"}}'])
def test_the_bench_says_what_a_folder_of_photographs_lacks(tmp_path, labels):
    if labels is not None:
        (tmp_path / "labels.json").write_bytes(labels)
    ran = CliRunner().invoke(bench, ["art", "--photos", str(tmp_path)])
    assert ran.exit_code != 0
    assert "labels.json" in str(ran.exception)
