"""The scan of an app: any one key takes what is lit on the panel below each screen."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from string import ascii_uppercase
from typing import Any

from textual.app import App
from textual.events import Key
from textual.screen import Screen
from textual.timer import Timer

from companion.core.language import tr
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.one_switch.scan_panel import ScanPanel
from companion.dashboard.one_switch.scanner import Choice, Scanner

TICK_S = 0.1
"""TICK_S: time (s) between two updates of the scan."""
LARGEST_SHARE = 0.45
"""LARGEST_SHARE: greatest share (0 to 1) of the screen's height that the panel of choices may take."""
LETTERS = (*ascii_uppercase, "-")
"""LETTERS: signs that a person with one switch can write names with."""


class SwitchScan:
    """Scan of screens for a person with one switch key.

    The screens are those of an app. While a switch key is set, choices of the top screen light up one after
    another on a panel below it; the key takes the lit one. `look`: has the key and times at the start. `rows`:
    rows that the panel takes now; 0 without a switch. `choices` returns the choices of the top screen; None:
    `own_choices` does.
    """

    clock: Callable[[], float] = staticmethod(time.monotonic)
    """Clock of the scan, in seconds."""

    def __init__(
        self, app: App[Any], look: ScreenLook, choices: Callable[[], Sequence[Choice]] | None = None
    ) -> None:
        self.rows = 0
        self.scanner: Scanner | None = None
        self._app = app
        self._choices = choices or self.own_choices
        self._look = look
        self._switch, self._times = "", (look.scan_s, look.scan_start_s)
        self._scanning: Timer | None = None
        self._scanned: Screen[Any] | None = None

    def begin(self) -> None:
        """Begin to scan the app's screens, if its settings name a switch key."""
        self.use(self._look.switch, self._look.scan_s, self._look.scan_start_s)

    @property
    def settings(self) -> tuple[str, float, float]:
        """Settings of the scan: (switch key, time a choice, extra time).

        Key "" for no switch. For how long (s) a choice is lit, and for how much longer (s) the first one.
        """
        return self._switch, *self._times

    def use(self, switch: str, pace_s: float, start_s: float) -> None:
        """Continue the scan with another switch key or times.

        `switch`: name of the key; "" ends the scan and removes its panel. `pace_s`: time (s) for which a
        choice is lit. `start_s`: additional time (s) for the first one.
        """
        self._switch, self._times = switch, (pace_s, start_s)
        self.scanner = Scanner(self.clock, pace_s, start_s) if switch else None
        if switch and self._scanning is None:
            self._scanning = self._app.set_interval(TICK_S, self.advance)
        elif not switch:
            if self._scanning is not None:
                self._scanning.stop()
                self._scanning = None
            self._take_away()

    def takes(self, key: Key) -> bool:
        """Press the switch if a pressed key is the switch's.

        Returns True if it is; False for other keys, and for keys that Textual forwards a second time.
        """
        if key.is_forwarded or not self._switch or self._switch not in (key.key, key.character):
            return False
        self.press()
        return True

    def press(self) -> None:
        """Take the choice that is lit, and call its `act` if it has one."""
        if self.scanner is None:
            return
        taken = self.scanner.press()
        if taken is not None and taken.act is not None:
            taken.act()
        self._paint()

    def advance(self) -> None:
        """Update the scan: get the top screen's choices, and light the next if due."""
        if self.scanner is None or not self._app.screen_stack:
            return
        others = self.scanner.offer(self._choices())
        if self.scanner.tick() or others or self._scanned is not self._app.screen:
            self._paint()

    def own_choices(self) -> Sequence[Choice]:
        """Choices that the top screen offers by its method `choices_now`.

        A screen without that method has one choice: to close it.
        """
        own = getattr(self._app.screen, "choices_now", None)
        return own() if own is not None else [Choice(tr("back"), partial(self._app.simulate_key, "escape"))]

    def _paint(self) -> None:
        if self.scanner is None or not self._app.screen_stack:
            return
        screen, size = self._app.screen, self._app.size
        if self._scanned is not screen:
            self._scanned = screen
            for below in self._app.screen_stack[:-1]:  # a dialog leaves them in sight
                below.query(ScanPanel).set(display=False)
        panel = next(iter(screen.query(ScanPanel)), None)
        if panel is None:
            panel = ScanPanel()
            screen.mount(panel)
        panel.display = True
        title = getattr(screen, "scan_title", "")
        rows = panel.paint(self.scanner, title, size.width, int(LARGEST_SHARE * size.height))
        if rows != self.rows:
            self.rows = rows
            self._lay_out()

    def _take_away(self) -> None:
        """Remove the panel of choices from all screens."""
        for screen in self._app.screen_stack:
            screen.query(ScanPanel).remove()
        self.rows, self._scanned = 0, None
        self._lay_out()

    def _lay_out(self) -> None:
        """Lay out all screens anew after panel rows have changed."""
        for screen in self._app.screen_stack:
            if (paint := getattr(screen, "paint", None)) is not None and screen.is_mounted:
                paint()


def letters(write: Callable[[str], object], rub_out: Callable[[], object]) -> tuple[Choice, ...]:
    """Choices for writing a name with one switch.

    One for each sign in LETTERS, which calls `write` with it, and one that calls `rub_out` to delete the last.
    The menu stays open after each.
    """
    return (
        *(Choice(letter, partial(write, letter), stays=True) for letter in LETTERS),
        Choice(tr("rub out"), rub_out, stays=True),
    )
