"""What can be computed of a rendered screen: text that is cut, parts that overlap, empty space, contrast."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from rich.color import ColorSystem
from rich.style import Style
from textual.app import App
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList

from companion.dashboard.themes import LEAST_CONTRAST, contrast
from companion.dashboard.widgets.panel import Panel

BESIDE = ("hint", "lesson")
"""BESIDE: boxes over the lower part of the table."""
CUT = ".."
"""CUT: what `labels.fit` writes where something is missing."""
FADED = frozenset("─━═│┃▀▄█▌▐░▒▓■●○◄►▲▼◆♥♦♣♠")
"""Signs that are drawn, not read: frames, bars and pictures."""


class Cell(NamedTuple):
    """One cell of the screen: what stands there, its ink and its ground as #rrggbb."""

    sign: str
    ink: str
    ground: str


def cells_of(strips: list[Strip], system: ColorSystem = ColorSystem.TRUECOLOR) -> list[list[Cell]]:
    """Rows of cells. `system`: the colours that the terminal can show."""
    rows = []
    for strip in strips:
        row: list[Cell] = []
        for text, given, _ in strip:
            style = given or Style()
            ink, ground = (
                one.downgrade(system).get_truecolor().hex if one else "" for one in (style.color, style.bgcolor)
            )
            if style.reverse:
                ink, ground = ground, ink
            row += [Cell(sign, ink, ground) for sign in text]
        rows.append(row)
    return rows


def lit(app: App[None], rows: list[list[Cell]]) -> list[list[Cell]]:
    """The cells that are to be read: of a screen that is darkened by what lies over it, what lies over it."""
    if not isinstance(app.screen, ModalScreen) or app.screen.styles.background.is_transparent:
        return rows
    over = [one.region for one in leaves(app)]
    nothing = Cell(" ", "", "")
    return [
        [cell if any(one.contains(x, y) for one in over) else nothing for x, cell in enumerate(row)]
        for y, row in enumerate(rows)
    ]


def faint(rows: list[list[Cell]]) -> set[str]:
    """Text whose contrast is too low: the words with their colours."""
    found = set()
    for row in rows:
        at = 0
        while at < len(row):
            end = at
            while end < len(row) and row[end][1:] == row[at][1:]:
                end += 1
            text = "".join(cell.sign for cell in row[at:end]).strip()
            ink, ground = row[at][1:]
            read = any(sign.isalnum() for sign in text if sign not in FADED)
            if read and (not ink or not ground or contrast(ink, ground) < LEAST_CONTRAST):
                found.add(f"{text!r}: {ink} on {ground}")
            at = end
    return found


def leaves(app: App[None]) -> Iterator[Widget]:
    """What is displayed and has no parts of its own."""
    for widget in app.screen.walk_children():
        shown = all(one.display for one in widget.ancestors_with_self if isinstance(one, Widget))
        if shown and not any(child.display for child in widget.children) and widget.region.area:
            yield widget


def _scrolls(widget: Widget) -> bool:
    above = (one for one in widget.ancestors if isinstance(one, Widget))
    return any(one.is_scrollable and one.allow_vertical_scroll for one in above)


def _lost(content: Content, width: int, height: int) -> str:
    """What of the rows of a panel is not on the screen; empty if all is."""
    rows = [row.plain.rstrip() for row in content.split("\n", allow_blank=True)]
    while rows and not rows[-1]:
        rows.pop()
    for row in rows:
        if Content(row).cell_length > width:
            return f"{row[width - 12 :]!r} ends outside"
    return f"rows {rows[height:]} are outside" if len(rows) > height else ""


def cut(app: App[None]) -> set[str]:
    """Parts whose text does not fit, or that are not wholly on the screen."""
    found = set()
    whole = app.screen.region
    for widget in leaves(app):
        if isinstance(widget, Panel) and not widget.shown.plain.strip():
            continue
        name = widget.id or type(widget).__name__
        if not whole.contains_region(widget.region) and not _scrolls(widget):
            found.add(f"{name}: {widget.region} is outside the screen")
        width, height = widget.size
        if isinstance(widget, Panel):
            if lost := _lost(widget.shown, width, height):
                found.add(f"{name}: {lost}")
        elif isinstance(widget, OptionList):
            for option in widget.options:
                long = max((len(row) for row in str(option.prompt).split("\n")), default=0)
                if long > width:
                    found.add(f"{name}: {str(option.prompt)!r} takes {long} of {width} columns")
        elif not isinstance(widget, Input | ScrollView) and not _scrolls(widget):
            needs = widget.get_content_height(widget.size, app.size, width)
            if needs > height:
                found.add(f"{name}: {needs} rows in {height}")
    return found


def overlapping(app: App[None]) -> set[str]:
    """Parts that lie over each other, and boxes that cover what to do next or the places."""
    parts = [one for one in leaves(app) if not _scrolls(one)]
    found = set()
    for one, other in combinations(parts, 2):
        layers = _layer(one), _layer(other)
        above, below = (one, other) if layers[0] == "over" else (other, one)
        covers = "over" in layers and above.id in BESIDE and _stays(below)
        if layers[0] == layers[1] or covers:
            common = one.region.intersection(other.region)
            if common.area and not {one.id, other.id} <= set(BESIDE):
                found.add(f"{above.id or type(above).__name__} lies over {below.id or type(below).__name__}")
    return found


def _layer(widget: Widget) -> str:
    """The layer of the part of the screen to which a widget belongs."""
    above = [
        one for one in widget.ancestors_with_self if isinstance(one, Widget) and not isinstance(one, Screen)
    ]
    return above[-1].layer


def _stays(widget: Widget) -> bool:
    return widget.id == "now" or (widget.id or "").startswith("place-")


def largest_gap(rows: list[list[Cell]]) -> tuple[float, tuple[int, int]]:
    """The largest empty rectangle: its share of the screen, and its columns and rows."""
    width = max(map(len, rows))
    heights, best, size = [0] * width, 0, (0, 0)
    for row in rows:
        heights = [heights[x] + 1 if x >= len(row) or row[x].sign == " " else 0 for x in range(width)]
        stack: list[tuple[int, int]] = []
        for x, tall in enumerate([*heights, 0]):
            start = x
            while stack and stack[-1][1] >= tall:
                start, high = stack.pop()
                if high * (x - start) > best:
                    best, size = high * (x - start), (x - start, high)
            stack.append((start, tall))
    return best / (width * len(rows)), size


def shortened(rows: list[list[Cell]]) -> set[str]:
    """Words that were shortened to fit."""
    texts = ("".join(cell.sign for cell in row) for row in rows)
    return {word for text in texts for word in text.split() if word.endswith(CUT) and word.strip(".")}
