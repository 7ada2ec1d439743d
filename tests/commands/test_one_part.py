"""What an owner of one part alone records with one command is kept, replayed, and packed to be sent."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.pack import pack
from companion.core.clock import RealClock
from companion.core.packed_folder import unpacked
from companion.sensing.recording_folder import read_parts
from companion.session.journal.recording_replay import replay_recording
from firmware.flashing.flash_board import read_rig
from firmware.flashing.rig_check import check
from firmware.simulator.virtual_board import VirtualBoard

TAG = bytes.fromhex("04a1b2c3d4e5f6")
PATIENCE_S = 60.0
TOLD_BYTES = 150
"""TOLD_BYTES: what the board says at least once something lies there."""


def recorded(folder: Path, *arguments: str, until: object) -> None:
    """Run `companion run --record` with these arguments until so much is there, then end it as Ctrl+C does."""
    command = [sys.executable, "-m", "companion", "run", *arguments, "--record", str(folder / "one-part")]
    command += ["--journal", str(folder / "journals"), "--socket", str(folder / "e.sock")]
    running = subprocess.Popen(command, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE_S
    while not until() and running.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, said
    assert b"Recording into" in said


def bytes_of(folder: Path) -> bytes:
    try:
        return b"".join(data for part in read_parts(folder / "one-part") for _, data in part.port)
    except ValueError:
        return b""


@pytest.mark.quick(1)
@pytest.mark.parametrize("rig", ["one-scale", "one-reader"])
def test_a_board_with_one_part_is_recorded_replayed_and_packed(rig: str, tmp_path: Path) -> None:
    description = json.loads(read_rig(Path(rig)))
    assert not check(description)
    board = VirtualBoard(description, RealClock())
    station = description["stations"][0]["name"]
    board.run_in_thread()
    before = 0

    def enough() -> bool:
        nonlocal before
        heard = len(bytes_of(tmp_path))
        if heard and not before:
            before = heard
            if rig == "one-scale":
                board.set_weight(station, 8.0)
            else:
                board.place_tag(station, TAG)
        return before > 0 and heard > before + TOLD_BYTES

    try:
        recorded(tmp_path, "--port", board.path, until=enough)
    finally:
        board.close()
    assert len(bytes_of(tmp_path)) > before + TOLD_BYTES
    out = tmp_path / "one-part.tar.gz"
    done = CliRunner().invoke(
        pack, [str(tmp_path / "one-part"), "-o", str(out), "--yes"], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    with unpacked(out) as folder:
        result = replay_recording(folder)
    assert (result["missing"], result["matches"]) == ([], True)
