"""What opens and closes over the table by events of the engine: claims, verdicts, the final score."""

from collections.abc import Callable, Sequence
from functools import partial

from companion.dashboard.screens.position_screen import PositionScreen
from companion.dashboard.screens.sensors_screen import SensorsScreen
from companion.dashboard.screens.verdict_and_score import BREATH_S, ScoreScreen, VerdictScreen
from companion.dashboard.table_view import TableView
from companion.session.stream.events import (
    Claimed,
    ClaimHeard,
    Event,
    Position,
    Refused,
    Score,
    SensorView,
    Table,
    Welcome,
)


class OverTable:
    """Pages over the table that engine events open and close.

    They show claims, verdicts and the final score. `view`: table screen beneath them. `evening` returns one
    line of text for each game of the evening; called in a thread.
    """

    def __init__(self, view: TableView, evening: Callable[[], Sequence[str]] | None = None) -> None:
        self._view, self._evening = view, evening
        self._score_shown: Score | None = None

    def take(self, event: Event) -> None:
        """Open, update or close pages over the table after an event.

        Events with a claim, verdict, score or table count. The model has already taken `event`.
        """
        top = self._view.top
        match event:
            case ClaimHeard():
                if not isinstance(top, VerdictScreen):
                    self._show_claim(event)
            case Claimed():
                self._show_verdict(event)
            case Score():
                self._show_once(event)
            case Refused():
                self._view.notice(event.text)
            case Table() if isinstance(top, VerdictScreen):
                top.take(event)
            case SensorView():
                if isinstance(top, SensorsScreen):
                    top.take(event)
                self._view.table_screen.camera = event
            case Position():
                if isinstance(top, PositionScreen):
                    top.take(event)
            case Welcome():
                pass
            case _:
                if self._view.model.score is None and self._score_shown is not None:
                    self._score_shown = None
                    self._close_score()

    def _show_verdict(self, claimed: Claimed) -> None:
        open_now = self._view.top
        if isinstance(open_now, VerdictScreen):
            if open_now.claimed is None and open_now.heard.subject == claimed.subject:
                return open_now.judge(claimed)
            open_now.leave()
        return self._show_claim(claimed)

    def _show_claim(self, claimed: Claimed | ClaimHeard) -> None:
        view, table = self._view, self._view.model.table
        place = table.places[claimed.subject - 1] if table and claimed.subject <= len(table.places) else None
        breath = BREATH_S if view.motion else 0.0
        reasons = not view.table_screen.children_read_little
        view.open(VerdictScreen(claimed, place, view.model.names, breath=breath, reasons=reasons))

    def _show_once(self, score: Score) -> None:
        """Open the page of a final score, unless shown before.

        An engine sends its score to each new connection.
        """
        if score != self._score_shown:
            self._score_shown = score
            self._close_score()
            self.show_score(score)

    def show_score(self, score: Score) -> None:
        """Open the page of the final score.

        Lines on the evening's games follow once `evening` has returned them.
        """
        screen = ScoreScreen(score, self._view.model.names)
        self._view.open(screen)
        if self._evening is not None:
            self._view.app.run_worker(partial(self._look_back, screen, self._evening), thread=True)

    def _look_back(self, screen: ScoreScreen, evening: Callable[[], Sequence[str]]) -> None:
        if lines := evening():
            self._view.app.call_from_thread(screen.tell_evening, lines)

    def _close_score(self) -> None:
        if isinstance(self._view.top, ScoreScreen):
            self._view.top.leave()
