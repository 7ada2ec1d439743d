"""How a screen looks to those who sit before it: colours, motion, size."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.config import ScreenConfig
from companion.dashboard.themes import CONTRAST, DEFAULT_THEME


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """`theme`: a name of `THEMES`. `motion`: whether a verdict keeps people waiting. `big`: for a television,
    with fewer and larger parts. `children`: the same, and no sentences but what is wrong."""

    theme: str = DEFAULT_THEME
    motion: bool = True
    big: bool = False
    children: bool = False


DEFAULT_LOOK = ScreenLook()


def few_colours(environment: Mapping[str, str]) -> bool:
    """Whether the terminal has 16 colours at most: pastel grounds and dark inks become the same grey there."""
    if environment.get("TEXTUAL_COLOR_SYSTEM", "auto") != "auto":
        return environment["TEXTUAL_COLOR_SYSTEM"] == "standard"
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    terminal = environment.get("TERM", "")
    return not (terminal.endswith(("256color", "-direct")) or terminal in ("xterm-kitty", "xterm-ghostty"))


def look_of(
    settings: ScreenConfig, theme: str | None, *, calm: bool, big: bool, children: bool = False
) -> ScreenLook:
    """The look in the settings, unless the options say otherwise."""
    usual = CONTRAST.name if few_colours(os.environ) else DEFAULT_THEME
    return ScreenLook(
        theme or settings.theme or usual,
        settings.motion and not calm,
        settings.big or big,
        settings.children or children,
    )
