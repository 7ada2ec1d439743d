"""Shapes on a sheet in mm, independent of a file format: lines, words, symbols.

The origin is the sheet's upper left corner, x to the right, y downwards.
"""

from dataclasses import dataclass, replace

from reportlab.pdfbase.pdfmetrics import stringWidth

from companion.core.language import localized
from vision.codes.sticker_set import MARKER_MODULES, QUIET_MODULES, STICKER_MODULES, marker, sticker

MM_PER_PT = 25.4 / 72
_ASCENT, _DESCENT = 0.72, 0.21
"""Ascent and descent of Helvetica, in font sizes (its metrics)."""
MARKER_QUIET = 1
"""White modules around a marker, which detection needs on a background that is not white."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in mm."""


@dataclass(frozen=True, slots=True)
class Line:
    """Straight line; `width` in mm, `grey` from 0 (black) to 1 (white)."""

    x0: float
    y0: float
    x1: float
    y1: float
    width: float = 0.2
    grey: float = 0.0
    dashed: bool = False

    @property
    def box(self) -> Box:
        """Bounding box, with half the line's width on either side."""
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
    """Circle around `x`, `y`; `radius` and line `width` in mm."""

    x: float
    y: float
    radius: float
    width: float = 0.2

    @property
    def box(self) -> Box:
        """Bounding box, with half the line's width on either side."""
        out = self.radius + self.width / 2
        return (self.x - out, self.y - out, self.x + out, self.y + out)


@dataclass(frozen=True, slots=True)
class Words:
    """Line of Helvetica from `x`, its base line at `y`.

    `size` is in points.
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
        return "Helvetica-Bold" if self.bold else "Helvetica"

    @property
    def width(self) -> float:
        """Width (mm) of the words."""
        return float(stringWidth(self.text, self.font, self.size)) * MM_PER_PT

    @property
    def box(self) -> Box:
        """Bounding box, from the highest letter to the lowest."""
        size = self.size * MM_PER_PT
        return (self.x, self.y - _ASCENT * size, self.x + self.width, self.y + _DESCENT * size)


@dataclass(frozen=True, slots=True)
class Symbol:
    """Sticker or marker: card code, payload, and modules (True is black) with the quiet zone.

    `x`, `y` is the upper left corner of the white square, `side` its side (mm).
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
        """Side (mm) of one module."""
        return self.side / len(self.modules)

    @property
    def black_side(self) -> float:
        """Side (mm) of the code without its quiet zone."""
        return self.side - 2 * self.quiet * self.module

    @property
    def box(self) -> Box:
        """White square of the symbol."""
        return (self.x, self.y, self.x + self.side, self.y + self.side)

    def runs(self) -> list[tuple[float, float, float, float]]:
        """Black rectangles (left, top, width, height in mm), one for each run in a row."""
        return _runs(self.modules, self.x, self.y, self.module)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Black and white modules (True is black) of `module` mm from the corner `x`, `y`."""

    x: float
    y: float
    module: float
    modules: tuple[tuple[bool, ...], ...]

    @property
    def box(self) -> Box:
        """Outline of the pattern."""
        w, h = len(self.modules[0]) * self.module, len(self.modules) * self.module
        return (self.x, self.y, self.x + w, self.y + h)

    def runs(self) -> list[tuple[float, float, float, float]]:
        """Black rectangles (left, top, width, height in mm), one for each run in a row."""
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
    """Printed side of paper: name, width and height (mm), shapes in painting order."""

    name: str
    w: float
    h: float
    shapes: tuple[Shape, ...]

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Stickers and markers on the sheet."""
        return tuple(shape for shape in self.shapes if isinstance(shape, Symbol))


def sticker_at(code: str, payload: str, x: float, y: float, side: float) -> Symbol:
    """QR sticker of a card.

    `side` is that of its white square (mm).
    """
    picture = sticker(payload, STICKER_MODULES)
    return Symbol(code, payload, x, y, side, _modules(picture.tolist()), QUIET_MODULES)


def marker_at(code: str, marker_id: int, x: float, y: float, black_side: float) -> Symbol:
    """Marker with a black square of `black_side` mm.

    `x`, `y` is the white square's corner.
    """
    picture = marker(marker_id, MARKER_MODULES, margin=MARKER_QUIET)
    side = white_side(black_side)
    return Symbol(code, marker_id, x, y, side, _modules(picture.tolist()), MARKER_QUIET)


def white_side(black_side: float) -> float:
    """Side (mm) of the white square around a marker."""
    return black_side * (MARKER_MODULES + 2 * MARKER_QUIET) / MARKER_MODULES


def _modules(rows: list[list[int]]) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple(value == 0 for value in row) for row in rows)


def rectangle(box: Box, width: float, grey: float, *, dashed: bool = False) -> list[Line]:
    """Four sides of a rectangle as lines."""
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return [
        Line(*here, *there, width, grey, dashed)
        for here, there in zip(corners, corners[1:] + corners[:1], strict=True)
    ]


def _printed(words: str) -> str:
    return words.encode("cp1252", "replace").decode("cp1252")


def fitted(
    text: str, x: float, y: float, size: float, room: float, *, bold: bool = False, grey: float = 0.0
) -> Words:
    """Words in the reader's language, shrunk to `room` mm.

    Letters that the PDF's fonts lack become question marks.
    """
    printable = _printed(localized(text))
    words = Words(printable, x, y, size, bold, grey)
    if words.width <= room:
        return words
    return Words(printable, x, y, size * room / words.width, bold, grey)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Text broken between words into lines of `room` mm.

    A longer word stays whole. No-break spaces hold, as French has them before a colon.
    """
    lines: list[str] = []
    for word in localized(text).split(" "):
        if lines and Words(f"{lines[-1]} {word}", 0, 0, size).width <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
