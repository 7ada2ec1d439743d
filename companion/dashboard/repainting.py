"""Repainting of a screen: soon after a change, but at a limited rate; and notices that go away again."""

from collections.abc import Callable
from typing import Any, Protocol

from companion.dashboard.model import PublicModel

REPAINT_S = 0.25
"""REPAINT_S: least time (s) between two repaints. Several events in between cause one repaint."""
NOTICE_S = 6.0
"""NOTICE_S: time (s) for which a message to this screen alone is shown. A guess."""


class Stoppable(Protocol):
    """Timer that can be stopped before it has called anything."""

    def stop(self) -> None:
        """Forget what was to be called."""


SetTimer = Callable[[float, Callable[[], Any]], Stoppable]
"""SetTimer: calls a function once after a time (s), as `App.set_timer` of Textual does."""


class Repainting:
    """Repaints of a screen: each change is painted at once, or once REPAINT_S has passed since the last one.

    `repaints` counts them. `paint` returns False if there is no screen to paint yet.
    """

    def __init__(self, set_timer: SetTimer, paint: Callable[[], bool]) -> None:
        self.repaints = 0
        self._set_timer, self._paint = set_timer, paint
        self._pause: Stoppable | None = None
        self._again = False

    @property
    def pauses(self) -> bool:
        """True for REPAINT_S after a repaint; a change then waits."""
        return self._pause is not None

    def changed(self) -> None:
        """Repaint the screen now, or once REPAINT_S has passed since the last repaint."""
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
    """Messages to this screen alone, each shown for NOTICE_S.

    `changed` repaints.
    """

    def __init__(self, model: PublicModel, set_timer: SetTimer, changed: Callable[[], None]) -> None:
        self._model, self._set_timer, self._changed = model, set_timer, changed
        self._end: Stoppable | None = None

    def show(self, text: str) -> None:
        """Show a message in place of the one before."""
        self._model.notice = text
        if self._end is not None:
            self._end.stop()
        self._end = self._set_timer(NOTICE_S, self._forget)
        self._changed()

    def _forget(self) -> None:
        self._model.notice = ""
        self._changed()
