"""The key to leave: it says first what of this game is kept, and offers to mend a broken sensor."""

from collections.abc import Callable, Sequence

from textual.binding import Binding

from companion.core.language import tr
from companion.core.remeasuring_steps import mending_step
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.labels import kept_on_leaving
from companion.dashboard.screens.dialogs import PickScreen
from companion.dashboard.table_view import TableView
from companion.session.stream.events import SensorHealth


class LeaveKey:
    """Key that leaves the app, after a confirmation.

    `virtual`: True if the table is virtual. `mends`: True to offer the step of `companion setup` that mends a
    broken sensor. `leave(mend, stops_engine)` closes the app: `mend` is that step, "" for none; `stops_engine`
    is True if the engine is to end too.
    """

    BINDINGS: Sequence[Binding] = (Binding("q,ctrl+c,ctrl+q", "leave", "quit", priority=False),)

    def __init__(
        self,
        view: TableView,
        line: EngineConnection,
        leave: Callable[[str, bool], None],
        *,
        virtual: bool,
        mends: bool,
    ) -> None:
        self._view, self._line, self._leave = view, line, leave
        self._virtual, self._mends = virtual, mends

    def action_leave(self) -> None:
        """Ask how to leave the app, then leave it.

        The question says what of this game is kept.
        """
        step = self._mending_step()
        options = self.options()
        if step:
            options.append(("m", tr("mend it: step {step} of setup; then the game goes on", step=step)))

        def answer(key: str | None) -> None:
            if key:
                self._leave(step if key == "m" else "", key == "e")

        self._view.open(PickScreen(tr("Quit?"), options), answer)

    def options(self) -> list[tuple[str, str]]:
        """Ways to leave the app, as (key, words).

        "q": leave; the words say what of the game is kept. "e": also stop the engine; only for one that did
        not start with this app, while it is connected.
        """
        model = self._view.model
        ours = "engine" in model.started
        kept = kept_on_leaving(model, virtual=self._virtual)
        stopped = tr("stop the engine as well; the game so far is kept")
        if model.unkept or not model.recorded:
            stopped = tr("stop the engine as well; nothing of this game is kept")
        elif model.unwritten:
            stopped = tr("stop the engine as well; the disk refuses the end of this game")
        options = [("q", kept if ours else tr("leave this screen"))]
        if self._line.client.connected and not ours:
            options.append(("e", stopped))
        return options

    def _mending_step(self) -> str:
        """Step of `companion setup` that mends a broken sensor.

        "" for none. It is only offered for a recorded game at an engine that started with this app, because
        such a game can go on afterwards.
        """
        model = self._view.model
        whole = model.recorded and not model.ended and not model.unwritten
        if "engine" not in model.started or not self._mends or not whole:
            return ""
        return next((step for found in model.health.values() if (step := mended_by(found))), "")


def mended_by(found: SensorHealth) -> str:
    """Step of `companion setup` that mends the sensor in `found`.

    "" if no step does, or if the sensor works.
    """
    return "" if found.ok else mending_step(found.source, found.detail)
