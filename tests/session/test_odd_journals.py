"""Journals as no game writes them: every reader ends within a bound of counted work, or in one clear line."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from companion.core.clock import ManualClock
from companion.core.errors import CompanionError, JournalError
from companion.history.database import History
from companion.history.game_course import course_of
from companion.history.souvenir import souvenir_page
from companion.session.entries.advice_request import ask_journal
from companion.session.journal import journal as journals
from companion.session.journal import reading_effort
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_replay import game_of, relive, replay_journal
from companion.session.journal.reading_effort import ReadingEffort
from companion.session.journal.recorded_game import recorded_game
from companion.session.session import Session
from companion.session.stream.commands import AskHint
from tests.support.odd_journals import KINDS, write_odd_journal

CALLS_A_LINE, CALLS_AT_LEAST = 250, 300_000
"""Calls of functions for each line or thing of a journal, and for a page, of readers that only fold its
actions."""
CALLS_OF_WORK = 6
"""Calls of functions for each unit of work, of readers that follow a game anew."""


class TooMuchWorkError(BaseException):
    """No handler of the program's catches it."""


def within(most: int, read: Callable[[], object]) -> None:
    """Read something, which may be refused in one line with its next step; fails after so many calls."""
    calls = 0

    def count(_frame: FrameType, _event: str, _what: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > most:
            sys.setprofile(None)
            raise TooMuchWorkError(f"{most:,} calls")

    refused = None
    sys.setprofile(count)
    try:
        read()
    except CompanionError as error:
        refused = error
    finally:
        sys.setprofile(None)
    assert refused is None or (refused.next_step and "\n" not in str(refused))


def go_on(path: Path) -> None:
    """What `companion run --resume` does before it looks at the table."""
    recorded = read_journal(path)
    opened = recorded.opened
    Session(
        game_of(opened),
        opened.variant,
        opened.players,
        clock=ManualClock(recorded.lines[-1].t),
        publish=lambda _event: None,
        journal=Journal(path, sync=False, resume=True),
        recorded=recorded.lines,
        effort=ReadingEffort(path),
    )


def cases() -> list[tuple[str, int]]:
    return [(kind, seed) for seed in range(4) for kind in KINDS]


@pytest.mark.quick(3)
@pytest.mark.parametrize(("kind", "seed"), cases())
def test_readers_of_what_was_done_take_work_in_proportion_to_the_journal(
    kind: str, seed: int, tmp_path: Path
) -> None:
    path = tmp_path / "journals" / "odd.jsonl"
    n = write_odd_journal(path, kind, seed, share=1.0 if seed else 0.03, dealt=bool(seed))
    most = CALLS_AT_LEAST + CALLS_A_LINE * n
    within(most, lambda: ask_journal(path, AskHint("coach")))
    within(most, lambda: souvenir_page(course_of(path), 0.0))
    within(most, lambda: recorded_game(path))

    def history() -> None:
        with History(path.parent) as kept:
            kept.update()

    within(most, history)


@pytest.mark.quick(3)
@pytest.mark.parametrize(("kind", "seed"), cases())
def test_readers_that_follow_a_game_anew_stop_at_the_bound_of_work(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd.jsonl"
    n = write_odd_journal(path, kind, seed, share=1.0 if seed else 0.03, dealt=bool(seed))
    bound = 5_000_000 if seed else 200_000
    monkeypatch.setattr(reading_effort, "MOST_WORK", bound)
    most = CALLS_AT_LEAST + CALLS_A_LINE * n + CALLS_OF_WORK * bound
    within(most, lambda: replay_journal(path))
    within(most, lambda: go_on(path))


def test_a_journal_that_asks_for_too_much_is_refused_with_its_line_and_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd.jsonl"
    write_odd_journal(path, "days", 0, share=0.01, dealt=False)
    before = path.read_bytes()
    monkeypatch.setattr(reading_effort, "MOST_WORK", 200_000)
    recorded = read_journal(path)
    refused = rf"{path}, line \d+: up to here it asks for more work .*; begin a new game"
    with pytest.raises(JournalError, match=refused):
        relive(game_of(recorded.opened), recorded)
    with pytest.raises(JournalError, match=refused):
        go_on(path)
    assert path.read_bytes() == before


def test_a_file_larger_than_any_game_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "odd.jsonl"
    write_odd_journal(path, "counts", 0, share=0.01, dealt=False)
    monkeypatch.setattr(journals, "MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(JournalError, match="larger than any game"):
        read_journal(path)
    with pytest.raises(JournalError, match="larger than any game"):
        Journal(path, sync=False, resume=True)
