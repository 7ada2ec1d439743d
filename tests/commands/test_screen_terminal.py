"""A screen opens where it can be drawn and its keys are heard, and nowhere else."""

import io
import sys

import pytest

from companion.commands.screen_terminal import check_screen_terminal
from companion.core.errors import BadInputError


class Terminal(io.TextIOWrapper):
    """A stream of a terminal, or of a pipe."""

    def __init__(self, *, encoding: str = "utf-8", terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(("keys", "screen"), [(False, True), (True, False)])
def test_a_screen_whose_keys_nobody_hears_is_refused(
    monkeypatch: pytest.MonkeyPatch, *, keys: bool, screen: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(terminal=keys))
    monkeypatch.setattr(sys, "stdout", Terminal(terminal=screen))
    with pytest.raises(BadInputError, match=r"the screen needs a terminal; run it without a pipe, or: other$"):
        check_screen_terminal("other")


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-1", "koi8-r"])
def test_a_terminal_without_the_letters_of_a_screen_is_refused(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal(encoding=encoding))
    with pytest.raises(BadInputError, match=rf"no letters .*\({encoding}\); export LC_ALL=C.UTF-8"):
        check_screen_terminal()


def test_a_terminal_of_today_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    check_screen_terminal()
