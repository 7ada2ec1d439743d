"""Printed sheets as pictures: rendered by poppler, read back by the project's own reader, measured, glued."""

import math
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheets.evening_sheet import evening_sheet
from calibration.sheets.mat_alone import banner_sheet, corner_sheet
from calibration.sheets.mat_tiling import tile
from calibration.sheets.pdf_writer import pdf_bytes
from calibration.sheets.print_sizes import PAPERS, SLACK
from calibration.sheets.sheet_footer import RULER_MM
from calibration.sheets.sheet_set import Book
from calibration.sheets.sheet_shapes import Line, Sheet, Symbol
from tests.golden.make_sheets import GAME, book
from vision.codes.code_reader import Reading, read_region
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import Gray
from vision.mat.mat_finder import register
from vision.photos.photo_reader import read_picture

pytestmark = pytest.mark.skipif(
    shutil.which("pdftoppm") is None, reason="pdftoppm is not installed (sudo apt install poppler-utils)"
)

PX_MM = 6.0
Rendered = tuple[Book, list[Gray]]


def render(sheets: Sequence[Sheet], folder: Path, px_mm: float = PX_MM) -> list[Gray]:
    (folder / "book.pdf").write_bytes(pdf_bytes(sheets, "book"))
    subprocess.run(
        ["pdftoppm", "-r", str(px_mm * 25.4), "-gray", "book.pdf", "page"], cwd=folder, check=True, timeout=120
    )
    pages = [cv2.imread(str(file), cv2.IMREAD_GRAYSCALE) for file in sorted(folder.glob("page-*.pgm"))]
    assert len(pages) == len(sheets)
    return [np.asarray(page, np.uint8) for page in pages]


@pytest.fixture(scope="module")
def a4(tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    made = book("basic", "a4", "1080p")
    return made, render(made.sheets, tmp_path_factory.mktemp("a4"))


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    made = book("5+", "letter", "pi3")
    return made, render(made.sheets, tmp_path_factory.mktemp("letter"))


def read_at(found: Reading) -> list[tuple[str, float, float]]:
    """Everything read, with its place in mm."""
    everything = [(code.text, code.centre) for code in found.codes]
    everything += [(str(marker.id), marker.centre) for marker in found.markers]
    return sorted((tag, x / PX_MM, y / PX_MM) for tag, (x, y) in everything)


@pytest.mark.long
@pytest.mark.parametrize("name", ["a4", "letter"])
def test_every_symbol_of_every_sheet_is_read_where_it_should_be(
    name: str, request: pytest.FixtureRequest
) -> None:
    made, pages = request.getfixturevalue(name)
    for sheet, page in zip(made.sheets, pages, strict=True):
        wanted = sorted((str(s.tag), s.x + s.side / 2, s.y + s.side / 2) for s in sheet.symbols)
        found = read_at(read_picture(page))
        assert [tag for tag, _, _ in found] == [tag for tag, _, _ in wanted], sheet.name
        for (_, x, y), (_, u, v) in zip(found, wanted, strict=True):
            assert (x, y) == pytest.approx((u, v), abs=0.5)


def test_a_hundred_millimetres_measure_a_hundred(a4: Rendered, letter: Rendered) -> None:
    for made, pages in (a4, letter):
        for sheet, page in zip(made.sheets, pages, strict=True):
            assert page.shape == pytest.approx((sheet.h * PX_MM, sheet.w * PX_MM), abs=1)
            ruler = next(
                s for s in sheet.shapes if isinstance(s, Line) and s.y0 == s.y1 and s.y0 > sheet.h - 12
            )
            base = int(ruler.y0 * PX_MM)
            row = page[base - 1 : base + 2].min(axis=0) < 160
            dark = np.flatnonzero(row[: round((RULER_MM + 9) * PX_MM)])
            assert (dark[-1] - dark[0]) / PX_MM == pytest.approx(RULER_MM, abs=0.4)


def test_no_ink_within_six_millimetres_of_the_edge(a4: Rendered, letter: Rendered) -> None:
    edge = int(5.8 * PX_MM)
    for _, pages in (a4, letter):
        for page in pages:
            inside = page[edge:-edge, edge:-edge]
            assert (page < 250).sum() == (inside < 250).sum() > 0


def test_modules_are_solid(a4: Rendered) -> None:
    """No hair of white inside black: a finder pattern's 7 x 3 black modules are black all over."""
    made, pages = a4
    symbol = made.sheets[1].symbols[0]
    left, top = symbol.x + symbol.quiet * symbol.module, symbol.y + symbol.quiet * symbol.module
    bar = pages[1][
        round((top + 0.3) * PX_MM) : round((top + symbol.module - 0.3) * PX_MM),
        round((left + 0.3) * PX_MM) : round((left + 7 * symbol.module - 0.3) * PX_MM),
    ]
    column = pages[1][
        round((top + 0.3) * PX_MM) : round((top + 7 * symbol.module - 0.3) * PX_MM),
        round((left + 0.3) * PX_MM) : round((left + symbol.module - 0.3) * PX_MM),
    ]
    assert bar.max() == column.max() == 0


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_sheets_glued_at_their_marks_are_the_mat(name: str, request: pytest.FixtureRequest) -> None:
    _, pages = request.getfixturevalue(name)
    mat = GAME.mat("basic" if name == "a4" else "5+")
    parts = tile(mat, PAPERS[name]).parts
    glued = np.full((round(mat.h * PX_MM), round(mat.w * PX_MM)), 255, np.uint8)
    for part, page in zip(parts, pages[-len(parts) :], strict=True):
        # Each sheet is cut along its left and upper line and laid over the strips of its neighbours.
        left, top = round(part.box[0] * PX_MM), round(part.box[1] * PX_MM)
        x, y = round(part.left * PX_MM), round(part.top * PX_MM)
        h, w = min(page.shape[0] - y, glued.shape[0] - top), min(page.shape[1] - x, glued.shape[1] - left)
        right, bottom = round(part.box[2] * PX_MM) - left, round(part.box[3] * PX_MM) - top
        h, w = min(h, bottom), min(w, right)
        glued[top : top + h, left : left + w] = page[y : y + h, x : x + w]
    seen = cv2.GaussianBlur(
        cv2.resize(glued, None, fx=2 / PX_MM, fy=2 / PX_MM, interpolation=cv2.INTER_AREA), (0, 0), 0.7
    )
    on_table = cv2.copyMakeBorder(np.asarray(seen), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=90)
    found = register(mat, np.asarray(on_table, np.uint8))
    assert found is not None
    assert found.markers == 4
    assert found.error_mm < 0.3
    for zone in mat.zones:
        at = found.to_px([zone.centre])[0] - 40 + 0.5
        assert at / 2 == pytest.approx(zone.centre, abs=0.5)
        # Every side of every zone is a line from end to end, seams included.
        for x, y, along, length in (
            (zone.x, zone.y, 1, zone.w),
            (zone.x, zone.y + zone.h, 1, zone.w),
            (zone.x, zone.y, 0, zone.h),
            (zone.x + zone.w, zone.y, 0, zone.h),
        ):
            for step in np.arange(1.0, length - 1, 2.0):
                u, v = (x + step, y) if along else (x, y + step)
                near = glued[
                    max(0, int((v - 1) * PX_MM)) : int((v + 1) * PX_MM) + 1,
                    max(0, int((u - 1) * PX_MM)) : int((u + 1) * PX_MM) + 1,
                ]
                assert near.min() < 200, (zone.name, u, v)


def test_a_banner_is_found_as_the_mat_and_corners_are_read(tmp_path: Path) -> None:
    mat = GAME.mat("basic")
    sheets = (banner_sheet(mat, ""), corner_sheet(mat, PAPERS["a4"], ""))
    banner, corners = render(sheets, tmp_path, 2.0)
    on_table = cv2.copyMakeBorder(
        cv2.GaussianBlur(banner, (0, 0), 0.7), *(40,) * 4, cv2.BORDER_CONSTANT, value=90
    )
    found = register(mat, np.asarray(on_table, np.uint8))
    assert found is not None
    assert found.markers == 4
    assert found.error_mm < 0.3
    read = {marker.id for marker in read_picture(corners).markers}
    assert read == {one.id for one in mat.markers}


def test_the_page_of_a_first_evening_is_read(tmp_path: Path) -> None:
    mat = GAME.mat("basic")
    (page,) = render([evening_sheet(mat, PAPERS["a4"], "")], tmp_path, 2.0)
    across = [
        marker.centre[0] for one in mat.markers for marker in read_picture(page).markers if marker.id == one.id
    ]
    assert across == sorted(across)
    assert len(across) == len(mat.markers)


def as_seen(page: Gray, symbol: Symbol, px_per_mm: float, side: float, chance: np.random.Generator) -> Gray:
    """The symbol scaled to `side` mm, turned, and seen by a camera: soft, grey, noisy."""
    k = px_per_mm / PX_MM * side / symbol.side
    centre = (symbol.x + symbol.side / 2) * PX_MM, (symbol.y + symbol.side / 2) * PX_MM
    # What comes into the picture, however it is turned, and as far around as softening reaches.
    reach = math.ceil(1.1 * symbol.side * PX_MM + 2 / k)
    left, top = (max(0, int(at) - reach) for at in centre)
    page = page[top : top + 2 * reach, left : left + 2 * reach]
    centre = centre[0] - left, centre[1] - top
    half = 0.75 * side * px_per_mm
    matrix = cv2.getRotationMatrix2D(centre, chance.uniform(0, 360), k)
    matrix[:, 2] += half + chance.uniform(-0.5, 0.5, 2) - centre
    averaged = cv2.GaussianBlur(page, (0, 0), 0.5 / k)
    seen = cv2.warpAffine(averaged, matrix, (round(2 * half),) * 2, borderValue=255)
    soft = cv2.GaussianBlur(seen, (0, 0), 0.8).astype(np.float32) * 0.75 + 25
    return np.clip(soft + chance.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)


def share_read(rendered: Rendered, shrunk: float) -> tuple[float, int]:
    """The share of stickers read in a single picture each, and how many known stickers were read wrongly."""
    made, pages = rendered
    chance = np.random.default_rng(5)
    known = [s.tag for sheet in made.sheets for s in sheet.symbols if isinstance(s.tag, str)]
    book = Codebook(known)
    read, wrong = 0, 0
    for sheet, page in zip(made.sheets, pages, strict=True):
        for symbol in sheet.symbols:
            if not isinstance(symbol.tag, str):
                continue
            px_per_mm, side = made.sizes.px_per_mm, symbol.side * shrunk
            picture = as_seen(page, symbol, px_per_mm, side, chance)
            tags = {code.text for code in read_region(picture, side * px_per_mm, book, markers=False).codes}
            read += symbol.tag in tags
            wrong += len(tags - {symbol.tag})
    return read / len(known), wrong


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_the_size_that_is_chosen_is_the_size_that_is_read(name: str, request: pytest.FixtureRequest) -> None:
    rendered = request.getfixturevalue(name)
    share, wrong = share_read(rendered, 1 / SLACK)
    assert share == 1.0, "the worst place of the mat"
    assert wrong == 0
    _, wrong = share_read(rendered, 0.2)
    assert wrong == 0, "far too small: still none is taken for another"
