"""Shapes on a sheet for any format: lines, words, symbols.

Lengths are in mm. The origin is the sheet's upper left corner, x to the right, y downwards.
"""

import unicodedata
from dataclasses import dataclass, replace

from reportlab.pdfbase.pdfmetrics import stringWidth

from companion.core.language import localized
from vision.codes.sticker_set import MARKER_MODULES, QUIET_MODULES, STICKER_MODULES, marker, sticker

MM_PER_PT = 25.4 / 72
_ASCENT, _DESCENT = 0.72, 0.21
"""Ascent and descent of Helvetica, as multiples of the font size (from its metrics)."""
MARKER_QUIET = 1
"""Width (modules) of a marker's white rim, without which no marker is found on a dark table."""

Box = tuple[float, float, float, float]
"""Rectangle: left, top, right, bottom (mm)."""


@dataclass(frozen=True, slots=True)
class Line:
    """Straight line on a sheet, between two points (mm).

    `width` in mm, `grey` from 0 (black) to 1 (white).
    """

    x0: float
    y0: float
    x1: float
    y1: float
    width: float = 0.2
    grey: float = 0.0
    dashed: bool = False

    @property
    def box(self) -> Box:
        """Bounding box (mm), half the line's width on either side included."""
        half = self.width / 2
        return (
            min(self.x0, self.x1) - half,
            min(self.y0, self.y1) - half,
            max(self.x0, self.x1) + half,
            max(self.y0, self.y1) + half,
        )

    def moved(self, dx: float, dy: float) -> "Line":
        """Copy of the line, `dx` mm to the right and `dy` mm down."""
        return replace(self, x0=self.x0 + dx, y0=self.y0 + dy, x1=self.x1 + dx, y1=self.y1 + dy)


@dataclass(frozen=True, slots=True)
class Circle:
    """Circle on a sheet around `x`, `y`.

    `radius` and line `width` in mm.
    """

    x: float
    y: float
    radius: float
    width: float = 0.2

    @property
    def box(self) -> Box:
        """Bounding box (mm), half the line's width included."""
        out = self.radius + self.width / 2
        return (self.x - out, self.y - out, self.x + out, self.y + out)


_FONT_LETTERS = "cp1252"
"""Python's name for the letters of Helvetica in every PDF reader (WinAnsiEncoding)."""


def _printed(words: str) -> str:
    return "".join(map(_in_font, words))


def _in_font(letter: str) -> str:
    if letter.isspace():
        return "\u00a0" if letter == "\u202f" else " "
    for shown in (letter, unicodedata.normalize("NFKD", letter)[0]):
        if shown.encode(_FONT_LETTERS, "ignore"):
            return shown
    return "?"


@dataclass(frozen=True, slots=True)
class Words:
    """Words on a sheet, in Helvetica.

    They begin at `x`, their base line is at `y` (mm). `size`: in points. `grey`: 0 (black) to 1 (white).
    """

    text: str
    x: float
    y: float
    size: float
    bold: bool = False
    grey: float = 0.0

    def moved(self, dx: float, dy: float) -> "Words":
        """Copy of the words, `dx` mm to the right and `dy` mm down."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    @property
    def font(self) -> str:
        """Name of the PDF font."""
        return "Helvetica-Bold" if self.bold else "Helvetica"

    @property
    def drawn(self) -> str:
        """The words in letters that the PDF's own font has.

        A narrow space, as before a French colon, becomes a wide one. Other letters lose their accents, or
        become "?": the font would print a black box.
        """
        return _printed(self.text)

    @property
    def width(self) -> float:
        """Width (mm) of the words."""
        return float(stringWidth(self.drawn, self.font, self.size)) * MM_PER_PT

    @property
    def box(self) -> Box:
        """Bounding box (mm), from the highest possible letter to the lowest."""
        size = self.size * MM_PER_PT
        return (self.x, self.y - _ASCENT * size, self.x + self.width, self.y + _DESCENT * size)


@dataclass(frozen=True, slots=True)
class Symbol:
    """Card's printed QR sticker or marker, with white rim.

    `code`: the card's. `tag`: the sticker's text, or the marker's number. `x`, `y`: upper left corner (mm) of
    the white square, `side`: its side (mm). `modules`: its small squares row by row, True for black. `quiet`:
    width of the rim in modules.
    """

    code: str
    tag: str | int
    x: float
    y: float
    side: float
    modules: tuple[tuple[bool, ...], ...]
    quiet: int

    @property
    def module(self) -> float:
        """Side (mm) of one module, the smallest square."""
        return self.side / len(self.modules)

    @property
    def black_side(self) -> float:
        """Side (mm) of the symbol without its white rim."""
        return self.side - 2 * self.quiet * self.module

    @property
    def box(self) -> Box:
        """Bounding box (mm) of the symbol's white square."""
        return (self.x, self.y, self.x + self.side, self.y + self.side)

    def runs(self) -> list[tuple[float, float, float, float]]:
        """Symbol's black rectangles: (left, top, width, height) in mm.

        One for each run of black modules in a row.
        """
        return _runs(self.modules, self.x, self.y, self.module)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Black and white squares on a sheet, row by row.

    `x`, `y`: upper left corner (mm). `module`: side of a square (mm). `modules`: True for black.
    """

    x: float
    y: float
    module: float
    modules: tuple[tuple[bool, ...], ...]

    @property
    def box(self) -> Box:
        """Bounding box (mm) of the whole pattern."""
        w, h = len(self.modules[0]) * self.module, len(self.modules) * self.module
        return (self.x, self.y, self.x + w, self.y + h)

    def runs(self) -> list[tuple[float, float, float, float]]:
        """Pattern's black rectangles: (left, top, width, height) in mm.

        One for each run of black squares in a row.
        """
        return _runs(self.modules, self.x, self.y, self.module)


def _runs(
    rows: tuple[tuple[bool, ...], ...], x: float, y: float, module: float
) -> list[tuple[float, float, float, float]]:
    found = []
    for row, modules in enumerate(rows):
        start = 0
        while start < len(modules):
            end = start
            while end < len(modules) and modules[end]:
                end += 1
            if end > start:
                found.append((x + start * module, y + row * module, (end - start) * module, module))
            start = end + 1
    return found


Shape = Line | Circle | Words | Symbol | Pattern


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed side of paper.

    `w`, `h`: its size (mm). `shapes`: what is drawn on it, later ones over earlier ones.
    """

    name: str
    w: float
    h: float
    shapes: tuple[Shape, ...]

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Stickers and markers among the sheet's shapes."""
        return tuple(shape for shape in self.shapes if isinstance(shape, Symbol))


def sticker_at(code: str, payload: str, x: float, y: float, side: float) -> Symbol:
    """Make the printed QR sticker of a card.

    `code`: the card's. `payload`: text of the sticker. `x`, `y`: corner, `side`: side (mm) of its white
    square.
    """
    picture = sticker(payload, STICKER_MODULES)
    return Symbol(code, payload, x, y, side, _modules(picture.tolist()), QUIET_MODULES)


def marker_at(code: str, marker_id: int, x: float, y: float, black_side: float) -> Symbol:
    """Make the printed marker of a card.

    `code`: the card's. `marker_id`: number of the marker. `x`, `y`: corner (mm) of the white square around it.
    `black_side`: side of its black square (mm).
    """
    picture = marker(marker_id, MARKER_MODULES, margin=MARKER_QUIET)
    side = white_side(black_side)
    return Symbol(code, marker_id, x, y, side, _modules(picture.tolist()), MARKER_QUIET)


def white_side(black_side: float) -> float:
    """Side (mm) of the white square around a marker, by the side of its black square."""
    return black_side * (MARKER_MODULES + 2 * MARKER_QUIET) / MARKER_MODULES


def _modules(rows: list[list[int]]) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(value == 0 for value in row) for row in rows)


def rectangle(box: Box, width: float, grey: float, *, dashed: bool = False) -> list[Line]:
    """Draw a rectangle as four lines.

    `width`: of the lines (mm). `grey`: 0 (black) to 1 (white).
    """
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return [
        Line(*here, *there, width, grey, dashed)
        for here, there in zip(corners, corners[1:] + corners[:1], strict=True)
    ]


def fitted(
    text: str, x: float, y: float, size: float, room: float, *, bold: bool = False, grey: float = 0.0
) -> Words:
    """Write words in the reader's language, small enough for `room` mm.

    `x`, `y`: where they begin (mm). `size`: in points; it is reduced until the words fit.
    """
    said = localized(text)
    words = Words(said, x, y, size, bold, grey)
    if words.width <= room:
        return words
    return Words(said, x, y, size * room / words.width, bold, grey)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Break a text, in the reader's language, into lines of at most `room` mm.

    `size`: in points. A longer word stays whole. Lines are not broken at no-break spaces, such as French has
    before a colon.
    """
    lines: list[str] = []
    for word in localized(text).split(" "):
        if lines and Words(f"{lines[-1]} {word}", 0, 0, size).width <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
