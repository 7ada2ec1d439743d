"""The main screen: everything public about the table on one page, made for two metres."""

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from companion.dashboard import panels
from companion.dashboard.beds import ROOMY_BED, bed
from companion.dashboard.hints import HintPanel
from companion.dashboard.model import Link, PublicModel, WorldModel
from companion.dashboard.panel import Panel, write_edge
from companion.dashboard.seat import SeatPanel
from companion.events import BedView

BEDS = 5
"""Room for the beds of the biggest variant."""


class TableScreen(Screen[None]):
    """Lays the panels out for the size of the terminal and paints what changed."""

    DEFAULT_CSS = """
    TableScreen { layout: vertical; overflow: hidden; layers: base over; }
    #header, #status, #keys, #world-keys { height: 1; width: 100%; }
    #now { height: 3; width: 100%; }
    #actions { height: 4; width: 100%; }
    #beds { height: 7; width: 100%; }
    #beds Panel { width: 1fr; border: solid ansi_default; }
    #beds Panel.-asleep { border: double ansi_green; }
    #beds Panel.-out { border: ascii ansi_default; }
    #cards { height: 4; width: 100%; }
    #row { width: 50; }
    #piles { width: 1fr; padding-left: 2; }
    #log { height: 1fr; width: 100%; }
    #question { height: 2; width: 100%; display: none; }
    TableScreen.-long #question { height: 3; }
    #world-keys { display: none; }
    TableScreen.-large #now { height: 7; padding: 1 2; }
    TableScreen.-large #actions { height: 6; padding: 1 1 0 1; }
    TableScreen.-large #beds { height: 9; }
    TableScreen.-roomy #beds { height: 14; }
    TableScreen.-huge #beds { height: 17; }
    TableScreen.-large #cards { height: 8; margin-bottom: 1; }
    TableScreen.-large #row { width: 86; margin-left: 2; }
    TableScreen.-large #piles { padding-left: 3; }
    TableScreen.-large #question { height: 3; padding: 0 1 1 1; }
    TableScreen.-large.-long #question { height: 4; }
    TableScreen.-asks #question { display: block; }
    TableScreen.-world #world-keys { display: block; }
    """

    def __init__(self, model: PublicModel, world: WorldModel) -> None:
        super().__init__()
        self.model = model
        self.world = world
        self.parts = {name: Panel(name) for name in ("header", "now", "status", "actions")}
        self.parts |= {name: Panel(name) for name in ("row", "piles", "log", "question")}
        self.parts |= {name: Panel(name) for name in ("keys", "world-keys")}
        self.beds = [Panel(f"bed-{number}") for number in range(1, BEDS + 1)]
        self.bed_row = Horizontal(*self.beds, id="beds")
        self.seat = SeatPanel()
        self.hint = HintPanel()

    def compose(self) -> ComposeResult:
        part = self.parts
        yield part["header"]
        yield part["now"]
        yield part["status"]
        yield part["actions"]
        yield self.bed_row
        yield Horizontal(part["row"], part["piles"], id="cards")
        yield part["log"]
        yield part["question"]
        yield part["keys"]
        yield part["world-keys"]
        yield self.seat
        yield self.hint

    def on_mount(self) -> None:
        """Show the first picture at once, engine or not."""
        self.paint()

    def on_resize(self) -> None:
        """Another size, another layout."""
        self.paint()

    def all_panels(self) -> Iterator[Panel]:
        """Every public panel, for those who count repaints."""
        yield from self.parts.values()
        yield from self.beds

    def paint(self) -> None:
        """Write everything that changed since the last time."""
        model, world = self.model, self.world
        width, height = self.app.size
        large = width >= 120 and height >= 40
        asks = bool(model.question.text)
        huge = large and width >= 160 and height >= 54
        roomy = large and width // self._bed_count() - 2 >= ROOMY_BED
        self.set_class(large, "-large")
        self.set_class(roomy, "-roomy")
        self.set_class(huge, "-huge")
        self.set_class(asks, "-asks")
        part = self.parts
        part["header"].show(panels.header(model, width))
        part["now"].show(panels.now(model, width - 4 if large else width, large))
        status = panels.status(model, world, width, small=width < 80 or height < 24)
        part["status"].show(status)
        part["actions"].show(panels.actions(model, width, 5 if large else 4))
        question = panels.question(model, width - 2 if large else width)
        part["question"].show(question)
        self.set_class(question.plain.count("\n") > 1, "-long")
        bed_rows = 17 if huge else 14 if roomy else 9 if large else 7
        rows = self._log_rows(height, large, bed_rows, question)
        self.set_class(world.attached and rows >= 0, "-world")  # a long question may take its row
        part["log"].display = rows > 0
        part["log"].show(panels.log(model, rows, width))
        part["keys"].show(panels.keys(panels.KEYS, width))
        part["world-keys"].show(panels.keys(panels.WORLD_KEYS, width, panels.clockwork(world)))
        self._paint_table(width, bed_rows - 2, large)
        self.seat.paint(world, large, status.plain.strip())
        self._paint_hint(width, height, large, status.plain.strip())

    def _paint_hint(self, width: int, height: int, large: bool, status: str) -> None:
        """Over whose turn it is, which the box says itself, or below the choices of the person in a seat."""
        low = self.seat.display and not self.seat.has_class("-idle")
        above = (self.seat.ROWS_LARGE if large else self.seat.ROWS) if low else 1
        rows = range(7 if large and not low else 3, height - above - 1)
        always = self.model.hints_always
        self.hint.paint(self.model.advice, width, rows, status, low=low, always=always)

    def _bed_count(self) -> int:
        table = self.model.table if not self.model.foreign else None
        return max(1, len(table.beds)) if table else BEDS

    def _log_rows(self, height: int, large: bool, bed_rows: int, question: Content) -> int:
        taken = bed_rows + ((1 + 7 + 1 + 6 + 9 + 1) if large else (1 + 3 + 1 + 4 + 4 + 1))
        if question:
            taken += question.plain.count("\n") + (2 if large else 1)
        taken += 1 if self.world.attached else 0
        return height - taken

    def _paint_table(self, width: int, bed_rows: int, large: bool) -> None:
        table = self.model.table if not self.model.foreign else None
        views = table.beds if table else ()
        old = self.model.link is not Link.LIVE or not self.model.fresh
        room = len(views) if table else BEDS
        self.bed_row.display = room > 0
        for number, panel in enumerate(self.beds, 1):
            panel.display = number <= room
            view = views[number - 1] if number <= len(views) else BedView("", "")
            panel.set_class(view.fate == "asleep", "-asleep")
            panel.set_class(view.fate == "out", "-out")
            write_edge(panel, title=f"{number} (old)" if table and old else str(number))
            panel.show(bed(view, width // max(1, room) - 2, bed_rows))
        if table is None:
            return
        self.parts["row"].show(panels.row_of_cards(table.row, 5, large))
        self.parts["piles"].show(panels.piles(table, large))
