"""`companion forget`: what is kept of a person goes, nothing else does, and nothing goes unasked."""

import fcntl
import os
from datetime import datetime, tzinfo
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion.commands import run as run_module
from companion.commands.forget import forget
from companion.core.config import config_file, state_dir
from companion.core.errors import BadInputError
from companion.core.table_names import TABLE
from companion.games.registry import load_game
from companion.history.database import History
from companion.history.souvenir import GENERATOR
from companion.sensing.recording_folder import (
    FRAMES,
    GAMES,
    JOURNALS,
    RecordedGame,
    claim_folder,
    frame_name,
    new_part,
    note_recording,
    noted_recordings,
)
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened

GAME = load_game("sleepless-princess")


def recorded_game(path: Path, people: tuple[str, ...]) -> Path:
    """A journal in which the cards are dealt and the first action is done."""
    state = GAME.setup("basic", 3, Random(1))
    first = GAME.write_action(next(iter(GAME.legal_actions(state))))
    journal = Journal(path, sync=False)
    journal.write(
        [
            Opened(VERSION, GAME.name, "basic", 3, people=people),
            Adopted(1.0, GAME.write_state(state)),
            Done(9.0, first),
        ]
    )
    journal.close()
    return path


def run(*words: object) -> Result:
    result = CliRunner().invoke(forget, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Three games, the second of which has lost its end, and the settings of the family."""
    for folder in ("CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{folder}_HOME", str(tmp_path / folder.lower()))
    journals = state_dir() / "journals"
    journals.mkdir(parents=True)
    files = {}
    for day, people in (
        ("01", ("Anna", "Ben", "Cleo")),
        ("02", ("Ben", "Hanna", "")),
        ("03", ("ANNA", "", "")),
    ):
        files[day] = recorded_game(journals / f"2026-03-{day}-190000.jsonl", people)
    damaged = files["01"].with_name(f"{files['01'].name}.damaged")
    damaged.write_bytes(b'{"j":"said","text":"Anna dis')
    files["damaged"] = damaged
    config_file().parent.mkdir(parents=True)
    config_file().write_text('# ours\nplayer_names = ["Ben", "Anna"]\nlanguage = "en"\n')
    with History(journals) as history:
        history.update()
    return files


def there(kept: dict[str, Path]) -> set[str]:
    return {name for name, path in kept.items() if path.exists()}


def test_a_person_is_forgotten_and_a_longer_name_is_another(kept: dict[str, Path]) -> None:
    listed = run("--player", "anna").stdout
    assert there(kept) == {"01", "02", "03", "damaged"}
    assert "Names of players in the settings: Anna" in listed
    assert "--yes removes it for good" in listed
    removed = run("--player", "anna", "--yes").stdout
    assert removed.splitlines()[:-1] == listed.splitlines()[:-1]
    assert there(kept) == {"02"}
    assert config_file().read_text() == '# ours\nplayer_names = ["Ben"]\nlanguage = "en"\n'
    for file in (*state_dir().rglob("*"), *config_file().parent.iterdir()):
        assert not file.is_file() or b"Anna" not in file.read_bytes(), file
    assert run("--player", "anna").stdout == "No game and no name like that is kept here.\n"


def test_what_is_older_than_a_day_is_forgotten(kept: dict[str, Path]) -> None:
    with pytest.raises(BadInputError, match=r"'yesterday' is no day; write it like 2026-01-31"):
        run("--before", "yesterday", "--yes")
    run("--before", "2026-03-03", "--yes")
    assert there(kept) == {"03"}
    assert "Anna" in config_file().read_text()
    with History() as history:
        assert len(history.games()) == 1


def test_everything_is_forgotten_but_a_game_that_is_on(kept: dict[str, Path]) -> None:
    with kept["02"].open("ab") as engine:
        fcntl.flock(engine, fcntl.LOCK_EX)
        result = run("--all", "--yes")
    assert there(kept) == {"02"}
    assert "stays: its game is on" in result.stderr
    assert config_file().read_text() == '# ours\nplayer_names = []\nlanguage = "en"\n'


def test_games_older_than_the_family_wants_go_when_the_next_one_begins(
    kept: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Today(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Today":
            return cls(2026, 3, 4, tzinfo=tz)

    monkeypatch.setattr(run_module, "datetime", Today)
    run_module.remove_old(1)
    assert there(kept) == {"03"}
    assert "Anna" in config_file().read_text()


def test_a_file_that_cannot_be_read_is_named_for_nobody_knows_whose_it_is(kept: dict[str, Path]) -> None:
    kept["damaged"].unlink()
    kept["damaged"].mkdir()
    with pytest.raises(BadInputError, match="damaged"):
        run("--player", "anna", "--yes")
    assert there(kept) == {"01", "02", "03", "damaged"}


def test_pages_that_are_named_go_and_those_of_others_stay(kept: dict[str, Path], tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    ours, foreign = pages / "ours.html", pages / "foreign.html"
    ours.write_text(f"<!doctype html><head>{GENERATOR}</head><p>Anna has won</p>")
    foreign.write_text("<p>Anna has won</p>")
    run("--player", "Anna", "--yes", pages)
    assert (ours.exists(), foreign.exists()) == (False, True)


@pytest.mark.parametrize(
    ("words", "says"), [((), "nothing to forget"), (("--all", "--player", "A"), "no other")]
)
def test_what_to_forget_must_be_plain(words: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        run(*words)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may remove everything")
def test_a_file_that_may_not_be_removed_is_named(kept: dict[str, Path]) -> None:
    folder = kept["01"].parent
    folder.chmod(0o500)
    try:
        with pytest.raises(BadInputError, match="2026-03-01"):
            run("--all", "--yes")
    finally:
        folder.chmod(0o700)


def evening(folder: Path, journals: dict[int, Path]) -> Path:
    """A recording: number of a part -> the journal of its game."""
    claim_folder(folder)
    (folder / JOURNALS).mkdir()
    for number, journal in journals.items():
        part = new_part(folder)
        assert part.name == f"part-{number}"
        (folder / JOURNALS / journal.name).hardlink_to(journal)
        (part / GAMES).write_bytes(msgspec.json.encode(RecordedGame(journal.name, 1.0)) + b"\n")
        (part / FRAMES / frame_name(1.0, 0, 0, 100, 100)).write_bytes(b"a picture")
    note_recording(folder)
    return folder


def test_recordings_of_a_person_go_wherever_they_were_made(kept: dict[str, Path], tmp_path: Path) -> None:
    ours = evening(tmp_path / "stick" / "evening", {1: kept["01"], 2: kept["02"]})
    whole = evening(tmp_path / "whole", {1: kept["03"]})
    listed = run("--player", "anna").stdout
    assert f"{ours / 'part-1'}\n" in listed
    assert (ours / "part-1").exists()
    run("--player", "anna", "--yes")
    assert (ours / "part-2" / FRAMES).exists()
    assert not (ours / "part-1").exists()
    assert [path.name for path in (ours / JOURNALS).iterdir()] == [kept["02"].name]
    assert not whole.exists()
    assert noted_recordings(state_dir()) == [ours]
    assert run("--player", "anna").stdout == "No game and no name like that is kept here.\n"


def test_recordings_older_than_a_day_go_and_a_stranger_s_file_stays(
    kept: dict[str, Path], tmp_path: Path
) -> None:
    old = evening(tmp_path / "old", {1: kept["01"]})
    new = evening(tmp_path / "new", {1: kept["01"], 2: kept["03"]})
    (old / "mine.txt").write_text("not yours")
    run_module.remove_old(1)  # of today, which is later
    assert [path.name for path in old.iterdir()] == ["mine.txt"]
    assert not new.exists()


def test_a_recording_that_was_moved_is_told_and_found_once_it_is_named(
    kept: dict[str, Path], tmp_path: Path
) -> None:
    made = evening(tmp_path / "evening", {1: kept["01"]})
    moved = made.rename(tmp_path / "elsewhere")
    result = run("--player", "anna", "--yes")
    assert f"{made} lies there no more" in result.stderr
    assert (moved / "part-1").exists()
    run("--player", "anna", "--yes", moved)
    assert not moved.exists()


def test_a_recording_that_is_named_and_noted_at_two_tables_goes_once(
    kept: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TABLE, "window")
    window = recorded_game(state_dir() / "journals/2026-03-04-190000.jsonl", ("Anna", "", ""))
    evening(tmp_path / "evening", {1: kept["01"], 2: window})
    monkeypatch.setenv(TABLE, "")
    note_recording(tmp_path / "evening")
    (tmp_path / "link").symlink_to("evening")
    words = ("--player", "anna", tmp_path / "link")
    listed = run(*words).stdout.splitlines()
    assert len(listed) == len(set(listed))
    assert run(*words, "--yes").stdout.splitlines() == [*listed[:-1], "Removed."]
    assert not (tmp_path / "evening").exists()
    assert not window.exists()
    assert run(*words).stdout == "No game and no name like that is kept here.\n"


def test_what_cannot_be_removed_leaves_the_rest_no_stay(
    kept: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = evening(tmp_path / "evening", {1: kept["01"]})

    def refuse(part: Path) -> None:
        raise PermissionError(13, "Permission denied", str(part))

    with monkeypatch.context() as disk:
        disk.setattr("shutil.rmtree", refuse)
        with pytest.raises(BadInputError, match=r"part-1.*allow it, and try again"):
            run("--player", "anna", "--yes")
    assert there(kept) == {"02"}
    assert noted_recordings(state_dir()) == [ours]
    run("--all", "--yes")
    assert not ours.exists()


def test_what_is_being_recorded_stays(kept: dict[str, Path], tmp_path: Path) -> None:
    ours = evening(tmp_path / "evening", {1: kept["01"]})
    copy = ours / JOURNALS / kept["01"].name
    copy.unlink()
    copy.write_bytes(kept["01"].read_bytes())  # on another disk it is a copy that nobody locks
    with kept["01"].open("ab") as engine:
        fcntl.flock(engine, fcntl.LOCK_EX)
        run("--all", "--yes")
    assert (ours / "part-1" / FRAMES).exists()
    assert copy.exists()


def test_a_list_of_recordings_that_is_not_ours_is_read_as_far_as_it_makes_sense(kept: dict[str, Path]) -> None:
    (state_dir() / "recordings.list").write_bytes(b"\xff\x00nonsense\nrelative/path\n/etc\n")
    assert "lies there no more" in run("--player", "anna", "--yes").stderr
    assert Path("/etc").exists()
