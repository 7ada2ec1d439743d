"""A line that says that something loads is gone once the next one, or a screen, has come."""

import io
import sys

import pytest

from companion.core.printable import erase_passing, say, say_passing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_passing_line_is_erased_by_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    say_passing("One moment ...")
    assert terminal.getvalue() == "One moment ..."
    say("Goodbye!")
    say("Once more")
    assert terminal.getvalue() == "One moment ...\r\x1b[KGoodbye!\nOnce more\n"


def test_a_screen_opens_on_an_empty_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    say_passing("One moment ...")
    erase_passing()
    erase_passing()
    assert terminal.getvalue() == "One moment ...\r\x1b[K"


def test_where_nobody_looks_nothing_passes(capsys: pytest.CaptureFixture[str]) -> None:
    say_passing("One moment ...")
    erase_passing()
    assert capsys.readouterr().out == ""
