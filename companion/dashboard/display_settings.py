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
"""The entry of the settings file that names the players."""
SILENT = SoundConfig()
"""Nothing is said aloud."""


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """`theme`: a name of `THEMES`. `motion`: whether a verdict keeps people waiting and cards slide. `big`: for
    a television, with fewer and larger parts. `children`: the same, and no sentences but what is wrong."""

    theme: str = DEFAULT_THEME
    motion: bool = True
    big: bool = False
    children: bool = False
    teach: bool = False
    """Whether each rule is explained when it first matters."""
    sound: SoundConfig = SILENT
    """What is said aloud."""
    switch: str = ""
    """The one key that takes what a scan lights; empty: nothing is scanned."""
    scan_s: float = 1.2
    scan_start_s: float = 1.0
    """As in `ScreenConfig`."""
    file: Path | None = None
    """The settings file in which people's choices are kept; None: they are forgotten."""


DEFAULT_LOOK = ScreenLook()


def few_colours(environment: Mapping[str, str]) -> bool:
    """Whether the terminal has 16 colours at most: pastel grounds and dark inks become the same grey there."""
    if environment.get("TEXTUAL_COLOR_SYSTEM", "auto") != "auto":
        return environment["TEXTUAL_COLOR_SYSTEM"] == "standard"
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    terminal = environment.get("TERM", "")
    return not (terminal.endswith(("256color", "-direct")) or terminal in ("xterm-kitty", "xterm-ghostty"))


def slow_link(environment: Mapping[str, str]) -> bool:
    """Whether what is painted goes through a network to the terminal, which may be slow."""
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
    """The look in the settings, unless the options say otherwise."""
    usual = CONTRAST.name if few_colours(os.environ) else DEFAULT_THEME
    return ScreenLook(
        theme or settings.theme or usual,
        settings.motion and not calm,
        settings.big or big,
        settings.children or children,
        settings.teach,
        sound,
        settings.switch,
        settings.scan_s,
        settings.scan_start_s,
        file,
    )


class KeptChoices:
    """What people choose on the screen, until it is written to the settings file."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._waiting: dict[tuple[str, ...], str | bool | float | Sequence[str]] = {}
        self._one_at_a_time = Lock()

    def choose(self, value: str | bool | float | Sequence[str], *keys: str) -> None:
        """Note a choice: an entry of the settings file, e.g. "day", "screen", "theme"."""
        self._waiting[keys] = value

    def write(self) -> str:
        """Write what is noted. Returns why that was not possible; empty if it was."""
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
