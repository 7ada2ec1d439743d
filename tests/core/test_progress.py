"""What is read for long says how far it is: a bar on a terminal, elsewhere a line now and then."""

import re
import sys
from io import StringIO

import click
import pytest
from click.testing import CliRunner

from companion.core.language import use
from companion.core.printable import SIGN_OF_LIFE_S, at_words, confirm, follow, say


def test_long_reading_says_how_far_it_is_where_no_bar_can_be_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter(range(0, 1000, 4))
    assert list(follow("reading a.jsonl", lambda: float(next(clock)))("abcdefgh")) == list("abcdefgh")
    assert SIGN_OF_LIFE_S == 10.0
    told = capsys.readouterr()
    assert told.err.splitlines() == ["reading a.jsonl: 37 %", "reading a.jsonl: 75 %"]
    assert not told.out


def test_short_reading_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(follow("reading a.jsonl", lambda: 0.0)([1, 2])) == [1, 2]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("width", [20, 40, 80])
def test_lines_on_a_terminal_break_at_words(width: int) -> None:
    line = "Après 12 tours\u202f: Anna tente une nouvelle chance avec les compagnons de la reine du tournesol."
    rows = at_words(line, width)
    assert " ".join(rows) == line
    assert all(len(row) <= width for row in rows)
    assert not any(row.startswith("\u202f") for row in rows)
    command = "The same cards and players again, on this machine: companion play --seed 5223"
    assert at_words(command, width) == [command]
    assert at_words(line, 0) == [line]


class Terminal(StringIO):
    """A terminal, which keeps what was printed."""

    def isatty(self) -> bool:
        return True


def test_lines_printed_to_a_given_terminal_break_at_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal, file = Terminal(), StringIO()
    for stream in (terminal, file):
        say("Anna has the turn: play or discard.", file=stream)
    assert terminal.getvalue() == "Anna has the turn:\nplay or discard.\n"
    assert file.getvalue() == "Anna has the turn: play or discard.\n"


@pytest.mark.parametrize(
    ("language", "typed", "yes"),
    [
        ("de", "j", True),
        ("de", "Nein", False),
        ("fr", "o", True),
        ("it", "si", True),
        ("it", "y", True),
        ("en", "", False),
        ("de", "vielleicht\nja", True),
    ],
)
def test_a_question_is_answered_in_the_reader_s_language(language: str, typed: str, yes: bool) -> None:
    use(language)
    said: list[bool] = []
    asks = click.Command("ask", callback=lambda: said.append(confirm("Write it?", default=False)))
    told = CliRunner().invoke(asks, input=f"{typed}\n")
    assert said == [yes]
    shown = {"de": "[j/N]", "fr": "[o/N]", "it": "[s/N]", "en": "[y/N]"}[language]
    assert told.output.startswith(f"Write it? {shown}: ")
    assert ("Tippe ja oder nein" in told.output) == ("vielleicht" in typed)


def test_a_bar_with_a_long_name_stays_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert list(follow("reading companion-recording-of-today.companion")(range(9))) == list(range(9))
    rows = re.split(r"[\r\n]|\x1b\[\S+?[A-Za-z]", terminal.getvalue())
    assert 60 < max(map(len, rows)) <= 80
