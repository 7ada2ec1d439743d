"""The main screen: everything public about the table on one page, readable from two metres."""

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from companion.dashboard.model import Link, PublicModel, WorldModel
from companion.dashboard.row_layout import LARGE, Layout, Wanted, arrange
from companion.dashboard.screens.hint_screen import HintPanel
from companion.dashboard.screens.seat_screen import SeatPanel
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.panel import Panel, write_edge
from companion.dashboard.widgets.place_box import place_box
from companion.session.events import PlaceView

PLACES = 5
"""PLACES: number of places drawn before a game says how many it has, and the most."""
ROW_COLUMNS, ROW_COLUMNS_LARGE = 50 + 2, 2 + 86 + 3
"""Columns of the open row with the space beside it, as in the style below."""


class TableScreen(Screen[None]):
    """Lays the panels out for the size of the terminal and paints what changed."""

    DEFAULT_CSS = """
    TableScreen { layout: vertical; overflow: hidden; layers: base over; }
    #header, #keys, #world-keys { height: 1; width: 100%; }
    #now, #status, #actions, #places, #question { width: 100%; }
    #places Panel { width: 1fr; border: solid ansi_default; }
    #places Panel.-asleep { border: double ansi_green; }
    #places Panel.-out { border: ascii ansi_default; }
    #cards { height: 4; width: 100%; }
    #row { width: 50; }
    #piles { width: 1fr; padding-left: 2; }
    #log { height: 1fr; width: 100%; }
    TableScreen.-large #now { padding: 1 2; }
    TableScreen.-large #actions { padding: 1 1 0 1; }
    TableScreen.-large #cards { height: 8; margin-bottom: 1; }
    TableScreen.-large #row { width: 86; margin-left: 2; }
    TableScreen.-large #piles { padding-left: 3; }
    TableScreen.-large #question { padding: 0 1 1 1; }
    """

    AUTO_FOCUS = ""

    def __init__(self, model: PublicModel, world: WorldModel) -> None:
        super().__init__()
        self.model = model
        self.world = world
        self.parts = {name: Panel(name) for name in ("header", "now", "status", "actions")}
        self.parts |= {name: Panel(name) for name in ("row", "piles", "log", "question")}
        self.parts |= {name: Panel(name) for name in ("keys", "world-keys")}
        self.places = [Panel(f"place-{number}") for number in range(1, PLACES + 1)]
        self.place_row = Horizontal(*self.places, id="places")
        self.seat = SeatPanel()
        self.hint = HintPanel()

    def compose(self) -> ComposeResult:
        part = self.parts
        yield part["header"]
        yield part["now"]
        yield part["status"]
        yield part["actions"]
        yield self.place_row
        yield Horizontal(part["row"], part["piles"], id="cards")
        yield part["log"]
        yield part["question"]
        yield part["keys"]
        yield part["world-keys"]
        yield self.seat
        yield self.hint

    def on_mount(self) -> None:
        """Paint the first picture at once, with or without an engine."""
        self.paint()

    def on_resize(self) -> None:
        """Lay out for the new size."""
        self.paint()

    def all_panels(self) -> Iterator[Panel]:
        """Every public panel, for tests that count repaints."""
        yield from self.parts.values()
        yield from self.places

    def paint(self) -> None:
        """Write everything that changed."""
        model, world = self.model, self.world
        width, height = self.app.size
        inside = width - 2 if width >= LARGE[0] and height >= LARGE[1] else width
        small = width < 80 or height < 24
        status = table_panels.status(model, world, width, small)
        may, may_not = table_panels.may(model, inside), table_panels.may_not(model, inside)
        question = table_panels.question(model, inside)
        wanted = Wanted(
            status=_rows(status),
            may=len(may),
            not_now=len(may_not),
            question=_rows(question),
            places=self._place_count(),
            titles=table_panels.all_titles(model),
            world=world.attached,
        )
        layout = arrange(width, height, wanted)
        self._give_rows(layout)
        part = self.parts
        part["header"].show(table_panels.header(model, width))
        part["now"].show(table_panels.now(model, inside, layout.scale))
        part["status"].show(table_panels.status(model, world, width, small, layout.status))
        part["actions"].show(table_panels.lines(*[*may, *may_not][: layout.text]))
        part["question"].show(question)
        part["log"].show(table_panels.log(model, layout.log, width))
        part["keys"].show(table_panels.keys(table_panels.KEYS, width))
        part["world-keys"].show(
            table_panels.keys(table_panels.WORLD_KEYS, width, table_panels.clockwork(world))
        )
        self._paint_table(width, layout)
        covered = " ".join(status.plain.split())
        top = 1 + layout.title + layout.status + layout.actions
        self.seat.paint(world, top, covered)
        self._paint_hint(width, height, layout.title, covered)

    def _give_rows(self, layout: Layout) -> None:
        self.set_class(layout.large, "-large")
        part = self.parts
        rows = {part["now"]: layout.title, part["status"]: layout.status, part["actions"]: layout.actions}
        rows |= {part["log"]: layout.log, part["question"]: layout.question}
        for panel, count in rows.items():
            panel.display = count > 0
            panel.styles.height = count
        self.place_row.styles.height = layout.places
        part["world-keys"].display = layout.world

    def _paint_hint(self, width: int, height: int, title: int, status: str) -> None:
        """Place the hint over the title, whose text its border repeats, or below the choices of the person
        in a seat."""
        low = self.seat.display and not self.seat.has_class("-idle")
        above = self.seat.rows if low else 1
        rows = range(3 if low else title, height - above - 1)
        always = self.model.hints_always
        self.hint.paint(self.model.advice, width, rows, status, low=low, always=always)

    def _place_count(self) -> int:
        table = self.model.table if not self.model.foreign else None
        return min(PLACES, max(1, len(table.places))) if table else PLACES

    def _paint_table(self, width: int, layout: Layout) -> None:
        table = self.model.table if not self.model.foreign else None
        views = table.places[:PLACES] if table else ()
        old = self.model.link is not Link.LIVE or not self.model.fresh
        room = len(views) if table else PLACES
        self.place_row.display = room > 0
        for number, panel in enumerate(self.places, 1):
            panel.display = number <= room
            view = views[number - 1] if number <= len(views) else PlaceView("", "")
            panel.set_class(view.badge == "asleep", "-asleep")
            panel.set_class(view.badge == "out", "-out")
            write_edge(panel, title=f"{number} (old)" if table and old else str(number))
            panel.show(place_box(view, width // max(1, room) - 2, layout.places - 2))
        if table is None:
            return
        self.parts["row"].show(table_panels.rows_of_cards(table.rows, layout.large))
        left = width - (ROW_COLUMNS_LARGE if layout.large else ROW_COLUMNS)
        self.parts["piles"].show(table_panels.piles(table, layout.large, left))


def _rows(text: Content) -> int:
    """Rows of text; none for an empty one."""
    return text.plain.count("\n") + 1 if text else 0
