"""Which journal was written last: by a running number, without a clock, past what cannot be read."""

import os
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.commands.chosen_start import filled_form
from companion.commands.sitting import new_journal
from companion.commands.what_is_played import journal_to_go_on_with
from companion.core.clock import ManualClock
from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.games.registry import load_game
from companion.history.database import last_games
from companion.session.engine import Engine
from companion.session.journal.journal import Journal, read_opened
from companion.session.journal.journal_files import JournalFiles
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened
from companion.session.journal.journal_order import (
    MOST_BYTES,
    MOST_KEPT,
    ORDER,
    by_writing,
    newest_journal,
    note_begun,
)
from companion.session.stream.commands import Command
from companion.session.stream.events import Event
from companion.session.stream.stream import StreamServer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The usual folder of the journals, empty."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (made := tmp_path / "state" / "companion" / "journals").mkdir(parents=True)
    return made


LAID_OUT = (
    "5+ 2 phase=play turn=1 turns=1 hands=2,2,4,B,B/3,3,4,5,B row=2,4,4,5,B "
    "deck=3,2,4,1,3,W,5,3,1,1,1,2,1,W,2,3,B,5,4,1,5,5 discard=- fresh=0 played=- beds=1,2/3,4/5,6/7,8 "
    "faces=4t,6t,6t,4t,2t,2t,1t,1t princesses=2,4,1,6 fates=aaaa touches=0 looks=0 checked=- shown=- last=- "
    "skips=0"
)


def recorded(path: Path, *, at: float = 1000.0, numbered: bool = True, virtual: bool = False) -> Path:
    """A journal whose file was changed at this time (Unix time, s)."""
    with closing(Journal(path)) as journal:
        opened = Opened(VERSION, "sleepless-princess", "5+", 2, virtual=virtual)
        journal.write([opened, Adopted(1.0, LAID_OUT), Done(2.0, "discard 4")])
    os.utime(path, (at, at))
    if numbered:
        note_begun(path)
    return path


def test_the_game_begun_last_is_the_newest_although_the_clock_went_back(folder: Path) -> None:
    old = recorded(folder / "2026-01-02-190000.jsonl", at=2e9)
    new = recorded(folder / "1970-01-01-010000.jsonl", at=60.0)
    unnumbered = recorded(folder / "2026-01-03-190000.jsonl", at=3e9, numbered=False)
    assert by_writing(folder.iterdir())[:3] == [new, old, unnumbered]
    assert newest_journal() == journal_to_go_on_with(None, virtual=False) == new
    note_begun(old)  # it goes on
    assert newest_journal() == old


def test_a_game_goes_on_at_a_table_of_its_own_kind(folder: Path) -> None:
    real = recorded(folder / "1.jsonl")
    virtual = recorded(folder / "2.jsonl", virtual=True)
    assert journal_to_go_on_with(None, virtual=False) == real
    assert journal_to_go_on_with(None, virtual=True) == newest_journal() == virtual
    assert journal_to_go_on_with(real, virtual=True) == real  # it was named
    note_begun(real)
    assert journal_to_go_on_with(None, virtual=True) == virtual
    virtual.unlink()
    with pytest.raises(CompanionError, match="no journal to go on with"):
        journal_to_go_on_with(None, virtual=True)


def test_the_first_screen_offers_the_last_game_at_a_real_table(folder: Path) -> None:
    recorded(folder / "1.jsonl")
    recorded(folder / "2.jsonl", virtual=True)
    form, journals = filled_form(Config(camera="0"))
    assert (form.last, journals[form.last_at].name) == (form.history[1], "1.jsonl")
    assert filled_form(Config())[0].last == ""


def test_journals_without_a_number_go_by_their_time(folder: Path) -> None:
    recorded(folder / "b.jsonl", at=10.0, numbered=False)
    newer = recorded(folder / "a.jsonl", at=20.0, numbered=False)
    assert newest_journal() == newer


HEADS = {
    "empty": (b"", "it is empty"),
    "cut": (b'{"j":"open","ver', "its first line was cut in the middle"),
    "headless": (b'{"j":"done","t":1,"a":"x"}\n', "a game begins with another line"),
    "noise": (bytes(range(128, 256)) * 16, "its first line was cut in the middle"),
    "other": (b"Dear Nonna,\n", ""),
}
"""Beginnings of journals that a power cut, or somebody, left: the bytes, and what is said of them."""


@pytest.mark.parametrize("name", HEADS)
def test_a_journal_without_a_first_line_is_passed_over_and_named(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, why = HEADS[name]
    good = recorded(folder / "2026-01-02-190000.jsonl")
    (newest := folder / "2026-01-02-200000.jsonl").write_bytes(content)
    note_begun(newest)
    assert journal_to_go_on_with(None, virtual=False) == good
    assert read_opened(good).players == 2
    assert f"passed over {newest}: {why}" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["why", "--place", "1"], ["hint"], ["souvenir", "-o", "OUT"]])
def test_each_command_on_the_last_game_passes_over_an_empty_one(
    words: list[str], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    recorded(folder / "2026-01-02-190000.jsonl")
    with new_journal(folder, tmp_path) as empty:  # a game that is starting
        told = CliRunner().invoke(cli, [str(tmp_path / "page") if word == "OUT" else word for word in words])
    assert f"passed over {empty}: it is empty" in told.stderr
    assert "not a journal" not in str(told.exception)


def test_the_first_screen_offers_the_game_written_last(folder: Path) -> None:
    recorded(folder / "2026-01-02-190000.jsonl", at=2e9)
    new = recorded(folder / "1970-01-01-010000.jsonl", at=60.0)
    assert [Path(one.journal) for one in last_games(1)] == [new]


def test_the_list_of_numbers_is_short_survives_a_power_cut_and_spares_other_files(folder: Path) -> None:
    names = [folder / f"{'long name ' * 9}{number}.jsonl" for number in range(2 * MOST_KEPT)]
    for path in names:
        note_begun(path)
    order = folder / ORDER
    assert order.stat().st_size <= MOST_BYTES
    lines = order.read_text().splitlines()
    assert lines[-1] == f"{2 * MOST_KEPT} {names[-1].name}"
    order.write_text("\n".join([*lines, "10"]))  # cut amid a line
    path = recorded(folder / "game.jsonl")
    assert newest_journal() == path
    order.write_text("Dear Nonna,\n")
    note_begun(path)
    assert order.read_text() == "Dear Nonna,\n"


def test_a_number_longer_than_any_of_ours_counts_for_nothing(folder: Path) -> None:
    old = recorded(folder / "old.jsonl", at=10.0, numbered=False)
    new = recorded(folder / "new.jsonl", at=20.0, numbered=False)
    for digits, first in ((15, old), (16, new), (5000, new)):
        (folder / ORDER).write_text(f"{'9' * digits} old.jsonl\n")
        assert newest_journal() == first


def test_the_first_line_is_on_the_disk_before_a_camera_is_asked_for(folder: Path, tmp_path: Path) -> None:
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "e.sock", Command)
    engine = Engine(
        load_game("sleepless-princess"), "basic", 3, stream=stream, journals=folder, clock=ManualClock()
    )
    (path,) = folder.glob("*.jsonl")
    assert read_opened(path).game == "sleepless-princess"
    assert newest_journal() == path
    engine.give_up()
    assert not path.exists()


def test_only_folders_of_journals_get_a_file_of_their_order(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for journals, numbered in ((folder / "mine.jsonl", True), (other / "mine.jsonl", False), (other, True)):
        JournalFiles(journals, resume=False).open().close()
        assert (journals.with_name(ORDER) if journals.suffix else journals / ORDER).exists() is numbered


def test_a_camera_that_is_not_there_leaves_no_journal(folder: Path, tmp_path: Path) -> None:
    words = ["run", "--camera", str(tmp_path / "none.mp4"), "--socket", str(tmp_path / "e.sock")]
    assert isinstance(CliRunner().invoke(cli, words).exception, CompanionError)
    assert not list(folder.glob("*.jsonl"))
    game = recorded(folder / "game.jsonl")
    assert isinstance(CliRunner().invoke(cli, [*words, "--resume"]).exception, CompanionError)
    assert game.exists()
