"""Draws a terminal's screen as SVG. Blocks are rectangles, so that pictures have no seams in any font."""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 10, 20
"""WIDTH, HEIGHT: of a cell (px)."""
BLOCKS = {
    "█": (0, 0, 1, 1),
    "▀": (0, 0, 1, 0.5),
    "▄": (0, 0.5, 1, 0.5),
    "▌": (0, 0, 0.5, 1),
    "▐": (0.5, 0, 0.5, 1),
}
"""Block -> its part of a cell: x, y, width, height."""
FONT = 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="16" shape-rendering="crispEdges"'


def screen_svg(strips: Iterable) -> str:
    """A whole screen: Textual's strips, one a row."""
    rows = list(strips)
    size = f"{WIDTH * rows[0].cell_length} {HEIGHT * len(rows)}"
    parts = [part for y, strip in enumerate(rows) for part in row_svg(strip, y)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" {FONT}>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def row_svg(strip: Iterable, y: int) -> Iterator[str]:
    """The elements of one row; `y` counts rows from above. Neighbours of one colour are one rectangle."""
    x = 0
    rects: list[tuple[float, float, float, float, str]] = []
    texts: list[str] = []
    for segment in strip:
        style = segment.style
        ink = style.color.triplet.hex if style and style.color else "#ffffff"
        ground = style.bgcolor.triplet.hex if style and style.bgcolor else "#000000"
        wide = segment.cell_length
        _add(rects, x, (0, 0, wide, 1), ground)
        for at, sign in enumerate(segment.text):
            if sign in BLOCKS:
                _add(rects, x + at, BLOCKS[sign], ink)
        words = "".join(" " if sign in BLOCKS else sign for sign in segment.text)
        if words.strip():
            start = len(words) - len(words.lstrip())
            words = words.strip()
            bold = ' font-weight="bold"' if style and style.bold else ""
            texts.append(
                f'<text x="{WIDTH * (x + start)}" y="{HEIGHT * y + 15}" fill="{ink}"{bold} xml:space="preserve"'
                f' textLength="{WIDTH * len(words)}">{escape(words)}</text>'
            )
        x += wide
    for left, top, wide, tall, colour in rects:
        yield (
            f'<rect x="{WIDTH * left:g}" y="{HEIGHT * (y + top):g}" width="{WIDTH * wide:g}"'
            f' height="{HEIGHT * tall:g}" fill="{colour}"/>'
        )
    yield from texts


def _add(rects: list, x: float, part: tuple[float, float, float, float], colour: str) -> None:
    left, top, wide, tall = part
    if rects:
        before = rects[-1]
        if before[1:2] + before[3:] == (top, tall, colour) and before[0] + before[2] == x + left:
            rects[-1] = (before[0], top, before[2] + wide, tall, colour)
            return
    rects.append((x + left, top, wide, tall, colour))
