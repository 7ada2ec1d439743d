"""The dashboard's app: opens and closes what lies over the table, by events and by keys."""

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.screen import Screen
from textual.timer import Timer

from companion.core.config import SoundConfig
from companion.core.engine_command import ENGINE, page_command
from companion.core.language import CHOSEN, LANGUAGES, current, localized, text, tr, use
from companion.core.mending_steps import mending_step
from companion.core.served_address import ServedAddress
from companion.dashboard.display_settings import DEFAULT_LOOK, ScreenLook, slow_link
from companion.dashboard.engine_keys import EngineKeys
from companion.dashboard.labels import THEME_NAMES
from companion.dashboard.model import Link
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.one_switch.table_choices import table_choices
from companion.dashboard.plain.plain_lines import lesson_lines
from companion.dashboard.screens import dialogs
from companion.dashboard.screens.position_screen import PositionScreen
from companion.dashboard.screens.sensors_screen import ASK_S, SensorsScreen
from companion.dashboard.screens.settings_screen import SECONDS, SettingsForm, SettingsScreen
from companion.dashboard.screens.verdict_and_score import BREATH_S, FullPage, ScoreScreen, VerdictScreen
from companion.dashboard.sound import Sound
from companion.dashboard.themes import THEMES
from companion.session.journal.resume_progress import percent_read
from companion.session.stream.commands import AskSensors, NamePlayers, SetSignals
from companion.session.stream.events import (
    Claimed,
    ClaimHeard,
    Event,
    LessonView,
    Position,
    Refused,
    Score,
    SensorHealth,
    SensorView,
    Table,
    Welcome,
)
from companion.session.stream.virtual_table_events import WorldEvent

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
"""COMMANDS: entries of the command palette: words, name of the app's action, and what it does."""


READ_S, WAITED_S = 0.5, 6
"""READ_S: time (s) between two looks at how far the engine has read a resumed journal. WAITED_S: waiting time
(s) from which on the seconds of a start are counted on the screen. Guesses."""


class Dashboard(EngineKeys):
    """The terminal app of a game: shows the engine's events, and sends commands by keys and dialogs.

    `engine`: socket of the engine. `table`: control socket of a virtual table, None for a real one. Neither
    has to exist yet; the first screen says what is missing. `show_truth` adds a screen (key v) with the true
    cards, for tests. `started`: parts that start and end with this screen ("engine", "camera", "board").
    `names`: players' names that only this screen knows. `seat`: seat (from 1) that this person takes at the
    virtual table; 0 for none. `evening` returns one line for each game of the evening; called in a thread.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "no_hint", "put the hint away"),
        Binding("l", "log", "log"),
        Binding("question_mark,f1", "help", "help"),
        Binding("f2", "next_theme", "other colours"),
        Binding("f3", "phones", "the table on phones"),
        Binding("f4", "settings", "settings"),
        Binding("f5", "sensors", "what camera and board sense"),
        Binding("f6", "teach", "explain each rule when it first matters"),
        Binding("f7", "camera", "the camera's picture beside the game"),
        Binding("enter", "understood", "a lesson was read"),
        Binding("q,ctrl+c,ctrl+q", "leave", "quit", priority=False),
    ]

    def __init__(
        self,
        engine: Path,
        table: Path | None = None,
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
        """`mends`: offer, when leaving, to mend a broken sensor.

        `command`: command line that starts an engine for this screen.
        """
        super().__init__(engine, table, show_truth, started, look)
        self.model.command = command
        self._seat_wanted = seat
        self.model.own_names = tuple(names)
        self.model.lessons.on = look.teach
        self._set_motion(self.motion)
        self.sound = Sound(engine, self._silent)
        self._sound_wanted = look.sound
        self._looking: Timer | None = None
        """Timer that asks for the camera's picture while it is shown beside the game."""
        self._waiting: Timer | None = None
        self._looks = 0
        """Number of looks at how far the engine has read."""
        self._score_shown: Score | None = None
        self._lesson_said: LessonView | None = None
        self._evening = evening
        self._mends = mends
        self.mend = ""
        """Step of `companion setup` to run after the app has closed, before the game goes on; "" for none."""
        self.unkept = False
        """True if no game of this evening is stored."""
        self.stops_engine = False
        """True once somebody has left and wants the engine stopped."""

    def on_mount(self) -> None:
        """Start to follow the sockets, without waiting for an engine."""
        self.sound.switch(self._sound_wanted, self.model)
        self.run_worker(self.client.run(), name="engine")
        if self.model.started:
            self._waiting = self.set_interval(READ_S, self._look_how_far)
        if self.table_client is not None:
            self.run_worker(self.table_client.run(), name="table")

    def action_command_palette(self) -> None:
        """Show the list of all commands, in the reader's language."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder=tr("Search for a command"), id="--command-palette"))

    def choices_now(self) -> Sequence[Choice]:
        """Current screen's choices for a person with one switch."""
        if self.screen is not self.table_screen:
            return super().choices_now()
        return table_choices(self, [(words, action) for words, (action, _) in COMMANDS])

    def _look_how_far(self) -> None:
        """Note how much of a resumed journal is read, and count the seconds until all parts have reported."""
        self._looks += 1
        model, percent = self.model, None
        waits = bool(model.waiting_for)
        if model.table is None:
            percent = percent_read(self.client.path)
        elif not waits and self._waiting is not None:
            self._waiting.stop()
        waited_s = int(self._looks * READ_S)
        waited_s = waited_s if waits and waited_s >= WAITED_S else 0
        if (percent, waited_s) != (model.percent_read, model.waited_s):
            model.percent_read, model.waited_s = percent, waited_s
            self.changed()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Entries of the command palette: all commands, languages and themes."""
        for words, about in COMMANDS:
            if not self.check_action(about[0], ()):
                continue
            yield SystemCommand(localized(words), localized(about[1]), getattr(self, f"action_{about[0]}"))
        for code, name in LANGUAGES.items():
            yield SystemCommand(name, tr("Everything in this language"), partial(self.speak, code))
        for theme in THEMES:
            name = tr("Colours: {theme}", theme=localized(THEME_NAMES[theme]))
            yield SystemCommand(name, tr("Other colours"), partial(setattr, self, "theme", theme))

    def speak(self, code: str) -> None:
        """Switch the screen to language `code` ("de"); keep the choice.

        The engine then sends its events again, in the new language.
        """
        use(code)
        if CHOSEN in os.environ:
            os.environ[CHOSEN] = code
        self.keep(code, "language")
        self.client.renew()
        if self.table_client is not None:
            self.table_client.renew()
        self.changed()

    def _set_motion(self, on: bool) -> None:
        """Switch motion on or off: the pause before a verdict, and sliding cards (never over a network)."""
        self.motion = on
        self.table_screen.moves = on and not slow_link(os.environ)

    # events in

    def engine_ended(self) -> None:
        """Note that the engine of this screen has ended regularly.

        May be called from any thread.
        """
        self.model.ended = True
        if self.is_running:
            with contextlib.suppress(RuntimeError):  # it has just ended
                self.call_from_thread(self.changed)

    def taken(self, event: Event) -> None:
        """Speak an engine's event; open or close screens by it."""
        self.sound.hear(event, self.model)
        self._say_lesson()
        if not self.model.foreign and self.screen_stack:
            self._open_or_close(event)

    def taken_of_world(self, event: WorldEvent) -> None:
        """Speak an event of the virtual table."""
        self.sound.hear_world(event, self.world, self.model.names)

    def notice(self, text: str) -> None:
        """Show a message on this screen alone, and speak it."""
        super().notice(text)
        self.sound.reply([text])

    def push_screen(self, screen: Any, *given: Any, **more: Any) -> Any:
        """Open a screen over the table; a dialog is spoken."""
        if isinstance(screen, dialogs.PickScreen):
            self.sound.reply(screen.spoken())
        return super().push_screen(screen, *given, **more)

    def _open_or_close(self, event: Event) -> None:
        """Open, update or close screens over the table by `event`."""
        match event:
            case ClaimHeard():
                if not isinstance(self.screen, VerdictScreen):
                    self._show_claim(event)
            case Claimed():
                self._show_verdict(event)
            case Score():
                self._show_score(event)
            case Refused():
                self.notice(event.text)
            case Table() if isinstance(self.screen, VerdictScreen):
                self.screen.take(event)
            case SensorView():
                if isinstance(self.screen, SensorsScreen):
                    self.screen.take(event)
                self.table_screen.camera = event
            case Position():
                if isinstance(self.screen, PositionScreen):
                    self.screen.take(event)
            case Welcome():
                pass
            case _:
                if self.model.score is None and self._score_shown is not None:
                    self._score_shown = None
                    self._close(ScoreScreen)

    def on_verdict_screen_told(self, event: VerdictScreen.Told) -> None:
        """Speak a verdict as soon as its word is visible."""
        self.sound.verdict(event.claimed, self.model)

    def on_unmount(self) -> None:
        """End all speech."""
        self.sound.close()

    def _silent(self, why: str) -> None:
        """Show why no sound can be heard.

        Called from the voice's thread.
        """
        with contextlib.suppress(RuntimeError):  # the screen has just ended
            self.call_later(self._tell_silent, why)

    def _tell_silent(self, why: str) -> None:
        self.notice(why)
        if isinstance(self.screen, SettingsScreen):
            self.screen.note(why)

    def _show_verdict(self, claimed: Claimed) -> None:
        open_now = self.screen
        if isinstance(open_now, VerdictScreen):
            if open_now.claimed is None and open_now.heard.subject == claimed.subject:
                return open_now.judge(claimed)
            open_now.leave()
        return self._show_claim(claimed)

    def _show_claim(self, claimed: Claimed | ClaimHeard) -> None:
        table = self.model.table
        place = table.places[claimed.subject - 1] if table and claimed.subject <= len(table.places) else None
        breath = BREATH_S if self.motion else 0.0
        reasons = not self.table_screen.children_read_little
        self.push_screen(VerdictScreen(claimed, place, self.model.names, breath=breath, reasons=reasons))

    def _show_score(self, score: Score) -> None:
        if score != self._score_shown:
            self._score_shown = score
            self._close(ScoreScreen)
            self._open_score(score)

    def _open_score(self, score: Score) -> None:
        """Show the final score; lines on the evening's games follow once the journals are read."""
        screen = ScoreScreen(score, self.model.names)
        self.push_screen(screen)
        if self._evening is not None:
            self.run_worker(partial(self._look_back, screen, self._evening), thread=True)

    def action_score(self) -> None:
        """Show the final score again, or end the game as it lies there."""
        if self.model.score is not None:
            self._open_score(self.model.score)
        else:
            super().action_score()

    def _look_back(self, screen: ScoreScreen, evening: Callable[[], Sequence[str]]) -> None:
        if lines := evening():
            self.call_from_thread(screen.tell_evening, lines)

    def _close(self, kind: type[FullPage]) -> None:
        if isinstance(self.screen, kind):
            self.screen.leave()

    # pages and switches

    def action_no_hint(self) -> None:
        """Close the hint, or the lesson."""
        if self.model.advice is None:
            self.model.lessons.read()
        self.model.advice = None
        self.table_screen.paint()

    def action_log(self) -> None:
        """Show the log page."""
        self.push_screen(dialogs.LogScreen(self.model))

    def action_teach(self) -> None:
        """Switch lessons for beginners on or off."""
        lessons, hello = self.model.lessons, self.model.welcome
        lessons.on = not lessons.on
        lessons.begin(hello.lessons if lessons.on and hello else ())
        if lessons.on and self.model.table is not None:
            lessons.hear(self.model.table)
        if lessons.on and hello is not None and not hello.lessons:
            return self.notice(tr("There are no lessons for this game yet."))
        self.keep(lessons.on, "screen", "teach")
        return self.notice(
            tr("Each rule is explained when it first matters. F6: no more") if lessons.on else tr("No lessons.")
        )

    def action_understood(self) -> None:
        """Close the lesson; show the next one if already due."""
        lessons = self.model.lessons
        if lessons.due is None:
            return
        lessons.read()
        if self.model.table is not None:
            lessons.hear(self.model.table)
        self._say_lesson()
        self.table_screen.paint()

    def _say_lesson(self) -> None:
        """Speak a lesson once, as soon as it is due."""
        due = self.model.lessons.due
        if due is not None and due is not self._lesson_said:
            self.sound.tell(lesson_lines(due))
        self._lesson_said = due

    def action_sensors(self) -> None:
        """Show the page of live sensors."""
        self.push_screen(SensorsScreen(self.model, self.world))

    def action_camera(self) -> None:
        """Switch between the camera's picture and the drawn table.

        On a small screen, show the page of live sensors.
        """
        screen = self.table_screen
        if not screen.room_beside()[0]:
            return self.action_sensors()
        screen.shows_camera = not screen.shows_camera
        if screen.shows_camera and self._looking is None:
            self._looking = self.set_interval(ASK_S, self._look)
        self._look()
        return self.changed()

    def _look(self) -> None:
        """Ask for the camera's newest picture while it is shown."""
        columns, rows = self.table_screen.room_beside()
        if self.table_screen.shows_camera and columns and not self.model.foreign:
            self.client.send(AskSensors(columns, 2 * rows))
        elif self._looking is not None:
            self._looking.stop()
            self._looking = None

    def on_sensors_screen_asked(self, event: SensorsScreen.Asked) -> None:
        """Ask the engine for the live page's newest sensor values."""
        if not self.model.foreign:
            self.client.send(event.command)

    def action_settings(self) -> None:
        """Show the settings of screen, board and players."""
        signals, screen = self.model.signals, self.table_screen
        switches = {"big": screen.big, "children": screen.children_read_little, "motion": self.motion}
        switches |= {"lamps": signals.lamps, "beeper": signals.beeper} if signals else {}
        switches |= msgspec.structs.asdict(self.sound.switches)
        given = self.model.names.names
        names = [given[at] if at < len(given) else "" for at in range(self.model.players)]
        form = SettingsForm(self.theme, current().code, switches, names, *self.scanning)
        self.push_screen(SettingsScreen(form))

    def on_settings_screen_changed(self, event: SettingsScreen.Changed) -> None:
        """Apply a changed setting; store it in the settings file."""
        form, what = event.form, event.what
        if what == "names":
            names = form.given_names()
            if self.model.own_names:
                self.model.own_names = names
            elif self.model.link is Link.LIVE:
                self.command(NamePlayers(names))
            self.keep(names, "player_names")
        elif what == "theme":
            self.theme = form.theme
            self.keep(form.theme, "screen", "theme")
        elif what == "language":
            self.speak(form.language)
            if isinstance(self.screen, SettingsScreen):
                self.screen.paint()
        elif what in ("switch", *SECONDS):
            self.scan_with(form.switch, form.scan_s, form.scan_start_s)
            self.keep(getattr(form, what), "screen", what)
        elif what in ("lamps", "beeper"):
            self.command(SetSignals(form.switches["lamps"], form.switches["beeper"]))
            self.keep(form.switches[what], "signals", what)
        elif what in SoundConfig.__struct_fields__:
            self.sound.switch(
                msgspec.structs.replace(self.sound.switches, **{what: form.switches[what]}), self.model
            )
            self.keep(form.switches[what], "sound", what)
        else:
            self._set_motion(form.switches["motion"] and self.animation_level != "none")
            self.table_screen.big = form.switches["big"] or form.switches["children"]
            self.table_screen.children_read_little = form.switches["children"]
            self.keep(form.switches[what], "screen", what)
        self.changed()

    def action_help(self) -> None:
        """Show all keys."""
        hello = self.model.welcome
        table, names = self.model.table, self.model.names
        now: list[str] = []
        if table is not None and not self.model.foreign:
            who = names.name(table.player) if table.player else tr("Everybody")
            now = [tr("{who}, now: {what}", who=who, what=table.title)]
            now += [f"  • {names.put_into(sentence)}" for sentence in table.may]
            now += [f"  - {names.put_into(sentence)}" for sentence in table.may_not]
        self.push_screen(dialogs.HelpScreen(hello.help if hello else (), now))

    def action_phones(self) -> None:
        """Show the phone page's address, or how to serve it."""
        address = ServedAddress(self.client.path).read()
        if not address:
            command = page_command(self.client.path)
            return self.notice(
                tr("No page is served. Begin one in another terminal: {command}", command=command)
            )
        from companion.dashboard.screens.phones_screen import PhonesScreen

        self.push_screen(PhonesScreen(address))
        return None

    def action_leave(self) -> None:
        """Leave, after a confirmation."""
        ours = "engine" in self.model.started
        kept = tr("quit; the game so far is kept")
        stopped = tr("stop the engine as well; the game so far is kept")
        if self.table_client is not None:
            kept = tr("quit; a virtual game can be watched again, not gone on with")
        recorded = self.model.recorded
        if self.unkept or not recorded:
            kept = tr("quit; nothing of this game is kept")
            stopped = tr("stop the engine as well; nothing of this game is kept")
        elif self.model.unwritten:
            kept = tr("quit; the disk refuses the end of this game: once more is tried, then it is lost")
            stopped = tr("stop the engine as well; the disk refuses the end of this game")
        options = [("q", kept if ours else tr("leave this screen"))]
        if self.client.connected and not ours:
            options.append(("e", stopped))
        step = next((found for one in self.model.health.values() if (found := mended_by(one))), "")
        whole = recorded and not self.model.ended and not self.model.unwritten
        if ours and step and self._mends and whole:
            options.append(("m", tr("mend it: step {step} of setup; then the game goes on", step=step)))

        def answer(key: str | None) -> None:
            self.stops_engine = key == "e"
            self.mend = step if key == "m" else ""
            if key:
                self.call_later(self.exit)

        self.push_screen(dialogs.PickScreen(tr("Quit?"), options), answer)


def mended_by(found: SensorHealth) -> str:
    """Name of the `companion setup` step that mends a failing sensor; "" if none does, or if it works."""
    return "" if found.ok else mending_step(found.source, found.detail)
