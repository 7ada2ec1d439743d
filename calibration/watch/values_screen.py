"""Screen with live values of all sensors: bars, numbers, faults, picture of the pressure matrix."""

from collections.abc import Callable
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from calibration.watch.camera_values import CameraValues
from calibration.watch.live_values import NO_LEVELS, LiveValues
from calibration.watch.value_lines import bars
from calibration.wizard.screens.live_pictures import pressure_picture
from calibration.wizard.screens.report_screen import name_keys
from companion.core.clock import Clock
from companion.core.language import localized, text, tr
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.themes import DEFAULT_THEME, THEMES, variables

MOVE_S, DRAW_EVERY = 0.05, 5
"""MOVE_S: time (s) between two receipts of the board's messages.

DRAW_EVERY: the screen is drawn at every fifth of them, four times a second.
"""


class ValuesScreen(ModalScreen[None]):
    """Screen that shows live values until it is closed.

    `move` receives the board's messages into `values`. `part` and `station` restrict the sensors that are
    shown; "" means all. `camera`: None without one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,v", "close", text("back")),
        Binding("r", "anew", text("presses anew")),
    ]
    DEFAULT_CSS = """
    ValuesScreen { background: $page; }
    ValuesScreen > VerticalScroll { height: 1fr; padding: 1 2; }
    ValuesScreen Static { height: auto; }
    """

    def __init__(
        self,
        values: LiveValues,
        clock: Clock,
        move: Callable[[], None],
        part: str = "",
        station: str = "",
        camera: CameraValues | None = None,
    ) -> None:
        super().__init__()
        name_keys(self)
        self._values, self._clock, self._move = values, clock, move
        self._part, self._station, self._camera = part, station, camera
        self._moves = 0

    def compose(self) -> ComposeResult:
        """Lay out the screen: scrolled values, footer with the keys."""
        with VerticalScroll():
            yield Static(id="values", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Begin to receive board messages and draw the values."""
        self.set_interval(MOVE_S, self.follow)
        self.draw()

    def follow(self) -> None:
        """Receive the board's messages; draw at every fifth call."""
        self._move()
        self._moves += 1
        if self._moves % DRAW_EVERY == 0:
            self.draw()

    def draw(self) -> None:
        """Draw the live values as they are now."""
        self.query_one("#values", Static).update(Group(*self.rows()))

    def rows(self) -> list[RenderableType]:
        """Parts of the screen of live values, from top to bottom."""
        values, ink = self._values, variables(THEMES.get(self.app.theme, THEMES[DEFAULT_THEME]))
        found: list[RenderableType] = []
        if self._part != "camera":
            found += self._board(ink)
        if self._camera is not None:
            found.append(Text(self._camera.line(), ink["bad"] if self._camera.fault else ""))
        for station, picture in values.pressed.items() if self._part in ("", "matrix") else ():
            rows, columns = values.lines(station)
            seen = tr(
                "rows {rows} of 16, columns {columns} of 16 reached",
                rows=16 - len(rows),
                columns=16 - len(columns),
            )
            found += [Text(""), Text(seen, ink["muted"]), pressure_picture(picture, 2 if self._part else 1)]
        return found

    def _board(self, ink: dict[str, str]) -> list[RenderableType]:
        values = self._values
        if values.met is None or values.down:
            return [Text(localized(values.down) if values.down else tr("waiting for the board"), ink["bad"])]
        if values.too_old:
            return [Text(tr("{what}; {next_step}", what=NO_LEVELS, next_step="companion flash"), ink["bad"])]
        readings = values.readings(self._clock.now(), self._part, self._station)
        if not readings:
            return [Text(tr("the rig has no such part"), ink["bad"])]
        width = max(40, self.size.width - 6)
        return [bars(readings, width, bad=ink["bad"], muted=ink["muted"])]

    def action_anew(self) -> None:
        """Forget earlier matrix presses, to find open lines anew."""
        self._values.forget()

    def action_close(self) -> None:
        """Close the screen of live values."""
        self.dismiss()


class WatchApp(ThemedApp):
    """App of `companion watch` in a terminal."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "companion watch"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False)]

    def __init__(self, screen: ValuesScreen) -> None:
        super().__init__()
        self._values_screen = screen

    def on_mount(self) -> None:
        """Show the screen of live values; the app ends when it is closed."""
        self.push_screen(self._values_screen, lambda _closed: self.exit())
