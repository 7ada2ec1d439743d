"""`companion enrol --parts`: what is printed on a box goes from photographs and answers into the settings."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import cli
from companion.commands.enrol import enrol
from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.games.registry import load_configured
from companion.games.sleeping_queens_2.part_enrolment import read_rows
from companion.games.sleeping_queens_2.queens_2_cards import PAYLOAD_PREFIX
from vision.codes.sticker_set import sticker

GAME = "sleeping-queens-2"
ROWS = (
    ("Q07", "Q01", "RC03", "Q11", "RC09"),
    ("Q02", "Q03", "Q04", "RC01", "RC02", "Q12"),
    ("RC10",),
    ("RC04", "Q05", "Q06", "Q08", "RC05", "RC06", "RC07", "RC08", "Q09", "Q10"),
)
SYMBOLS = {"queens": "abbbccacccab", "companions": "bbaccccca*"}
STICKER = 75
"""Side in px: three a module."""


def photograph(path: Path, rows: tuple[tuple[str, ...], ...], slope: float = 0.03) -> Path:
    """Cards with stickers in rows that rise to the right, each a bit out of line."""
    picture = np.full((100 + 330 * len(rows), 1800, 3), 90, np.uint8)
    for at, row in enumerate(rows):
        for n, code in enumerate(row):
            x, y = 60 + 170 * n, 150 + 330 * at - round(slope * 170 * n) + 14 * (n % 2)
            picture[y - 80 : y + 155, x - 40 : x + 115] = (170, 200, 220)
            square = sticker(PAYLOAD_PREFIX + code, STICKER)[:, :, None]
            picture[y : y + STICKER, x : x + STICKER] = square
    cv2.imwrite(str(path), picture)
    return path


def run(*args: object, typed: str = "") -> Result:
    result = CliRunner().invoke(enrol, [*map(str, args)], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_symbols_are_read_from_a_photograph_of_rows_and_the_game_has_them(tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text('# Ours.\ngame = "sleeping-queens-2"  # the rescue\n', encoding="utf-8")
    shown = photograph(tmp_path / "rows.png", ROWS)
    report = json.loads(run("--parts", GAME, shown, "--config", settings, "--json").stdout)
    assert {name: report["parts"][name] for name in SYMBOLS} == SYMBOLS
    assert settings.read_text(encoding="utf-8").startswith(
        '# Ours.\ngame = "sleeping-queens-2"  # the rescue\n'
    )
    state = load_configured(GAME, load_config(settings).parts).empty_table("standard", 2)
    assert (state.parts.queens, state.parts.companions) == (SYMBOLS["queens"], SYMBOLS["companions"])
    # What was read stays when something else is answered later.
    run("--parts", GAME, "--config", settings, "--answer", "die=1,2,3,3,dragon,dragon")
    assert load_config(settings).parts[GAME] == {**SYMBOLS, "die": "1,2,3,3,dragon,dragon"}


def test_a_person_is_asked_once_more_after_an_answer_that_cannot_be(tmp_path: Path) -> None:
    settings = tmp_path / "new" / "companion.toml"
    asked = run("--parts", GAME, "--config", settings, typed="1,2\n1,1,1,2,3,dragon\n\n\n\nrose,shell\n").output
    assert "die: 6 faces are wanted, not 2" in asked
    assert "a row for each symbol" in asked
    assert load_config(settings).parts == {GAME: {"die": "1,1,1,2,3,dragon", "names": "rose,shell"}}
    # Parts that are as by default again need no line.
    usual = ("--answer", "die=1,1,2,2,3,dragon", "--answer", "names=")
    run("--parts", GAME, "--config", settings, *usual)
    assert load_config(settings).parts == {}


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--parts", "sleeping-queens"), "leaves nothing to its parts"),
        (("--parts", "chess"), "no game is called 'chess'"),
        (("--parts", GAME, "--answer", "dice=6"), "'dice=6' answers nothing"),
        (("--parts", GAME, "--answer", "queens=aaaa"), "12 small letters"),
        (("--parts", GAME, "--list"), "one thing at a time"),
        (("--answer", "die=1"), "there is no game to ask about"),
    ],
)
def test_what_cannot_be_asked_or_answered_is_refused(args: tuple[str, ...], says: str, tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    with pytest.raises(BadInputError, match=says):
        run(*args, "--config", settings)
    assert not settings.exists()


def test_rows_that_leave_a_card_out_or_show_it_twice_are_refused(tmp_path: Path) -> None:
    assert read_rows([*reversed(ROWS), ("N01A", "KN1")]) == SYMBOLS
    with pytest.raises(ValueError, match="Q01 lies in two rows"):
        read_rows([*ROWS, ("Q01",)])
    shown = photograph(tmp_path / "rows.png", ROWS[:1])
    with pytest.raises(BadInputError, match=r"Q02, Q03, .* are in no row") as error:
        run("--parts", GAME, shown, "--config", tmp_path / "companion.toml", "--json")
    assert "rows.png" in str(error.value)


def test_settings_that_are_no_toml_are_left_as_they_are(tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text("game =", encoding="utf-8")
    with pytest.raises(BadInputError, match="cannot be read as TOML"):
        run("--parts", GAME, "--config", settings, "--json")
    assert settings.read_text(encoding="utf-8") == "game ="


def test_parts_are_asked_for_in_the_language_that_was_chosen(tmp_path: Path) -> None:
    asked = ["enrol", "--parts", "sleeping-queens-2", "--config", str(tmp_path / "c.toml"), "--language", "de"]
    told = CliRunner().invoke(cli, asked, input="\n\n\n\n\n")
    assert "Die sechs Seiten des Würfels" in told.output
    assert "Die Farben der sechs Ritter" in told.output
    assert "geschrieben" in told.output
