"""The command line in this process: what it says of bad input, without the time that a process takes."""

import signal
import sys

import pytest

from companion import cli


def check_refused(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """`companion ARGUMENTS` ends with status 2 and says so on the error stream alone, without a traceback."""
    monkeypatch.setattr(sys, "argv", ["companion", *arguments])
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    shown = capfd.readouterr()
    assert ended.value.code == 2
    assert says in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == ""
