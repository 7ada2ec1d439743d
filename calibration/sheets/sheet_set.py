"""All sheets of a game for one paper and camera, and a list of their contents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibration.sheets.cover_sheet import COVER, cover_sheet
from calibration.sheets.mat_alone import banner_sheet, corner_sheet
from calibration.sheets.mat_sheets import mat_sheets
from calibration.sheets.mat_tiling import tile
from calibration.sheets.print_sizes import Camera, Paper, Sizes
from calibration.sheets.sheet_shapes import Sheet
from calibration.sheets.sticker_sheets import sticker_sheets, tile_sheets
from calibration.sheets.symbol_distance import Nearest, nearest
from companion.core.language import Text, plural, text
from companion.games.appearance import PhysicalCard
from vision.mat_geometry import Mat

STICKERS, TILES, MAT = "stickers", "tiles", "mat"
PARTS = (COVER, STICKERS, TILES, MAT)
GLUED, BANNER, CORNERS = "sheets", "banner", "corners"
MATS = (GLUED, BANNER, CORNERS)
"""Ways to print the mat: on sheets to be glued, on one long page, or its corners only."""


@dataclass(frozen=True, slots=True)
class Book:
    """All sheets of a game, with chosen sizes.

    They are in printing order. `stickers_apart` and `markers_apart`: the two stickers, and the two markers,
    that look most alike; None for fewer than two.
    """

    title: str
    sizes: Sizes
    sheets: tuple[Sheet, ...]
    stickers_apart: Nearest | None
    markers_apart: Nearest | None

    def listing(self) -> list[dict[str, Any]]:
        """List every sheet for JSON, with name, size and symbols.

        A symbol has the corner and side (mm) of its white square.
        """
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
    mat_as: str = GLUED,
) -> Book:
    """Make all sheets for a game's cards and mat.

    `parts`: which sheets, some of PARTS. `mat_as`: how to print the mat, one of MATS. `camera`: decides how
    large the symbols are.
    """
    sizes = Sizes.seen_at(camera.px_per_mm(mat.w))
    sheets: list[Sheet] = []
    if STICKERS in parts:
        sheets += sticker_sheets(
            cards, sizes, paper, text("{title}, {camera} camera", title=title, camera=camera.name)
        )
    if TILES in parts:
        sheets += tile_sheets(
            cards, sizes, paper, text("{title}, {camera} camera", title=title, camera=camera.name)
        )
    if MAT in parts:
        sheets += _mat(mat, paper, title, mat_as)
    if COVER in parts:
        seams = [part.stays for part in tile(mat, paper).parts] if mat_as == GLUED else []
        sheets.insert(0, cover_sheet(mat, paper, title, seams, _contents(sheets, mat_as)))
    symbols = [symbol for sheet in sheets for symbol in sheet.symbols]
    return Book(
        title,
        sizes,
        tuple(sheets),
        nearest([symbol for symbol in symbols if isinstance(symbol.tag, str)]),
        nearest([symbol for symbol in symbols if isinstance(symbol.tag, int)]),
    )


def _mat(mat: Mat, paper: Paper, title: str, mat_as: str) -> list[Sheet]:
    if mat_as == BANNER:
        return [banner_sheet(mat, title)]
    return [corner_sheet(mat, paper, title)] if mat_as == CORNERS else mat_sheets(mat, paper, title)


_MAT_STEPS = {
    GLUED: text(
        "Cut along the solid lines, glue each sheet onto its neighbours' dashed lines. A1 is far left."
    ),
    BANNER: text(
        "One long page: a copy shop prints it at 100 % on a 24-inch roll, matt. Cut along the outer line."
    ),
    CORNERS: text(
        "Cut out the four corners and tape them onto a plain matt cloth, as far apart as it says there."
    ),
}


_HEADINGS = {
    STICKERS: plural("Stickers: {n} sheet", "Stickers: {n} sheets"),
    TILES: plural("Tiles: {n} sheet", "Tiles: {n} sheets"),
    MAT: plural("Mat: {n} sheet", "Mat: {n} sheets"),
}


def _contents(sheets: Sequence[Sheet], mat_as: str) -> list[tuple[Text, Text]]:
    """Steps from printing to setup for the cover: (heading, text) of each.

    `mat_as`: how the mat is printed, one of MATS.
    """
    told = {
        STICKERS: text(
            "Cut along the dashed lines; stick each on the face of its card before you cut the next."
        ),
        TILES: text(
            "Side A of a tile is up while she is awake, D while she dreams; other pieces have two sides alike."
        ),
        MAT: _MAT_STEPS[mat_as],
    }
    counts = {name: sum(sheet.name.startswith(name) for sheet in sheets) for name in told}
    printing = text("At 100 %, on one side, matt paper. The line at the foot of each sheet measures 100 mm.")
    camera = text("Straight above the middle, as high as the table says. Light that does not dazzle it.")
    setup = text("companion setup: it shows the camera's picture and says what is missing.")
    return [
        (text("Print"), printing),
        *((_HEADINGS[name].of(n=count), told[name]) for name, count in counts.items() if count),
        (text("Camera"), camera),
        (text("Then"), setup),
    ]
