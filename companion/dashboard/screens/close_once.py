"""Screens that open over the table: they close once, however fast the keys come."""

from typing import TypeVar

from textual._styles_cache import StylesCache
from textual.events import Key
from textual.screen import ModalScreen, Screen

T = TypeVar("T")


class Passing(Screen[T]):
    """Screen over the table that closes only once.

    Two keys may arrive at the same time, and each would close it.
    """

    left = False
    """True once the screen has begun to close."""

    def leave(self, result: T | None = None) -> None:
        """Close the screen over the table, and hand over `result`.

        Ignored if it is closing already, or is not on top.
        """
        if not self.left and self.is_attached and self.app.screen_stack[-1:] == [self]:
            self.left = True
            self.dismiss(result)

    def on_unmount(self) -> None:
        """Clear Textual's style cache, because it keeps closed widgets alive.

        They take 250 kB for the claims of one game.
        """
        StylesCache.get_inner_outer.cache_clear()

    def late(self, event: Key) -> bool:
        """Handle a key that was pressed before this screen had opened.

        Here it is sent to the screen like any key. Returns False if the key has no meaning for the screen.
        """
        return self.post_message(Key(event.key, event.character))


class PassingModal(Passing[T], ModalScreen[T]):
    """Screen over the table that leaves it visible, and closes only once."""
