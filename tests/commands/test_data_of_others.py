"""Files of other programs: no command changes one, whatever name it has."""

import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import _NAMES, cli
from companion.core.address_card import CONTROL_NAME, AddressCard, card_in, is_free, remove_card, write_card
from companion.core.errors import BadInputError, CompanionError
from companion.core.files import write_new
from companion.core.option_types import FILE_PATH
from companion.core.served_address import ServedAddress
from companion.history.database import APPLICATION_ID, History
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Observed, Opened
from companion.session.journal.resume_progress import noting, percent_read

WRITES = {
    ("souvenir", "out"),
    ("pack", "out"),
    ("sheets", "out"),
    ("doctor", "bundle"),
    ("setup", "export_to"),
    ("setup", "drawing"),
    ("read", "out"),
    ("table", "address"),
    ("simulate", "log"),
    ("rig", "read_to"),
}
"""Options that name a file to write: each with --force."""
OURS = {
    ("play", "journal"), ("run", "journal"), ("run", "socket"), ("rehearse", "record"), ("history", "journals"),
    ("enrol", "book"), ("enrol", "config"), ("setup", "config"), ("play", "config"),
    ("play", "record"), ("run", "record"), ("forget", "souvenirs"),
}  # fmt: skip
"""Options that name a file which is written only if it is ours by its content, or new."""
READS = {
    ("play", "art"), ("dashboard", "socket"), ("dashboard", "table"), ("serve", "socket"), ("hint", "journal"),
    ("host", "socket"),
    ("hint", "socket"), ("tables", "password_file"), ("tables", "ca"), ("souvenir", "journal"),
    ("flash", "rig"), ("flash", "uf2"), ("rig", "write_from"), ("doctor", "config"),
    ("setup", "photos"), ("setup", "import_from"),
    ("setup", "wiring"), ("watch", "config"),
    ("read", "images"), ("read", "book"), ("enrol", "images"), ("run", "config"), ("run", "art"),
    ("run", "home"), ("run", "address"), ("table", "config"), ("replay", "journal"), ("why", "journal"),
    ("bridge", "password_file"), ("bridge", "ca"), ("bridge", "socket"), ("bridge", "config"),
    ("pack", "folder"),
}  # fmt: skip
"""Options that name a file which is only read."""
LETTER = b"Dear Nonna,\n"


def test_every_option_that_names_a_file_is_known_to_read_or_to_write_it() -> None:
    named, forced = set(), set()
    for command in _NAMES:
        if command == "bench":  # in a checkout alone
            continue
        found = cli.get_command(click.Context(cli), command)
        assert found is not None
        named |= {(command, str(one.name)) for one in found.params if one.type is FILE_PATH}
        forced |= {command} if any(one.name == "force" for one in found.params) else set()
    assert named <= WRITES | OURS | READS
    assert {command for command, _ in WRITES} <= forced


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A journal of a game that has just begun."""
    path = tmp_path / "journals" / "game.jsonl"
    with closing(Journal(path)) as journal:
        journal.write([Opened(VERSION, "sleepless-princess", "basic", 3), Observed(1.0, ())])
    return path


def _picture(tmp_path: Path, _game: Path) -> list[str]:
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((48, 64, 3), np.uint8))
    return ["read", str(tmp_path / "one.png"), "--annotate", "FILE.png"]


@pytest.mark.parametrize(
    "words",
    [
        lambda _folder, _game: ["simulate", "--games", "1", "--log", "FILE"],
        lambda _folder, _game: ["sheets", "--only", "tiles", "--out", "FILE"],
        lambda _folder, _game: ["setup", "--drawing", "FILE"],
        lambda _folder, game: ["souvenir", str(game), "-o", "FILE"],
        lambda _folder, _game: ["table", "--address", "FILE"],
        _picture,
    ],
    ids=["simulate", "sheets", "setup", "souvenir", "table", "read"],
)
def test_a_file_that_is_there_is_written_over_only_by_force(
    words: Callable[[Path, Path], list[str]], tmp_path: Path, game: Path
) -> None:
    (letter := tmp_path / "letter.png").write_bytes(LETTER)
    named = [str(letter) if word in ("FILE", "FILE.png") else word for word in words(tmp_path, game)]
    told = CliRunner().invoke(cli, named).exception
    assert isinstance(told, BadInputError)
    assert str(told).startswith(f"{letter}: exists already; name another file with --")
    assert str(told).endswith("or add --force")
    assert letter.read_bytes() == LETTER
    if named[0] != "table":  # it runs until it is stopped
        assert CliRunner().invoke(cli, [*named, "--force"]).exception is None
        assert letter.read_bytes() != LETTER


def _notes(file: Path) -> None:
    file.write_bytes(LETTER)


def _other_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("CREATE TABLE games (name TEXT)")
        base.execute("INSERT INTO games VALUES ('chess')")


def _other_program_with_columns_of_ours(file: Path) -> None:
    with closing(sqlite3.connect(file)) as base, base:
        base.execute("CREATE TABLE games (journal, changed, size, began, record)")
        base.execute("PRAGMA application_id = 1")


@pytest.mark.parametrize("theirs", [_notes, _other_program, _other_program_with_columns_of_ours])
def test_a_file_with_the_name_of_the_history_stays_and_is_told(
    theirs: Callable[[Path], None], game: Path
) -> None:
    file = game.parent.parent / "history.sqlite"
    theirs(file)
    before = file.read_bytes()
    with History(game.parent) as history:
        assert history.update() == 1
        assert history.unkept
    told = CliRunner().invoke(cli, ["history", "--journals", str(game.parent), "--rebuild"])
    assert told.exit_code == 0
    assert f"companion: {file}: not a history of companion" in told.stderr
    assert file.read_bytes() == before


def test_a_history_of_an_earlier_version_is_known_and_marked(game: Path) -> None:
    with History(game.parent) as history:
        history.update()
    with closing(sqlite3.connect(history.file)) as base, base:
        base.execute("PRAGMA application_id = 0")
        base.execute("PRAGMA user_version = 5")
    with History(game.parent) as history:
        assert not history.unkept
        assert history.update() == 1
    with closing(sqlite3.connect(history.file)) as base:
        assert base.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_a_table_removes_its_own_card_alone(tmp_path: Path) -> None:
    card = AddressCard("http://camera", "/dev/pts/1", "/tmp/world.sock", {}, "basic", 3)
    path, beside = tmp_path / "table.json", tmp_path / "table.part"
    beside.write_bytes(LETTER)
    write_card(path, card)
    assert beside.read_bytes() == LETTER
    assert card_in(path) == card
    assert is_free(path)  # a card that a killed table left
    remove_card(path, "/tmp/another.sock")
    assert path.exists()
    remove_card(path, card.control)
    assert not path.exists()
    path.write_bytes(LETTER)
    assert not is_free(path)
    remove_card(path, card.control)
    assert path.read_bytes() == LETTER


def test_a_second_table_asks_for_a_folder_of_its_own(tmp_path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as first:
        first.bind(str(tmp_path / CONTROL_NAME))
        first.listen()
        told = CliRunner().invoke(cli, ["table", "--address", str(tmp_path / "second.json")]).exception
    assert str(told) == (
        f"{tmp_path}: another virtual table keeps its card there; name a file in a folder of its own"
    )


def test_files_beside_a_socket_are_ours_by_their_content(tmp_path: Path) -> None:
    engine = tmp_path / "engine.sock"
    for name in ("engine.progress", "engine.address"):
        (tmp_path / name).write_bytes(LETTER)
    assert list(noting(engine)([1, 2])) == [1, 2]
    with pytest.raises(BadInputError, match="a file of that name is there; choose another --socket"):
        ServedAddress(engine).write("http://table")
    ServedAddress(engine).remove()
    assert (tmp_path / "engine.progress").read_bytes() == (tmp_path / "engine.address").read_bytes() == LETTER
    (tmp_path / "engine.progress").write_text("40")
    seen = [percent_read(engine) for _ in noting(engine)([1, 2])]
    assert seen == [0, 50]
    assert not (tmp_path / "engine.progress").exists()


def test_a_journal_or_a_book_that_is_none_is_never_changed(tmp_path: Path) -> None:
    for name in ("letter.jsonl", "letter.art", "letter.toml"):
        (letter := tmp_path / name).write_bytes(LETTER)
        words = {
            ".jsonl": ["run", "--camera", str(tmp_path), "--resume", "--journal", str(letter)],
            ".art": ["enrol", "--forget", "A", "--book", str(letter)],
            ".toml": ["enrol", "--parts", "sleeping-queens", "--config", str(letter), "--answer", "a=b"],
        }[letter.suffix]
        assert isinstance(CliRunner().invoke(cli, words).exception, CompanionError)
        assert letter.read_bytes() == LETTER
    with pytest.raises(CompanionError, match="holds a game already"):
        Journal(tmp_path / "letter.jsonl")
    assert (tmp_path / "letter.jsonl").read_bytes() == LETTER


def test_a_private_file_is_closed_to_others_also_where_one_was_open(tmp_path: Path) -> None:
    (file := tmp_path / "bundle").write_bytes(LETTER)
    file.chmod(0o644)
    with suppress(BadInputError):
        write_new(file, b"new", overwrite=False, private=True)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (LETTER, 0o644)
    write_new(file, b"new", overwrite=True, private=True)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o600)
