"""Screens that open over the table: they close once, however fast the keys come."""

from typing import TypeVar

from textual._styles_cache import StylesCache
from textual.events import Key
from textual.screen import ModalScreen, Screen

T = TypeVar("T")


class Passing(Screen[T]):
    """A screen over the table."""

    left = False

    def leave(self, result: T | None = None) -> None:
        """Close with a result; a second key that was already on its way does nothing."""
        if not self.left and self.is_attached and self.app.screen_stack[-1:] == [self]:
            self.left = True
            self.dismiss(result)

    def on_unmount(self) -> None:
        """Let go of what was painted: Textual remembers the colours of 1,024 widgets by the widget's rows,
        closed ones too, a quarter of a megabyte for the claims of one game."""
        StylesCache.get_inner_outer.cache_clear()

    def late(self, event: Key) -> bool:
        """Take a key that was pressed before this screen had opened; False if it has no meaning here."""
        return self.post_message(Key(event.key, event.character))


class PassingModal(Passing[T], ModalScreen[T]):
    """The same, with the table visible behind it."""
