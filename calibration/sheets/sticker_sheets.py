"""Stickers and markers in rows, with cut lines and names."""

from collections import Counter
from collections.abc import Callable, Sequence

from calibration.sheets.print_sizes import EDGE_MM, Paper, Sizes
from calibration.sheets.sheet_footer import FOOT_MM, foot
from calibration.sheets.sheet_shapes import (
    Shape,
    Sheet,
    Symbol,
    fitted,
    marker_at,
    rectangle,
    sticker_at,
    wrapped,
)
from calibration.sheets.symbol_distance import Nearest, nearest
from companion.core.language import text
from companion.games.appearance import PhysicalCard

CUT_MM = 1.0
"""Distance (mm) from a symbol's white square to its cut line. A guess."""
_GAP = 3.0
"""Distance (mm) between the cut lines of neighbouring symbols."""
_LABEL_PT, _LABEL_LINE = 6.0, 2.5
_LABEL_LINES = 3
_LABEL_MM = _LABEL_LINES * _LABEL_LINE + 1.0
_LABEL_ROOM = 24.0
"""Least width (mm) for the name below a symbol, however small the symbol."""

_TITLES = {
    "stickers": text("Stickers {first} to {last}"),
    "tiles": text("Tiles {first} to {last}"),
}

Place = Callable[[float, float], Symbol]
"""Function (x, y) -> symbol with the corner of its white square there (mm)."""


def sticker_sheets(cards: Sequence[PhysicalCard], sizes: Sizes, paper: Paper, about: str) -> list[Sheet]:
    """Draw the QR stickers of all cards that carry one, on sheets.

    They come in the order of `cards`. `about`: line in the footers.
    """
    items = [(card, _sticker(card, sizes.sticker)) for card in cards if card.payload]
    told = text("{about}, stickers of {side} mm", about=about, side=f"{sizes.sticker:g}")
    return _sheets("stickers", items, 1, paper, told)


def tile_sheets(cards: Sequence[PhysicalCard], sizes: Sizes, paper: Paper, about: str) -> list[Sheet]:
    """Draw the markers of all cards that carry one, on sheets.

    Both sides of a tile lie beside each other. A token has two equal sides with one code, so its marker is
    printed twice. `about`: line in the footers.
    """
    marked = [card for card in cards if card.marker is not None]
    sides = Counter(card.code[:-1] for card in marked)
    items = [(card, _marker(card, sizes.tile)) for card in marked if sides[card.code[:-1]] == 2]
    alike = [card for card in marked if sides[card.code[:-1]] != 2]
    items += [(card, _marker(card, sizes.token)) for card in alike for _ in ("one side", "the other")]
    told = text("{about}, markers of {side} mm", about=about, side=f"{sizes.tile:g}")
    if alike:
        told = text("{markers} and {side} mm", markers=told, side=f"{sizes.token:g}")
    return _sheets("tiles", items, 2, paper, told)


def _sticker(card: PhysicalCard, side: float) -> Place:
    return lambda x, y: sticker_at(card.code, card.payload, x, y, side)


def _marker(card: PhysicalCard, side: float) -> Place:
    marker_id = -1 if card.marker is None else card.marker
    return lambda x, y: marker_at(card.code, marker_id, x, y, side)


def _sheets(
    name: str, items: Sequence[tuple[PhysicalCard, Place]], together: int, paper: Paper, about: str
) -> list[Sheet]:
    """Lay symbols out on sheets in rows.

    `items`: (card, function that makes its symbol at a place). `together` neighbours stay in one row, because
    the columns are a multiple of it.
    """
    symbols = [place(0, 0) for _, place in items]
    side = max((symbol.side for symbol in symbols), default=0.0)
    cell_w = max(side + 2 * CUT_MM, _LABEL_ROOM) + _GAP
    cell_h = side + 2 * CUT_MM + _LABEL_MM + _GAP / 2
    room_w, room_h = paper.w - 2 * EDGE_MM, paper.h - 2 * EDGE_MM - FOOT_MM
    columns = int((room_w + _GAP) / cell_w) // together * together
    rows = int(room_h / cell_h)
    left = EDGE_MM + (room_w + _GAP - columns * cell_w) / 2
    apart = _apart(nearest(symbols))
    sheets: list[Sheet] = []
    for first in range(0, len(items), columns * rows):
        some = items[first : first + columns * rows]
        shapes: list[Shape] = []
        for n, (card, place) in enumerate(some):
            x = left + n % columns * cell_w + (cell_w - _GAP - symbols[first + n].side) / 2
            y = EDGE_MM + n // columns * cell_h + CUT_MM + 0.1
            shapes += _labelled(card, place(x, y), cell_w - _GAP)
        title = _TITLES[name].of(first=some[0][0].code, last=some[-1][0].code)
        shapes += foot(paper.w, paper.h, title, (about, apart))
        sheets.append(Sheet(f"{name} {len(sheets) + 1}", paper.w, paper.h, tuple(shapes)))
    return sheets


def _labelled(card: PhysicalCard, symbol: Symbol, room: float) -> list[Shape]:
    left, top, right, bottom = symbol.box
    cut = (left - CUT_MM, top - CUT_MM, right + CUT_MM, bottom + CUT_MM)
    # Dashed, because the reader would take a closed line for the marker's own outline.
    shapes: list[Shape] = [*rectangle(cut, 0.15, 0.5, dashed=True), symbol]
    middle = symbol.x + symbol.side / 2
    texts = [card.code, *wrapped(card.name, _LABEL_PT, room)]
    if len(texts) > _LABEL_LINES:
        texts[_LABEL_LINES - 1 :] = [" ".join(texts[_LABEL_LINES - 1 :])]
    y = bottom + CUT_MM
    for n, line in enumerate(texts):
        y += _LABEL_LINE
        words = fitted(line, middle, y, _LABEL_PT, room, bold=n == 0)
        shapes.append(fitted(line, middle - words.width / 2, y, _LABEL_PT, room, bold=n == 0))
    return shapes


def _apart(apart: Nearest | None) -> str:
    if apart is None:
        return ""
    return text(
        "Closest of all: {first} and {second}, {n} of {all} modules differ.",
        first=apart.first,
        second=apart.second,
        n=apart.distance,
        all=apart.modules,
    )
