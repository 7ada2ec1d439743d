"""Report of printed sheets as plain values for JSON."""

from dataclasses import asdict
from typing import Any

from calibration.camera_height import lens_heights
from calibration.sheets.sheet_set import Book
from calibration.sheets.symbol_distance import Nearest
from vision.mat_geometry import Mat


def report(book: Book, file: str, paper: str, camera: str, mat: Mat) -> dict[str, Any]:
    """Report on printed sheets as values for JSON.

    Sizes, counts, distances between symbols, contents; lengths in mm. The sheets were written to `file`.
    `paper` and `camera` are names, as on the command line.
    """
    symbols = [symbol for sheet in book.sheets for symbol in sheet.symbols]
    stickers = sum(isinstance(symbol.tag, str) for symbol in symbols)
    return {
        "file": file,
        "title": book.title,
        "paper": paper,
        "camera": camera,
        "px_per_mm": round(book.sizes.px_per_mm, 3),
        "sticker_mm": book.sizes.sticker,
        "tile_marker_mm": book.sizes.tile,
        "token_marker_mm": book.sizes.token,
        "stickers": stickers,
        "markers": len(symbols) - stickers,
        "stickers_min_hamming": _apart(book.stickers_apart),
        "markers_min_hamming": _apart(book.markers_apart),
        "camera_heights": [asdict(row) for row in lens_heights(mat)],
        "sheets": book.listing(),
    }


def _apart(nearest: Nearest | None) -> dict[str, Any] | None:
    return None if nearest is None else asdict(nearest)
