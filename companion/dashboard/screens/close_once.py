"""Screens that open over the table: they close once, however fast the keys come."""

from typing import TypeVar

from textual._styles_cache import StylesCache
from textual.events import Key
from textual.screen import ModalScreen, Screen

T = TypeVar("T")


class Passing(Screen[T]):
    """Screen over the table that closes only once, even if two keys arrive at the same time."""

    left = False

    def leave(self, result: T | None = None) -> None:
        """Close with a result.

        Ignored if the screen is closing already, or is not on top.
        """
        if not self.left and self.is_attached and self.app.screen_stack[-1:] == [self]:
            self.left = True
            self.dismiss(result)

    def on_unmount(self) -> None:
        """Clear Textual's style cache, which keeps closed widgets alive: 250 kB for the claims of one game."""
        StylesCache.get_inner_outer.cache_clear()

    def late(self, event: Key) -> bool:
        """Handle a key pressed before this screen had opened.

        Returns False if it has no meaning.
        """
        return self.post_message(Key(event.key, event.character))


class PassingModal(Passing[T], ModalScreen[T]):
    """Passing screen that leaves the table visible behind it."""
