"""The table on an app's screen: its models, what opens over it, and the choices that are kept."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from textual.events import Key
from textual.screen import Screen

from companion.core.language import localized, tr
from companion.dashboard.display_settings import KeptChoices, ScreenLook
from companion.dashboard.labels import THEME_NAMES
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.repainting import Notices, Repainting, Stoppable
from companion.dashboard.screens.close_once import Passing
from companion.dashboard.screens.dialogs import LogScreen, PickScreen
from companion.dashboard.screens.table_screen import TableScreen
from companion.dashboard.screens.truth_screen import TruthScreen
from companion.dashboard.themed_app import ThemedApp

KEEP_S = 0.5
"""KEEP_S: time (s) from the last change of a setting until the settings file is written. A guess."""

T = TypeVar("T")


class TableView:
    """Table screen of an app, and the models with the facts that it shows.

    All parts of the app reach the screen through it. `look`: colours, motion and size. `started`: parts that
    start with this screen ("engine", "camera", "board"). `speak` is called with lines that answer a key; an
    app with a voice replaces it.
    """

    def __init__(self, app: ThemedApp, look: ScreenLook, started: Sequence[str] = ()) -> None:
        self.app = app
        self.motion = look.motion and app.animation_level != "none"
        """True if a verdict's word comes only after a pause."""
        self.model = PublicModel(started)
        self.world = WorldModel()
        self.table_screen = TableScreen(
            self.model, self.world, big=look.big or look.children, children=look.children
        )
        self.speak: Callable[[Sequence[str]], None] = lambda _lines: None
        self.repainting = Repainting(app.set_timer, self._paint)
        self._notices = Notices(self.model, app.set_timer, self.changed)
        self._kept = KeptChoices(look.file)
        self._keep_soon: Stoppable | None = None

    def changed(self) -> None:
        """Repaint the table screen now, or soon after the last repaint."""
        self.repainting.changed()

    def _paint(self) -> bool:
        if not self.app.screen_stack or not self.table_screen.is_attached:
            return False  # not up yet, or already closing
        self.table_screen.paint()
        if isinstance(self.app.screen, LogScreen | TruthScreen):
            self.app.screen.paint()
        return True

    def notice(self, text: str) -> None:
        """Show a message on this screen alone for a few seconds, and speak it."""
        self._notices.show(text)
        self.speak([text])

    def open(self, screen: Screen[T], answer: Callable[[T | None], Any] | None = None) -> None:
        """Open a page or dialog over the table.

        `answer` is called with its result once it has closed. A dialog that asks for one key (PickScreen) is
        also spoken.
        """
        if isinstance(screen, PickScreen):
            self.speak(screen.spoken())
        self.app.push_screen(screen, answer)

    @property
    def top(self) -> Screen[Any]:
        """Screen that gets the keys: the table's, or the page over it."""
        return self.app.screen

    @property
    def may_open(self) -> bool:
        """True if a page can be opened over the table.

        The app must be running, and the engine must not be of another version.
        """
        return bool(self.app.screen_stack) and not self.model.foreign

    def pass_on(self, key: Key) -> None:
        """Forward a key to the page over the table that was just opening.

        Such a key had been pressed before the page was ready. Ignored if only the table is open.
        """
        if isinstance(self.top, Passing) and self.top.late(key):
            key.prevent_default()

    def action_next_theme(self) -> None:
        """Switch to the next theme (night, day, contrast); store that choice."""
        theme = self.app.next_theme()
        self.notice(tr("Colours: {theme}", theme=localized(THEME_NAMES[theme])))
        self.keep(theme, "screen", "theme")

    def keep(self, value: str | bool | float | Sequence[str], *keys: str) -> None:
        """Store a choice KEEP_S after the last one.

        The choice goes to the settings file. `keys`: its place there, as in keep("day", "screen", "theme"). A
        thread writes, because a memory card may be slow.
        """
        self._kept.choose(value, *keys)
        if self._keep_soon is not None:
            self._keep_soon.stop()
        self._keep_soon = self.app.set_timer(
            KEEP_S, lambda: self.app.run_worker(self._write_choices, thread=True)
        )

    def _write_choices(self) -> None:
        if wrong := self._kept.write():
            self.app.call_from_thread(self.notice, wrong)

    def close(self) -> None:
        """Write choices that still wait to the settings file now."""
        self._kept.write()
