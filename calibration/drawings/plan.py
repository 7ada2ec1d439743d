"""Plan of a part on paper: lines, holes, measures and words, in mm of the real part."""

import math
from collections.abc import Iterable, Sequence

from calibration.drawings.sizes import At, Hole
from calibration.sheets.print_sizes import EDGE_MM, PAPERS
from calibration.sheets.sheet_footer import foot
from calibration.sheets.sheet_shapes import Circle, Line, Shape, Sheet, Words, wrapped

_INK, _THIN, _GREY = 0.35, 0.15, 0.45
_TICK = 1.4
_SMALL, _TEXT, _TITLE = 7.0, 8.5, 14.0
A4 = PAPERS["a4"]


class Plan:
    """Drawing of a part, to scale, on an A4 sheet.

    `name`: of the sheet. `scale`: mm on paper per mm of the part (1 is full size). `lying`: landscape. Methods
    take mm of the part, x to the right and y down, unless they say otherwise.
    """

    def __init__(self, name: str, title: str, scale: float, *, lying: bool = False) -> None:
        self.name, self._title, self.scale = name, title, scale
        self.w, self.h = (A4.h, A4.w) if lying else (A4.w, A4.h)
        self._at = At(0.0, 0.0)
        self._shapes: list[Shape] = [Words(title, 14, 18, _TITLE, bold=True)]
        self._below = 24.0

    def told(self, said: str) -> None:
        """Write a paragraph (`said`) below the title, or below the last such paragraph."""
        for line in wrapped(said, _TEXT, self.w - 28):
            self._shapes.append(Words(line, 14, self._below, _TEXT))
            self._below += 4.2

    def note(self, x: float, y: float, said: str) -> None:
        """Write a paragraph from a point of the part to the sheet's right edge.

        `x`, `y`: upper left corner of the paragraph. `said`: its words.
        """
        at = self._paper(x, y)
        self.words(x, y, *wrapped(said, _SMALL, self.w - 14 - at.x))

    def origin(self, x: float, y: float, scale: float | None = None) -> None:
        """Put the part's point (0, 0) at `x`, `y` mm of the paper.

        It holds for all that is drawn later. `scale` replaces the plan's scale; None keeps it.
        """
        self._at = At(x, y)
        self.scale = self.scale if scale is None else scale

    def _paper(self, x: float, y: float) -> At:
        return At(self._at.x + x * self.scale, self._at.y + y * self.scale)

    def line(self, x0: float, y0: float, x1: float, y1: float, *, dashed: bool = False) -> None:
        """Draw a straight edge from (`x0`, `y0`) to (`x1`, `y1`).

        The points are on the part. `dashed`: it is hidden, or belongs to another part.
        """
        width, grey = (_THIN, _GREY) if dashed else (_INK, 0.0)
        self._shapes.append(Line(*self._paper(x0, y0), *self._paper(x1, y1), width, grey, dashed))

    def outline(self, points: Sequence[At], *, dashed: bool = False) -> None:
        """Draw a closed outline through some points of the part.

        `dashed`: it is hidden, or belongs to another part.
        """
        for one, other in zip(points, (*points[1:], points[0]), strict=True):
            self.line(*one, *other, dashed=dashed)

    def box(self, x: float, y: float, w: float, h: float, *, dashed: bool = False) -> None:
        """Draw a rectangle on the part.

        `x`, `y`: its upper left corner. `w`, `h`: width and height. `dashed`: it is hidden, or belongs to
        another part.
        """
        self.outline((At(x, y), At(x + w, y), At(x + w, y + h), At(x, y + h)), dashed=dashed)

    def hole(self, hole: Hole) -> None:
        """Draw a hole, with a cross for the drill."""
        x, y = self._paper(hole.x, hole.y)
        radius = hole.across / 2 * self.scale
        self._shapes.append(Circle(x, y, radius, _INK))
        arm = radius + 1.2
        self._shapes += [Line(x - arm, y, x + arm, y, _THIN), Line(x, y - arm, x, y + arm, _THIN)]

    def across(self, x0: float, x1: float, y: float, said: str = "") -> None:
        """Draw a horizontal dimension line from `x0` to `x1` at height `y`.

        The text is the distance in mm, or `said`.
        """
        self._measure(self._paper(x0, y), self._paper(x1, y), said or f"{abs(x1 - x0):g}")

    def down(self, y0: float, y1: float, x: float, said: str = "") -> None:
        """Draw a vertical dimension line from `y0` to `y1` at `x`.

        The text is the distance in mm, or `said`.
        """
        self._measure(self._paper(x, y0), self._paper(x, y1), said or f"{abs(y1 - y0):g}")

    def _measure(self, a: At, b: At, said: str) -> None:
        self._shapes.append(Line(*a, *b, _THIN, _GREY))
        for end in (a, b):
            self._shapes.append(
                Line(end.x - _TICK / 2, end.y + _TICK / 2, end.x + _TICK / 2, end.y - _TICK / 2, _INK)
            )
        words = Words(said, 0, 0, _SMALL)
        if math.isclose(a.y, b.y):
            self._shapes.append(words.moved((a.x + b.x - words.width) / 2, a.y - 0.9))
        else:
            self._shapes.append(words.moved(a.x + 0.9, (a.y + b.y) / 2 + 0.9))

    def words(self, x: float, y: float, *lines: str, size: float = _SMALL, middle: bool = False) -> None:
        """Write lines of words below each other, beginning at a point of the part.

        `x`, `y`: the point (mm). `middle` centres them there. `size` is in points.
        """
        at = self._paper(x, y)
        for number, line in enumerate(lines):
            words = Words(line, 0, 0, size)
            left = at.x - (words.width / 2 if middle else 0)
            self._shapes.append(words.moved(left, at.y + number * size * 0.42))

    def pointed(self, x: float, y: float, to_x: float, to_y: float, said: str) -> None:
        """Write words with a thin line to the point that they are about.

        `x`, `y`: that point. `to_x`, `to_y`: place of the words.
        """
        start, end = self._paper(x, y), self._paper(to_x, to_y)
        self._shapes.append(Line(*start, *end, _THIN, _GREY))
        words = Words(said, 0, 0, _SMALL)
        left = end.x + 0.8 if end.x >= start.x else end.x - 0.8 - words.width
        self._shapes.append(words.moved(left, end.y + 0.8))

    def sheet(self) -> Sheet:
        """Finish the sheet: everything drawn so far, and a ruler."""
        size = "full size" if math.isclose(self.scale, 1) else ""
        notes = (size or "to the scale that stands beside each drawing", "companion sheets --only rig")
        return Sheet(self.name, self.w, self.h, (*self._shapes, *foot(self.w, self.h, self._title, notes)))


def off_paper(sheet: Sheet) -> Iterable[Shape]:
    """Shapes of a sheet that reach into its edge, which printers leave white."""
    low, right, bottom = EDGE_MM, sheet.w - EDGE_MM, sheet.h - EDGE_MM
    for shape in sheet.shapes:
        x0, y0, x1, y1 = shape.box
        if x0 < low or y0 < low or x1 > right or y1 > bottom:
            yield shape
