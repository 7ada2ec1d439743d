"""Every option and argument of every command, given what nobody means: one line and status 2, or it works."""

import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import click
import pytest

from calibration.doctor import probes
from companion import cli
from companion.core import address_card
from companion.core.option_types import FILE_PATH

MOST_CPU_S, MOST_S = 0.1, 0.25
"""A command that works is left alone for so long (processor time, time); what is refused is refused before."""
AGAIN_S = 0.5
"""Stopped again after so long where a library has swallowed the stop."""
BASELINE = {
    "why": ["--place", "1", "--game", "{missing}"],
    "press": ["3t"],
    "enrol": ["X", "--book", "{missing}"],
    "sheets": ["--out", "{new}"],
    "simulate": ["--games", "1"],
    "rehearse": ["--games", "1", "--through", "observations"],
    "run": ["--camera", "{folder}"],
    "tables": ["--seconds", "0.1"],
}
"""What a command is given beside the option that is tried."""
_FINALIZERS = ("weakref.py", "_weakrefset.py")
JUDGING = (("doctor",), ("setup",))
"""Commands whose status 1 says that a rig is not good."""


class _EnoughError(BaseException):
    """The command works."""


def _commands(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from _commands(inner, (*path, name))


COMMANDS = dict(_commands(cli.cli))


def _hostile(parameter: click.Parameter, folder: Path) -> list[str]:
    named = [str(folder), str(folder / "none" / "missing.jsonl"), "/", "x" * 300, "y/" * 3000, "", "\udcff"]
    if parameter.type is FILE_PATH:
        return [*named, "\x01\x1b[31m\u202e"]
    return [*named, "\x01\x1b[31m\u202e", "9" * 30, "-1", "nan", "1e999", "http://", "[/b]"]


def _arguments(path: tuple[str, ...], parameter: click.Parameter, value: str, folder: Path) -> list[str]:
    given = [
        text.format(missing=folder / "missing.jsonl", new=folder / "new.pdf", folder=folder)
        for text in BASELINE.get(path[-1], [])
    ]
    if isinstance(parameter, click.Argument):
        return [*path, *given, "--", value]
    option = parameter.opts[0]
    if option in given:
        at = given.index(option)
        del given[at : at + 2]
    return [*path, *given, f"{option}={value}"]


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def enough(number: int, frame: FrameType | None) -> None:
        at, working = frame, False
        while at is not None:
            working = working or at.f_code is cli.main.__code__
            if at.f_code.co_name in ("__del__", "gc_callback") or at.f_code.co_filename.endswith(_FINALIZERS):
                # What is raised amid a finalizer is lost: a moment later.
                timer = signal.ITIMER_PROF if number == signal.SIGPROF else signal.ITIMER_REAL
                signal.setitimer(timer, 0.01, AGAIN_S)
                return
            at = at.f_back
        if working:  # Else it came as the command began or had just ended.
            raise _EnoughError

    kept = {number: signal.signal(number, enough) for number in (signal.SIGPROF, signal.SIGALRM)}
    monkeypatch.setattr(address_card, "_WAIT_S", 0.0)
    monkeypatch.setattr(probes, "CAMERA_LIMIT_S", 0.3)
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def _stopped(ended: BaseException) -> bool:
    """Whether it began with our stop: a library's `except:` may have made another error of it."""
    at: BaseException | None = ended
    while at is not None:
        if isinstance(at, _EnoughError):
            return True
        at = at.__context__
    return False


def _status(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> object:
    """The exit status of `companion ARGUMENTS`; 0 for one that works until it is stopped."""
    monkeypatch.setattr(sys, "argv", ["companion", *arguments])
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S, AGAIN_S)
    signal.setitimer(signal.ITIMER_REAL, MOST_S, AGAIN_S)
    try:
        cli.main()
    except BaseException as ended:
        if _stopped(ended):
            return 0
        if isinstance(ended, SystemExit):
            return ended.code
        raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return 0


@pytest.mark.quick(4)
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_whatever_an_option_is_given_the_answer_is_one_line(
    path: tuple[str, ...],
    bounded: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for parameter in COMMANDS[path].params:
        if isinstance(parameter, click.Option) and parameter.is_flag:
            continue
        for value in _hostile(parameter, folder):
            arguments = _arguments(path, parameter, value, folder)
            status = _status(arguments, monkeypatch)
            said = capsys.readouterr().err
            assert status in (0, 2) or (status == 1 and path in JUDGING), (arguments, said)
            if status == 2:
                complaints = [line for line in said.splitlines() if line.startswith("companion: ")]
                assert len(complaints) == 1, (arguments, said)
                assert said.endswith(complaints[0] + "\n"), (arguments, said)


def test_a_rig_file_with_half_a_letter_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = tmp_path / "rig.json"
    rig.write_text(r'{"stations": [{"name": "pad \ud800"}]}', encoding="utf-8")
    assert _status(["flash", "--rig", str(rig)], monkeypatch) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"companion: {rig}: not JSON")
    assert said.count("\n") == 1
