"""App of the setup wizard: list of steps, request to the person, views of the sensors, result."""

import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from calibration.watch.values_screen import ValuesScreen
from calibration.wizard.screens.live_pictures import (
    camera_picture,
    confusion_table,
    pressure_picture,
    weight_bars,
)
from calibration.wizard.screens.report_screen import MARKS, ReportScreen, name_keys, result_line
from calibration.wizard.screens.step_pages import PAGES
from calibration.wizard.setup_run import (
    FIND,
    STATIONS,
    TEXTURE,
    TITLES,
    SetupRun,
)
from calibration.wizard.setup_walk import GO_ON, ScreenPerson, SetupWalk
from calibration.wizard.step_result import StepResult
from companion.core.language import localized, text, tr
from companion.core.sensor_terms import place_name
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.themes import DEFAULT_THEME, THEMES, variables
from companion.dashboard.widgets.big_letters import big, biggest
from vision.camera.frames import Frame

LOOK_S = 0.2
"""Time (s) after which the live view is drawn again. A guess."""


class LivePicture(Static):
    """Part of the screen with a live view of a step's sensors."""

    class Resized(Message):
        """Message to the app that the live view has another size now."""

    def on_resize(self) -> None:
        """Tell the app that pictures need a new size."""
        self.post_message(self.Resized())


class SetupApp(ThemedApp):
    """App of the setup wizard for one rig; `person` passes requests and answers on."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "companion setup"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", text("begin, or done"), priority=True),
        Binding("n", "say_no", "no", show=False),  # its meaning is written below each request
        Binding("s", "skip", text("skip")),
        Binding("escape", "leave", text("leave the step"), priority=True),
        Binding("r", "report", text("result")),
        Binding("v", "values", text("live values")),
        Binding("f2", "next_theme", "colours", show=False),
        Binding("q,ctrl+c", "end", text("quit")),
    ]
    CSS = """
    #small { height: 1; display: none; color: $bad; }
    #left { width: 34; background: $strip; }
    #steps { height: auto; border: none; padding: 0 1; background: $strip; color: $words; }
    #steps:focus { background-tint: transparent; }
    #glance { height: 1fr; padding: 1 1 0 2; color: $muted; }
    #big { height: auto; padding: 1 1; background: $strip; color: $accent; text-style: bold; }
    #big.-asked { background: $accent; color: $accent-ink; }
    #words { height: auto; max-height: 14; padding: 0 1; margin-bottom: 1; color: $words; }
    #typed { height: 3; display: none; }
    #live { height: 1fr; padding: 0 1; }
    #result { height: auto; max-height: 9; padding: 0 1; }
    """

    def __init__(
        self,
        run: SetupRun,
        person: ScreenPerson,
        *,
        mends: str = "",
        guided: Sequence[str] = (),
        theme: str = DEFAULT_THEME,
        paced: bool = True,
    ) -> None:
        """Prepare the wizard for the setup `run`.

        `person` passes requests and answers on. `mends` is the only step to do, in a break of a game; "" for
        all steps. `guided` steps follow each other by themselves, and `walk.done` is True once all have ended.
        `theme`: name in THEMES. Without `paced` the live view is drawn only after each step, for tests.
        """
        super().__init__(theme)
        name_keys(self)
        self.run_of = run
        self.person = person
        self.walk = SetupWalk(run, person, self._tell, self._moved, mends=mends, guided=guided)
        self._paced = paced
        self._useful: tuple[bool, ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the screen: steps and small sensor views to the left, everything else to the right."""
        yield Static(id="small", markup=False)
        with Horizontal():
            with Vertical(id="left"):
                yield OptionList(
                    *(Option(self._label(name), id=name) for name in self.walk.steps), id="steps", markup=False
                )
                yield Static(id="glance", markup=False)
            with Vertical():
                yield Static(id="big", markup=False)
                yield Static(id="words", markup=False)
                yield Input(id="typed", max_length=40)
                yield LivePicture(id="live", markup=False)
                yield Static(id="result", markup=False)
        yield Footer()

    def run(self, **options: Any) -> None:
        """Run the app to its end, then wait for the thread of a step that was left.

        A thread that computes while Python ends would crash the program.
        """
        try:
            super().run(**options)
        finally:
            self.walk.end()

    def on_mount(self) -> None:
        """Highlight the chosen step, and begin to watch the sensors."""
        steps = self.query_one("#steps", OptionList)
        steps.highlighted = self.walk.steps.index(self.walk.chosen)
        steps.focus()
        if self._paced:
            self.set_interval(LOOK_S, self._live)
        if self.walk.guided:
            self.walk.go_on()
        self.look()

    def on_live_picture_resized(self) -> None:
        """Draw the live view again in its new size."""
        self.look()

    def on_unmount(self) -> None:
        """Cancel the running step, because the screen ends."""
        self.run_of.bench.cancel()

    def on_option_list_option_highlighted(self) -> None:
        """Show the page or result of the newly highlighted step."""
        self.look()

    @property
    def running(self) -> str:
        """Name of the running step; "" if none runs."""
        return self.walk.running

    @property
    def chosen(self) -> str:
        """Name of the highlighted step; it becomes the chosen one."""
        at = self.query_one("#steps", OptionList).highlighted
        self.walk.chosen = self.walk.steps[at or 0]
        return self.walk.chosen

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """True if an action's key does something now; only such keys are shown."""
        match action:
            case "go_on":
                return not isinstance(self.screen, ValuesScreen)
            case "say_no":
                return self.person.request is not None and bool(self.person.request.no)
            case "leave":
                return bool(self.running) or isinstance(self.screen, ReportScreen)
            case "report":
                return not self.running and not self.walk.guided
            case "values":
                return self.run_of.bench.link is not None and not self.running and not self.walk.guided
        return True

    def action_go_on(self) -> None:
        """Begin the chosen step, or confirm the open request.

        The key also closes the report, or ends the app after the step of a game's break.
        """
        if isinstance(self.screen, ReportScreen):
            self.pop_screen()
        elif self.person.request is None and self._mended:
            self.exit()
        else:
            box = self.query_one("#typed", Input)
            self.walk.chosen = self.chosen
            self.walk.go_on(box.value)
            box.clear()
        self.look()

    @property
    def _mended(self) -> bool:
        """True if the step of a game's break has ended well, and is highlighted."""
        return bool(self.chosen) and self.walk.mended

    def action_say_no(self) -> None:
        """Give the open request its other answer (`n`)."""
        self.walk.say_no()
        self.look()

    def action_skip(self) -> None:
        """Skip the chosen step, even if it runs, and choose the next one."""
        self.walk.chosen = self.chosen
        self.walk.skip()

    def action_leave(self) -> None:
        """Leave the running step, or close the report.

        Findings of the step are dropped, unless the step keeps its progress.
        """
        if isinstance(self.screen, ReportScreen):
            self.pop_screen()
        else:
            self.walk.leave()

    def action_report(self) -> None:
        """Show the report on all steps, unless a step runs."""
        if not self.running and not isinstance(self.screen, ReportScreen):
            self.push_screen(ReportScreen(self.run_of.report()))

    def action_values(self) -> None:
        """Show the screen with the raw values of all sensors.

        Nothing happens while a step runs, or without a board.
        """
        bench = self.run_of.bench
        if not self.running and bench.link is not None:
            screen = ValuesScreen(bench.values, bench.clock, bench.watch)
            self.push_screen(screen, lambda _closed: bench.watched())

    def action_next_theme(self) -> None:
        """Change to the next colour theme."""
        self.next_theme()
        for name in self.walk.steps:
            self.query_one("#steps", OptionList).replace_option_prompt(name, self._label(name))
        self.look()

    def action_end(self) -> None:
        """Cancel the running step and end the app."""
        self.run_of.bench.cancel()
        self.exit()

    def _tell(self, done: Callable[[], None]) -> None:
        def then() -> None:
            done()
            self.look()

        if self.is_running:
            self.call_from_thread(then)

    def _moved(self, over: bool) -> None:
        """Highlight the step that was chosen next.

        If none follows (`over`), the report is shown.
        """
        steps = self.query_one("#steps", OptionList)
        for one in self.walk.steps:
            steps.replace_option_prompt(one, self._label(one))
        steps.highlighted = self.walk.steps.index(self.walk.chosen)
        if self.walk.done:
            self.exit()
        elif over and not isinstance(self.screen, ReportScreen):
            self.action_report()

    def _label(self, name: str) -> Text:
        run, title = self.run_of, localized(TITLES[name])
        result = run.results.get(name)
        if self.walk.spare(name):
            return Text(f"- {title}", self._ink("muted"))
        mark, colour = MARKS[result.verdict] if result is not None else (" ", "words")
        return Text.assemble((mark, self._ink(colour)), f" {title}")

    def _ink(self, colour: str) -> str:
        return variables(THEMES[self.theme])[colour]

    def _live(self) -> None:
        """Read the sensors while no step runs; draw the screen.

        People aim the camera before its step.
        """
        if not self.running and not isinstance(self.screen, ValuesScreen):
            self.run_of.bench.idle()
        self.look()

    def look(self) -> None:
        """Draw the open request, sensor views and result now."""
        if not self.is_running or isinstance(self.screen, ReportScreen | ValuesScreen):
            return
        self._say_small()
        self.walk.chosen = self.chosen
        name = self.running or self.chosen
        result = self.walk.result()
        large, words = self._headline()
        banner = self.query_one("#big", Static)
        banner.display = bool(large)
        banner.set_class(self.person.request is not None, "-asked")
        banner.update(_big(large, self.size.width - 36, BIG_ROWS if self.size.height >= TALL else 1))
        self._write("#words", Text(words))
        self._ask_for_text()
        self._write("#result", Text() if result is None else self._words(result))
        self.query_one("#live", Static).update(self._picture(name))
        self.query_one("#glance", Static).update(self._glance(name))
        useful = tuple(bool(self.check_action(key, ())) for key in ("say_no", "leave", "report", "values"))
        if useful != self._useful:
            self._useful = useful
            self.refresh_bindings()

    def _write(self, name: str, words: Text) -> None:
        """Write text into the screen's part with id `name`.

        Rows are broken here, because Textual would break them at no-break spaces.
        """
        part = self.query_one(name, Static)
        part.update(_wrapped(words, part.content_size.width) if part.content_size.width else words)

    def _headline(self) -> tuple[str, str]:
        """Words on what to do now: a few for big letters, and sentences with the keys."""
        walk, run, page = self.walk, self.run_of, PAGES[self.walk.chosen]
        large, said = walk.headline()
        if (request := self.person.request) is not None:
            enter = tr("Enter: yes") if request.question else tr("Enter: done")
            keys = tr("{enter}   n: {no}", enter=enter, no=request.no) if request.no else enter
            return localized(large), _lines(*said, keys)
        if walk.running:
            return localized(large), _lines(*said)
        if walk.mended:
            return localized(GO_ON), tr("Enter: back to the game. It goes on as it lay there.")
        if walk.said:
            return "", _lines(walk.said, tr("Enter: once more   s: skip"))
        takes = tr("Takes {time}.   Enter: begin   s: skip", time=page.takes)
        if walk.mends:
            takes = tr("Takes {time}.   Enter: begin   q: back to the game", time=page.takes)
        elif walk.chosen in run.results:
            takes = tr("Takes {time}.   Enter: once more   s: skip", time=page.takes)
        about = tr("{title}. {about}", title=TITLES[walk.chosen], about=said[0])
        spare = said[1]
        if run.store is None and walk.chosen == FIND:
            spare = tr("Nothing is kept. To keep it: q, then add --rig NAME")
        return localized(large), _lines(about, spare, said[2], takes)

    def _say_small(self) -> None:
        """Show the needed size if the terminal is too small; else hide that line."""
        line, (wide, high), (width, height) = self.query_one("#small", Static), LEAST, self.size
        line.display = width < wide or height < high
        line.update(
            tr("Too small ({size}): {least} needed", size=f"{width} x {height}", least=f"{wide} x {high}")
        )

    def _ask_for_text(self) -> None:
        """Show the input line only while a request wants text."""
        request, box = self.person.request, self.query_one("#typed", Input)
        wanted = request is not None and request.typed
        if box.display != wanted:
            box.display = wanted
            (box if wanted else self.query_one("#steps", OptionList)).focus()

    def _picture(self, name: str) -> Text:
        """Draw a step's live view: weights, pressure or camera.

        `name`: of the step.
        """
        box = self.query_one("#live", Static).size
        live, rows = self.run_of.bench.live, max(2, box.height)
        if name == STATIONS:
            bars = self._weights(max(20, box.width - 2), gaps=box.height >= 3 * len(live.weights))
            left = box.height - bars.plain.count("\n") - 2
            if live.frame is None or left < PICTURE_ROWS:
                return bars
            return Text.assemble(bars, "\n\n", self._camera(live.frame, box.width - 2, left))
        if name == TEXTURE and not self.running and live.confusion:
            return confusion_table(live.confusion)
        if name == TEXTURE and (gone := self._board_gone()):
            return gone
        if name == TEXTURE:
            return pressure_picture(live.pressed, max(1, min(box.height // 8, (box.width - 2) // 16)))
        if live.frame is None:
            return Text("" if self.run_of.bench.devices.camera is None else tr("no picture yet"))
        return self._camera(live.frame, max(4, box.width - 2), rows)

    def _camera(self, frame: Frame, columns: int, rows: int) -> Text:
        """Draw a camera picture as `rows` rows of `columns` letters.

        If it is older than 3 s, return a sentence with its age, because people would take it for live.
        """
        live = self.run_of.bench.live
        if blind_s := live.blind_s:
            return Text(tr("no picture for {seconds} s", seconds=f"{blind_s:.0f}"), self._ink("bad"))
        return camera_picture(frame.gray, columns, rows, live.marks)

    def _board_gone(self) -> Text | None:
        """Sentence on the board's silence; None while it answers."""
        bench = self.run_of.bench
        if bench.board.down is None:
            return None
        age = bench.clock.now() - bench.board.down.t
        return Text(tr("no board for {seconds} s", seconds=f"{age:.0f}"), self._ink("bad"))

    def _glance(self, name: str) -> Text:
        """Draw small views of the sensors that the big live view does not show.

        `name`: of the step.
        """
        live, box = self.run_of.bench.live, self.query_one("#glance", Static).size
        parts: list[Text] = []
        if live.weights and name != STATIONS:
            parts.append(self._weights(min(32, max(20, box.width - 3))))
        if name != TEXTURE and self.run_of.bench.board.down is None and self.run_of.bench.stations("texture"):
            parts.append(pressure_picture(live.pressed))
        if name == TEXTURE and live.frame is not None:
            parts.append(self._camera(live.frame, 30, 9))
        lines = sum(part.plain.count("\n") + 2 for part in parts)
        return Text("\n\n").join(parts if lines <= box.height + 1 else parts[:1])

    def _words(self, result: StepResult) -> Text:
        """Text of a step's result, with mark and number, and each fault's fix."""
        mark, colour = MARKS[result.verdict]
        written = Text.assemble((mark, self._ink(colour)), result_line(result).removeprefix(mark))
        for check in result.checks:
            if check.fix:
                mark, colour = MARKS[check.verdict]
                written.append(f"\n{mark} {localized(check.said)}", self._ink(colour))
                written.append(f"\n  -> {localized(check.fix)}", "bold")
        if not any(check.fix for check in result.checks) and result.said:
            written.append(f"\n{localized(result.said)}")
        return written

    def _weights(self, width: int, *, gaps: bool = False) -> Text:
        live = self.run_of.bench.live
        if live.weights and (gone := self._board_gone()):
            return gone
        lines = weight_bars(dict(live.weights), width)
        touched = (
            tr("felt: {places}", places=tuple(map(place_name, sorted(live.fingers)))) if live.fingers else ""
        )
        return Text(("\n\n" if gaps else "\n").join([*lines, touched]).rstrip())


_KEY = re.compile(r"((?:   |^)\w+\s?): ")
"""Pattern of a key and its colon in a row of keys, which three spaces separate."""


def _wrapped(words: Text, width: int) -> Text:
    """Break styled text into rows of at most `width` columns.

    Rows are not broken at no-break spaces, nor between a key and its meaning.
    """
    rows: list[Text] = []
    for line in words.split("\n", allow_blank=True):
        at, held = 0, _KEY.sub("\\1:\u00a0", line.plain)
        for row in textwrap.wrap(held, width) or [""]:
            at = held.index(row, at)
            rows.append(line[at : at + len(row)])
            at += len(row)
    return Text("\n").join(rows)


def _lines(*parts: str) -> str:
    """Join the non-empty parts, in the reader's language, each on a line."""
    return "\n".join(localized(part) for part in parts if part)


PICTURE_ROWS = 8
"""Fewest rows for a camera picture below the weights. A guess."""
LEAST = (80, 24)
"""Columns and rows of the smallest terminal with room for picture, keys and results."""
TALL, BIG_ROWS = 30, 5
"""TALL: rows of a terminal from which big letters are shown. BIG_ROWS: their height (rows)."""


def _big(words: str, room: int, rows: int) -> Text:
    """Write words in letters as big as there is room.

    `room`: columns. `rows`: rows. In capitals if no big letters fit.
    """
    scale = biggest(words, room, rows) if words else 0
    return Text("\n".join(big(words, scale)) if scale else words.upper(), no_wrap=True)
