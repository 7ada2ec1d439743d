"""The history on a screen: it fits, says what was won, and closes with the game to watch again."""

from pathlib import Path

import msgspec
import pytest

from companion.commands import chosen_start
from companion.core.config import Config
from companion.dashboard.start_app import WATCH, StartApp, start_page
from companion.dashboard.start_form import GameOffer, StartForm
from companion.history.database import GameRecord, History
from companion.history.evening import evening_lines, last_evening
from companion.history.history_screen import HistoryScreen, HistoryView, Part, history_page
from tests.history.test_history import folder as folder
from tests.history.test_history import played as played

DAY, HOUR = 86400.0, 3600.0


def game(
    began: float, *, winner: int = 0, score: int | None = 4, name: str = "sleepless-princess"
) -> GameRecord:
    people, turns = ("Anna", "Ben", "Cleo"), {1: (7, 100.0), 2: (7, 80.0)}
    won = (winner,) if winner else ()
    out_of, says = (50, "ANNA WINS") if winner else (5, f"{score} OF 5 SLEEP") if score else (None, "")
    told = (people, 20, 90, score, out_of, says, won, 3, 1, 0, turns)
    return GameRecord(f"/j/{began:.0f}", began, 1800.0, name, "basic", 3, *told)


GAMES = [
    game(3 * DAY + HOUR, score=5),
    game(3 * DAY, score=3),
    game(2 * DAY + 2 * HOUR, winner=1, name="sleeping-queens"),
    game(2 * DAY + HOUR, winner=2, name="sleeping-queens"),
    game(2 * DAY, winner=1, name="sleeping-queens"),
    *(game(DAY + number * HOUR, score=None) for number in range(40)),
]


def test_an_evening_says_who_won_how_often_and_the_points_of_games_played_together() -> None:
    assert evening_lines(last_evening(GAMES)) == ["Sleepless Princess: 3 and 5 of 5"]
    said = evening_lines(GAMES[:5])
    assert said[:2] == ["Anna: 2 of 3 won", "Ben: 1 of 3 won"]
    assert evening_lines([game(0.0, score=None)]) == last_evening([]) == []


def test_players_without_names_are_counted_by_their_numbers() -> None:
    unnamed = [msgspec.structs.replace(one, people=()) for one in GAMES[2:5]]
    assert evening_lines(unnamed)[:2] == ["Player 1: 2 of 3 won", "Player 2: 1 of 3 won"]


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)])
@pytest.mark.parametrize("part", Part)
def test_every_part_fits_and_the_chosen_game_is_in_sight(size: tuple[int, int], part: Part) -> None:
    view = HistoryView(GAMES, part, reading=False)
    view.move(40)
    rows = history_page(view, *size).plain.split("\n")
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]
    assert "watch it again" in rows[-1]
    if part is Part.GAMES or size[0] >= 118:
        assert any("►" in row for row in rows)
    for words in {Part.PEOPLE: ("Anna", "45"), Part.EVENINGS: ("1970-01-04",), Part.PLOTS: ("Score",)}.get(
        part, ()
    ):
        assert any(words in row for row in rows)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("part", [Part.PEOPLE, Part.EVENINGS, Part.PLOTS])
def test_without_a_game_at_a_real_table_it_says_so_once(part: Part, size: tuple[int, int]) -> None:
    view = HistoryView([msgspec.structs.replace(one, virtual=True) for one in GAMES], part, reading=False)
    assert history_page(view, *size).plain.count("No game at a real table yet.") == 1


def test_without_games_it_says_so() -> None:
    assert "Reading" in history_page(HistoryView(), 80, 24).plain
    assert "No game was played yet." in history_page(HistoryView(reading=False), 80, 24).plain


async def test_a_game_of_the_history_is_watched_from_the_first_screen(folder: Path) -> None:
    form = StartForm([GameOffer("a-game", {"basic": (2, 3)})], history=["A Game"])
    app = StartApp(form, history=lambda: HistoryScreen(lambda: History(folder)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f6")
        for _ in range(500):
            if isinstance(app.screen, HistoryScreen) and len(app.screen.view.games) == 2:
                break
            await pilot.pause(0.01)
        assert "Anna, Ben, <b>Cleo" in history_page(app.screen.view, 120, 24).plain
        await pilot.press("down", "enter")
    assert (app.choice, app.watched) == (WATCH, folder / "2026-01-02-190000.jsonl")


async def test_escape_leads_back_to_the_first_screen(folder: Path) -> None:
    form = StartForm([GameOffer("a-game", {"basic": (2, 3)})], history=["A Game"])
    app = StartApp(form, history=lambda: HistoryScreen(lambda: History(folder)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f6", "escape", "f7", "down")
        assert not isinstance(app.screen, HistoryScreen)
        assert form.row == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_the_first_screen_says_what_a_rig_can_prove(size: tuple[int, int], tmp_path: Path) -> None:
    form, _ = chosen_start.filled_form(Config(game="sleepless-princess"))
    form.evening, form.history = ["Anna: 2 of 3 won"], ["A Game, Anna"] * 9
    page = start_page(form, *size).plain
    assert max(map(len, page.split("\n"))) <= size[0]
    assert "F1" in page
    assert ("followed 28 of 28" in " ".join(page.split())) == (size[1] > 40)
