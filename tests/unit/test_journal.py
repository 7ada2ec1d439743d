"""The journal: every line on disk before it is shown, damage named, the same state again."""

from pathlib import Path

import msgspec
import pytest

from companion.clock import ManualClock
from companion.errors import JournalError
from companion.events import Event, Score
from companion.journal import Done, Journal, Opened, Revoked, fold, read_journal
from companion.replay import replay_journal
from companion.session import Session
from tests.support.observed import GAME, ObservedGame

OPENED = Opened(1, GAME.name, "basic", 3)


def recorded_game(path: Path, seed: int = 2) -> tuple[Session, ObservedGame]:
    """A whole game observed by a session that writes a journal."""
    game = ObservedGame(seed)
    game.set_up()
    for _ in game.play_on():
        pass
    clock = ManualClock()
    journal = Journal(path, sync=False)
    session = Session(GAME, "basic", 3, clock=clock, publish=lambda _: None, journal=journal)
    for t, batch in game.batches:
        clock.sleep(max(0.0, t - clock.now()))
        session.take(t, batch)
    journal.close()
    return session, game


def test_fold_and_replay_give_the_state_of_the_session(tmp_path: Path) -> None:
    session, _ = recorded_game(tmp_path / "journal.jsonl")
    result = replay_journal(tmp_path / "journal.jsonl")
    assert result["matches"]
    assert result["over"]
    assert result["final_state"] == GAME.write_state(session.tracker.state)


def test_a_cut_last_line_is_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    recorded_game(path)
    whole = read_journal(path)
    data = path.read_bytes()
    path.write_bytes(data[:-7])
    cut = read_journal(path)
    assert cut.lines == whole.lines[:-1]
    assert "was cut in the middle" in cut.lost


@pytest.mark.parametrize("at", [0.1, 0.35, 0.6, 0.9])
def test_cut_anywhere_it_still_replays(tmp_path: Path, at: float) -> None:
    path = tmp_path / "journal.jsonl"
    recorded_game(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(at * len(data))])
    recorded = read_journal(path)
    state = fold(GAME, recorded.opened, recorded.lines).state
    assert GAME.status(state) == ()


def test_damage_in_the_middle_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    recorded_game(path)
    lines = path.read_bytes().split(b"\n")
    lines[4] = b'{"j":"done","t":'
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(JournalError, match="line 5"):
        read_journal(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a journal"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not a line of a journal|not a journal"),
        (b'{"j":"done","t":1,"a":"skip"}\n', "not a journal"),
        (b'{"j":"open","version":99,"game":"x","variant":"y","players":3}\n', "version 99"),
    ],
)
def test_foreign_files_are_refused_in_one_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalError, match=says) as caught:
        read_journal(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nowhere"):
        read_journal(tmp_path / "nowhere.jsonl")


def test_the_fold_takes_back_and_refuses_the_impossible() -> None:
    assert fold(GAME, OPENED, [Done(1, "seat 1=3"), Revoked(2, 1)]).state == GAME.empty_table("basic", 3)
    with pytest.raises(JournalError, match="impossible action"):
        fold(GAME, OPENED, [Done(1, "skip")])
    with pytest.raises(JournalError, match="only 0"):
        fold(GAME, OPENED, [Revoked(1, 1)])


def test_a_full_disk_is_said_and_loses_nothing_recorded(tmp_path: Path) -> None:
    journal = Journal(Path("/dev/full"), sync=False)
    with pytest.raises(JournalError, match="No space"):
        journal.write([OPENED])


def test_the_journal_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    Journal(tmp_path / "j.jsonl").close()
    assert (tmp_path / "j.jsonl").stat().st_mode & 0o077 == 0


def test_the_session_scores_the_game_without_a_key() -> None:
    game = ObservedGame(4, "5+", 2)
    game.set_up()
    for _ in game.play_on():
        pass
    events: list[Event] = []
    session = Session(GAME, "5+", 2, clock=ManualClock(), publish=events.append)
    for t, batch in game.batches:
        session.take(t, batch)
    scores = [event for event in events if isinstance(event, Score)]
    outcome = GAME.outcome(game.state)
    assert outcome is not None
    assert [(score.lulled, score.out_of) for score in scores] == [(outcome.score, outcome.out_of)]
    assert session.keys_pressed == 0


def test_a_game_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = Journal(path)
    with pytest.raises(JournalError, match="another engine"):
        Journal(path, resume=True)
    first.write([OPENED])
    first.close()
    with pytest.raises(JournalError, match="holds a game already"):
        Journal(path)
    Journal(path, resume=True).close()


@pytest.mark.parametrize(
    "line",
    [
        '{"j":"adopt","t":1,"s":"garbage"}',
        '{"j":"adopt","t":1,"s":"basic 3 phase=play turn=99 turns=8"}',
        '{"j":"back","t":1,"n":-1}',
        '{"j":"done","t":1,"a":"\\u001b[41mred"}',
    ],
)
def test_a_hostile_journal_is_one_clear_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(msgspec.json.encode(OPENED) + b"\n" + line.encode() + b"\n")
    with pytest.raises(JournalError) as caught:
        replay_journal(path)
    assert "\x1b" not in str(caught.value)


def test_a_device_is_no_journal() -> None:
    with pytest.raises(JournalError, match="not a file"):
        read_journal(Path("/dev/zero"))
