"""Codes and markers in crops and pictures, and what strangers may put into them."""

import json
import struct
import zlib

import cv2
import numpy as np
import pytest
import segno
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.commands.read import read
from companion.core.errors import BadInputError
from companion.sensing.vision_words import in_words
from vision.codes.code_reader import find_codes, find_markers, read_region, sanitised, sticker_like
from vision.codes.sticker_set import Tags, check_payload, marker, sticker
from vision.photos.picture_files import load_picture


def qr(content, scale=4, **options):
    code = segno.make(content, micro=False, **options)
    modules = 255 * (1 - np.array([list(row) for row in code.matrix], np.uint8))
    return np.pad(np.kron(modules, np.ones((scale, scale), np.uint8)), 4 * scale, constant_values=255)


def scattered(side, rng, n=8, blur=0.6, noise=2.0):
    """A grey strip with n stickers of `side` px, drawn four times larger, askew, shrunk, blurred, noisy."""
    over, wide = 4, int(side * 1.9)
    strip = np.full((wide * over, wide * n * over), 150, np.uint8)
    names = [f"SP1T{int(rng.integers(100)):02d}{k}" for k in range(n)]
    for k, name in enumerate(names):
        image = sticker(name, side * over)
        matrix = cv2.getRotationMatrix2D((image.shape[0] / 2,) * 2, float(rng.uniform(-15, 15)), 1)
        matrix[:, 2] += (
            wide * (k + 0.5) * over - image.shape[0] / 2 + rng.uniform(0, 4),
            wide * over / 2 - image.shape[0] / 2 + rng.uniform(0, 4),
        )
        mask = cv2.warpAffine(np.full_like(image, 255), matrix, strip.shape[::-1])
        np.copyto(strip, cv2.warpAffine(image, matrix, strip.shape[::-1]), where=mask > 127)
    strip = cv2.GaussianBlur(
        cv2.resize(strip, None, fx=1 / over, fy=1 / over, interpolation=cv2.INTER_AREA), (0, 0), blur
    )
    return names, np.clip(strip + rng.normal(0, noise, strip.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("side", "blur", "least"), [(57, 0.7, 1.0), (50, 0.6, 0.98), (40, 0.6, 0.9)])
def test_stickers_are_read_at_the_sizes_a_camera_gives(side, blur, least):
    rng = np.random.default_rng(7)
    good = total = 0
    for _ in range(8):
        names, strip = scattered(side, rng, blur=blur)
        found = read_region(strip, side)
        assert {c.payload for c in found.codes} <= set(names)
        good += len(found.codes)
        total += len(names)
        if side == 57:
            assert not found.unread
    assert good >= least * total


def test_unread_sticker_is_told_from_print():
    card = np.full((170, 110), 205, np.uint8)
    cv2.putText(card, "H07", (5, 40), 0, 0.8, (40,), 2)
    assert read_region(card, 57).unread == ()
    spoilt = sticker("SP1H07C", 57)
    spoilt[5:25, 5:25] = 255
    card[80:137, 25:82] = spoilt
    (spot,) = read_region(card, 57).unread
    assert abs(spot[0] - 53) < 20
    assert abs(spot[1] - 108) < 20
    assert sticker_like(np.full((100, 100), 90, np.uint8), 57) == []


@pytest.mark.parametrize("turn", range(0, 360, 24))
def test_markers_are_found_however_they_lie(turn):
    rng = np.random.default_rng(turn)
    image = marker(turn % 21, 68 * 3, margin=1)
    scene = np.full((420, 420), (70, 130, 205)[turn % 3], np.uint8)
    matrix = cv2.getRotationMatrix2D((image.shape[0] / 2,) * 2, turn, 1)
    matrix[:, 2] += 210 - image.shape[0] / 2
    mask = cv2.warpAffine(np.full_like(image, 255), matrix, scene.shape)
    np.copyto(scene, cv2.warpAffine(image, matrix, scene.shape), where=mask > 127)
    scene = cv2.GaussianBlur(cv2.resize(scene, (140, 140), interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    scene = np.clip(scene + rng.normal(0, 2.5, scene.shape), 0, 255).astype(np.uint8)
    (seen,) = find_markers(scene, 57)
    assert seen.id == turn % 21
    assert np.hypot(seen.centre[0] - 70, seen.centre[1] - 70) < 1.5


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00\x80",
        b"\x00" * 12,
        b"\x1b[2J\x1b]0;owned\x07",
        "\u202egnirts\u2066",
        "日本語",
        "🙂" * 20,
        "SP1H07C\n",
        "sp1h07c",
        "SP1H07C ",
        "A" * 11,
        "\ud7ff\u2028\u2029",
        "x" * 900,
    ],
)
def test_hostile_payloads_stay_text_and_are_never_ours(content):
    (code,) = find_codes(qr(content))
    assert code.payload is None
    assert code.text.isprintable()
    assert len(code.text) <= 80


def test_our_payload_is_trusted_in_any_version():
    assert [c.payload for c in find_codes(qr("SP1H07C", version=3))] == ["SP1H07C"]


@given(st.binary(max_size=400))
@settings(max_examples=100)
def test_sanitised_bytes_are_one_printable_line(raw):
    text = sanitised(raw)
    assert len(text) <= 80
    assert text == "" or text.isprintable()


def test_pictures_of_nothing_are_read_as_nothing():
    for shape in ((1, 1), (2, 900), (900, 2), (11, 11), (40, 40)):
        blank = np.zeros(shape, np.uint8)
        found = read_region(blank, 57)
        assert (found.codes, found.markers, found.unread) == ((), (), ())
        assert find_markers(blank) == []
    assert find_markers(np.zeros((0, 0), np.uint8)) == []


def test_stickers_and_markers_have_the_size_asked_for():
    assert sticker("SP1H07C", 57).shape == (57, 57)
    assert sticker("SP1H07C", 25).shape == (25, 25)
    assert set(np.unique(sticker("AB", 100))) == {0, 255}
    assert marker(3, 64).shape == (64, 64)
    assert marker(3, 64, margin=1).shape == (80, 80)
    for bad in ("", "abc", "SP1 H07", "ABCDEFGHIJK", "A\n", "É"):
        with pytest.raises(BadInputError), in_words():
            check_payload(bad)
    for call in (lambda: sticker("AB", 24), lambda: marker(250, 64), lambda: marker(-1, 64)):
        with pytest.raises(BadInputError), in_words():
            call()
    assert Tags().payloads == {}


# ---------------------------------------------------------------------- companion read


@pytest.fixture
def photo(tmp_path):
    picture = np.full((400, 600), 140, np.uint8)
    picture[50:150, 40:140] = sticker("SP1W3", 100)
    image = marker(9, 64, margin=1)
    picture[200:280, 400:480] = image
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), picture)
    return path


def call(*arguments):
    result = CliRunner().invoke(read, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, (SystemExit, BadInputError))
    return result


def test_read_prints_one_object(photo):
    result = call(photo, "--json")
    (report,) = json.loads(result.stdout)["pictures"]
    assert result.exit_code == 0
    assert (report["width"], report["height"]) == (600, 400)
    (code,) = report["codes"]
    assert (code["text"], code["sticker"], code["stage"]) == ("SP1W3", True, "plain")
    assert np.abs(np.array(code["corners"]) - [(48, 58), (132, 58), (132, 142), (48, 142)]).max() < 2
    assert [m["id"] for m in report["markers"]] == [9]


def test_read_in_words_and_annotated(photo, tmp_path):
    out = tmp_path / "out.png"
    result = call(photo, "--annotate", out)
    assert "SP1W3" in result.stdout
    assert cv2.imread(str(out)).shape == (400, 600, 3)
    assert isinstance(call(photo, "--annotate", tmp_path / "out.xyz").exception, BadInputError)
    assert call(photo, photo, "--annotate", tmp_path / "none").exit_code != 0


def test_broken_pictures_get_a_line_each_and_the_rest_is_read(photo, tmp_path):
    data = photo.read_bytes()
    files = {
        "empty.png": b"",
        "text.jpg": b"hello",
        "noise.jpg": b"\xff\xd8\xff" + bytes(range(256)),
        "head.png": data[:40],
        "bomb.png": png_header(60000, 60000),
        "riff.webp": b"RIFF0000WEBPVP8 ",
        "bm.bmp": b"BM" + b"\xff" * 60,
        "nulls.jpg": b"\xff\xd8\xff" + b"\0" * 500,
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    paths = [tmp_path / name for name in files]
    result = call(*paths, tmp_path / "absent.png", tmp_path, photo, "--json")
    assert result.exit_code == 2
    reports = json.loads(result.stdout)["pictures"]
    assert len(reports) == len(files) + 3
    assert [bool(r.get("error")) for r in reports] == [True] * (len(files) + 2) + [False]
    assert len(result.stderr.strip().splitlines()) == len(files) + 2


def test_damaged_half_of_a_picture_does_not_crash(photo, tmp_path):
    (tmp_path / "cut.png").write_bytes(photo.read_bytes()[:-200])
    assert call(tmp_path / "cut.png", "--json").exit_code in (0, 2)


def png_header(width, height):
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


def test_exif_rotation_is_honoured(photo, tmp_path):
    picture = cv2.imread(str(photo), cv2.IMREAD_GRAYSCALE)
    jpeg = cv2.imencode(".jpg", cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE))[1].tobytes()
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)  # 6: turn it clockwise
    exif = b"Exif\0\0" + tiff
    path = tmp_path / "turned.jpg"
    path.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])
    (report,) = json.loads(call(path, "--json").stdout)["pictures"]
    assert (report["width"], report["height"]) == (600, 400)
    assert np.abs(np.array(report["codes"][0]["corners"][0]) - (48, 58)).max() < 2


@pytest.mark.long
def test_huge_picture_is_shrunk_and_corners_stay_in_its_pixels(tmp_path):
    picture = np.full((6000, 5000), 140, np.uint8)
    picture[5000:5300, 4000:4300] = sticker("SP1B5", 300)
    path = tmp_path / "huge.jpg"
    cv2.imwrite(str(path), picture)
    assert load_picture(path).gray.size <= 16_000_000
    (report,) = json.loads(call(path, "--json").stdout)["pictures"]
    assert report["width"] == 5000
    assert np.abs(np.array(report["codes"][0]["corners"][0]) - (4024, 5024)).max() < 6


def test_strange_file_names_are_printed_harmlessly(photo, tmp_path):
    path = tmp_path / "a\x1b[2Jb\n.png"
    path.write_bytes(photo.read_bytes())
    assert "\x1b" not in call(path).stdout
    result = call(tmp_path / "c\x1b\nd.png")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
