"""The command line: bad input of every kind gets one clear line and status 2, never a traceback."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import click
import msgspec
import pytest
from click.testing import CliRunner

from companion import cli
from companion.core import language, option_types
from companion.core.config import Config, state_dir
from companion.core.errors import BadInputError, CompanionError
from tests.benchmarks.rules_bench import bench_engine
from tests.support.refusals import check_refused


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
def test_bad_input_is_one_clear_line(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """In this process: that a process of its own says and ends the same is in the tests below."""
    check_refused(arguments, says, monkeypatch, capfd)


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
    checks = msgspec.json.decode(done.stdout)["checks"]
    assert {"python", "camera", "board"} <= {check["name"] for check in checks}


def test_bench_engine_without_its_rival_names_a_command_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install companion[dev]` would fetch a stranger's package of the same name."""
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(BadInputError, match="make dev"):
        bench_engine(0.2)
    assert "\ndev:" in (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("where", [None, "/some/file", b"/some/\xff", 7])
def test_whatever_the_system_refuses_is_one_line(
    where: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["companion"])
    for number in sorted(errno.errorcode):
        error = OSError(number, os.strerror(number), where)
        if isinstance(error, BrokenPipeError):
            continue  # who reads no further wants to hear no more
        monkeypatch.setattr(cli.cli, "main", Mock(side_effect=error))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code in (1, 2)
        said = capsys.readouterr().err
        assert said.startswith("companion: ")
        assert said.count("\n") == 1
        assert os.strerror(number) in said
        assert "; " in said
        assert not isinstance(where, str) or where in said


def test_a_language_that_is_none_is_refused_in_the_settings_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(language.CHOSEN, raising=False)
    monkeypatch.setattr(option_types, "load_config", lambda: Config(language="it"))
    try:
        result = CliRunner().invoke(cli.cli, ["sheets", "--language", "zz"])
        assert isinstance(result.exception, BadInputError)
        assert "--language: nessuna lingua si chiama" in language.localized(result.exception.told)
    finally:
        language.use(language.ENGLISH)


def test_a_language_of_the_environment_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["companion", "--version"])
    for wanted, status in (("zz", 2), ("de_AT.UTF-8", 0), ("", 0)):
        monkeypatch.setenv("COMPANION_LANGUAGE", wanted)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == status
    assert capsys.readouterr().err == (
        "companion: COMPANION_LANGUAGE: no language is called 'zz'; choose one of: en, de, fr, it\n"
    )
    language.use(language.ENGLISH)


def test_a_full_disk_under_the_output_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "simulate", "--games", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "companion: No space left on device; free some space\n"


def test_a_reader_that_went_away_hears_nothing() -> None:
    simulate = [sys.executable, "-m", "companion", "simulate", "--games", "1"]
    process = subprocess.Popen(simulate, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() in (0, 1)


def test_help_lists_every_command_once_under_a_heading() -> None:
    told = CliRunner().invoke(cli.cli, ["--help"]).output
    context = click.Context(cli.cli)
    names = cli.cli.list_commands(context)
    rows = [line.split()[0] for line in told.splitlines() if line.startswith("  ") and line.split()[0] in names]
    assert sorted(rows) == sorted(set(names))
    assert all(cli.cli.get_command(context, name) is not None for name in names)


def test_a_command_that_is_refused_keeps_no_language(tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text("players = 2\n")
    for refused in (
        ["play", "--table", "real", "--language", "it", "--config", str(settings)],
        ["setup", "--auto", "--language", "it", "--config", str(settings)],
    ):
        result = CliRunner().invoke(cli.cli, refused)
        assert isinstance(result.exception, BadInputError), result.output
        assert settings.read_text() == "players = 2\n"


def test_resume_without_a_journal_begins_anew_and_names_those_that_it_cannot_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def refused() -> str:
        result = CliRunner().invoke(cli.cli, ["run", "--camera", str(tmp_path / "gone.mp4"), "--resume"])
        assert isinstance(result.exception, CompanionError)
        assert "there is no such camera" in str(result.exception)  # its path is cut where it is long
        *lines, begins = result.stderr.splitlines(keepends=True)
        assert begins == "companion: there is no game to go on with: a new one begins\n"
        return "".join(lines)

    assert refused() == ""
    named = CliRunner().invoke(cli.cli, ["run", "--camera", "0", "--resume", "--journal", str(tmp_path / "no")])
    assert "no journal to go on with" in str(named.exception)
    journals = state_dir() / "journals"
    journals.mkdir(parents=True, exist_ok=True)
    for name, age_s in (("old", 60), ("new", 0)):
        journal = journals / f"{name}.jsonl"
        journal.write_text("nonsense\n")
        os.utime(journal, (1e9 - age_s, 1e9 - age_s))
    assert [line.partition(": JSON")[0].rpartition("/")[2] for line in refused().splitlines()] == [
        "new.jsonl",
        "old.jsonl",
    ]
