"""Screens that come and go: they close once, however fast the keys come."""

from typing import TypeVar

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


class PassingModal(Passing[T], ModalScreen[T]):
    """The same, with the table in sight behind it."""
