"""How a screen looks to those who sit before it: colours, motion, size."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from companion.core.config import ScreenConfig, SoundConfig
from companion.core.errors import BadInputError
from companion.core.language import tr
from companion.core.last_start import rename_players
from companion.core.settings_file import write_entries
from companion.dashboard.themes import CONTRAST, DEFAULT_THEME

PLAYER_NAMES = ("player_names",)
"""PLAYER_NAMES: place of the players' names in the settings file, as keys from the outermost."""
SILENT = SoundConfig()
"""SILENT: sound settings with everything switched off."""


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """Colours, motion, size and sounds of a screen.

    They come from the settings file and from options of the command line.
    """

    theme: str = DEFAULT_THEME
    """Name of a theme in THEMES."""
    motion: bool = True
    """True if cards slide, and a pause comes before each verdict's word."""
    big: bool = False
    """True for a television: fewer and larger parts."""
    children: bool = False
    """True for children who cannot read: large parts, as with `big`, and few words.

    Of sentences only those on faults are shown.
    """
    teach: bool = False
    """True if beginners get a lesson on each rule when it first matters."""
    hints_always: bool = False
    """True if a hint comes at every move, not only when asked."""
    sound: SoundConfig = SILENT
    """Settings of voice and chimes, event by event."""
    switch: str = ""
    """Key of a person who plays with one switch; "" for none.

    Choices light up one after another, and the key takes the one that is lit.
    """
    scan_s: float = 1.2
    """Time (s) for which each choice is lit for a person with one switch."""
    scan_start_s: float = 1.0
    """Additional time (s) for which the first choice is lit."""
    file: Path | None = None
    """Settings file that stores choices made on the screen; None: they are forgotten."""


DEFAULT_LOOK = ScreenLook()


def few_colours(environment: Mapping[str, str]) -> bool:
    """True if the terminal has at most 16 colours.

    Pastel backgrounds and dark letters would become the same grey there. `environment`: environment variables
    of the process; TEXTUAL_COLOR_SYSTEM, COLORTERM and TERM decide, in this order.
    """
    if environment.get("TEXTUAL_COLOR_SYSTEM", "auto") != "auto":
        return environment["TEXTUAL_COLOR_SYSTEM"] == "standard"
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    terminal = environment.get("TERM", "")
    return not (terminal.endswith(("256color", "-direct")) or terminal in ("xterm-kitty", "xterm-ghostty"))


def slow_link(environment: Mapping[str, str]) -> bool:
    """True if the terminal is reached over SSH.

    `environment`: environment variables; SSH_CONNECTION or SSH_TTY shows it.
    """
    return any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))


def look_of(
    settings: ScreenConfig,
    theme: str | None,
    *,
    calm: bool,
    big: bool,
    children: bool = False,
    sound: SoundConfig = SILENT,
    file: Path | None = None,
) -> ScreenLook:
    """Look of a screen by the settings file and options, which override it.

    `theme`: name in THEMES; None: the one in the settings, and without one "contrast" if the terminal has few
    colours, else DEFAULT_THEME. `calm`: True for no motion. `big`, `children`: True switches on what the
    settings have off. `sound`: which events are heard. `file`: settings file for later choices; None for none.
    """
    usual = CONTRAST.name if few_colours(os.environ) else DEFAULT_THEME
    return ScreenLook(
        theme or settings.theme or usual,
        settings.motion and not calm,
        settings.big or big,
        settings.children or children,
        settings.teach,
        settings.hints_always,
        sound,
        settings.switch,
        settings.scan_s,
        settings.scan_start_s,
        file,
    )


class KeptChoices:
    """Choices made on the screen that are still to be written to a file.

    `file`: settings file; None: `write` drops them.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._waiting: dict[tuple[str, ...], str | bool | float | Sequence[str]] = {}
        self._one_at_a_time = Lock()

    def choose(self, value: str | bool | float | Sequence[str], *keys: str) -> None:
        """Remember a value until `write` stores it in the settings file.

        `keys`: its place there, from the outermost: choose("day", "screen", "theme") sets the screen's theme.
        """
        self._waiting[keys] = value

    def write(self) -> str:
        """Write all remembered choices to the settings file.

        Returns a sentence on why that failed; "" if it worked, or if there was nothing to write. Players'
        names, if among the choices, are also offered by the next start. May be called in any thread.
        """
        with self._one_at_a_time:
            entries, self._waiting = self._waiting, {}
            if self._file is None or not entries:
                return ""
            try:
                write_entries(self._file, entries)
            except BadInputError as error:
                return tr("Not kept: {why}", why=error.told)
            if PLAYER_NAMES in entries:
                # The next start offers the players of the last one, by the names they have now.
                rename_players(tuple(entries[PLAYER_NAMES]))  # type: ignore[arg-type]
        return ""
