"""Pictures of pixels as text: two pixels in each cell, one above the other, in half blocks."""

from collections.abc import Mapping, Sequence
from functools import cache

from textual.content import Content

CLEAR = "."
"""CLEAR: letter of a transparent pixel in a picture."""


def scaled(rows: Sequence[str], factor: int) -> tuple[str, ...]:
    """Pixel picture enlarged `factor` times in both directions.

    `rows`: rows of pixels, one letter each.
    """
    return tuple("".join(pixel * factor for pixel in row) for row in rows for _ in range(factor))


def laid_over(ground: Sequence[str], figure: Sequence[str], x: int, y: int) -> tuple[str, ...]:
    """Pixel picture `figure` laid over the picture `ground`.

    Its upper left corner lies at column `x`, row `y` (from 0) of `ground`; parts outside are cut off. CLEAR
    pixels of the figure show the ground.
    """
    rows = [list(row) for row in ground]
    for dy, line in enumerate(figure):
        for dx, pixel in enumerate(line):
            if pixel != CLEAR and 0 <= y + dy < len(rows) and 0 <= x + dx < len(rows[y + dy]):
                rows[y + dy][x + dx] = pixel
    return tuple("".join(row) for row in rows)


def picture(rows: Sequence[str], colours: Mapping[str, str]) -> tuple[Content, ...]:
    """Pixel picture as rows of text, two rows of pixels in each.

    `rows`: rows of pixels, one letter each. `colours`: letter -> name of a theme colour; CLEAR is transparent.
    """
    return _picture(tuple(rows), tuple(sorted(colours.items())))


@cache
def _picture(rows: tuple[str, ...], colours: tuple[tuple[str, str], ...]) -> tuple[Content, ...]:
    names = dict(colours)
    if len(rows) % 2:
        rows = (CLEAR * len(rows[0]), *rows)
    return tuple(_row(upper, lower, names) for upper, lower in zip(rows[::2], rows[1::2], strict=True))


def _row(upper: str, lower: str, names: Mapping[str, str]) -> Content:
    runs: list[tuple[str, str]] = []
    for above, below in zip(upper, lower, strict=True):
        sign, style = _cell(above, below, names)
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + sign, style)
        else:
            runs.append((sign, style))
    return Content.assemble(*runs)


def _cell(above: str, below: str, names: Mapping[str, str]) -> tuple[str, str]:
    if above == below == CLEAR:
        return " ", ""
    if above == below:
        return "█", f"${names[above]}"
    if below == CLEAR:
        return "▀", f"${names[above]}"
    if above == CLEAR:
        return "▄", f"${names[below]}"
    return "▀", f"${names[above]} on ${names[below]}"
