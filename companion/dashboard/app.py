"""The dashboard's app: builds its parts, passes events and keys on to them, and offers all commands."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import SystemCommand
from textual.binding import BindingType
from textual.command import CommandPalette
from textual.events import Key
from textual.screen import Screen
from textual.timer import Timer

from companion.core.engine_command import ENGINE
from companion.core.language import LANGUAGES, localized, text, tr
from companion.dashboard.display_settings import DEFAULT_LOOK, ScreenLook
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.keys.engine_keys import TO_ENGINE, EngineKeys
from companion.dashboard.keys.hint_keys import HintKeys
from companion.dashboard.keys.leave_key import LeaveKey
from companion.dashboard.keys.lesson_keys import LessonKeys
from companion.dashboard.keys.page_keys import PageKeys
from companion.dashboard.keys.settings_keys import SettingsKeys
from companion.dashboard.keys.virtual_table_keys import VirtualTableKeys
from companion.dashboard.labels import THEME_NAMES
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.one_switch.switch_scan import SwitchScan
from companion.dashboard.one_switch.table_choices import table_choices
from companion.dashboard.screens.seat_screen import SeatPanel
from companion.dashboard.screens.sensors_screen import SensorsScreen
from companion.dashboard.screens.settings_screen import SettingsScreen
from companion.dashboard.screens.verdict_and_score import VerdictScreen
from companion.dashboard.screens_over_table import OverTable
from companion.dashboard.sound import Sound
from companion.dashboard.start_progress import READ_S, StartProgress
from companion.dashboard.table_view import TableView
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.themes import THEMES
from companion.session.stream.events import Event
from companion.session.stream.stream_client import SocketPath

COMMANDS = (
    (text("Claim"), ("claim", text("Say what the game lets you claim, then its number"))),
    (text("Hint"), ("hint", text("A question; once more: the move"))),
    (text("Hint on your cards"), ("hint_on_cards", text("Type the cards of the player on turn"))),
    (text("Hints at every move"), ("hints_always", text("Or only when asked"))),
    (text("Tell what only you can know"), ("tell", text("What was felt or seen in secret"))),
    (text("Undo"), ("undo", text("Take back what was noted last"))),
    (text("Put right"), ("table_is_right", text("Take over what lies on the table, and whose turn begins"))),
    (text("What to put back"), ("companion_is_right", text("The companion is right: it says what lies wrong"))),
    (text("Whose turn"), ("turn", text("Say whose turn begins"))),
    (text("Pause"), ("pause", text("The companion draws no conclusions, or goes on"))),
    (text("Score, or end the game here"), ("score", text("Count what lies there"))),
    (text("Next party"), ("next_party", text("End this game, forget the names, begin anew for other people"))),
    (text("Log"), ("log", text("Everything that was said, and the link to the board"))),
    (text("On phones"), ("phones", text("Address and code of the page for phones and browsers"))),
    (text("Teach me"), ("teach", text("Each rule when it first matters, with the rulebook's section"))),
    (text("Sensors"), ("sensors", text("The camera's picture, the board's stations, the link"))),
    (text("Camera"), ("camera", text("Its picture in the place of the drawn table, where there is room"))),
    (text("Settings"), ("settings", text("Colours, television, children, names, lamps, beeper"))),
    (text("Help"), ("help", text("All keys"))),
    (text("Quit"), ("leave", text("Leave; it says first what of this game is kept"))),
)
"""COMMANDS: entries of the command palette, a searchable list. Each is (words, (name of the app's action
without "action_", what it does))."""


class Dashboard(ThemedApp):
    """Terminal app of a game: shows events, sends commands.

    Events come from the engine, commands go there. `engine`: socket of the engine. `table`: control socket of a
    virtual table, None for a real one. Neither has to exist yet; the first screen says what is missing.
    `show_truth` adds a page (key v) with the true cards, for tests. `started`: parts that start and end with
    this app ("engine", "camera", "board"). `names`: players' names that only this app knows. `seat`: seat (from
    1) that this person takes at the virtual table; 0 for none. `evening` returns one line of text for each game
    of the evening; called in a thread.
    """

    TITLE = "companion"
    BINDINGS: ClassVar[list[BindingType]] = [
        *VirtualTableKeys.BINDINGS,
        *EngineKeys.BINDINGS,
        *HintKeys.BINDINGS,
        *LessonKeys.BINDINGS,
        *PageKeys.BINDINGS,
        *SettingsKeys.BINDINGS,
        *LeaveKey.BINDINGS,
    ]

    def __init__(
        self,
        engine: SocketPath,
        table: SocketPath | None = None,
        show_truth: bool = False,
        *,
        started: Sequence[str] = (),
        names: Sequence[str] = (),
        seat: int = 0,
        look: ScreenLook = DEFAULT_LOOK,
        evening: Callable[[], Sequence[str]] | None = None,
        mends: bool = True,
        command: str = ENGINE,
    ) -> None:
        """Build the parts of the app.

        `look`: colours, motion, size and sounds. `mends`: True to offer, when leaving, the step of `companion
        setup` that mends a broken sensor. `command`: command line that starts an engine, shown to people. All
        others are described at the class.
        """
        super().__init__(look.theme)
        self.view = view = TableView(self, look, started)
        self.model, self.world, self.table_screen = view.model, view.world, view.table_screen
        self.model.command = command
        self.model.own_names = tuple(names)
        self.model.hints_always = look.hints_always
        self.line = EngineConnection(view, engine, self.take)
        self.client = self.line.client
        self.sound = Sound(self.client.path, self._silent)
        view.speak = self.sound.reply
        self.scan = SwitchScan(self, look, self._choices_now)
        self.table = VirtualTableKeys(view, self.sound, table, show_truth=show_truth, seat=seat)
        self._over = OverTable(view, evening)
        self._hints = HintKeys(view, self.line)
        self._lessons = LessonKeys(view, self.sound, on=look.teach)
        self.settings = SettingsKeys(view, self.line, self.table, self.sound, self.scan, look)
        self.own_actions(
            view,
            self.table,
            self._hints,
            self._lessons,
            self.settings,
            EngineKeys(view, self.line, self.table, self._hints, self._over),
            PageKeys(view, self.line),
            LeaveKey(view, self.line, self._leave, virtual=table is not None, mends=mends),
        )
        self._start = StartProgress(self.model, self.client.path, view.changed)
        self._waiting: Timer | None = None
        self.mend = ""
        """Step of `companion setup` to run after the app has closed, before the game goes on; "" for none."""
        self.stops_engine = False
        """True once a person has left the screen and wants the engine stopped."""

    def get_default_screen(self) -> Screen[None]:
        """Return the table screen, which lies below all others."""
        return self.table_screen

    def on_mount(self) -> None:
        """Start the app: settings, then connections to engine and virtual table.

        The connections are made in the background, even if no engine answers yet. Until all parts of the start
        have reported, the app looks every READ_S how far they are.
        """
        self.settings.begin()
        self.run_worker(self.client.run(), name="engine")
        if self.model.started:
            self._waiting = self.set_interval(READ_S, self._look_how_far)
        if self.table.client is not None:
            self.run_worker(self.table.client.run(), name="table")

    def on_unmount(self) -> None:
        """At the app's end, end speech and write settings.

        Settings go to the settings file. It may still lack the newest choices made on the screen.
        """
        self.sound.close()
        self.view.close()

    def _look_how_far(self) -> None:
        if not self._start.look() and self._waiting is not None:
            self._waiting.stop()

    # events in

    def take(self, event: Event) -> None:
        """Show and speak an event of the engine.

        Claims, verdicts and scores also open or close pages over the table.
        """
        before = self.model.table
        self.model.take(event)
        self.sound.hear(event, self.model)
        self._lessons.say()
        if self.view.may_open:
            self._over.take(event)
        self._hints.take(event, before)
        self.view.changed()

    def engine_ended(self) -> None:
        """Show that the engine started with this app has ended regularly.

        May be called from any thread.
        """
        self.model.ended = True
        if self.is_running:
            with contextlib.suppress(RuntimeError):  # it has just ended
                self.call_from_thread(self.view.changed)

    def notice(self, text: str) -> None:
        """Show a message on this screen alone, and speak it."""
        self.view.notice(text)

    def _silent(self, why: str) -> None:
        """Tell people on this screen why no sound can be heard.

        `why`: a sentence. Called from the voice's thread.
        """
        with contextlib.suppress(RuntimeError):  # the screen has just ended
            self.call_later(self.settings.note, why)

    # keys and choices of people

    def on_key(self, event: Key) -> None:
        """Forward a key to the page over the table that was just opening.

        Such a key had been pressed before the page was ready for it.
        """
        self.view.pass_on(event)

    def on_seat_panel_chosen(self, event: SeatPanel.Chosen) -> None:
        """Send the virtual table the seated person's chosen action.

        A claim needs a confirmation first.
        """
        self.table.choose(event.index)

    def on_verdict_screen_told(self, event: VerdictScreen.Told) -> None:
        """Speak a verdict, because its word has appeared on the screen."""
        self.sound.verdict(event.claimed, self.model)

    def on_sensors_screen_asked(self, event: SensorsScreen.Asked) -> None:
        """Send the engine the sensor page's request for newer values."""
        self.line.ask(event.command)

    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        """Apply a changed setting of the settings page; store it."""
        self.settings.apply(event.form, event.what)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """False if a key's action is impossible now, because the engine has ended.

        That concerns the actions in TO_ENGINE, but not "score" if the game has been scored. For all other
        actions: Textual's answer (True: possible, None: shown as disabled). `action`: name without "action_".
        """
        if self.model.ended and action in TO_ENGINE and not (action == "score" and self.model.score):
            return False
        return super().check_action(action, parameters)

    def action_command_palette(self) -> None:
        """Open the command palette: the searchable list of all commands."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=tr("Search for a command"), id="--command-palette"))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the entries of the command palette: commands, languages, themes.

        Commands that `check_action` forbids now are left out.
        """
        for words, about in COMMANDS:
            if not self.check_action(about[0], ()):
                continue
            yield SystemCommand(localized(words), localized(about[1]), getattr(self, f"action_{about[0]}"))
        for code, name in LANGUAGES.items():
            yield SystemCommand(name, tr("Everything in this language"), partial(self.settings.speak, code))
        for theme in THEMES:
            name = tr("Colours: {theme}", theme=localized(THEME_NAMES[theme]))
            yield SystemCommand(name, tr("Other colours"), partial(setattr, self, "theme", theme))

    def _choices_now(self) -> Sequence[Choice]:
        """Top screen's choices for a person with one switch.

        At the table: answers, hints, actions and all commands; over it: those that the open page offers.
        """
        assert self.scan is not None
        if self.screen is not self.table_screen:
            return self.scan.own_choices()
        return table_choices(self, [(words, action) for words, (action, _) in COMMANDS])

    def _leave(self, mend: str, stops_engine: bool) -> None:
        self.mend, self.stops_engine = mend, stops_engine
        self.call_later(self.exit)
