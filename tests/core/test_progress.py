"""What is read for long says how far it is: a bar on a terminal, elsewhere a line now and then."""

import pytest

from companion.core.printable import SIGN_OF_LIFE_S, follow


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
