"""Back to the version before: what a newer one wrote is read, or refused in one sentence with the next step."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from calibration.rig_store import RigStore
from companion.cli import cli
from companion.core.config import state_dir
from companion.core.errors import CompanionError
from companion.history.database import APPLICATION_ID, History
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Observed, Opened


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for what in ("config", "state", "data"):
        monkeypatch.setenv(f"XDG_{what.upper()}_HOME", str(tmp_path / what))
    return tmp_path


def said(*words: str) -> str:
    result: Result = CliRunner().invoke(cli, list(words))
    assert isinstance(result.exception, CompanionError)
    return str(result.exception)


@pytest.mark.parametrize("where", ["companion.toml", "tables/window.toml"])
@pytest.mark.parametrize(
    ("content", "setting"), [("weather = 3\n", "weather"), ("[screen]\nglow = true\n", "screen.glow")]
)
def test_a_setting_of_a_newer_version(home: Path, where: str, content: str, setting: str) -> None:
    file = home / "config/companion" / where
    file.parent.mkdir(parents=True)
    file.write_text(content)
    at = ["--at", "window"] if "/" in where else []
    assert said("run", "--camera", "0", *at) == (
        f"{file}: there is no setting {setting}; "
        "see docs/configuration.md; if a newer version wrote it: update companion, or remove it"
    )
    assert file.read_text() == content


def test_a_rig_of_a_newer_version() -> None:
    folder = RigStore().folder
    folder.mkdir(parents=True)
    (folder / "hall.toml").write_text('version = 99\nlasers = ["left"]\n')
    for words in (["run", "--rig", "hall"], ["setup", "--show", "--rig", "hall"]):
        assert said(*words) == f"{folder / 'hall.toml'}: of a newer program; update companion"


@pytest.mark.parametrize(
    "field", ['lasers = ["left"]', '[stations."bed 1"]\nzero_g = 1.0\ncard_g = 2.0\nlasers = 3']
)
def test_a_rig_with_a_field_of_a_newer_version_is_not_to_be_measured_anew(field: str) -> None:
    folder = RigStore().folder
    folder.mkdir(parents=True)
    (folder / "hall.toml").write_text(f"version = 1\n{field}\n")
    assert said("run", "--rig", "hall") == (
        f"{folder / 'hall.toml'}: lasers is unknown here: a newer program may have written it; update companion"
    )


@pytest.mark.parametrize("command", ["replay", "hint", "souvenir --out page.html", "why --place 1 --game"])
def test_a_journal_of_a_newer_version(command: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with closing(Journal(path)) as journal:
        journal.write([Opened(VERSION + 1, "sleepless-princess", "basic", 3), Observed(1.0, ())])
    before = path.read_bytes()
    told = f"{path}: written in version {VERSION + 1}, this program reads {VERSION}; update companion"
    assert said(*command.split(), str(path)) == told
    assert said("run", "--camera", "0", "--resume", "--journal", str(path)) == told
    assert path.read_bytes() == before


def test_the_history_of_a_newer_version_is_made_again_of_the_journals(home: Path) -> None:
    journals = state_dir() / "journals"
    journals.mkdir(parents=True)
    with closing(Journal(journals / "game.jsonl")) as journal:
        journal.write([Opened(VERSION, "sleepless-princess", "basic", 3), Observed(1.0, ())])
    before = (journals / "game.jsonl").read_bytes()
    with closing(sqlite3.connect(state_dir() / "history.sqlite")) as base, base:
        base.execute("CREATE TABLE games (journal TEXT, weather TEXT)")
        base.execute("INSERT INTO games VALUES ('game.jsonl', 'rain')")
        base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        base.execute("PRAGMA user_version = 999")
    with History() as history:
        assert history.unkept == ""
        assert history.update() == 1
    assert (journals / "game.jsonl").read_bytes() == before
