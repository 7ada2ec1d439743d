"""How a screen looks to those who sit before it: colours, motion, size."""

from dataclasses import dataclass

from companion.core.config import ScreenConfig
from companion.dashboard.themes import DEFAULT_THEME


@dataclass(frozen=True, slots=True)
class ScreenLook:
    """`theme`: a name of `THEMES`. `motion`: whether a verdict keeps people waiting. `big`: for a television,
    with fewer and larger parts."""

    theme: str = DEFAULT_THEME
    motion: bool = True
    big: bool = False


DEFAULT_LOOK = ScreenLook()


def look_of(settings: ScreenConfig, theme: str | None, *, calm: bool, big: bool) -> ScreenLook:
    """The look in the settings, unless the options say otherwise."""
    return ScreenLook(theme or settings.theme, settings.motion and not calm, settings.big or big)
