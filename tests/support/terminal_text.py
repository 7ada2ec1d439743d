"""The screen of an app as text, as a terminal would show it."""

from typing import Any

from textual.app import App
from textual.strip import Strip


def strips_of(app: App[Any]) -> list[Strip]:
    """Rows of the top screen, with their colours."""
    return app.screen._compositor.render_strips()


def screen_text(app: App[Any]) -> str:
    """Rows of the top screen without colours, each ending in a line break."""
    return "\n".join(strip.text.rstrip() for strip in strips_of(app)) + "\n"
