"""The bench's renderer obeys optics, its strangers are strangers, and its tallies count what they say."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadInputError
from tests.benchmarks import vision_bench, vision_costs
from tests.benchmarks.cheap_optics import TYPICAL, Optics, exposed, seen_by_lens, spread
from tests.benchmarks.cli import bench
from tests.benchmarks.hostile_stickers import HostileTable, HostileTally, hostile_stickers
from tests.benchmarks.sticker_troubles import TROUBLES, Spot
from tests.benchmarks.vision_photos import KINDS, made_photo, made_photos, photos_in
from tests.benchmarks.vision_prints import damaged, printed, qr_modules, stranger
from tests.benchmarks.vision_readers import Sighted, TableReader, ZxingReader, ZxingTriesReader
from tests.benchmarks.vision_scenes import SCENES, Scene, cards_of, grey, run_scene, tags_of
from tests.benchmarks.vision_steps import cascade_steps
from tests.benchmarks.vision_table import OURS, STRANGER, CameraView, Lying, Table, bench_mat, dealt, lay, table
from tests.benchmarks.vision_tally import ReaderTally, judged, whole
from vision.codes.code_reader import find_markers

SMALL = Scene("small", 30, 960, 540, 0.96, dots_mm=12)
"""Half the size with stickers twice as large: the same pixels, a quarter of the work."""
CALM = Optics(blur=0.5, corner_blur=0.5, defocus=0, full_well=1e9, read_noise=0, vignetting=0, veil=0, jpeg=0)


def chance(seed=1):
    return np.random.default_rng(seed)


@given(st.floats(0.4, 2.5), st.floats(0, 3), st.sampled_from([0.0, 2.0, 5.0]), st.sampled_from([0, np.pi / 2]))
@settings(max_examples=30)
def test_a_point_spreads_as_far_as_lens_focus_and_motion_say(sigma, defocus, motion, direction):
    kernel = spread(sigma, defocus, motion, direction)
    assert kernel.sum() == pytest.approx(1, abs=1e-4)
    at = np.arange(len(kernel)) - len(kernel) // 2
    along, across = (kernel * at[None] ** 2).sum(), (kernel * at[:, None] ** 2).sum()
    if direction:
        along, across = across, along
    # Variances add: Gaussian sigma^2, disc r^2 / 4, pixel 1 / 12; a capsule lies between disc and line.
    least = sigma**2 + defocus**2 / 4
    assert across == pytest.approx(least + 1 / 12, rel=0.35, abs=0.15)
    assert along >= 0.7 * (least + motion**2 / 12)
    assert along >= across - 1e-3


def test_half_a_pixel_covered_is_half_as_bright():
    scene = np.zeros((20, 20), np.float32)
    # A white square of 5 px whose upper left corner is at (4.5, 4.5) in pixel edges.
    matrix = np.array([[0.5, 0, 4.25], [0, 0.5, 4.25], [0, 0, 1]])
    lay(scene, np.ones((10, 10), np.float32), matrix)
    assert scene.sum() == pytest.approx(25, rel=0.01)
    assert scene[6, 6] == pytest.approx(1)
    assert scene[4, 6] == pytest.approx(0.5, abs=0.02)
    assert scene[4, 4] == pytest.approx(0.25, abs=0.02)
    assert not scene[:4].any()


def test_light_is_lost_in_the_corners_and_noise_grows_with_the_root_of_light():
    flat = np.full((120, 160), 0.5, np.float32)
    shaded = seen_by_lens(flat, Optics(vignetting=0.4, veil=0), chance())
    assert shaded[60, 80] == pytest.approx(0.5, rel=0.01)
    assert shaded[0, 0] == pytest.approx(0.3, rel=0.03)
    few, many = Optics(full_well=1000, read_noise=0, jpeg=0), Optics(full_well=100_000, read_noise=0, jpeg=0)
    loud, quiet = (exposed(flat, optics, chance())[..., 1].std() for optics in (few, many))
    assert loud / quiet == pytest.approx(10, rel=0.35)
    assert exposed(flat, CALM, chance())[..., 1].std() < 1


def test_frames_are_the_same_for_the_same_seed_and_differ_from_exposure_to_exposure():
    flat = np.full((60, 80), 0.5, np.float32)
    rng = chance()
    first, second = exposed(flat, Optics(), rng), exposed(flat, Optics(), rng)
    assert (first == exposed(flat, Optics(), chance())).all()
    assert (first != second).any()
    one, other = (next(made_photos(1, 5)) for _ in range(2))
    assert (one.image == other.image).all()
    assert one.texts == other.texts


def decoded(paper):
    large = cv2.resize(paper, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    gray = np.clip(np.pad(large, 40, constant_values=0.8) * 255, 0, 255).astype(np.uint8)
    return {code.text for code in zxingcpp.read_barcodes(gray, formats=zxingcpp.BarcodeFormat.QRCode)}


def test_what_is_printed_can_be_read_and_damage_leaves_the_original_alone():
    paper = printed(qr_modules("SP1H07C", version=1, error="h"), 15, chance(), px_mm=12)
    assert decoded(paper) == {"SP1H07C"}
    before = paper.copy()
    assert (damaged(paper, chance()) != before).any()
    assert (paper == before).all()


@pytest.mark.parametrize("seed", range(24))
def test_strangers_are_none_of_ours(seed):
    known = tags_of(cards_of(SMALL)).payloads
    paper = printed(stranger(chance(seed), "SP1"), 15, chance(seed), px_mm=12)
    assert not decoded(paper) & set(known)


@pytest.mark.long
def test_a_scene_is_read_and_counted():
    ours, *stock = run_scene(SMALL, tables=1, reads=0, seed=3)
    result = ours.result()
    assert (result["scene"], result["reader"], result["wrong"]) == ("small", "companion", 0)
    assert result["shown"] == 5 * 45
    assert result["recall_frame"] > 0.9
    assert result["recall_1s"] > 0.9
    assert result["reads"] == ours.found + ours.found_1s
    assert {tally.reader for tally in stock} == {"zxing-cpp", "pyzbar", "opencv", "opencv-aruco-qr"}
    assert all(tally.found == 0 for tally in stock), "codes of 1.15 px a module cannot be decoded"


@pytest.mark.long
def test_what_a_step_does_not_read_is_told_by_taking_it_away():
    tallies = {tally.reader: tally for tally in cascade_steps(1, 3, [SMALL])}
    assert tallies["plain"].found == tallies["enlarged"].found == 0, "1.15 px a module"
    assert tallies["codebook"].found == tallies["without plain"].found == tallies["companion"].found
    assert tallies["codebook"].found > 0.9 * tallies["codebook"].shown


def test_a_bent_lens_shows_things_where_the_table_says():
    bent = CameraView(480, 270, 0.48, 6.0, 1.0, bend=-0.2)
    straight = replace(bent, bend=0.0)
    spots = np.array([(180.0, 140.0), (480.0, 270.0), (780.0, 430.0)])
    width, height = bent.field
    assert straight.field == (480, 270)
    for spot in spots:
        scene = np.zeros((height, width), np.float32)
        x, y = cv2.perspectiveTransform(spot[None, None], bent.matrix(960, 540))[0, 0]
        drawn = (round(8 * (x + (width - 480) / 2)), round(8 * (y + (height - 270) / 2)))
        cv2.circle(scene, drawn, 40, 1.0, -1, cv2.LINE_AA, 3)
        seen = np.maximum(bent.through_lens(scene), 0)
        rows, columns = np.mgrid[:270, :480]
        middle = np.array([(seen * columns).sum(), (seen * rows).sum()]) / seen.sum()
        assert np.abs(middle - bent.bent(np.array([(x, y)]))[0]).max() < 0.3
        assert np.allclose(straight.bent(np.array([(x, y)]))[0], (x, y))
    corner = np.array([[0.0, 0.0]])
    assert (bent.bent(corner) > 10).all()


def test_a_lens_that_bends_much_sees_cloth_beyond_the_table_and_each_corner_marker_once():
    rng = chance()
    view = CameraView(1920, 1080, 1.92, 4.0, 0.5, bend=-0.3)
    gray = grey(table([], view, CALM, rng).frame(CALM, rng))
    assert sorted(marker.id for marker in find_markers(gray, thorough=True)) == [240, 241, 242, 243]


def test_stickers_at_the_rim_of_a_bent_picture_are_read_because_it_is_flattened(monkeypatch):
    rng = chance(5)
    view = CameraView(1920, 1080, 1.92, 6.0, 0.5, bend=-0.3)
    lying = table(dealt(cards_of(SMALL), 15, rng, dots_mm=12), view, TYPICAL, rng)
    gray = grey(lying.frame(TYPICAL, rng))
    tags = frozenset(tags_of(cards_of(SMALL)).payloads)
    reader = TableReader(tags, 15)
    reader.watch(lying, gray)
    found, _, wrong = judged(lying, reader.read(gray), tags)
    assert (len(found), wrong) == (45, 0)
    monkeypatch.setattr("vision.mat.straight_views._EVEN", 9.0)
    assert len(judged(lying, reader.read(gray), tags)[0]) < 45


def test_a_card_that_is_not_there_counts_as_wrong():
    cards = cards_of(SMALL)
    known = frozenset(tags_of(cards).payloads)
    rng = chance()
    lying = table(dealt(cards, 30, rng, dots_mm=2), CameraView.at_random(480, 270, 0.48, rng), CALM, rng)
    assert whole(lying) == set(range(45))
    here, there = lying.lying[0], lying.lying[30]
    absent = next(iter(known - {one.tag for one in lying.lying}))
    x, y = lying.place(here)
    assert judged(lying, [Sighted(here.tag, x, y)], known) == ({0}, 1, 0)
    assert judged(lying, [Sighted(there.tag, x, y)], known) == (set(), 1, 1)
    assert judged(lying, [Sighted(absent, x, y)], known) == (set(), 1, 1)
    assert judged(lying, [Sighted("https://elsewhere.example", x, y)], known) == (set(), 0, 0)
    strange = dealt(cards, 30, chance(), ("stranger",), dots_mm=2)
    assert {one.tag for one in strange} == {""}
    assert OURS not in {one.kind for one in strange}


@pytest.mark.long
def test_every_kind_of_photograph_is_made_and_carries_its_texts():
    for number, kind in enumerate(KINDS):
        photo = made_photo(kind, chance(number))
        assert photo.image.dtype == np.uint8
        assert min(photo.image.shape[:2]) >= 480
        assert photo.texts
        assert all(photo.texts)


def test_a_camera_smooths_sharpens_and_shows_the_lamp_s_bands():
    flat = np.full((120, 160), 0.4, np.float32)
    flat[:, 80:] = 0.6
    noisy, smooth = (
        exposed(flat, replace(CALM, read_noise=60, full_well=4000, denoise=one), chance()) for one in (0, 60)
    )
    assert smooth[:, :70].std() < 0.7 * noisy[:, :70].std()
    plain, sharp = (exposed(flat, replace(CALM, sharpen=one), chance()) for one in (0.0, 1.0))
    assert int(sharp.max()) > int(plain.max()) + 5, "a halo beside the edge"
    rows = exposed(flat, replace(CALM, flicker=0.5), chance())[:, 40, 1].astype(int)
    assert np.ptp(rows) > 30


@pytest.mark.long
def test_photographs_of_a_folder_have_their_texts_beside_them(tmp_path):
    with pytest.raises(BadInputError, match="not a folder"):
        photos_in(tmp_path / "none")
    with pytest.raises(BadInputError, match="no picture"):
        photos_in(tmp_path)
    photo = made_photo("plain", chance(2))
    cv2.imwrite(str(tmp_path / "one.png"), photo.image)
    (tmp_path / "one.txt").write_text("\n".join(photo.texts) + "\n\n")
    (tmp_path / "two.png").write_bytes(b"no text beside")
    ((path, texts),) = photos_in(tmp_path)
    assert (path.name, texts) == ("one.png", photo.texts)
    result = CliRunner().invoke(
        bench, ["vision", "--scenes", "photographs", "--made", "2", "--photos", str(tmp_path), "--json"]
    )
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["bench"] == "vision"
    rows = {(row["scene"], row["reader"]): row for row in report["results"]}
    assert len(rows) == 16
    assert rows["photographs", "companion read"]["recall_frame"] == 1.0
    assert report["photo_rate"] == rows["photographs-made", "companion read"]["recall_frame"]
    assert report["photo_wrong"] == 0
    stock = rows["photographs-made", "zxing-cpp"]["recall_frame"]
    assert report["photo_gain"] == pytest.approx(report["photo_rate"] - stock, abs=2e-3)
    assert report["photo_gain_off"] == pytest.approx(report["photo_gain"] - 0.046, abs=2e-3)
    assert report["photo_rate_zxing_off"] == pytest.approx(stock - 0.784, abs=2e-3)
    assert report["photo_time_ratio"] > 0
    assert report["idle_frame_ms"] is None
    mine = rows["photographs", "companion"]
    assert (mine["recall_frame"], mine["wrong"], mine["reads"], mine["frames"]) == (1.0, 0, 1, 1)
    assert mine["recall_1s"] is None
    assert mine["ms_p95"] >= 0
    assert mine["cpu_ms_mean"] >= 0
    assert mine["read_by"] == {"plain": 1}
    assert "read_by" not in rows["photographs", "zxing-cpp"]
    assert (
        rows["photographs", "stock together"]["recall_frame"],
        rows["photographs", "stock together"]["reads"],
    ) == (
        1.0,
        1,
    )


def test_stock_readers_together_read_what_any_of_them_reads(monkeypatch):
    class One:
        def __init__(self, name, *tags):
            self.name, self.tags = name, tags

        def read(self, _):
            return [Sighted(tag, 0, 0) for tag in self.tags]

    stock = [One("a", "x", "x"), One("b", "x", "y", "wrong")]
    monkeypatch.setattr(vision_bench, "stock_readers", lambda: stock)
    monkeypatch.setattr(vision_bench, "PhotoReader", lambda: One("companion", "z"))
    monkeypatch.setattr(vision_bench, "ZxingTriesReader", lambda: One("tries"))
    rows = vision_bench.photographs("s", [(np.zeros((4, 4), np.uint8), ("x", "x", "y", "z"))])
    counts = {row.reader: (row.shown, row.found, row.reads, row.wrong) for row in rows}
    assert counts["companion"] == (4, 1, 1, 0)
    assert counts["b"] == (4, 2, 3, 1)
    assert counts["stock together"] == (4, 3, 4, 1)
    pictures = [(np.zeros((4, 4), np.uint8), ("x",))] * 3
    frames = {row.reader: row.frames for row in vision_bench.photographs("s", pictures, 2)}
    assert (frames["companion read"], frames["companion"], frames["stock together"]) == (3, 2, 2)


def test_second_tries_read_what_one_pass_does_not():
    rng = chance(3)
    gray = np.full((200, 200), 200, np.uint8)
    code = 255 - 255 * qr_modules("SECOND", 4, version=1, error="h").astype(np.uint8)
    gray[60:118, 60:118] = np.kron(code, np.ones((2, 2), np.uint8))
    gray = np.clip(cv2.GaussianBlur(gray, (0, 0), 0.95) + rng.normal(0, 1, gray.shape), 0, 255).astype(np.uint8)
    assert ZxingReader().read(gray) == []
    assert [seen.tag for seen in ZxingTriesReader().read(gray)] == ["SECOND"]


@pytest.mark.parametrize("name", TROUBLES)
def test_a_trouble_befalls_a_sticker_and_nothing_far_from_it(name):
    scene = np.full((200, 200), 0.4, np.float32)
    scene[70:130, 70:130] = printed(qr_modules("SP1H07C", version=1, error="h"), 5, chance(), px_mm=12)
    before = scene.copy()
    TROUBLES[name](scene, Spot(100, 100, 60), chance(3))
    changed = np.abs(scene - before) > 0.02
    assert changed[60:140, 60:140].any() == (name != "clean")
    if name not in ("veil", "bright spots"):
        assert changed.mean() < 0.6


def test_a_hostile_reading_is_right_only_with_the_sticker_that_lies_there():
    view = CameraView(480, 270, 0.48, 0, 0)
    nowhere = np.zeros((1, 1), np.float32)
    lying = tuple(
        Lying(kind, tag, x, 200.0, 0.0, 20.0, nowhere)
        for kind, tag, x in ((OURS, "A", 200.0), (OURS, "B", 400.0), (STRANGER, "", 600.0))
    )
    lain = Table(bench_mat(), view, view.matrix(960, 540), lying, nowhere)
    hostile = HostileTable(lain, "typical", TYPICAL, ("veil", "clean", "clean"))
    places = {one.tag: lain.place(one) for one in lying}
    tally = HostileTally(ReaderTally("s", "r"))
    right, wrong = Sighted("A", *places["A"]), Sighted("A", *places["B"])
    stranger_read, foreign = Sighted("B", *places[""]), Sighted("nobody's", *places["B"])
    beside = Sighted("A", places["A"][0] - 0.48 * 20, places["A"][1])
    tally.count(hostile, [right], [right, right, wrong, stranger_read, foreign, beside], frozenset("AB"))
    told = tally.told().result()
    assert (told["reads"], told["wrong"], told["recall_frame"], told["misplaced"]) == (4, 2, 0.5, 1)
    assert told["by_trouble"] == {"clean": [0, 1, 2], "veil": [1, 0, 0]}
    assert told["wrong_readings"] == [
        "table 1: A for B, clean, typical",
        "table 1: B for a stranger, clean, typical",
    ]


@pytest.mark.long
def test_hostile_stickers_are_read_or_left_and_not_taken_for_others():
    alone, live = hostile_stickers(20, reads=300, seed=8)
    assert (alone.wrong, live.wrong) == (0, 0)
    assert alone.reads + live.reads >= 300
    assert live.result()["recall_1s"] > 0.3


def test_an_unknown_scene_is_named():
    result = CliRunner().invoke(bench, ["vision", "--scenes", "nowhere"])
    assert result.exit_code == 2
    assert "nowhere" in result.stderr
    assert all(name in result.stderr for name in SCENES)


def test_nothing_measured_is_not_zero():
    empty = ReaderTally("s", "r").result()
    assert empty["recall_frame"] is empty["recall_1s"] is empty["ms_mean"] is None
    assert (empty["wrong"], empty["reads"]) == (0, 0)


@pytest.mark.long
def test_the_costs_of_watching_are_measured_with_decoding(monkeypatch):
    monkeypatch.setattr(vision_costs, "_ARM_FRAMES", 6)
    monkeypatch.setattr(vision_costs, "_PUTS", 1)
    monkeypatch.setattr(vision_costs, "_EXPOSURES", 2)
    monkeypatch.setattr(vision_costs, "_WARM_UP", 20)
    scenes = "idle-jpeg,one-card-jpeg,hands-jpeg,exposure-jpeg"
    result = CliRunner().invoke(bench, ["vision", "--scenes", scenes, "--frames", "10", "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    for name in ("idle_frame_ms", "one_card_ms", "hands_ms", "exposure_ms"):
        assert report[name] > 0
    assert report["stickers_rate"] is None
    rows = {row["scene"]: row for row in report["results"]}
    assert rows["one-card-jpeg"]["recall_frame"] == 1.0
    assert rows["hands-jpeg"]["wrong"] == rows["exposure-jpeg"]["wrong"] == 0
