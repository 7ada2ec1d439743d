"""The first screen: only what can be played can be chosen, by keys and touch, and it fits on small screens."""

from pathlib import Path

import msgspec
import pytest

from companion.commands import chosen_start
from companion.core import last_start
from companion.core.config import THEMES as NAMED_THEMES
from companion.core.config import Config, ScreenConfig, checked_names, load_config
from companion.core.language import localized, speaking
from companion.dashboard.display_settings import KeptChoices, look_of
from companion.dashboard.screens.dialogs import HelpScreen
from companion.dashboard.start_app import GO_ON, LEAVE, PLAY, SETUP, StartApp, start_page, whole_parts
from companion.dashboard.start_form import GameOffer, StartForm
from companion.dashboard.themes import THEMES

OFFERS = (GameOffer("a-game", {"basic": (2, 3, 4, 5), "5+": (2, 3, 4)}), GameOffer("b-game", {"only": (2, 3)}))
TABLES = (("real", "camera 0"), ("virtual", "a virtual table"))


def form(**fields: object) -> StartForm:
    return StartForm(OFFERS, **fields)


def test_only_what_the_game_allows_can_be_chosen() -> None:
    one = form(players=5)
    assert one.rows[:3] == ("game", "variant", "players")
    one.row = 1
    one.change(1)
    assert (one.variant_name, one.players) == ("5+", 4)
    one.row = 0
    one.change(1)
    assert (one.offer.name, one.variant_name, one.players) == ("b-game", "only", 3)
    assert "variant" not in one.rows
    one.row = one.rows.index("players")
    one.change(1)
    assert one.players == 2
    assert one.rows == ("game", "players", "name 1", "name 2", "you")


def test_a_person_takes_a_seat_at_a_virtual_table_alone() -> None:
    one = form(players=2, names=["Anna"], tables=TABLES)
    assert "you" not in one.rows
    one.row = one.rows.index("table")
    one.change(1)
    one.row = one.rows.index("you")
    seen = []
    for _ in range(3):
        seen.append(one.seat_in_words())
        one.change(1)
    assert seen == ["only watch", "play as Anna", "play as player 2"]
    assert one.seat == 0


def test_names_are_typed_into_their_rows_and_nowhere_else() -> None:
    one = form()
    one.write("x")
    assert one.given_names == ()
    one.row = one.rows.index("name 2")
    for letter in " Anna-Katharina,":
        one.write(letter)
    assert one.given_names == ("", "Anna-Katha", "")
    one.rub_out()
    assert one.given_names[1] == "Anna-Kath"
    one.row = one.rows.index("name 1")
    for letter in "Anna-Kath":
        one.write(letter)
    assert "same name" in one.wrong()
    one.players = 1 + 1
    assert one.given_names == ("Anna-Kath", "Anna-Kath")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)])
def test_the_fullest_form_fits(size: tuple[int, int]) -> None:
    full = form(
        players=5, names=list("ABCDE"), tables=TABLES, last="A Game, 5 players, 24 Nov 19:31", history=["A"] * 4
    )
    rows = start_page(full, *size).plain.split("\n")
    assert len(rows) <= size[1]
    assert max(map(len, rows)) <= size[0]
    text = "\n".join(rows)
    assert all(
        words in text
        for words in ("A Game ►", "basic ►", "5 ►", "camera 0 ►", "ENTER", "F3", "F4", "esc leave")
    )
    for number in range(len(full.rows)):
        full.row = number
        rows = start_page(full, 40, 8).plain.split("\n")
        assert len(rows) == 8
        assert sum(row.lstrip().startswith("►") for row in rows) == 1


@pytest.mark.parametrize(
    ("keys", "choice", "players"),
    [
        (["enter"], PLAY, 3),
        (["down", "down", "right", "enter"], PLAY, 4),
        (["f3"], SETUP, 3),
        (["f4"], GO_ON, 3),
        (["q", "escape"], LEAVE, 3),
    ],
)
async def test_keys_choose(keys: list[str], choice: str, players: int) -> None:
    app = StartApp(form(last="A Game"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
    assert (app.choice, app.form.players) == (choice, players)


async def test_f1_says_all_keys_of_a_game() -> None:
    app = StartApp(form())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "escape")
    assert app.choice == LEAVE


async def test_rows_and_buttons_answer_to_touch_and_nothing_impossible_is_chosen() -> None:
    app = StartApp(form())
    async with app.run_test(size=(80, 24)) as pilot:
        for key, said in (
            ("f4", "No game at a real table was left unfinished."),
            ("f5", "No game was recorded yet."),
        ):
            await pilot.press(key)
            assert said in start_page(app.form, 80, 24).plain
        await pilot.press("down", "up")
        assert not app.form.told
        rows = start_page(app.form, 80, 24).plain.split("\n")
        game = next(y for y, row in enumerate(rows) if "A Game" in row)
        await pilot.click(offset=(rows[game].index("A Game"), game))
        assert app.form.offer.name == "b-game"
        rows = start_page(app.form, 80, 24).plain.split("\n")
        play = next(y for y, row in enumerate(rows) if "ENTER" in row)
        await pilot.click(offset=(rows[play].index("PLAY"), play))
    assert app.choice == PLAY


def test_the_choices_of_last_time_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen_start, "state_dir", lambda: tmp_path)
    monkeypatch.setattr(last_start, "state_dir", lambda: tmp_path)
    filled, journals = chosen_start.filled_form(Config(players=2, player_names=("Anna", "Ben"), camera="0"))
    assert (filled.players, filled.given_names, list(journals)) == (2, ("Anna", "Ben"), [])
    assert [table for table, _ in filled.tables] == ["real", "virtual"]
    last_start.remember(last_start.LastStart("sleeping-queens", "basic", 4, ("Cleo",)))
    filled, _ = chosen_start.filled_form(Config())
    assert (filled.offer.name, filled.players, filled.given_names[0]) == ("sleeping-queens", 4, "Cleo")
    assert chosen_start.filled_form(Config(), "sleeping-queens-2")[0].offer.name == "sleeping-queens-2"
    last_start.remember(last_start.LastStart("sleeping-queens", "basic", 2, ("", "")))
    erased, _ = chosen_start.filled_form(Config(player_names=("Anna", "Ben")))
    assert erased.given_names == (), "as the game was played"
    kept = KeptChoices(tmp_path / "companion.toml")
    kept.choose(("Leo",), "player_names")
    assert not kept.write()
    filled, _ = chosen_start.filled_form(load_config(tmp_path / "companion.toml"))
    assert (filled.offer.name, filled.given_names[0]) == ("sleeping-queens", "Leo")
    (tmp_path / "last_start.json").write_text("{")
    assert last_start.remembered() == last_start.LastStart()
    (tmp_path / "journals").mkdir()
    (tmp_path / "journals" / "broken.jsonl").write_text("no journal\n")
    filled, journals = chosen_start.filled_form(Config(camera="0", port="auto"))
    with speaking("de"):
        assert localized(dict(filled.tables)["real"]) == "Kamera 0 und Platine"
    assert (list(journals), filled.history, filled.last) == ([], [], "")


@pytest.mark.parametrize(
    "names",
    [["Anna", "Anna"], ["Anna", "anna"], ["a" * 11], ["\x1b[31m"], [" Ben"], list("abcdef")],
    ids=lambda names: repr(names)[:12],
)
def test_names_that_screens_have_no_room_for_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match="name"):
        checked_names(names)


def test_settings_and_options_give_the_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.delenv("COLORTERM", raising=False)
    assert look_of(ScreenConfig(), None, calm=False, big=False).theme == "contrast"
    assert look_of(ScreenConfig("night"), None, calm=False, big=False).theme == "night"
    monkeypatch.setenv("TERM", "xterm-256color")
    assert look_of(ScreenConfig(), None, calm=False, big=False).theme == "night"
    assert tuple(THEMES) == NAMED_THEMES
    look = look_of(ScreenConfig("day", motion=True, big=True), None, calm=True, big=False)
    assert (look.theme, look.motion, look.big) == ("day", False, True)
    assert look_of(ScreenConfig(), "contrast", calm=False, big=False).theme == "contrast"


def test_no_heading_stands_above_nothing() -> None:
    one = form(history=["The Game", "The Game"], evening=["Anna: 2 of 3 won"])
    seen = {}
    for height in range(18, 34):
        rows = [row.strip() for row in start_page(one, 80, height).plain.rstrip().split("\n")][:-1]
        seen[height] = next(row for row in reversed(rows) if row)
    assert {"Anna: 2 of 3 won", "The Game"} <= set(seen.values())
    assert not {"played before", "the last evening"} & set(seen.values())


def test_after_the_set_up_the_first_screen_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen_start, "state_dir", lambda: tmp_path)
    choices, called = [SETUP, LEAVE], list[list[str]]()

    def asked(form: StartForm, *_: object) -> StartApp:
        app = StartApp(form)
        app.choice = choices.pop(0)
        return app

    monkeypatch.setattr(chosen_start, "_asked", asked)
    monkeypatch.setattr(chosen_start.subprocess, "call", lambda command: called.append(command) or 0)
    assert chosen_start.ask_first(Config(), None) is None
    assert [command[-1] for command in called] == ["setup"]


def test_what_is_kept_of_an_evening_is_asked_once_and_the_answers_are_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen_start, "state_dir", lambda: tmp_path)
    monkeypatch.setattr(last_start, "state_dir", lambda: tmp_path)
    file, asked = tmp_path / "companion.toml", []

    def fill(form: StartForm, *_: object) -> StartApp:
        asked.append((form.asks, form.record, form.keep_days))
        form.table = next(at for at, (name, _) in enumerate(form.tables) if name == "real")
        for row in ("record", "keep", "keep"):
            if row in form.rows:
                form.row = form.rows.index(row)
                form.change(1)
        app = StartApp(form)
        app.choice = PLAY
        return app

    monkeypatch.setattr(chosen_start, "_asked", fill)
    chosen = chosen_start.ask_first(load_config(file) if file.exists() else Config(camera="0"), None, file)
    assert chosen is not None
    assert (chosen.table, chosen.record) == ("real", True)
    kept = load_config(file)
    assert (kept.record, kept.keep_days) == (True, 30)
    assert chosen.names == ("",) * chosen.players, "names of the settings are not used unseen"
    again = chosen_start.ask_first(msgspec.structs.replace(kept, camera="0"), None, file)
    assert again is not None
    assert again.record
    assert asked == [(True, False, 0), (False, True, 30)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_question_on_recording_is_asked_in_words_and_off_at_first(size: tuple[int, int]) -> None:
    one = form(asks=True)
    page = start_page(one, *size).plain
    assert "no, no pictures are kept" in page
    assert "games and names: for ever" in page
    one.row = one.rows.index("record")
    one.change(1)
    assert "yes: of a real table, mat and hands" in start_page(one, *size).plain
    assert "record" not in form().rows


def test_a_game_that_was_played_before_is_cut_between_its_parts() -> None:
    line = "Sleepless Princess, 2026-11-28 17:08, Anna, Ben, Cleo, virtual table"
    assert whole_parts(line, 80) == line
    assert whole_parts(line, 60) == "Sleepless Princess, 2026-11-28 17:08, Anna, Ben, Cleo, .."
    assert whole_parts(line, 12) == "Sleepless .."


async def test_a_page_longer_than_the_screen_is_scrolled_by_its_keys() -> None:
    app = StartApp(form(), look_of(ScreenConfig(), None, calm=False, big=False, file=None), HelpScreen)
    async with app.run_test(size=(60, 15)) as pilot:
        page = HelpScreen()
        app.push_screen(page)
        await pilot.pause()
        assert page.scroller.max_scroll_y > 2
        await pilot.press("down", "down")
        await pilot.wait_for_scheduled_animations()
        assert page.scroller.scroll_offset.y == 2
        await pilot.press("space")
        assert app.screen is not page
