"""A journal read back by what it published: the same beliefs as relived in full, for less work."""

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core.clock import ManualClock
from companion.core.errors import JournalError
from companion.fusion.explain.reasons import places_of, why, why_lines
from companion.fusion.tracker import Tracker
from companion.session.journal.followed_lines import CALM_S, SEARCHED_S, FollowedLines
from companion.session.journal.journal import Recorded, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import Done, Line, Observed, Opened, Revoked
from companion.session.journal.journal_replay import game_of, read_back, relive
from companion.session.session import Session
from tests.support.observed import GAME

JOURNALS = sorted((Path(__file__).parents[1] / "recordings/published").glob("*.jsonl"))
LONG, PRINCESS = (
    next(path for path in JOURNALS if path.stem == stem) for stem in ("sleeping-queens-2", "sleepless-princess")
)
OPENED = Opened(3, GAME.name, "basic", 3)


@cache
def relived(path: Path) -> Tracker[Any, Any]:
    """A game whose observations are all searched in full; tests only look at it."""
    recorded = read_journal(path)
    return relive(game_of(recorded.opened), recorded)[0].tracker


def told(tracker: Tracker[Any, Any]) -> list[str]:
    """All that `companion why` says of a game."""
    return [line for place in places_of(tracker) for line in why_lines(why(tracker, place))]


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_the_same_is_believed_of_every_place_for_the_same_reasons(path: Path) -> None:
    recorded, again = read_journal(path), relived(path)
    back = read_back(game_of(recorded.opened), recorded).tracker
    assert back.state == again.state
    assert told(back) == told(again)
    assert [step.action for step in back.steps] == [step.action for step in again.steps]


def test_a_resumed_game_is_searched_in_full_only_for_its_last_minute() -> None:
    recorded = read_journal(LONG)
    game = game_of(recorded.opened)
    session = Session(
        game,
        recorded.opened.variant,
        recorded.opened.players,
        clock=ManualClock(),
        publish=lambda _: None,
        options=recorded.opened.options,
        buttons=recorded.opened.buttons,
        recorded=recorded.lines,
    )
    assert session.tracker.state == relived(LONG).state
    assert session.tracker.searched < relived(LONG).searched / 2
    assert not session.tracker.recorded.followed


def test_a_game_that_cannot_be_followed_to_its_end_is_relived() -> None:
    recorded = read_journal(PRINCESS)
    game = game_of(recorded.opened)
    state = fold(game, recorded.opened, recorded.lines).state
    unseen = Done(recorded.lines[-1].t, game.write_action(next(iter(game.legal_actions(state)))))
    other = Recorded(recorded.opened, (*recorded.lines, unseen))
    assert told(read_back(game, other).tracker) == told(relived(PRINCESS))


def bound(lines: list[Line], *, deal: bool = False) -> list[float]:
    """Times (s) of the lines with observations at which searches follow the journal.

    The tracker has always come to the recorded state. `deal`: the deal is searched in full.
    """
    tracker: Tracker[Any, Any] = Tracker(GAME, "basic", GAME.empty_table("basic", 3))
    journal = FollowedLines(GAME, OPENED, lines, tracker, deal=deal)
    times = []
    for index, line in enumerate(lines):
        with suppress(JournalError):
            tracker.begin(fold(GAME, OPENED, lines[:index]).state)
        if isinstance(line, Observed) and journal.follow(index, line.t):
            times.append(line.t)
    return times


def seated(*times: float) -> list[Line]:
    """Observations at each time (s), with each of which a princess is seated."""
    done = (Done(t, f"seat {n}={n}") for n, t in enumerate(times, 1))
    return [line for one in done for line in (Observed(one.t, ()), one)]


def test_the_searches_begin_a_minute_before_the_last_action() -> None:
    assert bound([*seated(0, 40, 70, 110), Observed(500, ())]) == [0]


def test_they_begin_where_every_action_stands_to_the_end() -> None:
    taken_back = [Revoked(30, 1), Observed(31, ()), Done(31, "seat 3=5"), Observed(150, ())]
    assert bound([*seated(0, 10, 20), Observed(30, ()), *taken_back, Done(150, "seat 4=6")]) == [0, 10]


def test_they_do_not_begin_just_after_an_action_was_revoked() -> None:
    revoked = [*seated(0, 10), Observed(20, ()), Revoked(20, 1), Observed(20 + CALM_S / 2, ())]
    late = 20 + CALM_S / 2 + SEARCHED_S
    assert bound([*revoked, Observed(late, ()), Done(late, "seat 2=5")]) == [0]


def test_a_deal_may_be_searched_in_full() -> None:
    lines = [*seated(0, 40, 70, 110), Observed(500, ())]
    assert bound(lines, deal=True) == []


def test_actions_that_the_rules_refuse_are_not_followed() -> None:
    assert bound([*seated(0), *seated(200)]) == []
