"""Several tables at one machine: their names, and that each has settings, journals and a socket of its own."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from calibration.profile import default_name
from calibration.rig_store import RigStore
from companion.core import config, engine_command
from companion.core.config import Config, load_config
from companion.core.errors import BadInputError
from companion.core.option_types import at_option
from companion.core.table_names import LONGEST_NAME, TABLE, checked_name, own_name, own_plain_name, plain_name


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for what in ("config", "state", "data"):
        monkeypatch.setenv(f"XDG_{what.upper()}_HOME", str(tmp_path / what))
    (tmp_path / "run").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.delenv(TABLE, raising=False)
    (tmp_path / "config/companion/tables").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "shown", "plain"),
    [
        ("window", "window", "window"),
        ("Küche am Ofen", "Küche am Ofen", "kuche-am-ofen"),
        ("table/3", "table-3", "table-3"),  # as systemd unescapes the instance table-3
        ("../../etc", "..-..-etc", "etc"),
        ("a\x1b[31m\nb", "a?[31m b", "a-31m-b"),
        ("Кухня", "Кухня", "table-"),
        ("x" * 99, "x" * LONGEST_NAME, "x" * LONGEST_NAME),
        ("  Ecke  ", "Ecke", "ecke"),
    ],
)
def test_a_name_is_one_line_on_screens_and_one_level_of_a_path(given: str, shown: str, plain: str) -> None:
    assert checked_name(given) == shown
    assert plain_name(shown).startswith(plain)
    assert "/" not in plain_name(given)
    assert plain_name(plain_name(given)) == plain_name(given), "a folder's name leads to the same folder"


@pytest.mark.parametrize("given", ["", "  ", "///", "..", "-"])
def test_a_name_without_letters_is_refused_in_one_line(given: str) -> None:
    @click.command()
    @at_option
    def command() -> None:
        """Never called."""

    told = CliRunner().invoke(command, ["--at", given]).exception
    assert isinstance(told, BadInputError)
    assert str(told) == "--at: no name of a table; e.g. --at window"


def test_each_table_has_paths_of_its_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def paths() -> list[Path]:
        return [config.config_file(), config.state_dir(), config.make_runtime_dir()]

    only = paths()
    assert only == [home / "config/companion/companion.toml", home / "state/companion", home / "run/companion"]
    monkeypatch.setenv(TABLE, "Küche")
    kitchen = paths()
    assert kitchen == [
        home / "config/companion/tables/kuche.toml",
        home / "state/companion/tables/kuche",
        home / "run/companion/kuche",
    ]
    assert (own_name(), own_plain_name(), default_name()) == ("Küche", "kuche", "kuche")
    assert config.runtime_path().stat().st_mode & 0o077 == 0
    kitchen[1].mkdir(parents=True)
    assert config.named_tables() == ("kuche",)


def test_a_folder_for_sockets_that_others_may_write_to_is_refused_above_a_table_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TABLE, "window")
    config.make_runtime_dir()
    (home / "run/companion").chmod(0o777)
    with pytest.raises(BadInputError, match="open to other users"):
        config.runtime_dir()


def test_what_a_table_has_of_its_own_comes_in_the_place_of_what_all_have(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / "config/companion"
    (folder / "companion.toml").write_text(
        'language = "de"\nplayers = 2\n[screen]\nbig = true\ntheme = "day"\n'
    )
    (folder / "tables/window.toml").write_text('players = 4\n[screen]\ntheme = "night"\n')
    assert load_config().players == 2
    monkeypatch.setenv(TABLE, "window")
    read = load_config()
    assert (read.language, read.players, read.screen.big, read.screen.theme) == ("de", 4, True, "night")
    for_all = folder / "companion.toml"
    for_all.write_text('camera = "0"\nrig = "hall"\n' + for_all.read_text())
    assert (load_config().camera, load_config().rig) == ("", ""), "parts belong to one table"
    monkeypatch.setenv(TABLE, "")
    assert (load_config().camera, load_config().rig) == ("0", "hall")
    monkeypatch.setenv(TABLE, "hall")
    assert load_config().players == 2, "a table without settings of its own has those of all"
    assert load_config(folder / "tables/window.toml") == Config(
        players=4, screen=read.screen.__class__("night")
    )


def test_a_mistake_is_told_of_the_file_in_which_it_stands(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TABLE, "window")
    folder = home / "config/companion"
    for file in (folder / "companion.toml", folder / "tables/window.toml"):
        file.write_text("players = 'two'\n")
        with pytest.raises(BadInputError) as told:
            load_config()
        assert told.value.where == str(file)
        file.write_text("")


def test_a_table_uses_no_rig_of_another_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RigStore()
    store.folder.mkdir(parents=True)
    (store.folder / "hall.toml").write_text("version = 1\n")
    assert store.usual() == "hall", "the only one there is"
    monkeypatch.setenv(TABLE, "window")
    assert store.usual() == ""
    (store.folder / "window.toml").write_text("version = 1\n")
    assert store.usual() == "window"
    assert store.usual("hall") == "hall", "named, it counts"


def test_commands_that_are_printed_name_the_table(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TABLE, "Küche am Ofen")
    socket = config.runtime_path() / "engine.sock"
    assert engine_command.screen_command(socket, "") == "companion dashboard --at 'Küche am Ofen'"
    assert engine_command.engine_command(socket).endswith("--at 'Küche am Ofen'")
