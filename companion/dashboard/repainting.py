"""Repainting of a screen: soon after a change, but at a limited rate; and notices that go away again."""

from collections.abc import Callable
from typing import Any, Protocol

from companion.dashboard.model import PublicModel

REPAINT_S = 0.25
"""REPAINT_S: least time (s) between two repaints of a screen. Several changes in between cause one repaint."""
NOTICE_S = 6.0
"""NOTICE_S: time (s) for which a message on this screen alone is shown. A guess."""


class Stoppable(Protocol):
    """Running timer that can be stopped before it calls its function."""

    def stop(self) -> None:
        """Stop the timer; its function is not called any more."""


SetTimer = Callable[[float, Callable[[], Any]], Stoppable]
"""SetTimer: function that calls another function once, after a time (s), such as Textual's `App.set_timer`."""


class Repainting:
    """Repaints of a screen, at least REPAINT_S apart.

    `paint` paints the screen; it returns False if there is no screen yet. `repaints` counts the calls that
    returned True. `set_timer`: timer of the app.
    """

    def __init__(self, set_timer: SetTimer, paint: Callable[[], bool]) -> None:
        self.repaints = 0
        self._set_timer, self._paint = set_timer, paint
        self._pause: Stoppable | None = None
        self._again = False

    @property
    def pauses(self) -> bool:
        """True for REPAINT_S after a repaint; changes wait for the end of that time."""
        return self._pause is not None

    def changed(self) -> None:
        """Repaint the screen now, or at the end of REPAINT_S since the last time."""
        if self._pause is not None:
            self._again = True
            return
        self.repaints += self._paint()
        self._pause = self._set_timer(REPAINT_S, self._calm)

    def _calm(self) -> None:
        self._pause = None
        if self._again:
            self._again = False
            self.changed()


class Notices:
    """Messages on this screen alone, each shown for NOTICE_S.

    The message is stored in `model.notice`; `changed` is then called, to repaint the screen.
    """

    def __init__(self, model: PublicModel, set_timer: SetTimer, changed: Callable[[], None]) -> None:
        self._model, self._set_timer, self._changed = model, set_timer, changed
        self._end: Stoppable | None = None

    def show(self, text: str) -> None:
        """Show a message for NOTICE_S, replacing an earlier one."""
        self._model.notice = text
        if self._end is not None:
            self._end.stop()
        self._end = self._set_timer(NOTICE_S, self._forget)
        self._changed()

    def _forget(self) -> None:
        self._model.notice = ""
        self._changed()
