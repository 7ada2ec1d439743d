"""What is read for long says how far it is: a bar on a terminal, elsewhere a line now and then."""

import pytest

from companion.core.printable import SIGN_OF_LIFE_S, at_words, follow


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
