"""Scenes: every screen of the program, brought up as people bring it up, with what an engine told of a game."""

from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
from textual.pilot import Pilot
from textual.widgets import OptionList

from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.screens.setup_app import SetupApp
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_run import CAMERA, STEP_NAMES, SetupRun
from calibration.wizard.setup_walk import ScreenPerson
from calibration.wizard.step_result import Check, Verdict, result_of
from companion.bridges.tables.tables_screen import tables_page
from companion.commands.chosen_start import filled_form
from companion.core.config import Config
from companion.core.served_address import ServedAddress
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.replay_app import ReplayApp
from companion.dashboard.start_app import StartApp
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.widgets.panel import Panel
from companion.games.registry import load_game
from companion.history.history_screen import HistoryScreen, Part
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.watched_session import WatchedSession
from companion.session.entries.advice_request import ask_journal
from companion.session.entries.without_keys import LOST
from companion.session.journal.recorded_game import recorded_game
from companion.session.narration import CORRECTIONS
from companion.session.stream.commands import AskHint, AskPosition, AskSensors, Command
from companion.session.stream.events import (
    YES_NO,
    CardView,
    Claimed,
    ClaimHeard,
    Event,
    Position,
    Question,
    Score,
    SensorHealth,
    SensorView,
    StatementView,
    StationView,
    Table,
    ZoneView,
)
from companion.session.stream.stream import as_shown
from companion.session.stream.virtual_table_events import TableState, YourTurn
from tests.history.test_history_screen import GAMES

NAMES = ("Anna", "Ben", "Cleo")
SEED = 4
CALM = ScreenLook(motion=False)
BLIND = SensorHealth("camera", False, "the mat is out of sight: move the camera back, all four corners")
SEATED = YourTurn(
    1,
    tuple(CardView(kind, kind) for kind in ("5", "5", "7", "2", "10")),
    ("Under the bed of Bats: smooth.",),
    tuple(f"Discard {n}." for n in range(1, 31)),
    on_turn=True,
    numbers=("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
)
Shown = tuple[str, Pilot[None], ThemedApp]


class Told:
    """What an engine told of one game, sentence by sentence, before it was put into a language."""

    def __init__(self, name: str, folder: Path) -> None:
        self.folder = folder / name
        self.events: list[Event] = []

        def hear(session: WatchedSession, event: Event) -> None:
            usual(session, event)
            self.events.append(event)
            self.session = session

        usual = WatchedSession._hear
        with mock.patch.object(WatchedSession, "_hear", hear):
            variant = next(iter(load_game(name).variants))
            rehearse_observed(SEED, variant, 3, game=name, rash=0.3, record=self.folder)

    def last(self, kind: type[Any], before: int | None = None) -> int:
        """Number of the last event of a kind; -1 if there is none."""
        ends = len(self.events) if before is None else before
        return max((at for at, one in enumerate(self.events[:ends]) if isinstance(one, kind)), default=-1)

    def until(self, end: int) -> Iterator[Event]:
        """What a new screen hears in the moment before event `end`, in the reader's language."""
        hello = next(iter(self.session.welcome()))
        yield as_shown(msgspec.structs.replace(hello, names=NAMES, program="sweep"))
        yield SensorHealth("camera", True)
        yield SensorHealth("board", True)
        kept = [one for one in self.events[:end] if not isinstance(one, Table | Score | Question)]
        last = self.last(Table, end)
        yield from map(as_shown, [*kept, self.events[last]])


async def _settled(pilot: Pilot[None]) -> None:
    for _ in range(3):
        await pilot.pause()


class Visit:
    """The table of one game on a screen, and what an engine tells it."""

    def __init__(self, told: Told, app: Dashboard, pilot: Pilot[None]) -> None:
        self.told, self.app, self.pilot = told, app, pilot
        app.client.send = self._answer

    def _answer(self, command: Command) -> bool:
        """What an engine sends to a screen that asks for a picture, or for what lies on the table."""
        if isinstance(command, AskSensors):
            self.app.take(seen(command.width, command.height // 2))
        table = self.app.model.table
        if isinstance(command, AskPosition) and table is not None:
            unseen = (StatementView("1", "Pizza has left the game"),)
            lines = ("On the open row I see a 5 and a 7, and miss a blanket.",) * 2
            self.app.take(Position(1, table.places, table.rows, lines, unseen, within=2))
        return True

    def closed(self) -> None:
        """Nothing lies over the table."""
        while self.app.screen is not self.app.table_screen:
            self.app.pop_screen()

    async def heard(self, end: int) -> None:
        """What was told before event `end`; verdicts that opened by the way are closed again."""
        for event in self.told.until(end):
            self.app.take(as_shown(event))
        await _settled(self.pilot)
        self.closed()

    async def at(self, scene: str, *events: Event, keys: tuple[str, ...] = ()) -> Shown:
        """The screen after these events and keys."""
        for event in events:
            self.app.take(as_shown(event))
        self.app.table_screen.paint()
        await _settled(self.pilot)
        if keys:
            await self.pilot.press(*keys)
            for _ in range(20):  # not all keys open something at every moment
                if self.app.screen is not self.app.table_screen:
                    break
                await self.pilot.pause()
            await _settled(self.pilot)
        return f"{self.told.folder.name}: {scene}", self.pilot, self.app


async def tables(told: Told) -> AsyncIterator[Shown]:
    """The table of one game, and everything that opens over it."""
    engine = told.folder / "e"
    app = Dashboard(engine, look=CALM, names=NAMES)
    async with app.run_test(size=(80, 24)) as pilot:
        visit = Visit(told, app, pilot)
        at = visit.at
        first = told.last(Claimed, told.last(Claimed)) if told.last(Claimed) >= 0 else len(told.events) // 2
        yield await at("no engine")
        app.line.linked(True)
        moments = {"begin": told.last(Table, 8) + 1, "amid": max(2, first), "late": told.last(Score)}
        for scene, end in moments.items():
            await visit.heard(end)
            yield await at(scene)
        for big, children, scene in ((True, False, "big"), (True, True, "children")):
            app.table_screen.big, app.table_screen.children_read_little = big, children
            yield await at(scene)
        app.table_screen.big = app.table_screen.children_read_little = False
        question = Question("Did Anna take it from under the bed?", YES_NO)
        yield await at("blind", BLIND)
        yield await at("yes or no", SensorHealth("camera", True), question)
        yield await at("correction", Question("The row shows a 9 where I hold a 6. Who is right?", CORRECTIONS))
        yield await at("lost", as_shown(Question(LOST, CORRECTIONS[:1], "lost")))
        app.take(Question(""))
        now = app.model.table
        app.line.linked(False)
        yield await at("engine gone")
        app.line.linked(True)
        if now is not None:
            app.take(now)
        for scene, key in (
            *(("help", "f1"), ("claim", "c"), ("log", "l"), ("undo", "u"), ("whose turn", "g"), ("tell", "w")),
            *(("hint on cards", "k"), ("end", "f"), ("settings", "f4"), ("leave", "q"), ("commands", "ctrl+p")),
            *(("sensors", "f5"), ("put right", "t")),
        ):
            yield await at(scene, keys=(key,))
            visit.closed()
        ServedAddress(engine).write("http://192.168.178.23:8017/t/Wm1yVXc3b0h3Qk5z/")
        yield await at("phones", keys=("f3",))
        app.pop_screen()
        for level in ("memory", "nudge", "coach"):
            yield await at(f"hint {level}", ask_journal(told.folder / "journal.jsonl", AskHint(level)))
        app.model.advice = None
        app.action_teach()
        yield await at("lesson")
        app.action_teach()
        app.world.connected(True)
        app.world.take(TableState(7, 1.0, False, 0, parts=("camera", "board", "pad"), broken=("pad",)))
        app.model.notice = ""
        yield await at("virtual")
        yield await at("break", keys=("x",))
        app.pop_screen()
        app.world.take(TableState(7, 1.0, False, 1, parts=("camera", "board", "pad")))
        app.world.take(SEATED)
        yield await at("seat")
        app.world.take(TableState(7, 1.0, False, 0))
        async for one in moments_of(visit):
            yield one


async def moments_of(visit: Visit) -> AsyncIterator[Shown]:
    """Claims, what was said to them, and the score."""
    told = visit.told
    for at, one in [(at, one) for at, one in enumerate(told.events) if isinstance(one, Claimed)][-3:]:
        await visit.heard(at)
        yield await visit.at(f"heard, {one.verdict}", ClaimHeard(one.t, one.subject, one.name))
        yield await visit.at(one.verdict, one)
        visit.closed()
    if (over := told.last(Score)) >= 0:
        yield await visit.at("score", told.events[over])


def seen(columns: int, rows: int) -> SensorView:
    """What the engine would answer to a screen that has room for so many columns and rows of picture."""
    pixels = b64encode(bytes((200, 30, 30)) * (columns * 2 * rows)).decode()
    stations = (StationView("bed 1", 2.9, touched=True, tag=False), StationView("pad", tag=True, pressed=True))
    return SensorView(columns, 2 * rows, pixels, (ZoneView("row", ("3", "blanket")),), stations, "40" * 256)


async def start() -> AsyncIterator[Shown]:
    """The first screen with its pages."""
    form, _ = filled_form(Config())
    form.names[:3] = NAMES
    form.last, form.history = "Sleepless Princess, turn 7", ["Sleepless Princess, 25.11. 19:10, 4 of 5"] * 4
    form.evening = ["Anna: 2 of 3 won", "Ben: 1 of 3 won"]
    app = StartApp(form, CALM, HistoryScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        for game in range(len(form.games)):
            form.game = game
            form.settle()
            app.screen.paint()
            await _settled(pilot)
            yield f"start {form.offer.name}", pilot, app
        form.game = 0
        for key, scene in (("f7", "rigs"), ("f1", "keys")):
            await pilot.press(key)
            await _settled(pilot)
            yield scene, pilot, app
            app.pop_screen()


async def history() -> AsyncIterator[Shown]:
    """The pages of the history."""
    screen = HistoryScreen()
    screen._read = lambda: None
    app = ThemedApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(screen)
        await _settled(pilot)
        screen.take(GAMES[:9], False)
        for part in Part:
            screen.action_show(part)
            await _settled(pilot)
            yield f"history {part.name}", pilot, app


async def replay(told: Told) -> AsyncIterator[Shown]:
    """A recorded game."""
    game = recorded_game(told.folder / "journal.jsonl")
    app = ReplayApp(game, CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        for share in (0.5, 0.9, 1.0):
            app.action_to(round(share * (len(game.moments) - 1)))
            await _settled(pilot)
            yield f"replay {told.folder.name} {share:.0%}", pilot, app
        await pilot.press("v")
        await _settled(pilot)
        yield f"replay {told.folder.name} hidden", pilot, app


async def setup() -> AsyncIterator[Shown]:
    """Every step of setup before it is begun, and the report."""
    table = VirtualSetup("sleepless-princess", "5+", seed=5, noise="clean", has_camera=True, has_board=True)
    person = ScreenPerson(table)
    bench = SetupBench(load_game("sleepless-princess"), "5+", table, person, table.clock, patience_s=6.0)
    app = SetupApp(SetupRun(bench, machine=table.machine), person, paced=False)
    async with app.run_test(size=(80, 24)) as pilot:
        bench.idle()  # what camera and board see
        for name in STEP_NAMES:
            app.query_one("#steps", OptionList).highlighted = STEP_NAMES.index(name)
            await _settled(pilot)
            yield f"setup {name}", pilot, app
        why = "edges are 4.2 px wide"
        soft = Check("focus", Verdict.NOT_GOOD, 4.2, "px", why, "turn the lens", "soft lens")
        app.run_of.note(result_of(CAMERA, [soft]))
        await pilot.press("r")
        await _settled(pilot)
        yield "setup report", pilot, app


ROWS = [
    {"table": "window", "status": "playing", "game": "Sleepless Princess", "turn": 12, "player": "Anna",
     "to_do": "feel a bed", "score": "2 of 5", "page": "http://192.168.1.7:8377/a-key/", "faults": ""},
    {"table": "door", "status": "gone", "game": "Sleeping Queens", "turn": None, "player": None,
     "to_do": None, "score": None, "page": "", "faults": "camera: the mat is out of sight"},
]  # fmt: skip


class Tables(ThemedApp):
    """The café's list without a broker."""

    def compose(self) -> Iterator[Panel]:
        yield Panel("tables")

    def on_resize(self) -> None:
        """Lay out for the new size."""
        self.query_one(Panel).show(tables_page(ROWS, "", self.size.width))


async def cafe() -> AsyncIterator[Shown]:
    """The tables of a café."""
    app = Tables()
    async with app.run_test(size=(80, 24)) as pilot:
        await _settled(pilot)
        yield "tables", pilot, app


@cache
def rehearsed(name: str, folder: Path) -> Told:
    """One whole game through observations."""
    return Told(name, folder)


GAMES_SCREENS = {"table": tables, "replay": replay}
PAGES = {"start": start, "history": history, "setup": setup, "tables": cafe}
GROUPS = (*GAMES_SCREENS, *PAGES)


async def scenes(folder: Path, games: Sequence[str], groups: Sequence[str] = GROUPS) -> AsyncIterator[Shown]:
    """All scenes of these games and groups, in the language that is set."""
    for name in games:
        for group in GAMES_SCREENS:
            if group in groups:
                async for one in GAMES_SCREENS[group](rehearsed(name, folder)):
                    yield one
    for group in PAGES:
        if group in groups:
            async for one in PAGES[group]():
                yield one
