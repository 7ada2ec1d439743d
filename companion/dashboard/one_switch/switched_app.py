"""An app that can be used with one switch: any one key takes what is lit on the panel below each screen."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from string import ascii_uppercase
from typing import Any

from textual.app import App
from textual.events import Event, Key
from textual.screen import Screen
from textual.timer import Timer

from companion.core.language import tr
from companion.dashboard.display_settings import DEFAULT_LOOK, ScreenLook
from companion.dashboard.one_switch.scan_panel import ScanPanel
from companion.dashboard.one_switch.scanner import Choice, Scanner
from companion.dashboard.themes import ThemedApp

TICK_S = 0.1
"""TICK_S: time (s) between two updates of the scan."""
LARGEST_SHARE = 0.45
"""LARGEST_SHARE: greatest share (0 to 1) of the screen's height for the panel of choices."""
LETTERS = (*ascii_uppercase, "-")
"""LETTERS: signs that a person with one switch can write names with."""


class SwitchedApp(ThemedApp):
    """App that can be used with one switch: scans the choices of the top screen while a switch is set.

    `scan_rows`: rows that the panel of choices takes; 0 without a switch.
    """

    clock: Callable[[], float] = staticmethod(time.monotonic)
    """Clock of the scan, in seconds."""

    def __init__(self, look: ScreenLook = DEFAULT_LOOK) -> None:
        super().__init__(look.theme)
        self.scan_rows = 0
        self.scanner: Scanner | None = None
        self._switch, self._times = "", (look.scan_s, look.scan_start_s)
        self._scanning: Timer | None = None
        self._scanned: Screen[Any] | None = None
        self._first_look = look

    def on_mount(self) -> None:
        """Begin to scan if a switch is set.

        Textual calls this as well as the `on_mount` of a subclass.
        """
        self.scan_with(self._first_look.switch, self._first_look.scan_s, self._first_look.scan_start_s)

    @property
    def scanning(self) -> tuple[str, float, float]:
        """Settings of the scan: key of the switch ("" for none), `pace_s` and `start_s` as in Scanner."""
        return self._switch, *self._times

    def scan_with(self, switch: str, pace_s: float, start_s: float) -> None:
        """Scan from now on, with the key `switch` as the one switch; "" ends the scan.

        `pace_s`, `start_s`: as in Scanner.
        """
        self._switch, self._times = switch, (pace_s, start_s)
        self.scanner = Scanner(self.clock, pace_s, start_s) if switch else None
        if switch and self._scanning is None:
            self._scanning = self.set_interval(TICK_S, self.scan)
        elif not switch:
            if self._scanning is not None:
                self._scanning.stop()
                self._scanning = None
            self._take_away()

    async def on_event(self, event: Event) -> None:
        """Handle the switch's key before any screen gets it."""
        if isinstance(event, Key) and not event.is_forwarded and self._is_switch(event):
            self.press_switch()
            return
        await super().on_event(event)

    def _is_switch(self, key: Key) -> bool:
        return bool(self._switch) and self._switch in (key.key, key.character)

    def press_switch(self) -> None:
        """Take the lit choice and call its act."""
        if self.scanner is None:
            return
        taken = self.scanner.press()
        if taken is not None and taken.act is not None:
            taken.act()
        self._paint_scan()

    def scan(self) -> None:
        """Offer the choices of the top screen to the scanner, and light the next one if its time has come."""
        if self.scanner is None or not self.screen_stack:
            return
        others = self.scanner.offer(self.choices_now())
        if self.scanner.tick() or others or self._scanned is not self.screen:
            self._paint_scan()

    def choices_now(self) -> Sequence[Choice]:
        """Choices of the top screen; a screen that names none can only be closed."""
        own = getattr(self.screen, "choices_now", None)
        return own() if own is not None else [Choice(tr("back"), partial(self.simulate_key, "escape"))]

    def _paint_scan(self) -> None:
        if self.scanner is None or not self.screen_stack:
            return
        screen = self.screen
        if self._scanned is not screen:
            self._scanned = screen
            for below in self.screen_stack[:-1]:  # a dialog leaves them in sight
                below.query(ScanPanel).set(display=False)
        panel = next(iter(screen.query(ScanPanel)), None)
        if panel is None:
            panel = ScanPanel()
            screen.mount(panel)
        panel.display = True
        title = getattr(screen, "scan_title", "")
        rows = panel.paint(self.scanner, title, self.size.width, int(LARGEST_SHARE * self.size.height))
        if rows != self.scan_rows:
            self.scan_rows = rows
            self._lay_out()

    def _take_away(self) -> None:
        """Remove the panel of choices from all screens."""
        for screen in self.screen_stack:
            screen.query(ScanPanel).remove()
        self.scan_rows, self._scanned = 0, None
        self._lay_out()

    def _lay_out(self) -> None:
        """Lay out all screens above the panel of choices."""
        for screen in self.screen_stack:
            if (paint := getattr(screen, "paint", None)) is not None and screen.is_mounted:
                paint()


def room_of(app: App[Any]) -> tuple[int, int]:
    """Terminal's columns and rows, without those of a scan's panel."""
    width, height = app.size
    return width, height - (app.scan_rows if isinstance(app, SwitchedApp) else 0)


def letters(write: Callable[[str], object], rub_out: Callable[[], object]) -> tuple[Choice, ...]:
    """Choices to write a name letter by letter: `write` receives a letter, `rub_out` deletes the last one."""
    return (
        *(Choice(letter, partial(write, letter), stays=True) for letter in LETTERS),
        Choice(tr("rub out"), rub_out, stays=True),
    )
