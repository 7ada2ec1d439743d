"""Screens that open over the table: they close once, however fast the keys come."""

from typing import TypeVar

from textual._styles_cache import StylesCache
from textual.events import Key
from textual.screen import ModalScreen, Screen

T = TypeVar("T")


class Passing(Screen[T]):
    """Page or dialog over the table that closes only once.

    Two keys may arrive at the same time, and each would close it.
    """

    left = False
    """True once this page or dialog has begun to close."""

    def leave(self, result: T | None = None) -> None:
        """Close this page or dialog with its result.

        `result`: given to whoever opened it. Ignored if it is closing already, or if another one lies over it.
        """
        if not self.left and self.is_attached and self.app.screen_stack[-1:] == [self]:
            self.left = True
            self.dismiss(result)

    def on_unmount(self) -> None:
        """After closing, clear Textual's style cache, which keeps closed widgets.

        They take 250 kB for the claims of one game.
        """
        StylesCache.get_inner_outer.cache_clear()

    def late(self, event: Key) -> bool:
        """Handle a key that was pressed before this page or dialog had opened.

        Here it is treated like any key; subclasses may decide otherwise. Returns False if the key has no
        meaning here.
        """
        return self.post_message(Key(event.key, event.character))


class PassingModal(Passing[T], ModalScreen[T]):
    """Dialog over the table that leaves the table visible, and closes only once."""
