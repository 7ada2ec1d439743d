"""`companion rig`: what is wired where, read back from a board and written onto it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import cli
from companion.core.errors import BadInputError, SourceError
from firmware.board.default_rig import DEFAULT_RIG
from firmware.flashing import bootsel, flash_board
from firmware.flashing.manifest import HASH, RIG, board_files, code_hash
from tests.support.flashable import FlashableBoard, need_wasm

OWN = {"stations": [{"name": "slot", "lamp": 0}], "lamps": {"pin": 22}}


def rig(board: FlashableBoard, *options: str) -> Result:
    return CliRunner().invoke(cli, ["rig", "--port", board.path, *options])


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    """The flash of a board that has the whole program."""
    need_wasm()
    flash = tmp_path / "flash"
    for name, path in board_files():
        (flash / name).parent.mkdir(parents=True, exist_ok=True)
        (flash / name).write_bytes(path.read_bytes())
    (flash / HASH).write_text(f"{code_hash():08x}")
    return flash


def test_a_rig_file_is_written_to_the_board_and_read_back(tmp_path: Path, flash: Path) -> None:
    mine, back = tmp_path / "mine.json", tmp_path / "back.json"
    mine.write_text(json.dumps(OWN))
    with FlashableBoard(flash) as board:
        written = rig(board, "--write", str(mine))
        assert written.exception is None, written.output
        assert "running: companion" in written.output
        assert "slot" in written.output
        read = rig(board, "--read", str(back))
        assert read.exception is None, read.output
        assert json.loads(back.read_text()) == OWN
        mine.write_text("an own letter")
        refused = rig(board, "--read", str(mine))
        assert "exists already" in str(refused.exception)
        assert mine.read_text() == "an own letter"


@pytest.mark.long
def test_a_board_without_a_rig_file_gives_the_recommended_one(tmp_path: Path, flash: Path) -> None:
    with FlashableBoard(flash) as board:
        read = rig(board, "--read", str(tmp_path / "back.json"))
    assert "no rig file of its own" in read.output
    assert len(json.loads((tmp_path / "back.json").read_text())["stations"]) == 6


def test_a_board_without_this_program_is_left_alone(tmp_path: Path) -> None:
    need_wasm()
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps(OWN))
    with FlashableBoard(tmp_path / "empty") as board:
        refused = rig(board, "--write", str(mine))
    assert isinstance(refused.exception, SourceError)
    assert "not on the board; companion flash" in str(refused.exception)
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_board_in_its_boot_loader_gets_no_micropython_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootsel, "find_drives", lambda: [bootsel.BootDrive(tmp_path, "RP2040")])
    monkeypatch.setattr(flash_board, "list_ports", list)
    refused = CliRunner().invoke(cli, ["rig", "--read", str(tmp_path / "back.json")])
    assert "no board found" in str(refused.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--read FILE, --write FILE"),
        (["--read", "a", "--write", "b"], "--read FILE, --write FILE"),
        (["--write", "{folder}/none.json"], "none.json"),
        (["--write", "{folder}/bad.json"], "GP25 is not on the header"),
    ],
)
def test_what_cannot_be_is_refused_before_a_board_is_looked_for(
    tmp_path: Path, options: list[str], said: str
) -> None:
    bad: dict[str, Any] = {"stations": [{"name": "slot", "count": {"dout": 25}}], "scales": {"sck": 11}}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    refused = CliRunner().invoke(cli, ["rig", *(one.format(folder=tmp_path) for one in options)])
    assert isinstance(refused.exception, BadInputError)
    assert said in str(refused.exception)


def test_rigs_of_the_guide_are_known_by_name_and_an_own_file_of_that_name_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [one.stem for one in flash_board.RIGS_FOLDER.glob("*.json")]
    assert sorted(names) == ["judge", "one-reader", "one-scale", "pad", "pn5180"]
    for name in names:
        assert json.loads(flash_board.read_rig(Path(name)))["stations"]
    recommended = json.loads(flash_board.read_rig(Path("full")))
    assert recommended == json.loads(json.dumps(DEFAULT_RIG))
    Path("full").write_text(json.dumps(OWN))
    assert json.loads(flash_board.read_rig(Path("full"))) == OWN


def test_a_full_rig_takes_the_place_of_the_one_that_judges(tmp_path: Path, flash: Path) -> None:
    (flash / RIG).write_bytes(flash_board.read_rig(Path("judge")))
    with FlashableBoard(flash) as board:
        assert rig(board, "--write", "full").exception is None
        assert rig(board, "--read", str(tmp_path / "back.json")).exception is None
    assert json.loads((tmp_path / "back.json").read_text()) == json.loads(json.dumps(DEFAULT_RIG))
