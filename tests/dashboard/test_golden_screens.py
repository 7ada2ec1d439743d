"""Every screen of every game as golden text, and readable in every theme; one app for many of them."""

import time
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from random import Random

import msgspec
import pytest
from textual.pilot import Pilot

from companion.core import language
from companion.core.clock import ManualClock
from companion.core.language import LANGUAGES
from companion.dashboard.app import Dashboard
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screens.sensors_screen import sensors_page
from companion.dashboard.screens.settings_screen import SettingsForm, settings_page
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.start_app import start_page
from companion.dashboard.start_form import GameOffer, StartForm
from companion.dashboard.themes import THEMES, variables
from companion.games.registry import GAME_NAMES, load_game
from companion.history.history_screen import WIDE, HistoryView, Part, history_page
from companion.session.narration import CORRECTIONS
from companion.session.session import Session
from companion.session.stream.events import YES_NO, Event, PlaceView, Question, Said, Score, SensorHealth, Table
from companion.session.stream.stream import as_shown
from tests.benchmarks.dashboard_bench import played
from tests.dashboard.test_dashboard_app import CALM, SNAPSHOTS, UPDATE, check
from tests.dashboard.test_dashboard_text import CLAIMED, HEARD, PLACES, SCORE
from tests.dashboard.test_sensors_screen import VIEW
from tests.history.test_history_screen import GAMES
from tests.screens import measures
from tests.screens.sweep import Look, coloured, laid_out, rendered
from tests.support.terminal_text import screen_text

SIZES = ((80, 24), (100, 30), (120, 40), (200, 60))
NAMES = PlayerNames(("Anna", "Ben", "Cleo"))
STEPS = {"sleepless-princess": 30, "sleeping-queens": 40, "sleeping-queens-2": 60}
"""Game -> steps of it after which there is something to see."""
BLIND = SensorHealth("camera", False, "the mat is out of sight: move the camera back, all four corners")
FINISHED = (
    PlaceView("40 of 50 points, 4 of 5", "player", figure="realm", player=1, progress=(40, 50)),
    PlaceView("50 of 50 points, 4 of 5", "won", figure="realm", player=2, progress=(50, 50)),
)


@cache
def told(name: str) -> list[Event]:
    """What an engine tells of a game up to the step of `STEPS`, before it is put into a language."""
    game = load_game(name)
    hello, *_ = Session(
        game, next(iter(game.variants)), 3, clock=ManualClock(), publish=lambda _event: None
    ).welcome()
    hello = msgspec.structs.replace(hello, names=NAMES.names, program="golden")
    steps = list(chain.from_iterable(islice(played(game, Random(3)), STEPS[name])))
    last = max(at for at, event in enumerate(steps) if isinstance(event, Table))
    sentences = [event for event in steps[:last] if isinstance(event, Said)]
    wanted = (hello, SensorHealth("camera", True), SensorHealth("board", True), *sentences, steps[last])
    return list(wanted)


async def golden(pilot: Pilot[None], app: Dashboard, looks: str, size: tuple[int, int] = (80, 24)) -> None:
    """The screen becomes the golden one at this size, however long a busy machine takes to lay it out."""
    if app.size != size:
        await pilot.resize_terminal(*size)
    app.table_screen.paint()
    name = f"{looks}_{size[0]}x{size[1]}"
    wanted = SNAPSHOTS / f"dashboard_{name}.txt"
    if UPDATE:
        await pilot.pause(1.0)
        return check(name, screen_text(app))
    for _ in range(200):
        if screen_text(app) == wanted.read_text():
            return None
        await pilot.pause(0.01)
    return check(name, screen_text(app))


@pytest.mark.parametrize("name", GAME_NAMES)
async def test_golden_tables(tmp_path: Path, name: str) -> None:
    app = Dashboard(tmp_path / "e", look=CALM)
    async with app.run_test(size=SIZES[0]) as pilot:
        app.line.linked(True)
        for event in told(name):
            app.take(as_shown(event))
        for size in SIZES:
            await golden(pilot, app, name, size)
        for big, children, looks in ((True, False, "big"), (True, True, "children")):
            app.table_screen.big, app.table_screen.children_read_little = big, children
            await golden(pilot, app, f"{name}_{looks}", (120, 40))


async def test_golden_moments_of_a_table(tmp_path: Path) -> None:
    app = Dashboard(tmp_path / "e", look=CALM)
    question = Question("Did Anna take it from under the bed?", YES_NO)
    moments = {
        "blind": (BLIND,),
        "yes_no": (SensorHealth("camera", True), question),
        "correction": (Question("The row shows a 9 where I hold a 6. Who is right?", CORRECTIONS),),
    }
    async with app.run_test(size=(80, 24)) as pilot:
        app.line.linked(True)
        for event in told("sleepless-princess"):
            app.take(as_shown(event))
        for looks, events in moments.items():
            for event in events:
                app.take(event)
            await golden(pilot, app, looks)
        app.take(Question(""))
        await pilot.press("f1")
        await golden(pilot, app, "help")
        await pilot.press("escape", "c")
        await golden(pilot, app, "claim")
        await pilot.press("escape", "l")
        await golden(pilot, app, "log")


def pages(width: int, height: int) -> dict[str, str]:
    """Every screen that is text alone, by name."""
    switches = dict.fromkeys(("big", "children", "motion", "lamps", "beeper", "turn", "chimes"), True)
    games = [GameOffer("sleepless-princess", {"basic": (2, 3, 4, 5), "5+": (2, 3, 4)})]
    form = StartForm(
        games,
        names=list(NAMES.names),
        last="Sleepless Princess, turn 7",
        history=["a game"] * 4,
        evening=["a: 1"],
    )
    settings = SettingsForm("night", "en", switches, list(NAMES.names))
    model = PublicModel()
    model.take(BLIND)
    verdict = VerdictScreen(CLAIMED, PLACES[2], NAMES, breath=0)
    proved = msgspec.structs.replace(CLAIMED, verdict="proved", text="She sleeps!", badge="asleep", show="")
    revealed = VerdictScreen(proved, msgspec.structs.replace(PLACES[2], shown=("Bats", "*Bats", "7")), breath=0)
    won = Score(50, 50, "BEN WINS", "50 points", "Ben wins", "Ben wins with 50 points.", FINISHED, 30)
    tonight = ["Anna: 2 of 3 won", "Ben: 1 of 3 won"]
    picture = msgspec.structs.replace(
        VIEW, width=20, height=10, pixels=b64encode(bytes((200, 30, 30)) * 200).decode()
    )

    def view(part: Part) -> HistoryView:
        return HistoryView(GAMES[:9], part, reading=False)

    return {
        "start": start_page(form, width, height).plain,
        "settings": settings_page(settings, width, height).plain,
        "sensors": sensors_page(picture, model, WorldModel(), (20, 5), width, height).plain,
        "breath": VerdictScreen(HEARD, PLACES[2], NAMES).page(width, height).plain,
        "cannot_tell": verdict.page(width, height).plain,
        "proved": revealed.page(width, height).plain,
        "stars": ScoreScreen(SCORE, NAMES, tonight).page(width, height).plain,
        "won": ScoreScreen(won, NAMES, tonight).page(width, height).plain,
        **{f"history_{part}": history_page(view(part), width, height).plain for part in Part},
    }


@pytest.fixture
def _greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The days of the history are those of this machine."""
    with monkeypatch.context() as there:
        there.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_greenwich")
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_golden_pages(size: tuple[int, int]) -> None:
    for name, page in pages(*size).items():
        rows = [row.rstrip() for row in page.split("\n")]
        assert len(rows) <= size[1], name
        assert max(map(len, rows)) <= size[0], name
        small = size[0] < WIDE or not name.startswith(
            "history"
        )  # wide ones have plots, which are another's work
        if small and not name.endswith(str(Part.PLOTS)):
            check(f"page_{name}_{size[0]}x{size[1]}", "\n".join(rows).rstrip() + "\n")


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != language.ENGLISH])
def test_pages_fit_in_every_language(code: str) -> None:
    language.use(code)
    try:
        for size in SIZES[:2]:
            for name, page in pages(*size).items():
                rows = [row.rstrip() for row in page.split("\n")]
                assert len(rows) <= size[1], name
                assert max(map(len, rows)) <= size[0], name
                if not name.startswith("history"):
                    assert [row for row in rows if row.endswith("..")] == [], name
    finally:
        language.use(language.ENGLISH)


LOOKS = {
    "sleepless-princess": (Look((180, 54), "night", "en"), Look((80, 24), "contrast", "fr")),
    "sleeping-queens": (Look((120, 40), "day", "de"),),
    "sleeping-queens-2": (Look((180, 54), "contrast", "en"), Look((80, 24), "day", "it")),
}
"""Game -> a sample of what `make screens` measures: every theme, every language, four sizes."""


@pytest.mark.parametrize("name", GAME_NAMES)
async def test_nothing_is_cut_overlaps_or_is_faint(
    tmp_path: Path, request: pytest.FixtureRequest, name: str
) -> None:
    found: list[tuple[str, str]] = []
    app = Dashboard(tmp_path / "e", look=CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        app.line.linked(True)
        for look in LOOKS[name]:
            request.addfinalizer(partial(language.use, language.ENGLISH))
            language.use(look.code)
            for event in (*told(name), *([BLIND] if look.theme == "day" else [])):
                app.take(as_shown(event))
            app.table_screen.paint()
            strips = await rendered(pilot, app, look)
            cells = measures.cells_of(strips)
            assert any(cell.ground == variables(THEMES[look.theme])["page"] for row in cells for cell in row)
            found += [*coloured(app, strips), *laid_out(app, cells)]
    assert not found
