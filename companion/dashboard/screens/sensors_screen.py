"""The sensors, live: the camera's picture with what is read in it, the stations of the board, the link."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.message import Message

from companion.core.language import localized, tr
from companion.core.sensor_terms import sensor_name
from companion.dashboard.labels import without_paths
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.screens.close_once import Passing
from companion.dashboard.themed_app import room_of
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.panel import Panel
from companion.dashboard.widgets.sensor_panels import camera_picture, pressure_picture, station_rows, zone_rows
from companion.session.stream.commands import AskSensors
from companion.session.stream.events import SensorView

ASK_S = 1.0
"""ASK_S: time (s) between two requests to the engine for the camera's picture. A guess."""
SIDE = 42
"""SIDE: columns of the sensor page for stations and faults, beside the camera's picture."""
ZONES = 6
"""ZONES: most zones of the mat for which the sensor page lists the cards that the camera reads, one row
each."""


class SensorsScreen(Passing[None]):
    """Page of live sensors over the table, renewed every ASK_S.

    It shows the camera's picture, cards read in zones of the mat, stations of the board, and which sensors
    work. Any key closes it.
    """

    class Asked(Message):
        """Message: the page wants newer sensor values.

        `command`: request that the app is to send to the engine.
        """

        def __init__(self, command: AskSensors) -> None:
            super().__init__()
            self.command = command

    DEFAULT_CSS = """
    SensorsScreen #page { width: 100%; height: 100%; }
    """
    AUTO_FOCUS = ""

    def __init__(self, model: PublicModel, world: WorldModel) -> None:
        super().__init__()
        self.model = model
        self.world = world
        self.view: SensorView | None = None
        self.body = Panel("page")
        self._asked_for = (0, 0)
        """Columns and rows for which the newest picture was requested."""

    def compose(self) -> ComposeResult:
        """Yield the sensor page's only widget: all its text."""
        yield self.body

    def on_mount(self) -> None:
        """Ask for sensor values now and every ASK_S; write the page."""
        self.set_interval(ASK_S, self._ask)
        self._ask()
        self.paint()

    def on_resize(self) -> None:
        """Write the sensor page for its new size, and ask for a picture that fits."""
        if self.room() != self._asked_for:
            self._ask()
        self.paint()

    def room(self) -> tuple[int, int]:
        """Sensor page's space for the camera picture: (columns, rows)."""
        width, height = room_of(self.app)
        return max(16, width - SIDE - 4), max(6, height - 5 - ZONES - 2)

    def _ask(self) -> None:
        self._asked_for = columns, rows = self.room()
        self.post_message(self.Asked(AskSensors(columns, 2 * rows)))

    def take(self, view: SensorView) -> None:
        """Show newer sensor values on the sensor page."""
        self.view = view
        self.paint()

    def paint(self) -> None:
        """Write the sensor page with the newest values."""
        self.body.show(sensors_page(self.view, self.model, self.world, self.room(), *room_of(self.app)))

    def on_key(self, event: Key) -> None:
        """Close the sensor page."""
        event.stop()
        event.prevent_default()
        self.leave(None)


def sensors_page(
    view: SensorView | None,
    model: PublicModel,
    world: WorldModel,
    room: tuple[int, int],
    width: int,
    height: int,
) -> Content:
    """Page of live sensors: `width` columns by `height` rows.

    `view`: newest sensor values; None until the engine has answered. `model`: which sensors work. `world`:
    lamps of a virtual table. `room`: (columns, rows) for the camera's picture.
    """
    columns, rows = room
    title = Content.styled(tr(" SENSORS "), "bold $accent")
    foot = Content.styled(tr(" any key: back to the table"), "$muted")
    if view is None:
        return Content("\n").join([title, Content(""), Content(tr("  Waiting for the engine."))])
    left = camera_picture(view)
    if not left:
        left = [Content(""), Content.styled(tr("  No picture from the camera."), "bold $bad")]
    right = [*_health(model), Content("")]
    right += station_rows(view.stations, SIDE)
    if pad := pressure_picture(view.pressed):
        right += [Content(""), Content.styled(tr("pad"), "$muted"), *pad]
    if lamps := world.state.lamps if world.state else ():
        shine = [Content.assemble(("■", f"bold {_bright(colour)}"), f" {name}") for name, colour in lamps]
        right += [Content(""), Content.styled(tr("lamps"), "$muted"), *_side_by_side(shine, SIDE - 2)]
    lines = [title]
    left = [row[:columns] for row in left[:rows]]  # an older one may be of a larger window
    for picture, beside in zip_longest(left, right[: max(rows, len(left))], fillvalue=Content("")):
        gap = " " * (columns + 3 - picture.cell_length)
        lines.append(Content.assemble(" ", picture, gap, beside))
    zones = zone_rows(view.zones, model.names, width - 2, ZONES)
    lines += [Content(""), *(Content.assemble(" ", row) for row in zones)]
    below = [table_panels.board_line(model, width)]
    below += [Content.styled(f" {row}", "$muted") for row in textwrap.wrap(view.why, max(1, width - 2))]
    lines += [Content("")] * (height - len(lines) - 1 - sum(row.plain.count("\n") + 1 for row in below))
    return Content("\n").join([*lines, *below, foot])


def _bright(colour: str) -> str:
    """Lamp's colour (#rrggbb) at full brightness; black stays black.

    A screen would show dim light as black.
    """
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    most = max(channels)
    return "#" + "".join(f"{channel * 255 // most:02x}" for channel in channels) if most else colour


def _side_by_side(words: Sequence[Content], width: int) -> list[Content]:
    """Texts joined by two spaces to the fewest rows.

    A row has at most `width` columns.
    """
    rows: list[Content] = []
    for one in words:
        if rows and rows[-1].cell_length + 2 + one.cell_length <= width:
            rows[-1] = Content.assemble(rows[-1], "  ", one)
        else:
            rows.append(one)
    return rows


def _health(model: PublicModel) -> list[Content]:
    """Rows of text on whether each sensor works, or what its fault is.

    Up to three rows for a sensor.
    """
    rows = []
    for name, one in sorted(model.health.items()):
        sign, style = ("●", "$good") if one.ok else ("x", "bold $bad")
        detail = without_paths(one.detail) or (tr("ok") if one.ok else tr("no word from it"))
        head = f"{sign} {localized(sensor_name(name))}"
        first, *others = textwrap.wrap(f"{head} {detail}", SIDE - 2, subsequent_indent="  ")[:3]
        rows.append(Content.assemble((head, style), (first[len(head) :], "$muted")))
        rows += [Content.styled(row, "$muted") for row in others]
    return rows
