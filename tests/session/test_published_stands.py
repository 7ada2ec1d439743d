"""A game that another version began goes on from what that version published, whatever this one concludes.

`tests/recordings/published` has journals of an earlier version, each cut in the middle of its game. They stay
as they are.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.core.clock import ManualClock
from companion.fusion.publisher import Change
from companion.fusion.tracker import Tracker
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_replay import game_of
from companion.session.session import Session

JOURNALS = sorted((Path(__file__).parents[1] / "recordings/published").glob("*.jsonl"))


def resumed(path: Path) -> Session:
    """A session that goes on with a journal."""
    recorded = read_journal(path)
    opened = recorded.opened
    journal = Journal(path, sync=False, resume=True)
    session = Session(
        game_of(opened),
        opened.variant,
        opened.players,
        clock=ManualClock(1e6),
        publish=lambda _: None,
        journal=journal,
        options=opened.options,
        buttons=opened.buttons,
        recorded=recorded.lines,
    )
    session.keep()
    journal.close()
    return session


def published(path: Path) -> str:
    """The state that the actions of a journal lead to."""
    recorded = read_journal(path)
    game = game_of(recorded.opened)
    return game.write_state(fold(game, recorded.opened, recorded.lines).state)


@pytest.fixture(params=JOURNALS, ids=lambda path: path.stem)
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    copy = tmp_path / "game.jsonl"
    copy.write_bytes(request.param.read_bytes())
    return copy


@pytest.mark.quick(1)
def test_it_goes_on_with_what_was_published(journal: Path) -> None:
    before = published(journal)
    for _ in range(2):
        session = resumed(journal)
        assert session.game.write_state(session.tracker.state) == before
        assert published(journal) == before


@pytest.mark.long
def test_a_version_that_concludes_nothing_of_the_same_signs_goes_on_with_it_too(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = published(journal)

    def nothing(_self: Any, _t: float) -> Change[Any, Any]:
        return Change()

    with monkeypatch.context() as other:
        other.setattr(Tracker, "_publish", nothing)
        session = resumed(journal)
        assert session.game.write_state(session.tracker.state) == before
    # This version goes on from there, although it would have concluded everything by itself.
    assert resumed(journal).game.write_state(session.tracker.state) == before


def test_there_is_one_of_each_game() -> None:
    assert {read_journal(path).opened.game for path in JOURNALS} == {path.stem for path in JOURNALS}
    assert len(JOURNALS) == 3
