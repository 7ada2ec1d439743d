"""How far a start has come: how much of a resumed journal is read, and how long its parts have been silent."""

from collections.abc import Callable
from pathlib import Path

from companion.dashboard.model import PublicModel
from companion.session.journal.resume_progress import percent_read

READ_S, WAITED_S = 0.5, 6
"""READ_S: time (s) between two looks at how much of a resumed game's journal the engine has read. WAITED_S:
time (s) of waiting from which on the screen counts the seconds of a start. Guesses."""


class StartProgress:
    """Progress of a starting engine: share of the journal it has read, and time waited (s).

    `look` stores both in `model`, and calls `changed` if they differ. It must be called every READ_S.
    `engine`: socket of the engine.
    """

    def __init__(self, model: PublicModel, engine: Path, changed: Callable[[], None]) -> None:
        self._model, self._engine, self._changed = model, engine, changed
        self._looks = 0

    def look(self) -> bool:
        """Store in the model how far the start has come.

        `percent_read` (None: no journal is read) and `waited_s` (0 until WAITED_S). Returns False once all
        parts have reported: no further look is needed.
        """
        self._looks += 1
        model = self._model
        waits = bool(model.waiting_for)
        percent = percent_read(self._engine) if model.table is None else None
        waited_s = int(self._looks * READ_S)
        waited_s = waited_s if waits and waited_s >= WAITED_S else 0
        if (percent, waited_s) != (model.percent_read, model.waited_s):
            model.percent_read, model.waited_s = percent, waited_s
            self._changed()
        return waits or model.table is None
