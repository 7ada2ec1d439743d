"""All tables of a café on one screen, live."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from companion.bridges.tables.listed_table import HEADS, TablesSource, in_words
from companion.core.errors import CompanionError
from companion.core.language import localized, tr
from companion.dashboard.labels import fit
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.widgets.panel import Panel

_GROUNDS = {
    "playing": "yes",
    "over": "asleep",
    "waiting": "perhaps",
    "starting": "perhaps",
    "no engine": "no",
    "gone": "out",
}
"""Status of a table -> name of the theme's colour behind its word."""
_SHARES = {
    "table": 14,
    "status": 15,
    "game": 20,
    "turn": 5,
    "player": 12,
    "to_do": 34,
    "score": 9,
    "page": 60,
    "faults": 200,
}
"""Column of the list -> its largest width in columns of the terminal."""
_BELOW = {"page": "", "faults": "bold $bad"}
"""Column -> style of its text when the terminal is narrow.

These columns then become lines of their own below each row.
"""
LEAST_S = 0.25
"""Shortest time (s) between two repaints of the screen."""


class TablesApp(ThemedApp):
    """Screen that lists all tables live, one row each.

    `error`: what ended the source of the list; None while it works. The caller raises it after the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,ctrl+c,ctrl+q", "quit", "quit", priority=True)]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, source: Callable[[Callable[[], None]], TablesSource]) -> None:
        """Prepare the screen.

        `source`: makes the source of the list. Its argument is a function that the source calls, without
        arguments, when a row may have changed.
        """
        super().__init__()
        self.error: CompanionError | None = None
        self._source = source
        self._listed: TablesSource | None = None
        self._dirty = True

    def compose(self) -> ComposeResult:
        """The screen's only widget: the panel that shows the list."""
        yield Panel("tables")

    def on_mount(self) -> None:
        """Begin to follow the tables, and to repaint."""
        self.set_interval(LEAST_S, self._paint)
        self.run_worker(self._follow(), name="tables")

    def on_resize(self) -> None:
        """Draw again in the terminal's new size."""
        self._dirty = True

    async def _follow(self) -> None:
        self._listed = self._source(self._changed)
        try:
            await self._listed.run()
        except CompanionError as error:
            self.error = error
            self.exit()

    def _changed(self) -> None:
        self._dirty = True

    def _paint(self) -> None:
        listed = self._listed
        if self._dirty and listed is not None:
            self._dirty = False
            page = tables_page(listed.rows(), listed.said, self.size.width, listed.nothing_yet())
            self.query_one(Panel).show(page)


def tables_page(rows: Sequence[dict[str, Any]], said: str, width: int, nothing_yet: str = "") -> Content:
    """The list of tables as styled text, at most `width` columns wide.

    `rows`: as from `ListedTable.row`. `said`: what is wrong with the source, shown at the top; "" for nothing.
    `nothing_yet`: sentence shown if there are no rows. In a narrow terminal web pages and faults stand below
    their row.
    """
    lines = [Content.styled(fit(f" {said} ", width), "bold $state-ink on $perhaps")] if said else []
    if not rows:
        return Content("\n").join([*lines, Content.styled(f" {nothing_yet}", "$muted")])
    cells = [in_words(row) for row in rows]
    heads = {name: localized(head) for name, head in HEADS.items()}
    widths = {
        name: min(most, max([len(heads[name]), *(len(row[name]) for row in cells)]))
        for name, most in _SHARES.items()
    }
    columns, below = _columns(widths, width, pages=any(row["page"] for row in rows))
    head = "  ".join(f"{heads[name]:<{widths[name]}}" for name in columns)
    lines.append(Content.styled(fit(f" {head.rstrip()}", width), "$muted"))
    for row, told in zip(rows, cells, strict=True):
        parts = [_cell(name, row, fit(told[name], widths[name]).ljust(widths[name])) for name in columns]
        lines.append(Content.assemble(" ", Content("  ").join(parts))[:width])
        if below:
            for name, style in _BELOW.items():
                wrapped = textwrap.wrap(told[name], max(1, width - 4))
                lines += [Content.styled(f"   {line}", style) for line in wrapped]
    lines += [Content(""), Content.styled(" " + tr("q: quit"), "$muted")]
    return Content("\n").join(lines)


def _columns(widths: Mapping[str, int], width: int, *, pages: bool) -> tuple[list[str], bool]:
    """Columns of the list, and True if pages and faults have rows of their own, as there is no room beside.

    `widths`: of all columns. `width`: of the list. `pages`: True if any table has a web page.
    """
    columns = [name for name in _SHARES if name != "page" or pages]
    below = 1 + sum(widths[name] + 2 for name in columns) - 2 > width
    return [name for name in columns if not (below and name in _BELOW)], below


def _cell(column: str, row: dict[str, Any], text: str) -> Content:
    """One cell of the list in the style of its column."""
    if column == "status":
        return Content.styled(text, f"bold $state-ink on ${_GROUNDS[row[column]]}")
    if column == "faults":
        return Content.styled(text, "bold $bad")
    return Content.styled(text, "bold" if column in ("table", "to_do") else "")
