"""The table screen: everything public about the table on one page, readable from two metres."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer

from companion.core.language import tr
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screen_layout import (
    Layout,
    Size,
    Wanted,
    arrange,
    arrange_for_television,
    banner_beside_choices,
)
from companion.dashboard.screens.hint_screen import HintPanel
from companion.dashboard.screens.seat_screen import IDLE_ROWS, SeatPanel
from companion.dashboard.themed_app import room_of
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.banner import (
    ASKED,
    Call,
    banner,
    banner_row,
    call_of,
    camera_starts,
    has_room_beneath,
    large_sentence,
    question,
)
from companion.dashboard.widgets.card_motion import STEP_S, Frame, frames_between
from companion.dashboard.widgets.card_row import ROW_ROOM, piles, row_width, rows_of_cards
from companion.dashboard.widgets.lesson_panel import LessonPanel, least_lesson_rows
from companion.dashboard.widgets.panel import Panel
from companion.dashboard.widgets.place_box import cards_size, place_box
from companion.dashboard.widgets.sensor_panels import camera_picture
from companion.dashboard.widgets.table_drawing import drawing_size, table_drawing
from companion.session.stream.events import CardView, PlaceView, SensorView, Table

PLACES = 5
"""PLACES: most places (players' or sleepers') that the table screen draws."""
ROWS_MAY = 4
"""ROWS_MAY: most rows of the table screen with sentences on what may be done now."""
LEAST_LOG = 3
"""LEAST_LOG: least rows that the log must keep for a sentence on what may be done in big letters."""
HURRY_S = 0.7
"""HURRY_S: time (s) after a change of the open cards in which another change is shown without motion. Fast
play thus costs little computing. A guess."""
_LOOKS = ("-nobody", "-blind", "-asked", "-old", "-p1", "-p2", "-p3", "-p4", "-p5")
"""_LOOKS: style sheet classes of the banner's colour; it has one of them at a time."""


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Sentences on what may be done now, as rows of text for the table screen.

    `may`: what may be done. `not_now`: what may not.
    """

    may: list[Content]
    not_now: list[Content]
    first: str
    """First sentence of `may`, which may stand alone in big letters; "" if it must not."""
    others: list[Content]
    """Rows with the sentences of `may` after the first."""

    @property
    def other_rows(self) -> int:
        """Number of rows of all sentences after the first."""
        return sum(map(_rows, self.others))


@dataclass(frozen=True, slots=True)
class _Page:
    """Rows of the table screen's parts, and texts for them.

    `layout`: rows of each part. `asked`: the engine's open question with its answers, empty for none. `may`:
    rows on what may be done.
    """

    layout: Layout
    asked: Content
    may: list[Content]
    beneath: str = ""
    """Sentence on what may be done, beneath the banner; "" for none."""


class TableScreen(Screen[None]):
    """Main screen of a game: all public facts in panels.

    It is laid out for the size of the terminal.
    """

    DEFAULT_CSS = """
    TableScreen { layout: vertical; overflow: hidden; }
    """

    AUTO_FOCUS = ""

    def __init__(
        self, model: PublicModel, world: WorldModel, *, big: bool = False, children: bool = False
    ) -> None:
        """Build the panels of the table screen.

        `model`, `world`: facts from the engine and the virtual table. `big`: layout for a television.
        `children`: no sentences on what may be done, and pictures of what to do.
        """
        super().__init__()
        self.big = big
        self.children_read_little = children
        self.model = model
        self.world = world
        self.foot: Callable[[int], tuple[Content, Content]] | None = None
        """Makes the two lowest rows for a width in columns; None: they show the keys."""
        self.parts = {name: Panel(name) for name in ("header", "now", "status", "say")}
        self.parts |= {name: Panel(name) for name in ("row", "piles", "log")}
        self.parts |= {name: Panel(name) for name in ("keys", "world-keys")}
        self.places = [Panel(f"place-{number}") for number in range(1, PLACES + 1)]
        self.place_row = Horizontal(*self.places, id="places")
        self.card_row = Horizontal(self.parts["row"], self.parts["piles"], id="cards")
        self.seat = SeatPanel()
        self.hint = HintPanel()
        self.lesson = LessonPanel()
        self.beside = Panel("beside")
        self.camera: SensorView | None = None
        """The newest picture of the camera while that is shown in the place of the drawing."""
        self.shows_camera = False
        self.moves = False
        """Whether cards are seen on their way to the row and from it."""
        self._row_size = 0, 0
        """Size of its cards, and its rows."""
        self._row_was: tuple[CardView, ...] = ()
        self._frames: list[Frame] = []
        """Pictures of the row that are still to be shown."""
        self._next_frame: Timer | None = None
        self._hurry: Timer | None = None
        """Runs for a moment after the row has changed."""

    def compose(self) -> ComposeResult:
        """Yield all panels of the table screen, from the top."""
        part = self.parts
        yield part["header"]
        yield part["now"]
        yield self.place_row
        yield self.card_row
        yield part["status"]
        yield part["say"]
        yield part["log"]
        yield part["keys"]
        yield part["world-keys"]
        yield self.beside
        yield self.seat
        yield self.hint
        yield self.lesson

    def on_mount(self) -> None:
        """Write the table screen at once, even without an engine."""
        self.paint()

    def on_resize(self) -> None:
        """Write the table screen for the terminal's new size."""
        self.paint()

    def all_panels(self) -> Iterator[Panel]:
        """Yield the table screen's panels that show public facts.

        Tests count their repaints.
        """
        yield from self.parts.values()
        yield from self.places
        yield self.beside

    def paint(self) -> None:
        """Write the table screen's panels with the newest facts.

        Only changed rows are repainted.
        """
        model, world, names = self.model, self.world, self.model.names
        width, height = room_of(self.app)
        scanned = self.app.size.height - height
        small = width < 80 or height + scanned < 24
        # A scan lights the choices of a person with one switch: nothing lies over the table then.
        seated = world.choosing and not scanned
        grid = arrange(width, height, Wanted()).grid
        side = self.room_beside()
        text_width = width - side[0] - 2 if side[0] else width
        # On a small screen a person's choices come before faults, which the screen of sensors tells in full.
        brief = world.choosing and not grid.card_size and not model.notice
        status = table_panels.status(model, world, text_width, small, 1 if brief else table_panels.STATUS_ROWS)
        asked = question(names.put_into(model.question.text), model.question.options, grid, width)
        said = self._sentences(asked, text_width, seated=seated)
        wanted = self._wanted(status, asked, said, width, seated=seated)
        call = call_of(model, names)
        if self.big and not seated:
            page = self._television_page(wanted, said, call, width, height)
        else:
            page = self._page(wanted, said, asked, text_width, width, height)
        layout, part = page.layout, self.parts
        self._give_rows(layout)
        part["header"].show(table_panels.header(model, names, width))
        above = self._paint_call_beside_choices(call, layout, width) if seated else 0
        self._paint_now(page, call, width, seated=seated)
        part["status"].show(table_panels.status(model, world, text_width, small, layout.status))
        part["say"].show(Content("\n").join([*page.may, *said.not_now][: max(1, layout.say)]))
        self._paint_foot(width)
        self._paint_table(width, layout)
        self._paint_log(text_width, layout)
        self._paint_beside(height, layout, side)
        covered = " ".join(status.plain.split())
        self.seat.set_class(layout.bare, "-lowest")
        turn, table = world.turn, self._table
        due = bool(turn and table and turn.player == table.player)
        self.seat.paint(world, names, above, 1 + layout.banner - above, covered, due=due, scanned=scanned)
        self._paint_hint(width, height, layout, covered)

    @property
    def _table(self) -> Table | None:
        """Newest view of the table from the engine.

        None before the first, and for an engine of another version.
        """
        return self.model.table if not self.model.foreign else None

    def _sentences(self, asked: Content, width: int, *, seated: bool) -> "_Sentences":
        """Sentences on allowed actions, as rows of `width` columns.

        `asked`: the engine's open question, empty for none. If a person in a seat chooses from a list
        (`seated`), `may` has that question alone.
        """
        table, put = self._table, self.model.names.put_into
        if table is None:
            return _Sentences([asked] if seated and asked else [], [], "", [])
        others = table_panels.say(map(put, table.may[1:]), width, ROWS_MAY)
        if seated:
            # The choices say what may be done. A question takes the place of those sentences.
            return _Sentences([asked] if asked else [], [], "", others)
        if self.children_read_little or self.model.ended or camera_starts(self.model):
            return _Sentences([], [], "", others)
        may = table_panels.say(map(put, table.may), width, ROWS_MAY)
        not_now = table_panels.say(map(put, table.may_not), width, 2, "$muted", "-")
        return _Sentences(may, not_now, put(table.may[0]) if may else "", others)

    def _wanted(
        self, status: Content, asked: Content, said: "_Sentences", width: int, *, seated: bool
    ) -> Wanted:
        """Rows that the table screen's parts want, for its layout.

        `status`: unusual states. `asked`: the engine's open question. `said`: what may be done. `width`:
        columns. `seated`: True if a person in a seat chooses from a list.
        """
        waits = self.world.waiting or (self.world.choosing and not seated)
        return Wanted(
            status=_rows(status),
            may=sum(map(_rows, said.may)),
            not_now=len(said.not_now),
            question=0 if seated else _rows(asked),
            world=self._has_world,
            waits=waits * IDLE_ROWS,
            seat=seated,
            lesson=0 if self.model.advice else least_lesson_rows(self.model.lessons.due, width),
        )

    def _television_page(
        self, wanted: Wanted, said: "_Sentences", call: Call, width: int, height: int
    ) -> "_Page":
        """Parts of the table screen on a television of `width` x `height` cells.

        `wanted`: rows wanted by the parts. `said`: what may be done; the first sentence stands beneath the
        banner if that has room for it. `call`: content of the banner.
        """
        layout = arrange_for_television(width, height, wanted)
        grid, open_now = arrange(width, height, Wanted()).grid, self.model.question
        asked = question(self.model.names.put_into(open_now.text), open_now.options, grid, width, layout.banner)
        if asked or not has_room_beneath(call, said.first, width, layout.banner - layout.status):
            return _Page(layout, asked, said.may)
        rest = replace(wanted, may=said.other_rows)
        return _Page(arrange_for_television(width, height, rest), asked, said.others, said.first)

    def _page(
        self, wanted: Wanted, said: "_Sentences", asked: Content, text_width: int, width: int, height: int
    ) -> "_Page":
        """Parts of the table screen on a terminal of `width` x `height` cells.

        `wanted`: rows wanted by the parts. `asked`: the engine's open question. `said`: what may be done; the
        first sentence is in big letters of `text_width` columns if at least LEAST_LOG rows stay for the log.
        """
        large = large_sentence(said.first, text_width)[:-1] if said.first else []
        if large and not asked:
            rows = len(large) + said.other_rows
            roomy = arrange(width, height, replace(wanted, may=rows))
            if roomy.log >= LEAST_LOG and roomy.say == rows + wanted.not_now:
                return _Page(roomy, asked, [*(Content.styled(row, "bold") for row in large), *said.others])
        return _Page(arrange(width, height, wanted), asked, said.may)

    def _paint_now(self, page: "_Page", call: Call, width: int, *, seated: bool) -> None:
        """Write the banner, or the engine's open question in its place.

        `call`: content of the banner. Neither is written if a person in a seat chooses from a list (`seated`).
        """
        now, layout = self.parts["now"], page.layout
        asked = bool(page.asked) and not seated
        if asked:
            now.show(page.asked)
        elif not seated:
            fill = layout.banner if layout.bare else 0
            below = layout.status if fill else 0
            drawn = self.children_read_little
            now.draw(banner, call, layout.grid, width, fill, below, drawn=drawn, sentence=page.beneath)
        look = f"-{ASKED}" if asked else call.css_class
        for other in _LOOKS:
            now.set_class(other == look, other)

    def _paint_call_beside_choices(self, call: Call, layout: Layout, width: int) -> int:
        """Write the banner above a seated person's list of choices.

        `call`: content of the banner. Returns the number of rows from the top of the screen to the banner's
        lower end.
        """
        rows, with_header = banner_beside_choices(layout)
        header, now = self.parts["header"], self.parts["now"]
        header.display = with_header
        now.styles.height = layout.banner + (not with_header)
        if rows == 1:
            now.draw(banner_row, call, width)
        else:
            grid = layout.grid if with_header else replace(layout.grid, name=0, pad=0)
            now.draw(banner, call, grid, width)
        return rows + with_header

    def _paint_foot(self, width: int) -> None:
        """Write the two lowest rows: keys of the engine, and of a virtual table.

        `foot` may give other content, as in a replay. `width`: columns.
        """
        upper, lower = self.parts["keys"], self.parts["world-keys"]
        if self.foot is not None:
            for panel, content in zip((upper, lower), self.foot(width), strict=True):
                panel.show(content)
            return
        upper.draw(table_panels.keys, table_panels.keys_now(self.model), width)
        clock = table_panels.clockwork(self.world)
        lower.draw(table_panels.keys, table_panels.world_keys_now(self.world), width, clock)

    def _give_rows(self, layout: Layout) -> None:
        part = self.parts
        rows = {part["now"]: layout.banner, part["status"]: layout.status, part["say"]: layout.say}
        for panel, count in rows.items():
            panel.display = count > 0
            panel.styles.height = count
        self.place_row.styles.height = layout.places
        self.card_row.styles.height = layout.cards
        for number, row in enumerate((self.place_row, self.card_row)):
            row.set_class(layout.air > number, "-aired")
        part["header"].display = part["keys"].display = not layout.bare
        part["world-keys"].display = layout.world

    def _paint_hint(self, width: int, height: int, layout: Layout, status: str) -> None:
        """Show the hint, else the lesson, in a box over the lower part of the screen.

        The box covers neither banner nor places. `status`: text that it may cover.
        """
        keys = 0 if layout.bare else 1 + layout.world
        below = keys + (self.seat.rows if self.seat.display and self.seat.has_class("-idle") else 0)
        above = (0 if layout.bare else 1) + layout.banner + layout.places + (layout.air > 0)
        free = layout.say + layout.log
        model, rows = self.model, height - above - below
        tells, always = bool(model.table and model.table.statements), model.hints_always
        below += self.app.size.height - height
        self.hint.paint(
            model.advice, model.names, width, rows, below, status, free=free, always=always, tells=tells
        )
        due = None if model.advice else model.lessons.due
        self.lesson.paint(due, width, rows, below, free=layout.status + free)

    def _paint_table(self, width: int, layout: Layout) -> None:
        table, names = self._table, self.model.names
        views = table.places[:PLACES] if table else ()
        room = len(views)
        self.place_row.display = room > 0 and layout.places > 0
        inside = width // max(1, room) - 1
        largest = cards_size(views, inside, layout.places)
        for number, panel in enumerate(self.places, 1):
            panel.display = number <= room
            if number > room:
                continue
            view = views[number - 1]
            on_turn = bool(table and view.player and view.player == table.player)
            panel.draw(_place, view, number, inside, layout.places, names, on_turn=on_turn, largest=largest)
        if table is None:
            return
        size = layout.grid.card_size
        wide = row_width(size, ROW_ROOM)
        self.parts["row"].styles.width = wide
        self._move_cards(table)
        self._row_size = size, layout.cards
        self._paint_row(table)
        self.parts["piles"].show(piles(table, names, min(width - wide - 4, 60), layout.cards))

    def _move_cards(self, table: Table) -> None:
        """Prepare the pictures of a motion if open cards have left or come.

        There are none soon after an earlier change (HURRY_S), or if `moves` is False.
        """
        now = table.rows[0].cards if table.rows else ()
        was, self._row_was = self._row_was, now
        if now == was or not self.moves:
            return
        self._frames = [] if self._hurry else frames_between(was, now)
        if self._hurry:
            self._hurry.stop()
        self._hurry = self.set_timer(HURRY_S, self._rest)

    def _rest(self) -> None:
        self._hurry = None

    def _paint_row(self, table: Table) -> None:
        """Write the open cards, or the next picture of their motion, on the screen."""
        frame = self._frames[0] if self._frames else None
        self.parts["row"].draw(rows_of_cards, table.rows, *self._row_size, table.piles, frame)
        if frame and self._next_frame is None:
            self._next_frame = self.set_timer(STEP_S, self._paint_next)

    def _paint_next(self) -> None:
        self._next_frame = None
        self._frames = self._frames[1:]
        if self.model.table is not None and not self.model.foreign:
            self._paint_row(self.model.table)

    def room_beside(self) -> tuple[int, int]:
        """Space for a drawing of the table beside the open cards: (columns, rows).

        (0, 0) without room, on a television, or before the first table.
        """
        width, height = room_of(self.app)
        hello, layout = self.model.welcome, arrange(width, height, Wanted(world=self._has_world))
        if layout.size is not Size.HUGE or self.big or hello is None or self.model.table is None:
            return 0, 0
        rows = height - self._top_of_cards(layout) - 1 - self._has_world
        return drawing_size(hello, width - row_width(layout.grid.card_size, ROW_ROOM) - 5, rows)

    @property
    def _has_world(self) -> bool:
        return self.world.attached or self.foot is not None

    def _top_of_cards(self, layout: Layout) -> int:
        return 1 + layout.banner + layout.places + min(2, layout.air)

    def _paint_beside(self, height: int, layout: Layout, side: tuple[int, int]) -> None:
        """Write a drawing of the table, or the camera's picture, beside the cards.

        It replaces the list of piles. `side`: its (columns, rows), as in `room_beside`; without room the list
        stays.
        """
        table, hello, panel = self.model.table, self.model.welcome, self.beside
        top = self._top_of_cards(layout)
        room = height - top - 1 - layout.world  # less than `side` has while the banner shows a hand
        shown = bool(side[0] and side[1] <= room and table and hello and not layout.bare)
        panel.display, self.parts["piles"].display = shown, not shown
        if not (shown and table and hello):
            return None
        panel.styles.width, panel.styles.height = side[0] + 2, room
        panel.styles.margin = (top, 0, 0, 0)
        if self.shows_camera:
            seen = camera_picture(self.camera)[: side[1]] if self.camera else []
            none = Content.styled(tr("No picture from the camera."), "bold $bad")
            rows = [*(seen or [none]), Content("")]
            words = tr("the table")
        else:
            rows = table_drawing(hello, table, self.model.names, *side)
            words = tr("the camera")
        if self.foot is not None:  # a recorded game, which has no camera
            return panel.show(Content("\n").join(rows))
        key = Content.assemble((" F7 ", "bold $key-ink on $key"), f" {words}")
        if rows[-1].cell_length + 2 + key.cell_length > side[0] + 1:
            key = key[:4]  # the palette of commands has its words
        key = key.stylize("@click=app.camera")
        gap = " " * max(2, side[0] - rows[-1].cell_length - key.cell_length)
        return panel.show(Content("\n").join([*rows[:-1], Content.assemble(rows[-1], gap, key)]))

    def _paint_log(self, width: int, layout: Layout) -> None:
        log = self.parts["log"]
        # An empty one keeps the rows free that the hand of a person who waits lies over.
        log.display = layout.log > 0 or (self.world.waiting and not layout.bare)
        log.show(table_panels.log(self.model, self.model.names, layout.log, width))


def _place(
    view: PlaceView,
    number: int,
    width: int,
    height: int,
    names: PlayerNames,
    *,
    on_turn: bool,
    largest: int,
) -> Content:
    """Place of the table as text; a click claims it while it can be claimed.

    `number`: number of the place, from 1. `width`, `height`: columns and rows. `on_turn`: True if its player
    is on turn. `largest`: index into SIZES of the largest cards to draw.
    """
    drawn = place_box(view, number, width, height, names, on_turn=on_turn, largest=largest)
    return drawn.stylize(f"@click=app.place({number})") if view.claim else drawn


def _rows(text: Content) -> int:
    """Number of rows of a text; 0 for an empty one."""
    return text.plain.count("\n") + 1 if text else 0
