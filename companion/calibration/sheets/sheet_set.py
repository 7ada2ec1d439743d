"""All sheets of a game for a paper and a camera, and a listing of what is on which sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.calibration.sheets.mat_sheets import mat_sheets
from companion.calibration.sheets.print_sizes import Camera, Paper, Sizes
from companion.calibration.sheets.sheet_shapes import Sheet
from companion.calibration.sheets.sticker_sheets import sticker_sheets, tile_sheets
from companion.calibration.sheets.symbol_distance import Nearest, nearest
from companion.core.mat_geometry import Mat
from companion.games.api import PhysicalCard

STICKERS, TILES, MAT = "stickers", "tiles", "mat"
PARTS = (STICKERS, TILES, MAT)


@dataclass(frozen=True, slots=True)
class Book:
    """The sheets in printing order, the chosen sizes, and the distances of all stickers and of all markers."""

    title: str
    sizes: Sizes
    sheets: tuple[Sheet, ...]
    stickers_apart: Nearest | None
    markers_apart: Nearest | None

    def listing(self) -> list[dict[str, Any]]:
        """Every sheet with its size and symbols: upper left corner and side of each white square, in mm."""
        return [
            {
                "sheet": sheet.name,
                "w_mm": round(sheet.w, 3),
                "h_mm": round(sheet.h, 3),
                "symbols": [
                    {
                        "card": symbol.code,
                        "tag": symbol.tag,
                        "x_mm": round(symbol.x, 3),
                        "y_mm": round(symbol.y, 3),
                        "side_mm": round(symbol.side, 3),
                    }
                    for symbol in sheet.symbols
                ],
            }
            for sheet in self.sheets
        ]


def make_book(
    title: str,
    cards: Sequence[PhysicalCard],
    mat: Mat,
    paper: Paper,
    camera: Camera,
    parts: tuple[str, ...] = PARTS,
) -> Book:
    """Make the sheets for `cards` and their `mat`; `parts` chooses from PARTS."""
    sizes = Sizes.seen_at(camera.px_per_mm(mat.w))
    sheets: list[Sheet] = []
    if STICKERS in parts:
        sheets += sticker_sheets(cards, sizes, paper, f"{title}, {camera.name} camera")
    if TILES in parts:
        sheets += tile_sheets(cards, sizes, paper, f"{title}, {camera.name} camera")
    if MAT in parts:
        sheets += mat_sheets(mat, paper, title)
    symbols = [symbol for sheet in sheets for symbol in sheet.symbols]
    return Book(
        title,
        sizes,
        tuple(sheets),
        nearest([symbol for symbol in symbols if isinstance(symbol.tag, str)]),
        nearest([symbol for symbol in symbols if isinstance(symbol.tag, int)]),
    )
