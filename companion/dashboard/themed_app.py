"""The app that all screens of the program share: themes, one switch, and an end with its terminal."""

import asyncio
import errno
import signal
import sys
import termios
from pathlib import Path
from typing import Any

from textual.app import App
from textual.events import Event, Key

from companion.dashboard.one_switch.switch_scan import SwitchScan
from companion.dashboard.themes import DEFAULT_THEME, PALETTES, THEMES, theme_of, variables

TERMINAL_S = 1.0
"""TERMINAL_S: time (s) between two checks whether the terminal still exists. A guess."""


class ThemedApp(App[None]):
    """Textual app in one of the THEMES; all apps of the program are such.

    Its style sheets may use the colours of `variables`. `scan`: lights choices for a person with one switch
    key; None in an app that cannot be used so. `theme`: name in THEMES.
    """

    CSS_PATH = Path(__file__).with_name("screens.tcss")

    def __init__(self, theme: str = DEFAULT_THEME) -> None:
        super().__init__()
        self.scan: SwitchScan | None = None
        for palette in PALETTES:
            self.register_theme(theme_of(palette))
        self.theme = theme

    async def run_async(self, **how: Any) -> None:
        """Run the app until it closes.

        SIGTERM and SIGHUP close it regularly, so that the terminal is restored. `how`: options of Textual's
        `run_async`.
        """
        loop = asyncio.get_running_loop()
        told = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) is not signal.SIG_IGN]
        for number in told:
            loop.add_signal_handler(number, self._told_to_end)
        try:
            await super().run_async(**how)
        finally:
            for number in told:
                loop.remove_signal_handler(number)

    def _told_to_end(self) -> None:
        _end_with_terminal()
        self.exit()

    def on_mount(self) -> None:
        """Begin the one-switch scan, and watch the terminal.

        Every TERMINAL_S the app checks whether its terminal still exists, and ends if not. Textual calls this
        as well as the `on_mount` of a subclass.
        """
        if self.scan is not None:
            self.scan.begin()
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(TERMINAL_S, _end_with_terminal)

    async def on_event(self, event: Event) -> None:
        """Give a key to the scan if it is the switch's; all else to the screen."""
        if self.scan is None or not isinstance(event, Key) or not self.scan.takes(event):
            await super().on_event(event)

    def own_actions(self, *parts: object) -> None:
        """Make all methods `action_...` of the objects `parts` actions of the app.

        Keys and clicks then find them.
        """
        for part in parts:
            for name in dir(part):
                if name.startswith("action_"):
                    setattr(self, name, getattr(part, name))

    def next_theme(self) -> str:
        """Switch to the next of THEMES; return its name."""
        themes = list(THEMES)
        self.theme = themes[(themes.index(self.theme) + 1) % len(themes)] if self.theme in themes else themes[0]
        return self.theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Default theme's colours as Textual variables (name -> #rrggbb).

        Textual reads style sheets before a theme is set.
        """
        return variables(THEMES[DEFAULT_THEME])


def _end_with_terminal() -> None:
    """End the process at once, by SIGHUP, if its terminal is gone.

    It would otherwise wait for ever to write there. A vanished terminal sends the signal only to its first
    program; under `make play` that one waits for this process.
    """
    assert sys.__stdin__ is not None
    try:
        termios.tcgetattr(sys.__stdin__)
    except (OSError, termios.error) as error:
        if error.args[0] == errno.ENOTTY:
            return  # never was one
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGHUP)


def room_of(app: App[Any]) -> tuple[int, int]:
    """Space of a screen of the app: (columns, rows).

    It is the terminal without the rows of the scan's panel.
    """
    width, height = app.size
    scan = app.scan if isinstance(app, ThemedApp) else None
    return width, height - (scan.rows if scan is not None else 0)
