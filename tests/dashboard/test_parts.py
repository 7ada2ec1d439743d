"""The parts of the dashboard's app, each alone: no terminal, no socket, and a clock that is moved by hand."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from companion.core.clock import ManualClock
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import DEFAULT_LOOK
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.keys.hint_keys import HintKeys
from companion.dashboard.keys.leave_key import LeaveKey
from companion.dashboard.keys.virtual_table_keys import VirtualTableKeys
from companion.dashboard.model import PublicModel
from companion.dashboard.repainting import NOTICE_S, REPAINT_S, Notices, Repainting
from companion.dashboard.screens.dialogs import PickScreen
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.screens_over_table import OverTable
from companion.dashboard.sound import Sound
from companion.dashboard.start_progress import READ_S, WAITED_S, StartProgress
from companion.dashboard.table_view import TableView
from companion.session.stream.commands import AskHint, Undo
from companion.session.stream.events import JOURNAL, Advice, Refused, SensorHealth
from companion.session.stream.virtual_table_events import SetSpeed, TableState, TakeSeat
from tests.dashboard.test_dashboard_text import CLAIMED, HEALTHY, HEARD, SCORE, TABLE, WELCOME


class Timers:
    """Timers of a clock that is moved by hand."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.waiting: list[tuple[float, Callable[[], Any]]] = []

    def set(self, wait_s: float, call: Callable[[], Any]) -> Any:
        timer = (self.clock.now() + wait_s, call)
        self.waiting.append(timer)
        return SimpleNamespace(stop=lambda: self.waiting.remove(timer) if timer in self.waiting else None)

    def pass_s(self, time_s: float) -> None:
        self.clock.sleep(time_s)
        due = [timer for timer in self.waiting if timer[0] <= self.clock.now()]
        self.waiting = [timer for timer in self.waiting if timer not in due]
        for _, call in due:
            call()


class Screens:
    """App that opens screens and paints none of them."""

    animation_level = "full"

    def __init__(self) -> None:
        self.timers = Timers()
        self.set_timer = self.timers.set
        self.screen_stack: list[Any] = [None]
        self.answers: list[Any] = []

    @property
    def screen(self) -> Any:
        return self.screen_stack[-1]

    def push_screen(self, screen: Any, answer: Any = None) -> None:
        self.screen_stack.append(screen)
        self.answers.append(answer)


class Shown:
    """View of a table whose engine has sent a whole state, and a line on which commands are written down."""

    def __init__(self, *started: str) -> None:
        self.app = Screens()
        self.view = TableView(cast(Any, self.app), DEFAULT_LOOK, started)
        self.said: list[str] = []
        self.view.speak = self.said.extend
        self.line = EngineConnection(self.view, Path("e"), self.view.model.take)
        self.sent: list[Any] = []
        self.hears = True
        self.line.client.send = self._send
        for event in (WELCOME, TABLE, *HEALTHY):
            self.view.model.take(event)

    def _send(self, command: Any) -> bool:
        self.sent += [command] if self.hears else []
        return self.hears


def test_changes_in_a_pause_become_one_repaint_after_it() -> None:
    timers = Timers()
    painting = Repainting(timers.set, lambda: True)
    for _ in range(5):
        painting.changed()
    assert (painting.repaints, painting.pauses) == (1, True)
    timers.pass_s(REPAINT_S)
    assert (painting.repaints, painting.pauses) == (2, True)
    timers.pass_s(REPAINT_S)
    assert (painting.repaints, painting.pauses) == (2, False)


def test_a_notice_stands_its_time_and_a_second_one_begins_anew() -> None:
    timers, model = Timers(), PublicModel()
    notices = Notices(model, timers.set, lambda: None)
    notices.show("first")
    timers.pass_s(NOTICE_S - 1)
    notices.show("second")
    timers.pass_s(NOTICE_S - 1)
    assert model.notice == "second"
    timers.pass_s(1)
    assert not model.notice


def test_a_start_counts_its_seconds_once_it_takes_long_and_stops_when_all_have_reported() -> None:
    model = PublicModel(("engine", "camera"))
    changes: list[int] = []
    start = StartProgress(model, Path("none"), lambda: changes.append(model.waited_s))
    looks = int(WAITED_S / READ_S)
    assert all(start.look() for _ in range(looks))
    assert (model.waited_s, changes) == (WAITED_S, [WAITED_S])
    model.connected(True)
    for event in (WELCOME, TABLE, *HEALTHY):
        model.take(event)
    assert not start.look()
    assert model.waited_s == 0


def test_what_no_engine_hears_is_said() -> None:
    one = Shown()
    one.line.send(Undo())
    assert (one.sent, one.view.model.notice) == ([Undo()], "")
    one.hears = False
    one.line.send(Undo())
    assert "Not sent" in one.view.model.notice
    assert one.said == [one.view.model.notice]


def test_a_turn_begins_with_the_weakest_hint_and_a_second_question_asks_for_a_stronger_one() -> None:
    one = Shown()
    hints = HintKeys(one.view, one.line)
    hints.action_hint()
    one.view.model.take(Advice("nudge", 1, (), 0))
    hints.action_hint()
    hints.take(msgspec.structs.replace(TABLE, turn=TABLE.turn + 1), TABLE)
    one.view.model.advice = None
    hints.action_hint()
    assert [command.level for command in one.sent] == ["nudge", "coach", "nudge"]
    hints.action_hints_always()
    one.sent.clear()
    hints.take(msgspec.structs.replace(TABLE, player=2, turn=TABLE.turn + 1), TABLE)
    assert one.sent == [AskHint("nudge")]


WAYS = {
    "another engine": ((), {}, ["leave this screen"]),
    "its own engine": (("engine",), {}, ["quit; the game so far is kept"]),
    "no folder": (("engine",), {"unkept": True}, ["quit; nothing of this game is kept"]),
}


@pytest.mark.parametrize(("started", "told", "words"), WAYS.values(), ids=WAYS)
def test_leaving_says_what_is_kept(started: tuple[str, ...], told: dict[str, Any], words: list[str]) -> None:
    one = Shown(*started)
    for name, value in told.items():
        setattr(one.view.model, name, value)
    left: list[tuple[str, bool]] = []
    key = LeaveKey(one.view, one.line, lambda *how: left.append(how), virtual=False, mends=True)
    assert [says for _, says in key.options()] == words
    key.action_leave()
    assert isinstance(one.app.screen, PickScreen)
    one.app.answers[-1](None)
    assert not left
    one.app.answers[-1]("q")
    assert left == [("", False)]


def test_leaving_offers_the_step_that_mends_while_the_game_can_go_on() -> None:
    one = Shown("engine")
    left: list[tuple[str, bool]] = []
    key = LeaveKey(one.view, one.line, lambda *how: left.append(how), virtual=False, mends=True)
    one.view.model.take(SensorHealth("bed 3 scale", False, "it drifts"))
    key.action_leave()
    one.app.answers[-1]("m")
    assert left == [("stations", False)]
    one.view.model.take(SensorHealth(JOURNAL, False, "no room"))
    key.action_leave()
    assert [sign for sign, _ in one.app.screen.options] == ["q"]


def test_a_claim_opens_its_screen_and_a_score_opens_once() -> None:
    one = Shown()
    over = OverTable(one.view)
    over.take(HEARD)
    assert isinstance(one.app.screen, VerdictScreen)
    over.take(HEARD)
    over.take(CLAIMED)
    assert len(one.app.screen_stack) == 2
    assert one.app.screen.claimed == CLAIMED
    for _ in range(2):
        one.view.model.take(SCORE)
        over.take(SCORE)
    assert [type(screen) for screen in one.app.screen_stack[2:]] == [ScoreScreen]
    over.take(Refused("Nothing to undo."))
    assert one.view.model.notice == "Nothing to undo."


def test_a_seat_is_taken_once_and_players_hurry_by_steps() -> None:
    one = Shown()
    keys = VirtualTableKeys(one.view, Sound(Path("e"), print), Path("t"), seat=2)
    assert keys.client is not None
    ordered: list[Any] = []
    keys.client.send = lambda command: bool(ordered.append(command)) or True
    keys.action_faster()
    assert not ordered, "nobody is there"
    keys.linked(True)
    for _ in range(2):
        keys.take(TableState(7, 1.0, False, 0))
    keys.action_faster()
    keys.action_slower()
    assert ordered == [TakeSeat(2), SetSpeed(2.0), SetSpeed(0.5)]


def test_every_key_of_the_app_has_an_action_of_one_of_its_parts(tmp_path: Path) -> None:
    app = Dashboard(tmp_path / "e")
    for binding in Dashboard.BINDINGS:
        action = cast(Any, binding).action.partition("(")[0]
        assert callable(getattr(app, f"action_{action}", None)), action
