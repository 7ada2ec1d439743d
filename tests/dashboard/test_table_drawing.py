"""The table drawn beside the game where there is room, and the camera's picture in its place."""

from base64 import b64encode
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.core.clock import ManualClock
from companion.dashboard.app import Dashboard
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screens.sensors_screen import SensorsScreen
from companion.dashboard.widgets.table_drawing import drawing_size, table_drawing
from companion.games.registry import GAME_NAMES, load_game
from companion.session.session import Session
from companion.session.stream.commands import AskSensors
from companion.session.stream.events import SensorView, Table, Welcome
from tests.dashboard.test_dashboard_app import CALM, desk
from tests.dashboard.test_dashboard_text import TABLE, WELCOME

NAMES = PlayerNames(("Anna", "Ben", "Cleo"))


def greeting(name: str) -> tuple[Welcome, Table]:
    """What an engine sends first, and a table of this game."""
    game = load_game(name)
    variant = next(iter(game.variants))
    hello, *_ = Session(game, variant, 3, clock=ManualClock(), publish=lambda _event: None).welcome()
    assert isinstance(hello, Welcome)
    state = game.setup(variant, 3, Random(3))
    return hello, msgspec.convert({"e": "table", **game.screen(state, "memory")}, Table)


@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("room", [(71, 19), (40, 30), (30, 8)])
def test_the_drawing_fits_and_has_every_place_and_player(name: str, room: tuple[int, int]) -> None:
    hello, table = greeting(name)
    columns, rows = drawing_size(hello, *room)
    drawn = table_drawing(hello, table, NAMES, columns, rows)
    assert columns <= room[0]
    assert len(drawn) == rows + 1 <= room[1]
    assert {row.cell_length for row in drawn[:-1]} == {columns}
    assert "Anna" in drawn[-1].plain
    if room == (71, 19):
        words = "\n".join(row.plain for row in drawn)
        beds = [view for view in table.places if not view.player]  # what a player has may take more than a line
        assert all((view.name.split() or ["1"])[0] in words for view in beds)
        assert all(str(pile.count) in words for pile in table.piles)


def test_cards_lie_where_the_mat_has_their_zones() -> None:
    hello, _ = greeting("sleepless-princess")
    columns, rows = drawing_size(hello, 71, 19)
    drawn = [row.plain for row in table_drawing(hello, TABLE, NAMES, columns, rows)]
    row = next(at for at, line in enumerate(drawn) if " 3 " in line and " 10 " in line)
    played = next(at for at, line in enumerate(drawn) if line.count(" 5 ") == 2)
    assert 0 < next(at for at, line in enumerate(drawn) if "Pizza" in line) < row < played
    deck = next(line for line in drawn if "31" in line)
    assert deck.index("31") < drawn[row].index(" 3 ")


def test_an_engine_that_tells_of_no_mat_gets_no_drawing() -> None:
    assert drawing_size(WELCOME, 71, 19) == (0, 0)


async def test_the_camera_takes_the_place_of_the_drawing_while_it_is_wanted(tmp_path: Path) -> None:
    hello, _ = greeting("sleepless-princess")
    app = Dashboard(tmp_path / "e", look=CALM)
    async with desk(tmp_path, app=app, size=(200, 60)) as one:
        end = one.engine(hello, TABLE)
        await one.shows("the camera")
        assert not any(isinstance(told, AskSensors) for told in end.told)
        await one.press("f7")
        await one.until(lambda: any(isinstance(told, AskSensors) for told in end.told))
        asked = next(told for told in end.told if isinstance(told, AskSensors))
        pixels = b64encode(bytes((255, 0, 0)) * asked.width * asked.height).decode()
        end.server.send(SensorView(asked.width, asked.height, pixels))
        await one.shows("▀" * asked.width)
        await one.press("f7", shows="the camera")


async def test_a_small_screen_has_a_page_for_the_camera(tmp_path: Path) -> None:
    app = Dashboard(tmp_path / "e", look=CALM)
    async with desk(tmp_path, app=app, size=(80, 24)) as one:
        await one.plays()
        await one.press("f7")
        await one.until(lambda: isinstance(app.screen, SensorsScreen))
