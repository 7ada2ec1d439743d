"""Several engines of one user, each by its name; a second one of a name, and one without a rig, in one line."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.commands.run import _forget_names
from companion.commands.serve import LastPort
from companion.core import config, last_start
from companion.core.config import load_config, make_runtime_dir, named_tables, state_dir
from companion.core.errors import CompanionError
from companion.core.settings_file import before
from companion.core.table_names import TABLE
from companion.session.stream.commands import Command
from companion.session.stream.events import Event
from companion.session.stream.stream import StreamServer


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for what in ("config", "state", "data"):
        monkeypatch.setenv(f"XDG_{what.upper()}_HOME", str(tmp_path / what))
    (tmp_path / "r").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "r"))
    monkeypatch.setenv(TABLE, "")  # restored after a command has set it
    return tmp_path


def said(*words: str) -> str:
    told = CliRunner().invoke(cli, list(words)).exception
    assert isinstance(told, CompanionError)
    return str(told)


def test_a_table_without_a_rig_names_the_command_that_makes_one() -> None:
    assert said("run", "--at", "Küche am Ofen") == (
        "Küche am Ofen: this table has no rig, no camera and no board; companion setup --at 'Küche am Ofen'"
    )


def test_a_second_engine_of_a_name_is_refused_and_another_name_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TABLE, "Küche")
    first: StreamServer[Event, Command] = StreamServer(make_runtime_dir() / "engine.sock", Command)
    for same in ("Küche", "kuche"):
        told = said("run", "--at", same, "--camera", "http://127.0.0.1:9/none")
        assert told.startswith(f"{first.path}: another engine serves it; ")
        assert told.endswith("another table: --at NAME")
    first.close()
    assert not list(state_dir().glob("journals/*.jsonl"))


def test_the_next_party_has_nothing_of_the_names_before(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for_all = home / "config/companion/companion.toml"
    for_all.parent.mkdir(parents=True)
    for_all.write_text('# ours\nplayer_names = ["Anna", "Ben"]\nplayers = 2\n')
    monkeypatch.setenv(TABLE, "window")
    last_start.remember(last_start.LastStart("sleepless-princess", "basic", 2, ("Anna", "Ben")))
    _forget_names(None)
    assert load_config().player_names == ()
    assert load_config().players == 2
    assert last_start.remembered() == last_start.LastStart("sleepless-princess", "basic", 2)
    assert "Anna" in for_all.read_text(), "other tables keep theirs"
    monkeypatch.setenv(TABLE, "")
    _forget_names(None)
    assert "Anna" not in for_all.read_text()
    assert "# ours" in for_all.read_text()
    assert not before(for_all).exists()


def test_forget_looks_at_all_tables_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("hall", "window"):
        monkeypatch.setenv(TABLE, name)
        config.config_file().parent.mkdir(parents=True, exist_ok=True)
        config.config_file().write_text('player_names = ["Anna"]\n')
        last_start.remember(last_start.LastStart(names=("Anna", "Ben")))
    monkeypatch.setenv(TABLE, "")
    assert named_tables() == ("hall", "window")

    def names() -> list[tuple[str, ...]]:
        found = []
        for name in named_tables():
            monkeypatch.setenv(TABLE, name)
            found.append(load_config().player_names + last_start.remembered().names)
        monkeypatch.setenv(TABLE, "")
        return found

    CliRunner().invoke(cli, ["forget", "--player", "anna", "--yes", "--at", "hall"], catch_exceptions=False)
    assert names() == [("Ben",), ("Anna", "Anna", "Ben")]
    CliRunner().invoke(cli, ["forget", "--player", "anna", "--yes", "--own"], catch_exceptions=False)
    assert names() == [("Ben",), ("Anna", "Anna", "Ben")], (
        "an engine without a name tidies up after itself alone"
    )
    CliRunner().invoke(cli, ["forget", "--player", "anna", "--yes"], catch_exceptions=False)
    assert names() == [("Ben",), ("Ben",)]


def test_a_page_keeps_its_port_in_a_file_that_may_be_damaged(tmp_path: Path) -> None:
    last = LastPort(tmp_path / "serve.port")
    assert last.read() == ()
    last.keep(8380)
    assert LastPort(tmp_path / "serve.port").read() == (8380,)
    for damage in (b"", b"none", b"0", b"99999999999", b"\xff\xfe", b"-1"):
        (tmp_path / "serve.port").write_bytes(damage)
        assert last.read() == ()
