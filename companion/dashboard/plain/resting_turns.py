"""Lines of a turn that has begun: they wait until it has lasted a moment, and what led to it comes first."""

from companion.core.language import tr
from companion.dashboard.model import PublicModel
from companion.dashboard.plain.plain_lines import event_lines
from companion.session.events import Said, Table
from companion.session.virtual_table_events import YourTurn

RESTS_S = 2.0
"""RESTS_S: time (s) that a turn lasts before its lines are printed. What a first sign alone seemed to show is
put right by then (measured once: 1.7 s at speed 2)."""


class RestingTurns:
    """Tables of `model` as lines, in the order in which things were done. Times are in seconds."""

    def __init__(self, model: PublicModel) -> None:
        self._model = model
        self._told: Table | None = None
        """The table whose lines were printed last."""
        self._since: float | None = None
        """Since when another turn than that table's lasts; None if none does."""
        self._whose: tuple[int, int] | None = None
        self._early: list[str] = []
        """Sentences that are not firm yet, and were printed because a turn begins after them."""

    def hear(self, table: Table, now: float) -> list[str]:
        """The lines of a new table; none of a turn that has just begun."""
        lines = self._withdrawn(table)
        whose = (table.turn, table.player)
        if self._told is None or whose == (self._told.turn, self._told.player):
            self._since = None
            return [*lines, *self._tell(table)]
        if self._since is None or whose != self._whose:
            self._since, self._whose = now, whose
        return lines

    def due(self, now: float) -> float | None:
        """After how long (s) the lines of a turn that has begun are due; None if none wait."""
        return None if self._since is None else max(0.0, self._since + RESTS_S - now)

    def rested(self) -> list[str]:
        """The lines of the turn that has begun, and before them what led to it."""
        table = self._model.table
        self._since = None
        if table is None:
            return []
        early = [one for one in table.provisional if one not in self._early]
        self._early += early
        return [*map(self._model.names.put_into, early), *self._tell(table)]

    def before_choices(self, turn: YourTurn) -> list[str]:
        """The lines that wait, if a seat chooses now whose turn has begun."""
        table = self._model.table
        waits = self._since is not None and bool(turn.actions) and table is not None
        return self.rested() if waits and table is not None and table.player == turn.player else []

    def said_already(self, said: Said) -> bool:
        """Whether a sentence that is firm now was printed before its turn's end."""
        if said.text not in self._early:
            return False
        self._early.remove(said.text)
        return True

    def _withdrawn(self, table: Table) -> list[str]:
        wrong = [one for one in self._early if one not in table.provisional]
        self._early = [one for one in self._early if one in table.provisional]
        return [tr("Not so: {what}", what=self._model.names.put_into(one)) for one in wrong]

    def _tell(self, table: Table) -> list[str]:
        before, self._told = self._told, table
        return event_lines(table, self._model, before)
