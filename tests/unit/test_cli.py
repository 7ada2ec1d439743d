"""The command line: bad input of every kind gets one clear line and status 2, never a traceback."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.benchmarks.engine import bench_engine
from companion.errors import BadInputError


def companion(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "--game", "poker"], "no game is called 'poker'"),
        (["play", "--variant", "expert"], "no variant 'expert'"),
        (["play", "--players", "9"], "2 to 5 players, not 9"),
        (["play", "--variant", "5+", "--players", "5"], "2 to 4 players, not 5"),
        (["play", "--table", "real"], "no camera and no board"),
        (["play", "--colour"], "No such option"),
        (["run"], "neither a camera nor a board"),
        (["run", "--camera", "/nowhere/table.mp4"], "/nowhere/table.mp4"),
        (["run", "--port", "/dev/nowhere"], "/dev/nowhere"),
        (["replay", "/nowhere.jsonl"], "/nowhere.jsonl"),
        (["read", "/nowhere.png"], "/nowhere.png"),
        (["simulate", "--game", "poker"], "poker"),
        (["simulate", "--players", "7"], "7"),
        (["simulate", "--policy", "genius"], "genius"),
        (["rehearse", "--noise", "deafening"], "deafening"),
        (["rehearse", "--players", "9"], "9"),
        (["dashboard"], "needs a terminal"),
        (["play", "--speed", "nan"], "not a number"),
        (["play", "--players", "0"], "2 to 5 players, not 0"),
        (["play"], "needs a terminal"),
        (["rehearse", "--pace", "nan"], "not a number"),
        (["bench", "engine", "--seconds", "nan"], "not a number"),
        (["replay", "/dev/zero"], "not a file"),
        (["read", "/dev/zero"], "/dev/zero"),
        (["frobnicate"], "No such command"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], says: str) -> None:
    done = companion(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_random_file_is_no_journal_no_capture_no_video(tmp_path: Path) -> None:
    junk = tmp_path / "junk.bin"
    junk.write_bytes(b"this is no recording at all\n" * 40)
    for arguments in (["replay", str(junk)], ["run", "--camera", str(junk)], ["run", "--port", str(junk)]):
        done = companion(*arguments)
        assert done.returncode == 2, (arguments, done.stderr)
        assert "Traceback" not in done.stderr
        assert str(junk) in done.stderr


def test_help_names_every_command_and_loads_none() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "companion", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    for name in ("play", "run", "dashboard", "simulate", "rehearse", "replay", "doctor", "bench"):
        assert f"  {name} " in done.stdout
    for heavy in ("cv2", "numpy", "textual", "zxingcpp"):
        assert f"| {heavy}\n" not in done.stderr.replace("|   ", "| ")


def test_doctor_gives_one_json_object() -> None:
    done = companion("doctor", "--json")
    findings = msgspec.json.decode(done.stdout)["findings"]
    assert {"python", "camera", "board"} <= {finding["name"] for finding in findings}


def test_bench_engine_without_its_rival_names_a_command_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install companion[dev]` would fetch a stranger's package of the same name."""
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(BadInputError, match="make dev"):
        bench_engine(0.2)
    assert "\ndev:" in (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
