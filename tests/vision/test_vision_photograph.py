"""Photographs of codes: what zxing-cpp alone does not read, markers of all sizes, patterns that take long."""

import os
import signal
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.vision_photos import made_photos
from tests.benchmarks.vision_scenes import grey
from vision.codes.qr_payload import escaped
from vision.codes.sticker_set import marker, sticker
from vision.codes.zbar_process import SecondOpinion
from vision.photos import photo_reader
from vision.photos.code_candidates import fine_places
from vision.photos.marker_hint import shows_marker
from vision.photos.photo_reader import (
    BENT,
    ENLARGED,
    PLAIN,
    SECOND,
    UPRIGHT,
    read_codes,
    read_picture,
)
from vision.photos.picture_files import load_picture

PICTURES = (".png", ".webp", ".jpg")
QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


def qr(content, scale=6, quiet=4, **options):
    code = segno.make_qr(content, **options)
    modules = 255 * (1 - np.array([list(row) for row in code.matrix], np.uint8))
    return np.pad(np.kron(modules, np.ones((scale, scale), np.uint8)), quiet * scale, constant_values=255)


def on_table(image, shape=(700, 900), at=(200, 300)):
    picture = np.full(shape, 120, np.uint8)
    picture[at[0] : at[0] + image.shape[0], at[1] : at[1] + image.shape[1]] = image
    return picture


def rolled(image, bow=0.15, angle=0.8):
    """The code on a bottle, seen a little from above; by the pixel, apart from the reader's own maps."""
    side = image.shape[0]
    out = np.full((side + 80, side), 120, np.uint8)
    for x in range(side):
        u = (x + 0.5) / side * 2 - 1
        source = (np.arcsin(u * np.sin(angle)) / angle + 1) / 2 * side
        column = image[:, min(side - 1, int(source))]
        top = 40 + round(bow * side / 2 * (1 - u * u))
        out[top : top + side, x] = column
    return out


@pytest.mark.quick(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_all_that_one_pass_reads_is_read_and_nothing_wrong(seed):
    """How much more is read is counted by `companion bench vision`: twenty photographs tell no rate."""
    for photo in made_photos(8, seed=seed):
        gray = grey(photo.image)
        texts = set(photo.texts)
        once = {code.text for code in zxingcpp.read_barcodes(gray, formats=QR)} & texts
        assert once <= {code.text for code in read_codes(gray)} <= texts, photo.kind


def plain_texts(gray):
    """What zxing-cpp reads by itself, a text twice if it lies there twice."""
    found = zxingcpp.read_barcodes(gray, formats=QR, text_mode=zxingcpp.TextMode.Plain)
    return Counter(code.text for code in found)


def drawn_codes(rng):
    """Up to four codes that may touch, reach beyond the edge, be tiny or huge, turned, mirrored or light on
    dark."""
    height, width = rng.integers(60, 500, 2).tolist()
    picture = np.full((height, width), float(rng.choice([255, 190, 60, 0])), np.float32)
    for number in range(int(rng.integers(1, 5))):
        code = segno.make_qr(f"code {number}" * int(rng.integers(1, 6)), error=str(rng.choice(list("lmqh"))))
        modules = np.pad(np.array([list(row) for row in code.matrix], np.uint8), int(rng.choice([0, 1, 4])))
        dark, light = rng.uniform(0, 80), rng.uniform(150, 255)
        if rng.random() < 0.25:
            dark, light = light, dark
        if rng.random() < 0.25:
            modules = modules[:, ::-1]
        module = float(rng.choice([1, 1.5, 2, 3, 5, 12]))
        turn = float(rng.choice([0, 90, 180, 270])) if rng.random() < 0.6 else float(rng.uniform(0, 360))
        middle = ((len(modules) - 1) / 2,) * 2
        pose = cv2.getRotationMatrix2D(middle, turn, module)
        pose[:, 2] += rng.uniform(0, 1, 2) * (width, height) - middle
        ink = np.where(modules > 0, dark, light).astype(np.float32)
        lying = cv2.warpAffine(ink, pose, (width, height), flags=cv2.INTER_NEAREST, borderValue=-1)
        picture = np.where(lying < 0, picture, lying)
    blurred = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.2, 1.2)))
    return np.clip(blurred + rng.normal(0, 3, blurred.shape), 0, 255).astype(np.uint8)


@given(st.integers(0, 2**32))
@settings(max_examples=15)
def test_no_drawn_code_that_zxing_cpp_reads_is_lost(seed):
    gray = drawn_codes(np.random.default_rng(seed))
    assert not plain_texts(gray) - Counter(code.text for code in read_codes(gray))


@pytest.mark.skipif(
    "COMPANION_PHOTOS" not in os.environ, reason="COMPANION_PHOTOS names no folder of photographs"
)
def test_no_code_of_a_photograph_that_zxing_cpp_reads_is_lost():
    pictures = [path for path in Path(os.environ["COMPANION_PHOTOS"]).rglob("*") if path.suffix in PICTURES]
    assert pictures
    grays = [(path, load_picture(path).gray) for path in pictures]
    lost = {path: plain_texts(gray) - Counter(code.text for code in read_codes(gray)) for path, gray in grays}
    assert not {path.name: texts for path, texts in lost.items() if texts}


MODEL_1 = (
    "1fdfc7f 104b741 1743a5d 175dd5d 175915d 1052741 1fd557f 0012800 0f55af9 029966b 1b61525 0d1c8e7 10c4795 "
    "0d8536d 0e6b529 10215a5 1c79221 00120f1 1fc8bdf 1049847 1751e09 17565f1 175e62b 1059068 1fc7f95"
)
"""Rows of a code of the first kind (AIM, 1997), 25 modules each, black is 1."""


def test_a_code_of_the_first_kind_is_read():
    rows = [[int(bit) for bit in f"{int(row, 16):025b}"] for row in MODEL_1.split()]
    modules = 255 * (1 - np.pad(np.array(rows, np.uint8), 4))
    (code,) = read_codes(on_table(np.kron(modules, np.ones((3, 3), np.uint8))))
    assert (code.text, code.stage) == ("QR Code Model 1 ", PLAIN)


def among_squares(seed, scale, apart, version, blur):
    """A code on a sheet of nested squares like its own three, `apart` modules from one to the next."""
    square = np.pad(np.pad(np.pad(np.ones((3, 3), np.uint8), 1), 1, constant_values=1), 1)
    ink = np.zeros((600, 600), np.uint8)
    for y in range(5, 600 - 9 * scale, apart * scale):
        for x in range(5, 600 - 9 * scale, apart * scale):
            ink[y : y + 9 * scale, x : x + 9 * scale] = np.kron(square, np.ones((scale, scale), np.uint8))
    picture = np.where(ink > 0, 20, 230).astype(np.uint8)
    code = np.clip(qr("hidden", scale, version=version, error="l"), 20, 230)
    y, x = np.random.default_rng(seed).integers(0, 600 - len(code), 2)
    picture[y : y + len(code), x : x + len(code)] = code
    return cv2.GaussianBlur(picture, (0, 0), blur)


@pytest.mark.parametrize("scene", [(94, 3, 14, 2, 1.0), (178, 3, 13, 1, 1.2), (308, 5, 14, 2, 0.6)])
def test_places_that_cannot_be_decoded_hide_no_code(scene):
    gray = among_squares(*scene)
    told = zxingcpp.read_barcodes(gray, formats=QR, return_errors=True)
    assert not any(code.valid for code in told), "it hides nothing"
    assert [(code.text, code.stage) for code in read_codes(gray)] == [("hidden", PLAIN)]


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_a_code_on_a_bottle_is_unrolled(turn):
    text = "https://example.org/on-a-bottle"
    picture = on_table(np.rot90(rolled(qr(text, error="l", version=4)), turn))
    assert not zxingcpp.read_barcodes(picture, formats=QR), "too easy"
    (code,) = read_codes(picture)
    assert (code.text, code.stage) == (text, BENT)
    middle = np.mean(code.corners, axis=0)
    assert np.abs(middle - (300 + 129, 200 + 129)).max() < 60


def test_a_place_that_failed_is_looked_at_closer():
    rng = np.random.default_rng(3)
    picture = on_table(qr("closer", scale=5, error="m"))
    blurred = cv2.GaussianBlur(picture, (0, 0), 3.0)
    noisy = np.clip(blurred + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)
    assert not zxingcpp.read_barcodes(noisy, formats=QR), "too easy"
    assert [(code.text, code.stage) for code in read_codes(noisy)] == [("closer", UPRIGHT)]


@pytest.mark.parametrize("clear", [0, 2])
def test_codes_of_which_only_the_texture_is_seen_are_enlarged(clear):
    rng = np.random.default_rng(1)
    picture = np.full((600, 1000), 200, np.uint8)
    for number in range(4):
        image = qr(f"small {number}", scale=2, error="m")
        picture[450 : 450 + image.shape[0], 100 + 200 * number :][:, : image.shape[1]] = image
    picture = cv2.GaussianBlur(picture, (0, 0), 1.2)
    for number in range(clear):
        image = qr(f"clear {number}", scale=5)
        picture[100 : 100 + image.shape[0], 100 + 300 * number :][:, : image.shape[1]] = image
    picture = np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    assert len(zxingcpp.read_barcodes(picture, formats=QR)) == clear, "too easy"
    found = {code.text: code for code in read_codes(picture)}
    small = [found[f"small {number}"] for number in range(4)]
    assert {code.stage for code in small} == {ENLARGED}
    middles = np.array([np.mean(code.corners, axis=0) for code in small])
    assert np.abs(middles - [(100 + 29 + 200 * number, 450 + 29) for number in range(4)]).max() < 2


def test_texture_outside_of_what_was_read_is_looked_at_largest_first():
    picture = np.full((480, 640), 128, np.uint8)
    chequers = np.kron(np.indices((100, 100)).sum(axis=0) % 2, np.ones((2, 2))).astype(np.uint8) * 200
    for left, top, side in ((32, 32, 128), (320, 32, 64), (320, 256, 192)):
        picture[top : top + side, left : left + side] = chequers[:side, :side]
    boxes = fine_places(picture, [], 3)
    assert [left for left, _, _, _ in boxes] == [304, 16, 304]
    assert [top for _, top, _, _ in boxes] == [240, 16, 16]
    read = ((320.0, 256.0), (512.0, 256.0), (512.0, 448.0), (320.0, 448.0))
    assert fine_places(picture, [read], 3) == boxes[1:]
    assert fine_places(picture, [read], 1) == boxes[1:2]
    assert fine_places(np.full((480, 640), 128, np.uint8), [], 3) == []


def test_an_explained_picture_is_read_once(monkeypatch):
    passes = []
    scan = photo_reader._scan
    monkeypatch.setattr(photo_reader, "_scan", lambda *a, **k: (passes.append(a[1]), scan(*a, **k))[1])
    assert [code.stage for code in read_codes(on_table(qr("once")))] == [PLAIN]
    assert passes == [PLAIN]


def test_corners_go_round_from_the_codes_own_upper_left():
    image = qr("corners", quiet=4)
    inner = image.shape[0] - 48
    for turns in range(4):
        (code,) = read_codes(on_table(np.rot90(image, turns)))
        square = np.array([(324, 224), (324 + inner, 224), (324 + inner, 224 + inner), (324, 224 + inner)])
        assert np.abs(np.array(code.corners) - np.roll(square, -((4 - turns) % 4), axis=0)).max() < 3


@pytest.mark.parametrize(
    ("content", "options", "text"),
    [
        (b"\xff\xfe\x00\x80", {}, "\ufffd\ufffd\x00\ufffd"),
        (b"\x00" * 12, {}, "\x00" * 12),
        (b"\x1b[2J\x1b]0;owned\x07", {}, "\x1b[2J\x1b]0;owned\x07"),
        ("<NUL><ESC>", {}, "<NUL><ESC>"),
        ("BEGIN:VCARD\r\nN:Rose\r\nEND:VCARD", {}, "BEGIN:VCARD\r\nN:Rose\r\nEND:VCARD"),
        ("\u202egnirts\u2066", {}, "\u202egnirts\u2066"),
        ("Grüße", {"encoding": "iso-8859-1"}, "Grüße"),
        ("Grüße", {"encoding": "utf-8"}, "Grüße"),
        ("点と線", {"encoding": "shift-jis"}, "点と線"),
        # zxing-cpp by itself takes this for Shift-JIS.
        ("らが", {"encoding": "utf-8"}, "らが"),
        ("Привет", {"encoding": "iso-8859-5", "eci": True}, "Привет"),
        # Valid UTF-8, all of it, if it were not for what the code says.
        ("AB", {"encoding": "utf-16-be", "eci": True}, "AB"),
        ("x" * 2900, {"error": "l"}, "x" * 2900),
        ("SP1H07C\n", {}, "SP1H07C\n"),
        ("sp1h07c", {}, "sp1h07c"),
    ],
)
def test_foreign_payloads_are_text_and_never_ours(content, options, text):
    picture = qr(content, scale=5, **options)
    (code,) = read_codes(picture)
    assert code.payload is None
    assert code.text == text
    assert escaped(code.text).isprintable()


@pytest.mark.parametrize(
    ("raw", "number", "text"),
    [
        (b"ab\xff\xfecd", 26, "ab\ufffd\ufffdcd"),
        (b"\xc3\xbc", 26, "ü"),
        (b"\xc3\xbc", 3, "Ã¼"),
        (b"\xed\xa0\x80x", 26, "\ufffdx"),
        (b"\xbf\xe0\x1b", 7, "Пр\x1b"),
    ],
)
def test_bytes_are_read_in_the_character_set_that_the_code_names(raw, number, text, monkeypatch):
    monkeypatch.setattr("segno.encoder.get_eci_assignment_number", lambda _: number)
    (code,) = read_codes(qr(raw.decode("latin-1"), encoding="latin1", eci=True, scale=4))
    assert code.text == text


@given(st.binary(min_size=1, max_size=200))
@settings(max_examples=25)
def test_any_bytes_in_a_code_are_survived(raw):
    for code in read_codes(qr(raw, scale=3)):
        assert code.payload is None or code.payload.encode() == raw
        assert escaped(code.text).isprintable()
        code.text.encode()  # no half of a pair that no terminal takes


def test_micro_codes_are_not_read():
    modules = 255 * (1 - np.array([list(row) for row in segno.make_micro("9038").matrix], np.uint8))
    picture = on_table(np.pad(np.kron(modules, np.ones((8, 8), np.uint8)), 32, constant_values=255))
    assert zxingcpp.read_barcodes(picture, formats=QR), "zxing-cpp counts them among QR codes"
    assert read_codes(picture) == ()


def test_markers_of_all_sizes_are_found_once():
    picture = np.full((1500, 2000), 150, np.uint8)
    places = [
        (32, 100, 100),
        (32, 440, 455),
        (60, 900, 900),
        (80, 435, 900),
        (120, 1500, 300),
        (400, 1400, 800),
    ]
    for number, (side, x, y) in enumerate(places):
        image = marker(number, side, margin=1)
        picture[y : y + image.shape[0], x : x + image.shape[1]] = image
    found = {one.id: one.corners[0] for one in read_picture(picture).markers}
    assert len(read_picture(picture).markers) == len(places)
    for number, (side, x, y) in enumerate(places):
        assert found[number] == pytest.approx((x + side / 8, y + side / 8), abs=max(2.0, side / 100))


def test_a_picture_full_of_squares_is_not_read_to_its_end(monkeypatch):
    looked = []
    monkeypatch.setattr(photo_reader, "find_markers", lambda gray, *a, **k: (looked.append(gray.shape), [])[1])
    ring = np.pad(np.pad(np.zeros((12, 12), np.uint8), 4, constant_values=255), 4)
    picture = np.tile(np.pad(ring, 4, constant_values=255), (40, 40))
    calm = np.full(picture.shape, 90, np.uint8)
    for one in (picture, calm):
        one[200:280, 200:280] = marker(9, 64, margin=1)
    assert read_picture(picture).markers == ()
    assert len(looked) < 9
    looked.clear()
    read_picture(calm)
    assert len(looked) >= 9


def test_markers_beside_a_large_foreign_code_are_searched_only_if_asked():
    code = 255 * (1 - np.array([list(row) for row in segno.make_qr("hello there").matrix], np.uint8))
    picture = np.full((600, 900), 150, np.uint8)
    picture[300:380, 600:680] = marker(9, 64, margin=1)
    small = np.pad(np.kron(code, np.ones((6, 6), np.uint8)), 30, constant_values=255)
    picture[100 : 100 + len(small), 100 : 100 + len(small)] = small
    assert [one.id for one in read_picture(picture).markers] == [9], "it may be a mark on the same sheet"
    picture[:, :560] = 150
    foreign = np.pad(np.kron(code, np.ones((18, 18), np.uint8)), 30, constant_values=255)
    picture[20 : 20 + len(foreign), 20 : 20 + len(foreign)] = foreign
    assert read_picture(picture).markers == ()
    with SecondOpinion(limit_s=5.0) as second:
        found = read_picture(picture, second)
    assert [one.id for one in found.markers] == [9]
    assert [code.text for code in found.codes] == ["hello there"]
    picture[20 : 20 + len(foreign), 20 : 20 + len(foreign)] = 150
    assert [one.id for one in read_picture(picture).markers] == [9]


@pytest.mark.parametrize("turn", range(0, 360, 40))
def test_a_quick_look_sees_a_marker_however_it_lies(turn):
    picture = np.full((700, 700), 120, np.uint8)
    assert not shows_marker(picture)
    picture[310:390, 310:390] = marker(100 + turn // 40, 64, margin=1)
    turned = cv2.warpAffine(
        picture, cv2.getRotationMatrix2D((350, 350), turn, 1.0), (700, 700), borderValue=120
    )
    soft = np.asarray(cv2.GaussianBlur(turned, (0, 0), 1.5), np.uint8)
    assert shows_marker(soft)
    soft[310:390, 310:390] = np.asarray(cv2.GaussianBlur(soft, (0, 0), 20.0), np.uint8)[310:390, 310:390]
    assert not shows_marker(soft)


def test_beside_a_large_code_the_quick_look_takes_a_small_picture(monkeypatch):
    whole, looked = cv2.adaptiveThreshold, []
    monkeypatch.setattr(
        cv2, "adaptiveThreshold", lambda gray, *a: (looked.append(gray.size), whole(gray, *a))[1]
    )
    picture = on_table(qr("hello there", scale=8))
    codes = read_codes(picture)
    assert not shows_marker(picture, codes)
    picture[300:360, 700:760] = marker(9, 48, margin=1)
    assert shows_marker(picture, codes), "a quarter of the code's side"
    assert max(looked) < picture.size / 3


@pytest.mark.parametrize("shape", [(1, 1), (3, 900), (900, 3), (12, 12), (23, 23), (64, 64)])
def test_tiny_pictures_hold_nothing(shape):
    for value in (0, 255):
        found = read_picture(np.full(shape, value, np.uint8))
        assert (found.codes, found.markers) == ((), ())


# ---------------------------------------------------------------------- the second opinion


@pytest.fixture
def zbar():
    pytest.importorskip("pyzbar.pyzbar")
    with SecondOpinion(limit_s=60.0) as second:
        yield second


def test_the_second_decoder_reads_in_its_own_process_and_survives_its_death(zbar):
    picture = on_table(sticker("SP1H07C", 200))
    assert [opinion.raw for opinion in zbar.read(picture)] == [b"SP1H07C"]
    os.kill(zbar._child.pid, signal.SIGKILL)
    assert zbar.read(picture) == []
    assert [opinion.raw for opinion in zbar.read(picture)] == [b"SP1H07C"]


def test_the_second_decoder_runs_nothing_of_the_folder_with_the_pictures(zbar, tmp_path, monkeypatch):
    for name in ("numpy", "json", "pyzbar", "companion"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\nraise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    assert [opinion.raw for opinion in zbar.read(on_table(sticker("SP1H07C", 200)))] == [b"SP1H07C"]
    assert not (tmp_path / "ran").exists()


def test_a_second_decoder_that_hangs_is_ended():
    pytest.importorskip("pyzbar.pyzbar")
    with SecondOpinion(limit_s=5.0) as second:
        picture = on_table(sticker("SP1H07C", 200))
        second.read(picture)
        second._limit_s = 0.2
        os.kill(second._child.pid, signal.SIGSTOP)
        assert second.read(picture) == []
        assert second._child is None


def test_a_second_decoder_that_never_works_is_not_asked_for_ever(monkeypatch):
    monkeypatch.setattr("vision.codes.zbar_process.sys.executable", "/nonexistent/python")
    starts = []
    start = SecondOpinion._start
    monkeypatch.setattr(SecondOpinion, "_start", lambda self: (starts.append(1), start(self))[1])
    second = SecondOpinion()
    for _ in range(6):
        assert second.read(np.zeros((40, 40), np.uint8)) == []
    assert len(starts) == 3


def test_the_second_opinion_is_asked_last_and_believed_in_ascii_only(monkeypatch):
    class Zbar:
        def __init__(self, raw):
            self.raw = raw
            self.asked = 0

        def read(self, gray):
            from vision.codes.zbar_process import Opinion

            self.asked += 1
            return [Opinion(self.raw, ((10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0)))]

    explained, blank = Zbar(b"no"), Zbar(b"SP1W3")
    read_codes(on_table(qr("once")), explained)
    assert explained.asked == 0
    (code,) = read_codes(np.full((300, 300), 128, np.uint8), blank)
    assert (code.text, code.payload, code.stage) == ("SP1W3", "SP1W3", SECOND)
    assert read_codes(np.full((300, 300), 128, np.uint8), Zbar("Grüße".encode())) == ()
