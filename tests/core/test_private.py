"""Folders of killed processes go at the next start, no others do; what is recorded is for its owner alone."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from companion.core.address_card import AddressCard, write_card
from companion.core.errors import SourceError
from companion.core.files import Scratch, clear_left, new_private_file, write_private
from companion.rehearse.game_recording import Recording
from companion.session.stream.commands import Command
from companion.session.stream.stream import StreamServer
from companion.virtual.ground_truth import TruthLog
from firmware.simulator.virtual_port import PtyEnd


@pytest.fixture(autouse=True)
def _own_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def python(code: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


USER = """
import subprocess, sys
from companion.core.files import Scratch
scratch = Scratch("test-")
(scratch.path / "engine.sock").touch()
{more}
print(scratch.path, flush=True)
sys.stdin.read()
"""
CHILD = """
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], pass_fds=[scratch.lock])
"""


@pytest.mark.parametrize("more", ["", CHILD], ids=["alone", "with a child"])
def test_the_folder_of_a_killed_process_goes_when_its_last_part_is_gone(more: str) -> None:
    user = python(USER.format(more=more))
    assert user.stdout is not None
    assert user.stdin is not None
    folder = Path(user.stdout.readline().strip())
    clear_left()
    assert (folder / "engine.sock").exists()
    user.send_signal(signal.SIGKILL)
    user.wait()
    clear_left()
    assert folder.exists() == bool(more)
    user.stdin.close()  # tells the child to go
    user.stdout.read()  # until it goes
    until = time.monotonic() + 20
    while folder.exists():
        assert time.monotonic() < until, "it never went"
        clear_left()
    user.stdout.close()


def test_a_folder_in_use_stays_and_goes_with_its_process(tmp_path: Path) -> None:
    with Scratch("a-") as scratch:
        assert scratch.path.parent == tmp_path
        assert scratch.path.stat().st_mode & 0o077 == 0
        clear_left()
        assert scratch.path.exists()
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_known_to_be_left_over_stays(tmp_path: Path) -> None:
    begun, linked, elsewhere = tmp_path / "companion-begun", tmp_path / "companion-link", tmp_path / "other"
    for folder in (begun, elsewhere):
        folder.mkdir()
    (elsewhere / "lock").touch()
    linked.symlink_to(elsewhere)
    hooked = tmp_path / "companion-hooked"
    hooked.mkdir()
    (hooked / "lock").symlink_to(elsewhere / "lock")
    clear_left()
    assert begun.exists()
    assert (elsewhere / "lock").exists()
    assert hooked.exists()


def test_the_virtual_port_leaves_nothing_either(tmp_path: Path) -> None:
    end = PtyEnd(Scratch("board-"))
    end.plug()
    clear_left()
    assert Path(end.path).is_symlink()
    end.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_recorded_is_for_its_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        recording = Recording(tmp_path / "game")
        recording.write_settings("basic", 3, {"04": "M1"}, {})
        recording.close()
        TruthLog().write(tmp_path / "truth.jsonl")
        write_card(tmp_path / "card.json", AddressCard("c", "p", "s", {}, "basic", 2))
        new_private_file(tmp_path / "new").close()
        (tmp_path / "open").touch(0o644)
        write_private(tmp_path / "open", b"x")
    finally:
        os.umask(old)
    assert (tmp_path / "game").stat().st_mode & 0o077 == 0
    files = [*tmp_path.glob("*"), *tmp_path.glob("game/*")]
    assert [path for path in files if path.stat().st_mode & 0o077 and path.name != "table.mp4"] == []
    assert len(files) >= 8


def test_a_busy_engine_keeps_its_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.session.stream.stream._PROBE_S", 0.05)
    path = tmp_path / "e.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as busy, socket.socket(socket.AF_UNIX) as waiting:
        busy.bind(str(path))
        busy.listen(0)
        waiting.connect(str(path))
        with pytest.raises(SourceError, match="another engine"):
            StreamServer(path, Command)
    assert path.is_socket()
