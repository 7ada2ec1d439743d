"""The settings screen: what is changed counts at once and is kept; what is wrong is not."""

from pathlib import Path

import pytest

from companion.core.config import load_config
from companion.core.settings_file import write_entries
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import KeptChoices, ScreenLook, look_of
from companion.dashboard.screens.settings_screen import SWITCHES, SettingsForm, SettingsScreen, settings_page
from companion.session.stream.commands import AskHint, NamePlayers, SetSignals
from companion.session.stream.events import Signals
from companion.session.stream.virtual_table_events import TakeSeat
from tests.dashboard.test_dashboard_app import Desk, desk


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_the_page_fits_with_all_its_rows(size: tuple[int, int]) -> None:
    switches = dict.fromkeys(SWITCHES, True)
    full = SettingsForm("contrast", "en", switches, ["Bartholome"] * 5)
    full.row = len(full.rows) - 1
    rows = settings_page(full, *size).plain.split("\n")
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]
    assert "same name" in "".join(rows)
    assert "esc" in rows[-1]


@pytest.mark.parametrize("size", [(40, 12), (20, 6), (3, 2)])
def test_the_chosen_row_is_in_sight_in_the_smallest_window(size: tuple[int, int]) -> None:
    full = SettingsForm("night", "en", dict.fromkeys(SWITCHES, True), ["Anna", "anna", ""])
    for number in range(len(full.rows)):
        full.row = number
        rows = settings_page(full, *size).plain.split("\n")
        assert len(rows) == size[1]
        assert sum(row.lstrip().startswith("►") for row in rows) == 1


def test_a_name_that_takes_no_further_letter_says_so() -> None:
    form = SettingsForm("night", "en", {}, ["Bartholom", "Ben"])
    form.row = form.rows.index("0")
    assert "at most" not in settings_page(form, 80, 24).plain
    assert form.write("e")
    assert not form.write("w")
    assert "Bartholome▌     10 letters at most" in settings_page(form, 80, 24).plain
    form.move(1)
    assert "at most" not in settings_page(form, 80, 24).plain


async def go_to(one: Desk, row: str, *keys: str) -> None:
    """Choose a row, then press keys there."""
    screen = one.app.screen
    assert isinstance(screen, SettingsScreen)
    while screen.form.here != row:
        await one.press("down")
    await one.press(*keys)


async def test_what_is_changed_counts_at_once_and_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("players = 2  # us two\n\n[screen]\nbig = false # the small one\n")
    app = Dashboard(tmp_path / "e", tmp_path / "t", look=ScreenLook(motion=False, file=file), seat=2)
    async with desk(tmp_path, app=app) as one:
        end = one.engine(Signals(True, True))
        table = one.table()
        await one.told(table, TakeSeat(2))
        await one.until(lambda: app.model.signals)
        await one.press("a", "f2", "f4")
        await one.until(lambda: isinstance(app.screen, SettingsScreen))
        await one.shows("contrast" if app.theme == "contrast" else app.theme)
        await go_to(one, "lamps", "right")
        await go_to(one, "big", "space")
        await one.until(lambda: app.table_screen.big)
        await go_to(one, "1")
        await one.press("A", "n", "n", "a", "escape")
        await one.told(end, AskHint("nudge", ""), SetSignals(False, True), NamePlayers(("", "Anna", "")))
    kept = load_config(file)
    assert (kept.screen.theme, kept.screen.big, kept.signals.lamps) == (app.theme, True, False)
    assert kept.player_names == ("", "Anna", "")
    look = look_of(kept.screen, None, calm=False, big=False)
    assert Dashboard(tmp_path / "e", look=look).model.hints_always
    assert "# us two" in file.read_text()


async def test_two_players_of_one_name_are_told_and_not_kept(tmp_path: Path) -> None:
    async with desk(tmp_path, size=(100, 30)) as one:
        end = await one.plays()
        await one.press("f4", "up", "A", "up", "A", shows="two players have the same name")
        await one.press("escape", shows="Touch the bottom")
        assert end.told == []


def test_a_file_that_cannot_be_written_is_told_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("not = toml = at all")
    kept = KeptChoices(file)
    kept.choose("day", "screen", "theme")
    assert "cannot be read as TOML" in kept.write()
    assert file.read_text() == "not = toml = at all"
    assert KeptChoices(None).write() == ""


def test_entries_are_set_where_no_table_was(tmp_path: Path) -> None:
    file = tmp_path / "new" / "companion.toml"
    write_entries(file, {("screen", "theme"): "day", ("player_names",): ("Anna", "Ben")})
    kept = load_config(file)
    assert (kept.screen.theme, kept.player_names) == ("day", ("Anna", "Ben"))
