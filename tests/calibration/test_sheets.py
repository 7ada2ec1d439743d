"""Printed sheets as drawn: what is where in millimetres, sizes, distances, and the command."""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera_height import camera_height, height_across, lens_heights
from calibration.sheets import sheet_shapes
from calibration.sheets.cover_sheet import COVER
from calibration.sheets.lens_sheet import lens_sheet
from calibration.sheets.mat_alone import ROLL_MM, banner_sheet, corner_sheet
from calibration.sheets.mat_sheets import NAME_PT, mat_sheets
from calibration.sheets.mat_tiling import OVERLAP_MM, tile
from calibration.sheets.pdf_writer import pdf_bytes
from calibration.sheets.print_sizes import CAMERAS, EDGE_MM, PAPERS, SLACK, STICKER_PX, Camera, Sizes
from calibration.sheets.sheet_set import MATS, PARTS, make_book
from calibration.sheets.sheet_shapes import (
    Line,
    Sheet,
    Symbol,
    Words,
    fitted,
    marker_at,
    sticker_at,
    wrapped,
)
from calibration.sheets.symbol_distance import nearest
from companion.commands import sheets as command
from companion.core.errors import BadInputError
from companion.core.files import write_new
from companion.core.language import ENGLISH, LANGUAGES, PSEUDO, speaking
from companion.games.registry import GAME_NAMES, load_cards, load_game, load_mat, mats_by_marker
from companion.games.sleepless_princess.rules.card_kinds import PAYLOAD_PREFIX
from tests.golden.make_sheets import BOOKS, GAME, TAGS, book, contents, path_of, tags, tags_file, tags_of
from tests.support.refusals import check_refused
from vision.codes.sticker_set import STICKER_MODULES, Tags
from vision.mat_geometry import Mat, MatMarker, Zone

HOME = ("a4", "letter")
EVERY = [(variant, paper, camera) for variant in GAME.variants for paper in HOME for camera in CAMERAS]


@pytest.mark.parametrize(("variant", "paper", "camera"), BOOKS)
def test_what_is_on_which_sheet_has_not_changed(variant: str, paper: str, camera: str) -> None:
    written = path_of(variant, paper, camera).read_text(encoding="utf-8")
    assert contents(book(variant, paper, camera)).splitlines() == written.splitlines()


def test_stickers_printed_once_are_read_for_ever() -> None:
    """Payloads, marker ids and the very modules; a new table needs a new version in its prefix."""
    written = TAGS.read_text(encoding="utf-8").splitlines()
    assert tags().splitlines() == written
    assert all(line.split()[1].startswith(PAYLOAD_PREFIX) for line in written if line[0] in "HBWM")


def test_variants_share_their_cards() -> None:
    known = Tags.of(GAME.cards("basic"))
    fewer = Tags.of(GAME.cards("5+"))
    assert fewer.payloads.items() < known.payloads.items()
    assert fewer.markers.items() < known.markers.items()
    assert not {corner.id for corner in GAME.mat("basic").markers} & known.markers.keys()


@pytest.mark.parametrize(("variant", "paper", "camera"), EVERY)
def test_every_card_is_printed_inside_the_margins_and_clear_of_lines(
    variant: str, paper: str, camera: str
) -> None:
    made = book(variant, paper, camera)
    codes = [symbol.code for sheet in made.sheets for symbol in sheet.symbols]
    wanted = [card.code for card in GAME.cards(variant)] + ["G"] * GAME.cards(variant)[-1].code.count("G")
    assert sorted(codes) == sorted(wanted + [f"mat {corner.id}" for corner in GAME.mat(variant).markers])
    for sheet in made.sheets:
        assert sorted((sheet.w, sheet.h)) == [PAPERS[paper].w, PAPERS[paper].h]
        for shape in sheet.shapes:
            left, top, right, bottom = shape.box
            assert left >= EDGE_MM - 1e-6
            assert top >= EDGE_MM - 1e-6
            assert right <= sheet.w - EDGE_MM + 1e-6, (sheet.name, shape)
            assert bottom <= sheet.h - EDGE_MM + 1e-6, (sheet.name, shape)
        for symbol in sheet.symbols:
            others = [shape for shape in sheet.shapes if shape is not symbol]
            assert not [shape for shape in others if touch(shape.box, symbol.box)], (sheet.name, symbol.code)


def touch(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize(("variant", "paper", "camera"), BOOKS)
def test_names_do_not_run_into_each_other_and_every_sticker_has_its_own(
    variant: str, paper: str, camera: str
) -> None:
    names = {card.code: card.name for card in GAME.cards(variant)}
    for sheet in book(variant, paper, camera).sheets:
        words = [shape for shape in sheet.shapes if isinstance(shape, Words)]
        assert not [(a.text, b.text) for a, b in combinations(words, 2) if touch(a.box, b.box)]
        for symbol in (s for s in sheet.symbols if s.code in names):
            below = [w for w in words if 0 < w.y - symbol.box[3] < 10 and w.box[0] < symbol.box[2]]
            mine = [w for w in below if abs((w.box[0] + w.box[2]) / 2 - symbol.x - symbol.side / 2) < 0.1]
            assert " ".join(w.text for w in mine) == f"{symbol.code} {names[symbol.code]}"


def test_sides_of_a_tile_are_neighbours_in_a_row() -> None:
    for camera in CAMERAS:
        for sheet in book("basic", "letter", camera).sheets:
            if sheet.name.startswith("tiles"):
                pairs = list(zip(sheet.symbols[::2], sheet.symbols[1::2], strict=True))
                assert all(a.y == b.y and a.x < b.x and a.code[:-1] == b.code[:-1] for a, b in pairs)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_sheet_has_a_ruler_of_100_mm(paper: str) -> None:
    for sheet in book("basic", paper, "1080p").sheets:
        level = [s for s in sheet.shapes if isinstance(s, Line) and s.y0 == s.y1 and s.y0 > sheet.h - 12]
        assert [round(line.x1 - line.x0, 9) for line in level] == [100.0]
        assert any("100 mm" in s.text for s in sheet.shapes if isinstance(s, Words))


def test_the_closest_stickers_are_named_at_the_foot() -> None:
    made = book("basic", "a4", "1080p")
    apart = made.stickers_apart
    assert apart is not None
    assert (apart.distance, apart.modules, {apart.first, apart.second}) == (56, 441, {"H01B", "H08B"})
    assert made.markers_apart is not None
    assert made.markers_apart.distance >= 12
    says = [s.text for s in made.sheets[1].shapes if isinstance(s, Words)]
    assert "Closest of all: H01B and H08B, 56 of 441 modules differ." in says


def test_sizes_for_the_three_cameras() -> None:
    sizes = {name: Sizes.seen_at(camera.px_per_mm(960)) for name, camera in CAMERAS.items()}
    assert {name: (s.sticker, s.tile, s.token) for name, s in sizes.items()} == {
        "1080p": (20, 36, 30),
        "4k": (15, 20, 20),
        "pi3": (15, 20, 20),
    }


@given(st.floats(0.5, 20))
def test_a_sticker_has_pixels_enough_or_fills_its_place(px_per_mm: float) -> None:
    sizes = Sizes.seen_at(px_per_mm)
    assert 15 <= sizes.sticker <= 30
    assert 20 <= sizes.token <= 30 <= 36
    if sizes.sticker < 30:
        assert sizes.sticker * px_per_mm / STICKER_MODULES >= STICKER_PX * SLACK - 1e-3
    if sizes.sticker > 15:
        assert (sizes.sticker - 1) * px_per_mm / STICKER_MODULES < STICKER_PX * SLACK + 1e-3


@given(st.floats(150, 2000), st.floats(150, 1500), st.sampled_from(sorted(PAPERS)))
def test_parts_of_a_mat_cover_it_once(w: float, h: float, paper: str) -> None:
    tiling = tile(Mat("any", w, h, (), ()), PAPERS[paper])
    assert len(tiling.parts) == tiling.rows * tiling.columns
    assert sum((p.stays[2] - p.stays[0]) * (p.stays[3] - p.stays[1]) for p in tiling.parts) == pytest.approx(
        w * h
    )
    assert not [1 for a, b in combinations(tiling.parts, 2) if deep(a.stays, b.stays)]
    for part in tiling.parts:
        left, top, right, bottom = part.box
        assert left >= 0
        assert top >= 0
        assert right <= w + 1e-6
        assert bottom <= h + 1e-6
        assert part.left + right - left <= tiling.w - EDGE_MM
        assert (right - part.stays[2], bottom - part.stays[3]) == pytest.approx(
            (OVERLAP_MM * part.right, OVERLAP_MM * part.below)
        )


def deep(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return touch(a, (b[0] + 1e-6, b[1] + 1e-6, b[2] - 1e-6, b[3] - 1e-6))


def test_the_mat_takes_twelve_sheets_and_names_every_zone_once() -> None:
    mat = GAME.mat("basic")
    counts = {"a4": 12, "letter": 12, "a3": 8, "a2": 3, "a1": 2}
    every = {name: mat_sheets(mat, paper, "") for name, paper in PAPERS.items()}
    assert {name: len(sheets) for name, sheets in every.items()} == counts
    for sheets in [*every.values(), [banner_sheet(mat, "")]]:
        names = [s.text for sheet in sheets for s in sheet.shapes if isinstance(s, Words) and s.size == NAME_PT]
        assert sorted(names) == sorted(zone.name for zone in mat.zones)


def test_a_banner_fits_a_plotters_roll_and_shows_the_mat_at_full_size() -> None:
    for name in GAME_NAMES:
        mat = load_mat(name)
        sheet = banner_sheet(mat, "")
        assert sheet.h <= ROLL_MM
        found = {symbol.tag: symbol for symbol in sheet.symbols}
        shift = found[mat.markers[0].id].x - mat.markers[0].x
        for one in mat.markers:
            symbol = found[one.id]
            assert symbol.black_side == pytest.approx(one.side)
            assert (symbol.x - one.x, symbol.y - one.y) == pytest.approx((shift, shift))
        assert all(shape.box[0] >= EDGE_MM and shape.box[3] <= sheet.h - EDGE_MM for shape in sheet.shapes)


def test_corner_pieces_laid_edge_to_edge_are_the_corners_of_the_mat() -> None:
    mat = GAME.mat("basic")
    sheet = corner_sheet(mat, PAPERS["a4"], "")
    assert {symbol.tag for symbol in sheet.symbols} == {one.id for one in mat.markers}
    cuts = [shape for shape in sheet.shapes if isinstance(shape, Line) and shape.dashed]
    for symbol, one in ((s, m) for s in sheet.symbols for m in mat.markers if m.id == s.tag):
        x, y = symbol.x + symbol.side / 2, symbol.y + symbol.side / 2
        edge = min(one.x, mat.w - one.x)
        mine = [line for line in cuts if abs(line.x0 - x) <= edge + 0.01 and abs(line.y0 - y) <= edge + 0.01]
        assert len(mine) == 4
        assert {round(abs(line.x0 - x), 6) for line in mine} == {edge}
    words = " ".join(s.text for s in sheet.shapes if isinstance(s, Words))
    assert "960 mm" in words
    assert "540 mm" in words


def test_a_webcam_of_sixty_degrees_needs_87_cm_over_this_mat() -> None:
    mat = GAME.mat("basic")
    assert {row.across_deg: row.cm for row in lens_heights(mat)}[60] == 87
    assert height_across(mat, 90) == pytest.approx(1.05 * 960 / 2)
    for row in lens_heights(mat):
        assert camera_height(mat, row.diagonal_deg) / 10 == pytest.approx(row.cm, abs=1.5)


def test_the_cover_names_every_place_and_every_step() -> None:
    for paper in HOME:
        for name in GAME_NAMES:
            mat = load_mat(name)
            cards = load_cards(name)
            made = make_book("A title", cards, mat, PAPERS[paper], CAMERAS["1080p"])
            words = [s.text for s in made.sheets[0].shapes if isinstance(s, Words)]
            assert {zone.name for zone in mat.zones} <= set(words)
            assert "87 cm" in words
            assert any("Mat: 12 sheets" in text for text in words)
            assert not made.sheets[0].symbols


@pytest.mark.parametrize("code", sorted(set(LANGUAGES) - {ENGLISH}))
def test_the_sheets_of_every_game_are_in_the_readers_language_and_have_room_for_it(code: str) -> None:
    for game in GAME_NAMES:
        rules = load_game(game)
        cards, mat = load_cards(game), load_mat(game)
        for paper in HOME:
            for mat_as in MATS:
                with speaking(code):
                    made = make_book(
                        f"{rules.name} (basic)",
                        cards,
                        mat,
                        PAPERS[paper],
                        CAMERAS["pi3"],
                        (COVER, "mat"),
                        mat_as,
                    )
                for sheet in made.sheets:
                    for words in (shape for shape in sheet.shapes if isinstance(shape, Words)):
                        assert words.box[2] <= sheet.w - EDGE_MM + 1e-6, words
                        assert words.size >= 4.5, words


def test_no_words_on_a_sheet_escape_the_catalogues(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the invented language no letter is left as it was, but in codes and measures."""
    monkeypatch.setattr(sheet_shapes, "_printed", lambda words: words)
    # The font has none of these letters, and so no widths.
    monkeypatch.setattr(sheet_shapes, "stringWidth", lambda words, _font, size: 0.4 * len(words) * size)
    plain = re.compile(r"[A-Z]{1,2}\d*[A-Z]?|[0-9.,:x]+|mm|cm|\W+|")
    for game in GAME_NAMES:
        with speaking(PSEUDO):
            made = [
                make_book(
                    "", load_cards(game), load_mat(game), PAPERS["a4"], Camera("0", 4000), PARTS, one
                ).sheets
                for one in MATS
            ]
            made.append((lens_sheet(PAPERS["a4"]),))
        said = {s.text for sheets in made for sheet in sheets for s in sheet.shapes if isinstance(s, Words)}
        words = {word for line in said for word in re.split(r"[\s()+°*,]+", line)}
        assert not {word for word in words if not plain.fullmatch(word) and word.isascii()}


def test_words_are_printed_in_letters_that_the_font_has() -> None:
    said = Words("à 100\u202f%\u202f: l’été, Łódź 猫", 10.0, 10.0, 9.0)
    assert said.drawn == "à 100\u00a0%\u00a0: l’été, ?ódz ?"


def test_a_zone_too_small_for_its_name_is_refused() -> None:
    mat = Mat("any", 200, 100, (MatMarker(1, 30, 30, 20),), (Zone("a very long name", 60, 10, 15, 15),))
    with pytest.raises(ValueError, match="a very long name"):
        mat_sheets(mat, PAPERS["a4"], "")


def turned(symbol: Symbol, quarters: int) -> Symbol:
    modules = symbol.modules
    for _ in range(quarters):
        modules = tuple(zip(*modules, strict=True))[::-1]
    return Symbol(f"turned {quarters}", symbol.tag, 0, 0, symbol.side, modules, symbol.quiet)


def test_the_distance_counts_modules_over_all_turns() -> None:
    one, other, third = (sticker_at(code, f"SP1{code}", 0, 0, 30) for code in ("H01A", "H07C", "B2"))
    wanted = min(
        sum(
            p != q
            for a, b in zip(x.modules, turned(y, k).modules, strict=True)
            for p, q in zip(a, b, strict=True)
        )
        for x, y in combinations((one, other, third), 2)
        for k in range(4)
    )
    found = nearest([one, other, third])
    assert found is not None
    assert found.distance == wanted
    for quarters in range(1, 4):
        twin = nearest([one, third, turned(one, quarters)])
        assert twin is not None
        assert (twin.distance, {twin.first, twin.second}) == (0, {"H01A", f"turned {quarters}"})
    assert nearest([one]) is None
    assert nearest([one, one]) is None


def test_runs_cover_exactly_the_black_modules() -> None:
    for symbol in (sticker_at("a", "SP1H01A", 5, 7, 25), marker_at("b", 19, 5, 7, 36)):
        module = symbol.module
        black = {
            (round((y - 7) / module), round((x - 5) / module) + k)
            for x, y, w, h in symbol.runs()
            for k in range(round(w / module))
        }
        assert black == {
            (row, column) for row, line in enumerate(symbol.modules) for column, dark in enumerate(line) if dark
        }
    assert marker_at("b", 19, 0, 0, 36).black_side == pytest.approx(36)


def test_names_are_broken_and_shrunk_to_their_room() -> None:
    assert wrapped("enchanted Teddy Bear mattress", 6, 20) == ["enchanted Teddy", "Bear mattress"]
    assert wrapped("Donaudampfschifffahrt", 6, 5) == ["Donaudampfschifffahrt"]
    assert fitted("Donaudampfschifffahrt", 0, 0, 6, 10).width == pytest.approx(10)
    assert fitted("short", 0, 0, 6, 100).size == 6
    assert fitted("Königin 女王", 0, 0, 6, 100).drawn == "Königin ??"


def test_the_same_arguments_give_the_same_bytes() -> None:
    first = pdf_bytes(book("5+", "a4", "4k").sheets, "x")
    assert first == pdf_bytes(book("5+", "a4", "4k").sheets, "x")
    assert first.startswith(b"%PDF-")
    assert pdf_bytes([Sheet("none", 210, 297, ())], "x") != first


def run(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(command.sheets, [*arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    told: dict[str, object] = json.loads(result.stdout)
    return told


def test_the_command_writes_a_pdf_and_tells_what_is_in_it(tmp_path: Path) -> None:
    out = tmp_path / "all.pdf"
    told = run("--out", str(out), "--paper", "Letter")
    assert out.read_bytes() == pdf_bytes(
        book("basic", "letter", "1080p").sheets, "Sleepless Princess (basic): cover, stickers, tiles, mat"
    )
    assert (told["paper"], told["sticker_mm"], told["stickers"], told["markers"]) == ("letter", 20.0, 99, 26)
    sheets = told["sheets"]
    assert isinstance(sheets, list)
    assert sheets[1]["symbols"][0] == {
        "card": "H01A",
        "tag": "SP1H01A",
        "x_mm": 16.95,
        "y_mm": 7.1,
        "side_mm": 20.0,
    }


@pytest.mark.parametrize(
    ("only", "stickers", "markers"), [("stickers", 57, 0), ("tiles", 0, 20), ("mat", 0, 4)]
)
def test_one_part_alone(
    only: str, stickers: int, markers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("--only", only, "--variant", "5+")
    assert (told["stickers"], told["markers"]) == (stickers, markers)
    assert [path.name for path in tmp_path.iterdir()] == [f"sleepless-princess-5-plus-{only}-a4.pdf"]


def test_a_file_that_exists_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "mine.pdf"
    out.write_text("precious")
    with pytest.raises(BadInputError, match=r"exists already.*--force"):
        run("--only", "tiles", "--out", str(out))
    assert out.read_text() == "precious"
    run("--only", "tiles", "--out", str(out), "--force")
    assert out.read_bytes().startswith(b"%PDF-")


def test_a_full_disk_leaves_no_half_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "half.pdf"

    class Full:
        def __enter__(self) -> "Full":
            out.touch()
            return self

        def __exit__(self, *_: object) -> None: ...

        def write(self, _: bytes) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda *_: Full())
    with pytest.raises(BadInputError, match="No space left"):
        write_new(out, b"x", overwrite=False)
    monkeypatch.undo()
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--paper", "a5"], "'a5' is not one of 'a4', 'letter'"),
        (["--camera", "vga"], "'vga' is not one of"),
        (["--only", "cards"], "'cards' is not one of"),
        (["--game", "poker"], "no game is called 'poker'"),
        (["--variant", "expert"], "no variant 'expert'"),
        (["--only", "tiles", "--out", "/nowhere/sheets.pdf"], "/nowhere/sheets.pdf: No such file or directory"),
        (["--only", "tiles", "--out", "/tmp"], "/tmp: is a folder"),
        (["--only", "tiles", "--out", "/tmp", "--force"], "/tmp: is a folder"),
        (["--only", "tiles", "--out", "x" * 300], "a name of 300 letters is too long"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    check_refused(["sheets", *arguments], says, monkeypatch, capfd)


def test_names_of_papers_cameras_and_parts_are_those_that_exist() -> None:
    assert tuple(PAPERS) == command.PAPER_NAMES
    assert tuple(CAMERAS) == command.CAMERA_NAMES
    for part in command.PART_NAMES:
        assert make_book("5+", GAME.cards("5+"), GAME.mat("5+"), PAPERS["a4"], CAMERAS["4k"], (part,)).sheets


@pytest.mark.parametrize(("game", "count"), [("sleeping-queens", 79), ("sleeping-queens-2", 104)])
def test_other_games_have_a_mat_and_stickers_that_stay_as_they_are(
    game: str, count: int, tmp_path: Path
) -> None:
    assert tags_of(game) == tags_file(game).read_text(encoding="utf-8")
    out = tmp_path / "out.pdf"
    result = CliRunner().invoke(command.sheets, ["--game", game, "--out", str(out), "--json"])
    told = json.loads(result.stdout)
    assert (told["stickers"], told["markers"], told["sticker_mm"]) == (count, 4, 20.0)
    assert told["stickers_min_hamming"]["distance"] >= 50
    for wrong, says in ((["--only", "tiles"], "has no tiles"), (["--variant", "5+"], "no variant '5\\+'")):
        with pytest.raises(BadInputError, match=says):
            CliRunner().invoke(
                command.sheets,
                ["--game", game, "--out", str(out), *wrong],
                catch_exceptions=False,
                standalone_mode=False,
            )


@pytest.mark.parametrize("game", GAME_NAMES)
def test_zones_of_a_mat_lie_on_it_beside_each_other_and_off_its_markers(game: str) -> None:
    mat = load_mat(game)
    boxes = [(zone.x, zone.y, zone.x + zone.w, zone.y + zone.h) for zone in mat.zones]
    boxes += [(m.x - m.side / 2, m.y - m.side / 2, m.x + m.side / 2, m.y + m.side / 2) for m in mat.markers]
    for n, box in enumerate(boxes):
        assert min(box) >= 0
        assert box[2] <= mat.w
        assert box[3] <= mat.h
        assert not any(deep(box, other) for other in boxes[:n])
    assert len({zone.name for zone in mat.zones}) == len(mat.zones)
    for paper in PAPERS.values():
        sheets = mat_sheets(mat, paper, "")
        names = [s.text for sheet in sheets for s in sheet.shapes if isinstance(s, Words) and s.size == NAME_PT]
        assert sorted(names) == sorted(zone.name for zone in mat.zones)


def test_every_mat_has_markers_of_its_own_and_the_first_game_those_of_old_prints() -> None:
    mats = [load_mat(name) for name in GAME_NAMES]
    ids = [corner.id for mat in mats for corner in mat.markers]
    tiles = {card.marker for name in GAME_NAMES for card in load_cards(name)}
    assert len(set(ids)) == len(ids) == 4 * len(mats)
    assert not tiles & set(ids)
    assert [corner.id for corner in mats[0].markers] == [240, 241, 242, 243]
    assert mats_by_marker() == {corner.id: mat.name for mat in mats for corner in mat.markers}


def test_no_sticker_of_one_game_is_like_one_of_another() -> None:
    cards = [card for name in GAME_NAMES for card in load_cards(name)]
    payloads = [card.payload for card in cards if card.payload]
    assert len(set(payloads)) == len(payloads)
    symbols = [sticker_at(payload, payload, 0, 0, 25) for payload in payloads]
    apart = nearest(symbols)
    assert apart is not None
    assert apart.distance >= 50
