"""No text escapes the catalogues on settings, sensors, lessons and recorded games; every language has room."""

import re
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.widgets import Input

from companion.core import language
from companion.core.config import load_config, speak_as_set
from companion.core.language import LANGUAGES, PSEUDO
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.replay_app import ReplayApp
from companion.dashboard.screens.sensors_screen import sensors_page
from companion.dashboard.screens.settings_screen import SettingsForm, settings_page
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import play_out
from companion.history.database import in_words, record_of
from companion.history.game_course import course_of
from companion.history.souvenir import souvenir_page
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened
from companion.session.journal.recorded_game import recorded_game
from tests.dashboard.test_dashboard_app import desk
from tests.dashboard.test_sensors_screen import VIEW
from tests.support.observed import GAME

SWITCHES = dict.fromkeys(("big", "children", "motion", "lamps", "beeper"), True)
_PLAIN = re.compile(r"[A-Za-z]{2,}")
_NAMES = re.compile("|".join(("Anna", "Ben", *LANGUAGES.values())))


@pytest.fixture(autouse=True)
def _no_language_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(language.CHOSEN, raising=False)


def escaped(shown: str) -> list[str]:
    """Words of a screen in the tests' language that went through no catalogue."""
    return _PLAIN.findall(_NAMES.sub("", shown))


def a_journal(path: Path) -> Path:
    """A whole game of Sleepless Princess as a journal has it."""
    dealt = GAME.setup("basic", 2, Random(6))
    lines: list[Any] = [Opened(VERSION, GAME.name, "basic", 2), Adopted(5.0, GAME.write_state(dealt))]
    steps = islice(play_out(dealt, make_policy("sensible"), Random(6)), 10_000)
    lines += [Done(6.0 + t, GAME.write_action(step.action)) for t, step in enumerate(steps)]
    journal = Journal(path, sync=False)
    journal.write(lines)
    journal.close()
    return path


def test_settings_and_sensors_are_translated() -> None:
    language.use(PSEUDO)
    form = SettingsForm("contrast", "fr", SWITCHES, ["Anna", "Anna"])
    page = settings_page(form, 120, 40).plain
    assert escaped(page.replace("tests", "")) == []
    sensed = sensors_page(VIEW, PublicModel(), WorldModel(), (40, 20), 120, 40).plain
    # What lies in zones comes from the engine.
    assert set(escaped(sensed)) <= {"blanket"}


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_the_settings_fit_a_small_screen_in_every_language(code: str) -> None:
    language.use(code)
    rows = settings_page(SettingsForm("contrast", code, SWITCHES, ["Anna", "Anna"]), 80, 24).plain.split("\n")
    assert max(map(len, rows)) <= 80
    assert LANGUAGES[code] in " ".join(rows)


def test_a_recorded_game_is_told_in_the_readers_language(tmp_path: Path) -> None:
    path = a_journal(tmp_path / "2026-11-25-190000.jsonl")
    language.use(PSEUDO)
    game = recorded_game(path)
    app = ReplayApp(game, ScreenLook(motion=False))
    app.at = len(game.moments) - 1
    app.show()
    foot = " ".join(part.plain for part in app.table_screen.foot(120) if part)
    said = [one.text for one in app.view.model.said]
    assert len(said) > 20
    assert [one for one in (*said, foot.replace("pg", "")) if escaped(one)] == []
    table = app.view.model.table
    assert table is not None
    assert escaped(table.title) == []


def test_a_souvenir_and_the_list_of_games_are_in_the_readers_language(tmp_path: Path) -> None:
    course = course_of(a_journal(tmp_path / "2026-11-25-190000.jsonl"))
    language.use(PSEUDO)
    page = souvenir_page(course, 0.0)
    words = re.sub(r"<style>.*?</style>|<[^>]+>|&\w+;", " ", page, flags=re.DOTALL)
    assert set(escaped(words)) <= {"Sleepless", "Princess", "basic"}
    told = in_words(record_of(course, 0.0))
    assert set(escaped(told)) <= {"Sleepless", "Princess"}


async def test_the_language_chosen_on_the_screen_is_spoken_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    app = Dashboard(tmp_path / "e", look=ScreenLook(motion=False, file=file))
    async with desk(tmp_path, app=app) as one:
        await one.plays()
        await one.press("f4", "down", "right", shows="Sprache")
        await one.press("escape")
    assert load_config(file).language == "de"


def test_a_language_chosen_by_option_is_spoken_this_time_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('language = "de"\n')
    monkeypatch.setenv(language.CHOSEN, "it")
    speak_as_set(load_config(file))
    assert language.current().code == "it"
    monkeypatch.delenv(language.CHOSEN)
    speak_as_set(load_config(file))
    assert language.current().code == "de"


async def test_the_list_of_commands_asks_in_the_readers_language(tmp_path: Path) -> None:
    language.use("de")
    async with desk(tmp_path) as one:
        await one.press("ctrl+p")
        await one.until(lambda: CommandPalette.is_open(one.app))
        assert one.app.screen.query_one(Input).placeholder == "Einen Befehl suchen"
