"""Repainting of the app: soon after a change, but at a limited rate."""

from collections.abc import Sequence

from textual.events import Key
from textual.screen import Screen
from textual.timer import Timer

from companion.core.language import localized, tr
from companion.dashboard.display_settings import DEFAULT_LOOK, KeptChoices, ScreenLook
from companion.dashboard.labels import THEME_NAMES
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.one_switch.switched_app import SwitchedApp
from companion.dashboard.screens.close_once import Passing
from companion.dashboard.screens.dialogs import LogScreen
from companion.dashboard.screens.table_screen import TableScreen
from companion.dashboard.screens.truth_screen import TruthScreen
from companion.dashboard.themes import THEMES

REPAINT_S = 0.25
"""REPAINT_S: least time (s) between two repaints. Several events in between cause one repaint."""
KEEP_S = 0.5
"""KEEP_S: time (s) after the last change of a setting until it is written to the file. A guess."""
NOTICE_S = 6.0
"""NOTICE_S: time (s) for which a message to this screen alone is shown. A guess."""


class PaintedApp(SwitchedApp):
    """App with the table screen and its models.

    `repaints` counts repaints of the screen. `started`: as in PublicModel.
    """

    TITLE = "companion"

    def __init__(self, started: Sequence[str] = (), look: ScreenLook = DEFAULT_LOOK) -> None:
        super().__init__(look)
        self.motion = look.motion and self.animation_level != "none"
        self._kept = KeptChoices(look.file)
        self._keep_soon: Timer | None = None
        self.model = PublicModel(started)
        self.world = WorldModel()
        self.table_screen = TableScreen(
            self.model, self.world, big=look.big or look.children, children=look.children
        )
        self.repaints = 0
        self._repaint: Timer | None = None
        self._repaint_again = False
        self._notice_end: Timer | None = None

    def get_default_screen(self) -> Screen[None]:
        """The table screen."""
        return self.table_screen

    def on_key(self, event: Key) -> None:
        """Pass a key on to the screen over the table, if it was pressed before that screen had opened."""
        if isinstance(self.screen, Passing) and self.screen.late(event):
            event.prevent_default()

    def action_next_theme(self) -> None:
        """Switch to the next theme: night, day, contrast."""
        themes = list(THEMES)
        self.theme = themes[(themes.index(self.theme) + 1) % len(themes)] if self.theme in themes else themes[0]
        self.notice(tr("Colours: {theme}", theme=localized(THEME_NAMES[self.theme])))
        self.keep(self.theme, "screen", "theme")

    def keep(self, value: str | bool | float | Sequence[str], *keys: str) -> None:
        """Store `value` under `keys` in the settings file.

        Example: keep("day", "screen", "theme"). Written after KEEP_S in a thread, because a memory card may be
        slow.
        """
        self._kept.choose(value, *keys)
        if self._keep_soon is not None:
            self._keep_soon.stop()
        self._keep_soon = self.set_timer(KEEP_S, lambda: self.run_worker(self._write_choices, thread=True))

    def _write_choices(self) -> None:
        if wrong := self._kept.write():
            self.call_from_thread(self.notice, wrong)

    def on_unmount(self) -> None:
        """Write choices that still wait for KEEP_S."""
        self._kept.write()

    def changed(self) -> None:
        """Repaint the screen, at most once per REPAINT_S."""
        if self._repaint is not None:
            self._repaint_again = True
            return
        self._paint()
        self._repaint = self.set_timer(REPAINT_S, self._calm)

    def _calm(self) -> None:
        self._repaint = None
        if self._repaint_again:
            self._repaint_again = False
            self.changed()

    def _paint(self) -> None:
        if not self.screen_stack or not self.table_screen.is_attached:
            return  # not up yet, or already closing
        self.repaints += 1
        self.table_screen.paint()
        if isinstance(self.screen, LogScreen | TruthScreen):
            self.screen.paint()

    def notice(self, text: str) -> None:
        """Show a message on this screen alone, for NOTICE_S."""
        self.model.notice = text
        if self._notice_end is not None:
            self._notice_end.stop()
        self._notice_end = self.set_timer(NOTICE_S, self._forget_notice)
        self.changed()

    def _forget_notice(self) -> None:
        self.model.notice = ""
        self.changed()
