"""The key for settings, and what each of them changes: on the screen at once, and in the settings file."""

import os
from collections.abc import Sequence

import msgspec
from textual.binding import Binding

from companion.core.config import SoundConfig
from companion.core.language import CHOSEN, current, use
from companion.dashboard.display_settings import ScreenLook, slow_link
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.keys.virtual_table_keys import VirtualTableKeys
from companion.dashboard.model import Link
from companion.dashboard.one_switch.switch_scan import SwitchScan
from companion.dashboard.screens.settings_screen import SECONDS, SettingsForm, SettingsScreen
from companion.dashboard.sound import Sound
from companion.dashboard.table_view import TableView
from companion.session.stream.commands import NamePlayers, SetSignals


class SettingsKeys:
    """Keys for other colours, and for the settings page.

    Each changed setting of screen, board or players is applied at once and stored in the settings file.
    """

    BINDINGS: Sequence[Binding] = (
        Binding("f2", "next_theme", "other colours"),
        Binding("f4", "settings", "settings"),
    )

    def __init__(
        self,
        view: TableView,
        line: EngineConnection,
        table: VirtualTableKeys,
        sound: Sound,
        scan: SwitchScan,
        look: ScreenLook,
    ) -> None:
        self._view, self._line, self._table = view, line, table
        self._sound, self._sound_wanted, self._scan = sound, look.sound, scan
        self._set_motion(view.motion)

    def begin(self) -> None:
        """Switch on speech and chimes as the settings file wants."""
        self._sound.switch(self._sound_wanted, self._view.model)

    def _set_motion(self, on: bool) -> None:
        """Switch motion on or off: sliding cards, and the pause before a verdict.

        Cards never slide over a network (`slow_link`).
        """
        self._view.motion = on
        self._view.table_screen.moves = on and not slow_link(os.environ)

    def action_settings(self) -> None:
        """Open the settings page, filled with the current settings."""
        view, model, screen = self._view, self._view.model, self._view.table_screen
        switches = {"big": screen.big, "children": screen.children_read_little, "motion": view.motion}
        if model.signals:
            switches |= {"lamps": model.signals.lamps, "beeper": model.signals.beeper}
        switches |= msgspec.structs.asdict(self._sound.switches)
        given = model.names.names
        names = [given[at] if at < len(given) else "" for at in range(model.players)]
        form = SettingsForm(view.app.theme, current().code, switches, names, *self._scan.settings)
        view.open(SettingsScreen(form))

    def apply(self, form: SettingsForm, what: str) -> None:
        """Apply and store one setting, changed on the settings page.

        `form`: all settings of the page. `what`: the changed one: "names", "theme", "language", "switch", or a
        name in SECONDS or SWITCHES. Lamps and beeper are switched by the engine; all others on this screen.
        """
        view, sound = self._view, self._sound
        if what == "names":
            self._rename(form.given_names())
        elif what == "theme":
            view.app.theme = form.theme
            view.keep(form.theme, "screen", "theme")
        elif what == "language":
            self.speak(form.language)
            if isinstance(view.top, SettingsScreen):
                view.top.paint()
        elif what in ("switch", *SECONDS):
            self._scan.use(form.switch, form.scan_s, form.scan_start_s)
            view.keep(getattr(form, what), "screen", what)
        elif what in ("lamps", "beeper"):
            self._line.send(SetSignals(form.switches["lamps"], form.switches["beeper"]))
            view.keep(form.switches[what], "signals", what)
        elif what in SoundConfig.__struct_fields__:
            sound.switch(msgspec.structs.replace(sound.switches, **{what: form.switches[what]}), view.model)
            view.keep(form.switches[what], "sound", what)
        else:
            self._set_motion(form.switches["motion"] and view.app.animation_level != "none")
            view.table_screen.big = form.switches["big"] or form.switches["children"]
            view.table_screen.children_read_little = form.switches["children"]
            view.keep(form.switches[what], "screen", what)
        view.changed()

    def _rename(self, names: Sequence[str]) -> None:
        """Rename the players; store their names in the settings file.

        `names`: "" for a player called by number. They change on this screen alone if it has names of its own,
        else at the engine.
        """
        model = self._view.model
        if model.own_names:
            model.own_names = tuple(names)
        elif model.link is Link.LIVE:
            self._line.send(NamePlayers(tuple(names)))
        self._view.keep(names, "player_names")

    def speak(self, code: str) -> None:
        """Show all in the language `code` ("de"); store it.

        The engine then sends its events again, in the new language.
        """
        use(code)
        if CHOSEN in os.environ:
            os.environ[CHOSEN] = code
        self._view.keep(code, "language")
        self._line.client.renew()
        if self._table.client is not None:
            self._table.client.renew()
        self._view.changed()

    def note(self, why: str) -> None:
        """Tell people why an enabled setting has no effect.

        `why`: a sentence, shown as a notice and on the settings page if that is open.
        """
        self._view.notice(why)
        if isinstance(self._view.top, SettingsScreen):
            self._view.top.note(why)
