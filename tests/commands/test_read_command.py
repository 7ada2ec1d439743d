"""`companion read` on pictures of every make: read, or one clear line each, and nothing else lost."""

import io
import json
import os
import struct
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
import segno
from click.testing import CliRunner
from PIL import Image

from companion.commands.read import read
from companion.core.errors import BadInputError
from companion.games.registry import GAME_NAMES, load_cards, load_mat
from companion.sensing.vision_words import in_words
from tests.benchmarks.cheap_optics import TYPICAL
from tests.benchmarks.vision_scenes import SCENES, Scene, cards_of
from tests.benchmarks.vision_table import DAMAGED, OURS, STRANGER, CameraView, dealt, table
from vision.art.art_book import save_book
from vision.art.art_recogniser import ArtBook, enrol
from vision.codes.sticker_set import marker, sticker
from vision.photos.image_headers import claimed_size
from vision.photos.picture_annotations import annotated, one_line
from vision.photos.picture_files import load_picture, read_all


def scene(payload="SP1W3"):
    """600 x 400, grey table, a sticker and a marker."""
    picture = np.full((400, 600), 140, np.uint8)
    picture[50:150, 40:140] = sticker(payload, 100)
    picture[200:280, 400:480] = marker(9, 64, margin=1)
    return picture


def encoded(kind, image, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def ink_on_glass(dark=True):
    """Only the black (or the white) is there; the rest is clear, and black below."""
    ink = sticker("SP1W3", 200) < 128
    shown = ink if dark else ~ink
    picture = np.zeros((200, 200, 4), np.uint8)
    picture[shown] = (0, 0, 0, 255) if dark else (255, 255, 255, 255)
    return Image.fromarray(picture)


def deep():
    return cv2.imencode(".png", scene().astype(np.uint16) * 257)[1].tobytes()


def moving():
    frames = [Image.fromarray(scene()), Image.new("L", (600, 400))]
    return encoded("GIF", frames[0], save_all=True, append_images=frames[1:])


RGB = Image.fromarray(scene()).convert("RGB")
KINDS = {
    "grey.png": encoded("PNG", Image.fromarray(scene())),
    "deep.png": deep(),
    "bits.png": encoded("PNG", RGB.convert("1", dither=Image.Dither.NONE)),
    "palette.png": encoded("PNG", RGB.quantize(8)),
    "clear.png": encoded("PNG", ink_on_glass()),
    "clear-white.png": encoded("PNG", ink_on_glass(dark=False)),
    "clear.webp": encoded("WEBP", ink_on_glass(), lossless=True),
    "ink.jpg": encoded("JPEG", RGB.convert("CMYK"), quality=95),
    "slow.jpg": encoded("JPEG", RGB, progressive=True),
    "lossy.webp": encoded("WEBP", RGB),
    "lossless.webp": encoded("WEBP", RGB, lossless=True),
    "still.gif": encoded("GIF", RGB),
    "moving.gif": moving(),
    "plain.bmp": encoded("BMP", RGB),
    "plain.tif": encoded("TIFF", RGB),
    "packed.tiff": encoded("TIFF", RGB, compression="tiff_lzw"),
}


def call(*arguments):
    result = CliRunner(env={"XDG_DATA_HOME": "/nonexistent"}).invoke(read, [str(a) for a in arguments])
    assert result.exception is None or isinstance(result.exception, (SystemExit, BadInputError))
    return result


def report_of(*arguments):
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    (report,) = json.loads(result.stdout)["pictures"]
    return report


@pytest.mark.parametrize("name", KINDS)
def test_every_make_of_picture_is_read(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(KINDS[name])
    report = report_of(path)
    (code,) = report["codes"]
    assert (code["text"], code["sticker"], code["card"]) == ("SP1W3", True, "W3 witch")
    assert 0 < code["quality"] <= 1
    if "clear" not in name:
        assert (report["width"], report["height"]) == (600, 400)
        assert np.abs(np.array(code["corners"]) - [(48, 58), (132, 58), (132, 142), (48, 142)]).max() < 2.5
        assert [(m["id"], m["card"]) for m in report["markers"]] == [(9, "P4D Daisies, asleep")]
    assert report["cards"] == []


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.98])
def test_cut_files_are_read_or_named_in_one_line(name, share, tmp_path):
    path = tmp_path / name
    path.write_bytes(KINDS[name][: int(share * len(KINDS[name]))])
    result = call(path, "--json")
    (report,) = json.loads(result.stdout)["pictures"]
    assert {code["text"] for code in report["codes"]} <= {"SP1W3"}
    if "error" in report:
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1
        assert name in result.stderr


def test_nothing_but_our_own_lines_comes_on_the_terminal(tmp_path):
    """libpng, libjpeg and libtiff write what they think of a broken file to the standard error themselves."""
    chance = np.random.default_rng(1)
    paths = []
    for name, data in KINDS.items():
        for n in range(6):
            broken = bytearray(data[: int(len(data) * (0.5 + 0.1 * n))])
            for at in chance.integers(len(broken) // 8, len(broken), 3 * n):
                broken[at] = int(chance.integers(256))
            paths.append(tmp_path / f"{n}-{name}")
            paths[-1].write_bytes(bytes(broken))
    code = "import sys; from companion.commands.read import read; read(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, paths), "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    failed = [one for one in json.loads(done.stdout)["pictures"] if "error" in one]
    assert len(failed) > 10
    lines = done.stderr.strip().splitlines()
    assert [line for line in lines if not line.startswith("companion: ")] == []
    assert len(lines) == len(failed)


@pytest.mark.parametrize(("brand", "kind"), [(b"heic", "HEIC"), (b"mif1", "HEIC"), (b"avif", "AVIF")])
def test_a_picture_that_phones_keep_to_themselves_says_how_to_export_it(brand, kind, tmp_path):
    path = tmp_path / "IMG_0001.HEIC"
    path.write_bytes(b"\0\0\0\x18ftyp" + brand + bytes(200))
    result = call(path)
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert f"{kind} is not read by this program" in line
    assert "export it as JPEG" in line


def tiff(*tags, begin=b"II*\0"):
    """A TIFF of one directory: (tag, value) each."""
    order = "<" if begin[:2] == b"II" else ">"
    entries = b"".join(struct.pack(f"{order}HHII", tag, 4, 1, value) for tag, value in tags)
    return begin + struct.pack(f"{order}IH", 8, len(tags)) + entries + bytes(64)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (tiff((254, 1), (256, 160), (257, 90), (50706, 0x401)), "DNG"),
        (tiff((256, 4056), (257, 3040), (262, 32803), (50706, 0x401)), "DNG"),
        (tiff((254, 1), (256, 160), (257, 120), (330, 99), begin=b"MM\0*"), "RAW"),
        (tiff((256, 4056), (257, 3040), (262, 32803)), "RAW"),
        (b"II*\0\x10\0\0\0CR\2\0" + bytes(99), "CR2"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1" + bytes(99), "CR3"),
        (b"IIU\0\x18\0\0\0" + bytes(99), "RW2"),
        (b"IIRO\x08\0\0\0" + bytes(99), "ORF"),
        (b"FUJIFILMCCD-RAW 0201" + bytes(99), "RAF"),
    ],
)
def test_a_raw_photograph_is_refused_by_name(data, kind, tmp_path):
    path = tmp_path / "photo.tif"
    path.write_bytes(data)
    result = call(path)
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert f"a raw photograph ({kind}) is not read by this program; export it as JPEG" in line


def test_a_tiff_of_a_whole_picture_is_no_raw_photograph(tmp_path):
    path = tmp_path / "page.tif"
    cv2.imwrite(str(path), np.full((90, 160), 200, np.uint8))
    assert call(path).exit_code == 0
    path.write_bytes(tiff((254, 2), (256, 100_000), (257, 100_000), (262, 1)))
    assert "megapixels are too many" in call(path).stderr


def test_a_tiff_that_claims_to_be_huge_is_refused(tmp_path):
    entries = struct.pack("<HHHIIHHII", 2, 256, 4, 1, 100_000, 257, 4, 1, 100_000)
    path = tmp_path / "bomb.tif"
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + entries + bytes(64))
    assert "10000 megapixels are too many" in call(path).stderr


@pytest.mark.quick(1)
@pytest.mark.parametrize("make", ["small", "finders", "markers"])
def test_a_picture_full_of_squares_takes_seconds(make, tmp_path):
    if make == "small":
        tile = np.full((16, 16), 255, np.uint8)
        tile[3:13, 3:13] = 0
    elif make == "finders":
        tile = np.full((18, 18), 255, np.uint8)
        tile[2:16, 2:16] = 0
        tile[4:14, 4:14] = 255
        tile[6:12, 6:12] = 0
    else:
        tile = np.pad(marker(7, 48, margin=1), 2, constant_values=255)
    path = tmp_path / "squares.png"
    cv2.imwrite(str(path), np.tile(tile, (1200 // len(tile), 1600 // len(tile))))
    busy = time.process_time()
    report_of(path)
    assert time.process_time() - busy < 10


def gif_that_claims(width, height):
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0" + KINDS["still.gif"][13:]


def webp_that_claims(width, height):
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + size + b"\0" * 40


@pytest.mark.parametrize(
    ("name", "data"),
    [("bomb.gif", gif_that_claims(65535, 65535)), ("bomb.webp", webp_that_claims(16384, 16384))],
)
def test_claims_beyond_bearing_are_refused_before_decoding(name, data, tmp_path, monkeypatch):
    monkeypatch.setattr(cv2, "imdecode", None)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInputError, match="megapixels are too many"), in_words():
        load_picture(tmp_path / name)


def jpeg_of_two_sizes(width, height):
    """A JPEG whose comment holds a small size, behind a marker without length that is followed as if it had
    one."""
    data = cv2.imencode(".jpg", np.full((height, width), 128, np.uint8))[1].tobytes()
    at = data.index(b"\xff\xc0")
    size = data[at : at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")]
    small = b"\xff\xc0\0\x0b\x08\0\x08\0\x08\x01\x01\x11\0"
    comment = b"\xff\xfe" + (2 + len(small)).to_bytes(2, "big") + small
    return (
        b"\xff\xd8\xff\xd0"
        + (len(size) + 6).to_bytes(2, "big")
        + size
        + comment
        + data[2:at]
        + data[at + len(size) :]
    )


def tiff_of_two_sizes(width, height):
    """A TIFF whose directory claims a width of 1 px after the true one."""
    data = cv2.imencode(".tif", np.full((height, width), 128, np.uint8))[1].tobytes()
    at = int.from_bytes(data[4:8], "little")
    end = at + 2 + 12 * int.from_bytes(data[at : at + 2], "little")
    entries = [data[n : n + 12] for n in range(at + 2, end, 12)]
    wide = next(n for n, entry in enumerate(entries) if entry.startswith(b"\0\x01"))
    entries.insert(wide + 1, entries[wide][:8] + b"\1\0\0\0")
    directory = len(entries).to_bytes(2, "little") + b"".join(entries) + data[end : end + 4]
    return data[:4] + len(data).to_bytes(4, "little") + data[8:] + directory


@pytest.mark.parametrize("made", [jpeg_of_two_sizes, tiff_of_two_sizes])
def test_a_file_cannot_claim_another_size_than_it_is_decoded_to(made):
    file = made(640, 480)
    assert cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_GRAYSCALE).shape == (480, 640)
    assert claimed_size(file) == (640, 480)


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_a_halved_picture_of_odd_sides_keeps_its_width(suffix, tmp_path, monkeypatch):
    monkeypatch.setattr("vision.photos.picture_files._READ_MOST", 1000)
    path = tmp_path / f"odd.{suffix}"
    cv2.imwrite(str(path), np.full((91, 101), 200, np.uint8))
    loaded = load_picture(path)
    assert (loaded.width, loaded.height) == (101, 91)


@pytest.mark.quick(1)
@pytest.mark.parametrize("turned", [False, True])
def test_a_hundred_megapixels_are_halved_and_corners_stay_in_the_files_pixels(turned, tmp_path):
    picture = np.full((9001, 10_001), 140, np.uint8)
    picture[7000:7600, 8000:8600] = sticker("SP1B5", 600)
    if turned:
        picture = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 60])[1].tobytes()
    if turned:
        tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)  # 6: turn it clockwise
        exif = b"Exif\0\0" + tiff
        data = data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]
    path = tmp_path / "huge.jpg"
    path.write_bytes(data)
    loaded = load_picture(path)
    assert loaded.colour.shape[0] * loaded.colour.shape[1] <= 16_000_000
    report = report_of(path)
    assert (report["width"], report["height"]) == (10_001, 9001)
    (code,) = report["codes"]
    assert np.abs(np.array(code["corners"][0]) - (8048, 7048)).max() < 12


@pytest.mark.parametrize("shape", [(1, 1), (1, 700), (700, 1), (7, 7), (30, 30)])
def test_tiny_pictures_are_read_as_nothing(shape, tmp_path):
    path = tmp_path / "tiny.png"
    cv2.imwrite(str(path), np.full(shape, 200, np.uint8))
    report = report_of(path)
    assert (report["width"], report["height"]) == shape[::-1]
    assert not report["codes"]
    assert not report["markers"]
    assert call(path, "--annotate", tmp_path / "out.png").exit_code == 0


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00\x80",
        b"\x1b[2J\x07",
        "\x9b31m\u202e\u2028\x7f",
        "SP1Q99",
        "SP1H07",
        "SP2H07C",
        "sp1h07c",
        "A\nB",
        pytest.param("x" * 2900, id="long"),
    ],
)
def test_no_identity_is_made_of_a_strangers_code(content, tmp_path):
    code = segno.make_qr(content, error="l")
    path = tmp_path / "strange.png"
    code.save(str(path), scale=5, border=4)
    report = report_of(path)
    (found,) = report["codes"]
    assert (found["sticker"], found["card"]) == (False, None)
    assert found["text"] == (content if isinstance(content, str) else content.decode("utf-8", "replace"))
    words = call(path).stdout
    assert all(c.isprintable() or c == "\n" for c in words)
    assert len(words.splitlines()) == 2
    assert max(map(len, words.splitlines())) < 300


def test_a_hostile_text_reaches_no_terminal_and_writes_nothing_but_ascii_on_the_picture(tmp_path, monkeypatch):
    path, out = tmp_path / "hostile.png", tmp_path / "out.png"
    segno.make_qr("\x1b]0;owned\x07é\n", encoding="utf-8").save(str(path), scale=5, border=4)
    written = []
    put = cv2.putText
    monkeypatch.setattr(cv2, "putText", lambda canvas, *a: (written.append(a[0]), put(canvas, *a))[1])
    result = call(path, "--annotate", out)
    assert r"code \x1b]0;owned\x07é\n at" in result.stdout
    assert written == [r"\x1b]0;owned\x07?\n"]
    assert json.loads(call(path, "--json").stdout)["pictures"][0]["codes"][0]["text"] == "\x1b]0;owned\x07é\n"
    assert "\x1b" not in call(path, "--json").stdout


def test_a_terminal_that_lacks_letters_gets_them_escaped(tmp_path):
    path = tmp_path / "strange.png"
    segno.make_qr("é点", encoding="utf-8").save(str(path), scale=5, border=4)
    program = [sys.executable, "-m", "companion.cli", "read", str(path)]
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(program, capture_output=True, env=latin, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\xe9\\u70b9" in done.stdout


def test_one_bad_picture_loses_no_other_and_names_are_kept_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "photo.png").write_bytes(KINDS["grey.png"])
    (tmp_path / "words.txt").write_text("no picture")
    out = tmp_path / "out"
    out.mkdir()
    paths = [tmp_path / "a/photo.png", tmp_path / "words.txt", tmp_path, tmp_path / "b/photo.png"]
    result = call(*paths, "--json", "--annotate", out)
    assert result.exit_code == 2
    reports = json.loads(result.stdout)["pictures"]
    assert [len(report["codes"]) for report in reports] == [1, 0, 0, 1]
    assert len(result.stderr.strip().splitlines()) == 2
    assert sorted(path.name for path in out.iterdir()) == ["photo-read-2.png", "photo-read.png"]


@pytest.mark.long
def test_stickers_too_small_to_decode_are_read_on_our_mat_and_nowhere_else(tmp_path):
    rng = np.random.default_rng(6)
    small = Scene("small", 30, 960, 540, 0.96, dots_mm=12)
    lying = table(
        dealt(cards_of(small), 30, rng, (OURS, DAMAGED, STRANGER), 12),
        CameraView.at_random(960, 540, 0.96, rng),
        TYPICAL,
        rng,
    )
    path, bare = tmp_path / "table.png", tmp_path / "bare.png"
    frame = lying.frame(TYPICAL, rng)
    cv2.imwrite(str(path), frame)
    cv2.imwrite(str(bare), frame[:-70, 70:])  # one corner marker is left
    report = report_of(path)
    seen = {code["text"]: np.mean(code["corners"], axis=0) for code in report["codes"]}
    assert {code["stage"] for code in report["codes"]} == {"codebook"}
    assert all(code["card"] for code in report["codes"])
    whole = [one for one in lying.lying if one.kind == OURS]
    assert len(whole) > 10
    for one in whole:
        assert np.hypot(*(seen[one.tag] - lying.place(one))) < 4
    assert set(seen) <= {one.tag for one in lying.lying}
    assert report_of(bare)["codes"] == []


@pytest.mark.quick(1)
@pytest.mark.parametrize(("tilt", "least"), [(45, 38), (35, 45), (20, 45)])
def test_a_mat_photographed_from_the_side_is_read_from_above(tmp_path, tilt, least):
    rng = np.random.default_rng(5)
    view = replace(CameraView.at_random(1920, 1080, 1.92, rng), tilt=float(tilt))
    lying = table(dealt(cards_of(SCENES["cards-15mm-1080p"]), 15, rng), view, TYPICAL, rng)
    path = tmp_path / "side.png"
    cv2.imwrite(str(path), lying.frame(TYPICAL, rng))
    seen = {code["text"]: np.mean(code["corners"], axis=0) for code in report_of(path)["codes"]}
    places = {one.tag: lying.place(one) for one in lying.lying}
    assert set(seen) <= set(places)
    assert sum(np.hypot(*(seen[tag] - places[tag])) < 15 for tag in seen) >= least


def small_stickers(mat, payloads):
    """A table of 1600 x 900 px with stickers of 15 mm on that mat: 1.0 px a module."""
    sheet = np.full((int(mat.h * 6), int(mat.w * 6)), 128, np.uint8)

    def lay(image, x, y):
        top, left = int(y * 6 - image.shape[0] / 2), int(x * 6 - image.shape[1] / 2)
        sheet[top : top + image.shape[0], left : left + image.shape[1]] = image

    for corner in mat.markers:
        lay(marker(corner.id, int(corner.side * 6), margin=1), corner.x, corner.y)
    for n, payload in enumerate(payloads):
        lay(sticker(payload, 90), 150 + 100 * n, 300)
    seen = cv2.GaussianBlur(cv2.resize(sheet, (1600, 900), interpolation=cv2.INTER_AREA), (0, 0), 0.6)
    return np.clip(seen + np.random.default_rng(1).normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", GAME_NAMES)
def test_stickers_of_every_game_are_read_on_every_mat(tmp_path, name):
    """A family lays what it has printed: yesterday's game on today's mat."""
    payloads = [[card.payload for card in load_cards(game) if card.payload][3] for game in GAME_NAMES]
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), small_stickers(load_mat(name), payloads))
    report = report_of(path)
    assert sorted(code["text"] for code in report["codes"]) == sorted(payloads)
    assert {code["stage"] for code in report["codes"]} == {"codebook"}


def test_annotations_lie_on_what_was_read(tmp_path):
    path = tmp_path / "scene.png"
    path.write_bytes(KINDS["grey.png"])
    picture = load_picture(path)
    canvas = annotated(picture, read_all(picture))
    changed = (canvas != picture.colour).any(axis=2)
    assert changed[58, 60:120].mean() > 0.9, "the code's upper edge"
    assert changed[208:272, 408].mean() > 0.9, "the marker's left edge"
    assert not changed[300:, :300].any()
    assert canvas.shape == picture.colour.shape


@pytest.mark.long
def test_cards_that_a_recogniser_knows_are_reported_in_the_files_pixels(tmp_path):
    path = tmp_path / "large.png"
    cv2.imwrite(str(path), np.full((5000, 5000, 3), (20, 40, 200), np.uint8))
    picture = load_picture(path)
    seen = []

    def recognise(image):
        seen.append(image)
        return [SimpleNamespace(name="Rose", corners=((0, 0), (40, 0), (40, 80), (0, 80)), quality=0.7)]

    (card,) = read_all(picture, recognise).cards
    assert seen[0].shape == picture.colour.shape
    assert seen[0][0, 0].tolist() == [20, 40, 200]
    assert (card.name, card.quality) == ("Rose", 0.7)
    assert card.corners[2] == pytest.approx((40 / picture.scale, 80 / picture.scale))
    assert (annotated(picture, read_all(picture, recognise)) != picture.colour).any()


def test_enrolled_cards_are_named_and_a_broken_book_loses_no_code(tmp_path):
    rng = np.random.default_rng(8)
    card = cv2.resize(rng.integers(0, 255, (6, 4, 3), np.uint8), (240, 360), interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(card, (0, 0), (239, 359), (235, 240, 240), 14)
    picture = np.full((700, 900, 3), (60, 90, 50), np.uint8)
    picture[200:560, 500:740] = card
    picture[60:160, 60:160] = sticker("SP1W3", 100)[..., None]
    path, book = tmp_path / "table.png", tmp_path / "cards.art"
    cv2.imwrite(str(path), picture)
    assert report_of(path, "--book", book)["cards"] == []
    save_book(book, ArtBook((enrol("Rose Queen", card),)))
    (seen,) = report_of(path, "--book", book)["cards"]
    assert (seen["text"], seen["stage"]) == ("Rose Queen", "art")
    corners = np.array(seen["corners"])
    assert np.abs(corners - [(500, 200), (740, 200), (740, 560), (500, 560)]).max() < 8
    assert "Rose Queen" in call(path, "--book", book).stdout
    book.write_bytes(b"broken")
    result = call(path, "--book", book, "--json")
    (report,) = json.loads(result.stdout)["pictures"]
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert [code["text"] for code in report["codes"]] == ["SP1W3"]


def test_the_second_decoder_is_asked_only_when_wished(tmp_path, monkeypatch):
    path = tmp_path / "blank.png"
    cv2.imwrite(str(path), np.full((300, 300), 128, np.uint8))
    asked = []
    monkeypatch.setattr(
        "vision.codes.zbar_process.SecondOpinion.read", lambda self, gray: asked.append(1) or []
    )
    assert call(path).exit_code == 0
    assert not asked
    assert call(path, "--thorough").exit_code == 0
    assert asked == [1]


def test_text_for_a_terminal_is_one_line():
    assert one_line("a\nb\x1b[2J\x9b\u202e") == r"a\nb\x1b[2J\x9b\u202e"
    assert one_line("x" * 100, 10) == "x" * 9 + "…"


def test_findings_are_told_in_the_language_that_was_chosen(tmp_path):
    path = tmp_path / "code.png"
    segno.make_qr("SP1:M7S").save(str(path), scale=5, border=4)
    told = call(path, "--language", "de")
    assert "Güte 1" in told.stdout
    assert "quality" not in told.stdout
