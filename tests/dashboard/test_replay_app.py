"""Watching a recorded game: every moment as it was, both ways, and nothing hidden before its end."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.replay_app import HiddenScreen, ReplayApp, timeline
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import play_out
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened
from companion.session.journal.recorded_game import recorded_game
from companion.session.journal.recorded_moments import RecordedGame
from tests.dashboard.test_dashboard_app import desk
from tests.dashboard.test_golden_screens import golden
from tests.support.observed import GAME


def recorded(path: Path, most: int) -> RecordedGame:
    """A game of at most so many actions, as a journal has it."""
    dealt = GAME.setup("basic", 3, Random(6))
    lines: list[Any] = [
        Opened(VERSION, GAME.name, "basic", 3, people=("Anna", "Ben", "Cleo")),
        Adopted(5.0, GAME.write_state(dealt)),
    ]
    steps = islice(play_out(dealt, make_policy("sensible"), Random(6)), most)
    lines += [Done(6.0 + t, GAME.write_action(step.action)) for t, step in enumerate(steps)]
    journal = Journal(path, sync=False)
    journal.write(lines)
    journal.close()
    return recorded_game(path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RecordedGame:
    return recorded(tmp_path_factory.mktemp("j") / "whole.jsonl", 10_000)


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory: pytest.TempPathFactory) -> RecordedGame:
    return recorded(tmp_path_factory.mktemp("j") / "begun.jsonl", 12)


async def test_scrubbing_shows_the_same_moment_from_both_sides(tmp_path: Path, whole: RecordedGame) -> None:
    app = ReplayApp(whole, ScreenLook(motion=False))
    async with desk(tmp_path, size=(120, 40), app=app) as one:
        await one.press("pagedown", "pagedown", "right", "right")
        at = app.at
        assert app.moment.table.turn == 2
        await one.pilot.pause(0.3)
        before = one.text()
        await one.press("end", "left", "home", "pagedown", "pagedown", "right", "right")
        assert app.at == at
        await one.pilot.pause(0.3)
        assert one.text() == before
        await one.press("down")
        assert app.moment.verdict
        claim = app.at
        await one.press("home", "down")
        assert app.at == claim
        await one.press("end", "right", "right")
        assert app.at == len(whole.moments) - 1
        assert app.moment.table.over


async def test_a_wide_window_has_the_table_drawn_and_the_players_names(
    tmp_path: Path, broken_off: RecordedGame
) -> None:
    app = ReplayApp(broken_off, ScreenLook(motion=False))
    async with desk(tmp_path, size=(180, 54), app=app) as one:
        await one.until(lambda: app.table_screen.beside.display)
        await one.shows("♥ Anna")
        assert "F7" not in one.text(), "a recorded game has no camera"
        await one.press("end")
        for size in ((80, 24), (120, 40)):
            await golden(one.pilot, app, "replay", size)


async def test_what_lay_hidden_is_told_of_a_finished_game_alone(
    tmp_path: Path, whole: RecordedGame, broken_off: RecordedGame
) -> None:
    for game in (whole, broken_off):
        assert game.over == (game is whole)
        app = ReplayApp(game, ScreenLook(motion=False))
        async with desk(tmp_path, app=app) as one:
            await one.press("right", "v")
            await one.pilot.pause(0.1)
            assert isinstance(app.screen, HiddenScreen) == game.over
            if not game.over:
                await one.shows("not played to its end")
    assert not any(one.hidden for one in broken_off.moments)
    # A card that was named later is named from the beginning on, the same one at every moment.
    last = [line.partition(": ")[2].split(", ") for line in whole.moments[-1].hidden]
    assert sum(map(len, last)) >= 15


async def test_it_goes_on_by_itself_and_stops(tmp_path: Path, broken_off: RecordedGame) -> None:
    app = ReplayApp(broken_off, ScreenLook(motion=False))
    async with desk(tmp_path, app=app) as one:
        await one.press("+", "+", "space")
        await one.until(lambda: app.at >= 3)
        await one.press("space")
        at = app.at
        await one.pilot.pause(0.2)
        assert app.at == at
        await one.shows("play")


def test_the_timeline_marks_every_claim_and_fits(whole: RecordedGame) -> None:
    claims = sum(bool(one.verdict) for one in whole.moments)
    for width in (80, 200):
        bar = timeline(whole.moments, 5, width).plain
        assert len(bar) <= width
        assert 1 <= sum(bar.count(mark) for mark in "▲▼◆") <= claims


def test_the_end_shows_the_result_and_nothing_for_people_at_a_table(whole: RecordedGame) -> None:
    last = whole.moments[-1].table
    assert "For another game" not in " ".join(last.may)
    assert any("asleep" in one or "sleep" in one for one in last.may)
    assert last.may_not == ()
