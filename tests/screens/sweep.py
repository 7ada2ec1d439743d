"""The sweep: each scene in each size, theme and language, and what is wrong with it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.color import Color, ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.pilot import Pilot
from textual.strip import Strip

from companion.core import language
from companion.dashboard.screens.table_screen import TableScreen
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.themes import CONTRAST
from tests.screens import measures
from tests.screens.scenes import GROUPS, scenes

SIZES = ((80, 24), (100, 30), (120, 40), (200, 60))
FILLED, MOST_GAP = (TableScreen, VerdictScreen, ScoreScreen), 0.45
"""FILLED, MOST_GAP: screens of a game in progress, and the largest share of them that one empty rectangle may
take. How much stands on the others depends on what there is to list."""


class Look(NamedTuple):
    """How a screen is shown: columns and rows, theme, code of the language."""

    size: tuple[int, int]
    theme: str
    code: str


class Finding(NamedTuple):
    """What is wrong with one screen, and how it was shown."""

    scene: str
    look: Look
    kind: str
    what: str

    def __str__(self) -> str:
        (width, height), theme, code = self.look
        return f"{self.scene} {width}x{height} {theme} {code}: {self.kind}: {self.what}"


def laid_out(app: ThemedApp, rows: list[list[measures.Cell]]) -> Iterator[tuple[str, str]]:
    """What is wrong with the layout, whatever the colours."""
    yield from (("cut", what) for what in measures.cut(app))
    yield from (("overlap", what) for what in measures.overlapping(app))
    yield from (("shortened", what) for what in measures.shortened(rows))
    share, (columns, deep) = measures.largest_gap(rows)
    if share > MOST_GAP and isinstance(app.screen, FILLED):
        yield "empty", f"{share:.0%}: {columns}x{deep}"


def coloured(app: ThemedApp, strips: list[Strip]) -> Iterator[tuple[str, str]]:
    """What cannot be read in these colours; in the theme for consoles also in 16 colours."""
    systems = {"faint": ColorSystem.TRUECOLOR}
    if app.theme == CONTRAST.name:
        systems["faint in 16 colours"] = ColorSystem.STANDARD
    for kind, system in systems.items():
        rows = measures.lit(app, measures.cells_of(strips, system))
        yield from ((kind, what) for what in measures.faint(rows))


async def rendered(pilot: Pilot[None], app: ThemedApp, look: Look) -> list[Strip]:
    """The rows of the screen in this size and theme."""
    if app.size != look.size:
        await pilot.resize_terminal(*look.size)
        for _ in range(4):
            await pilot.pause()
    if app.theme != look.theme:
        app.theme = look.theme
        await pilot.pause()
        await pilot.pause()
    return app.screen._compositor.render_strips()


def _way(app: ThemedApp, looks: Sequence[Look]) -> Iterator[Look]:
    """The looks, size by size, beginning with how the app is shown: each change of size or theme costs time."""
    sizes = sorted({look.size for look in looks})
    for size in sizes[::-1] if app.size == sizes[-1] else sizes:
        now = app.theme
        yield from sorted((look for look in looks if look.size == size), key=lambda look: look.theme != now)


async def sweep(
    folder: Path,
    looks: Sequence[Look],
    games: Sequence[str],
    groups: Sequence[str] = GROUPS,
    only: str = "",
    pictures: Path | None = None,
    *,
    console: bool = False,
    hear: Callable[[Finding], None] = lambda _found: None,
) -> tuple[int, list[Finding]]:
    """Number of screens, and everything that is wrong with them. `only`: scenes with this in their name.
    `pictures`: folder for drawings, in 16 colours if `console`. `hear`: is told each finding at once."""
    found: list[Finding] = []
    count = 0
    try:
        for code in dict.fromkeys(look.code for look in looks):
            language.use(code)
            async for scene, pilot, app in scenes(folder, games, groups):
                if only not in scene:
                    continue
                size = (0, 0)
                for look in _way(app, [look for look in looks if look.code == code]):
                    count += 1
                    strips = await rendered(pilot, app, look)
                    wrong = list(coloured(app, strips))
                    if look.size != size:
                        wrong += laid_out(app, measures.lit(app, measures.cells_of(strips)))
                        size = look.size
                    for one in wrong:
                        found.append(Finding(scene, look, *one))
                        hear(found[-1])
                    if pictures is not None:
                        _draw(in_16_colours(strips) if console else strips, pictures, scene, look)
    finally:
        language.use(language.ENGLISH)
    return count, found


def in_16_colours(strips: list[Strip]) -> list[Strip]:
    """The same rows as a console shows them."""

    def least(style: Style | None) -> Style:
        colours = [
            Color.from_triplet(one.downgrade(ColorSystem.STANDARD).get_truecolor()) if one else None
            for one in (style.color, style.bgcolor)
            if style
        ] or [None, None]
        return (style or Style()) + Style(color=colours[0], bgcolor=colours[1])

    return [
        Strip([Segment(text, least(style)) for text, style, _ in strip], strip.cell_length) for strip in strips
    ]


def _draw(strips: list[Strip], folder: Path, scene: str, look: Look) -> None:
    from terminal_svg import screen_svg

    name = f"{scene}_{look.size[0]}x{look.size[1]}_{look.theme}_{look.code}.svg"
    (folder / name.replace(" ", "-").replace(":", "")).write_text(screen_svg(strips), encoding="utf-8")
