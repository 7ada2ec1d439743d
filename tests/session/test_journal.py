"""The journal: every line on disk before it is shown, damage named, the same state again."""

import errno
import json
import os
from collections.abc import Sequence
from io import FileIO
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from companion.commands.replay import replay
from companion.core.clock import ManualClock
from companion.core.errors import JournalError
from companion.sensing.observation import Count, Health, ManualEntry, Seen, Sighting, TagRead
from companion.session.journal.journal import Journal, read_journal, read_opened, scan, unread_in
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import (
    VERSION,
    Adopted,
    Contradicted,
    Done,
    Line,
    Noticed,
    Observed,
    Opened,
    Revoked,
)
from companion.session.journal.journal_replay import relive, replay_journal
from companion.session.journal.recorded_game import recorded_game as moments_of
from companion.session.session import Session
from companion.session.stream.events import Event, Score
from tests.support.checked_journals import checked_journal
from tests.support.inside import wiring_of
from tests.support.observed import GAME, SensedGame

OPENED = Opened(VERSION, GAME.name, "basic", 3)
EVERY_KIND = (
    Observed(1.5, (Count(1.5, "bed 1", 3, 3.1), Sighting(1.5, "row", (Seen("5A", 1.0, -2.0),)))),
    Observed(2.0, (ManualEntry(2.0, "claim", {"station": "bed 1"}), TagRead(2.0, "pad", None))),
    Observed(2.0, (Health(2.0, "pad", False, "does not answer"),)),
    Done(2.0, "seat 1=3"),
    Revoked(2.5, 1),
    Adopted(3.0, "basic 3 phase=setup"),
    Noticed(4.0, "bed 2 scale", False, "missed 2 of 9 signs"),
    Contradicted(5.0, 1, "proved", "refuted", ("pad reader",)),
)
"""A line of every kind after the first; as a game it makes no sense."""


def recorded_game(
    path: Path, seed: int = 2, most: int | None = None, players: int = 3, variant: str = "basic"
) -> tuple[Session, SensedGame]:
    """A game observed by a session that writes a journal: all of it, or `most` actions."""
    game = SensedGame(seed, variant, players)
    game.set_up()
    for _ in islice(game.play_on(), most):
        pass
    clock = ManualClock()
    journal = Journal(path, sync=False)
    session = Session(GAME, variant, players, clock=clock, publish=lambda _: None, journal=journal)
    for t, batch in game.batches:
        clock.sleep(max(0.0, t - clock.now()))
        session.take(t, batch)
    journal.close()
    return session, game


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The journal of a short whole game, which no test changes, and the state at its end."""
    path = tmp_path_factory.mktemp("game") / "journal.jsonl"
    session, _ = recorded_game(path, 83, players=2, variant="5+")
    return path, GAME.write_state(session.tracker.state)


@pytest.fixture(scope="module")
def game_bytes(whole_game: tuple[Path, str]) -> bytes:
    return whole_game[0].read_bytes()


@pytest.fixture(scope="module")
def replayed(whole_game: tuple[Path, str]) -> Result:
    """What `companion replay --json` says of the whole game."""
    return CliRunner().invoke(replay, [str(whole_game[0]), "--json"])


def test_fold_and_replay_give_the_state_of_the_session(whole_game: tuple[Path, str], replayed: Result) -> None:
    _, final_state = whole_game
    result = json.loads(replayed.stdout)
    assert result["matches"]
    assert result["over"]
    assert result["final_state"] == final_state


def test_a_cut_last_line_is_left_out_and_named(tmp_path: Path, game_bytes: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(game_bytes)
    whole = read_journal(path)
    path.write_bytes(game_bytes[:-7])
    cut = read_journal(path)
    assert cut.lines == whole.lines[:-1]
    assert "was cut in the middle" in cut.lost


@pytest.mark.parametrize("at", [0.1, 0.35, 0.6, 0.9])
def test_cut_anywhere_it_still_replays(tmp_path: Path, game_bytes: bytes, at: float) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(game_bytes[: int(at * len(game_bytes))])
    recorded = read_journal(path)
    state = fold(GAME, recorded.opened, recorded.lines).state
    assert GAME.status(state) == ()


def test_a_gap_after_the_first_line_leaves_one_that_is_good(tmp_path: Path, game_bytes: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    lines = game_bytes.split(b"\n")
    del lines[1]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(
        JournalError, match=r"the checksum of the line does not fit\); the one before it is good"
    ):
        read_journal(path)


def test_damage_in_the_middle_names_the_line(tmp_path: Path, game_bytes: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    lines = game_bytes.split(b"\n")
    lines[4] = b'{"j":"done","t":'
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(JournalError, match=r"line 5: .* the 4 before it are good; --resume"):
        read_journal(path)


def written(path: Path, *lines: Line) -> bytes:
    """A journal of these lines after the first, and what it takes on the disk."""
    journal = Journal(path, sync=False)
    journal.write([OPENED])
    for line in lines:
        journal.write([line])
    journal.close()
    return path.read_bytes()


def check_never_silent(data: bytes, good: Sequence[Line]) -> None:
    """Damaged bytes are refused, or what is read of them is right and the rest is named."""
    found = scan(data)
    assert found.lines == list(good[: len(found.lines)])
    assert len(found.lines) == len(good) or found.fault or found.cut


def test_no_flipped_bit_changes_a_line_of_any_kind(tmp_path: Path) -> None:
    data = written(tmp_path / "j.jsonl", *EVERY_KIND)
    for at in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[at // 8] ^= 1 << at % 8
        check_never_silent(bytes(flipped), (OPENED, *EVERY_KIND))
        assert flipped[at // 8] != data[at // 8]
        assert len(scan(bytes(flipped)).lines) < 1 + len(EVERY_KIND)


@given(st.data())
def test_no_damage_to_a_game_is_silent(game_bytes: bytes, data: st.DataObject) -> None:
    good = scan(game_bytes).lines
    damaged = bytearray(game_bytes)
    at = data.draw(st.integers(0, len(damaged) - 1))
    length = data.draw(st.integers(1, 4096))
    lines = game_bytes.splitlines(keepends=True)
    line = data.draw(st.integers(0, len(lines) - 2))
    match data.draw(
        st.sampled_from(["flip", "gone", "doubled", "zeros", "line gone", "line doubled", "swapped"])
    ):
        case "flip":
            damaged[at] ^= 1 << length % 8
        case "gone":
            del damaged[at : at + length]
        case "doubled":
            damaged[at:at] = damaged[at : at + length]
        case "zeros":
            damaged[at : at + length] = bytes(len(damaged[at : at + length]))
        case "line gone":
            damaged = bytearray(b"".join(lines[:line] + lines[line + 1 :]))
        case "line doubled":
            damaged = bytearray(b"".join(lines[: line + 1] + lines[line:]))
        case "swapped":
            lines[line : line + 2] = reversed(lines[line : line + 2])
            damaged = bytearray(b"".join(lines))
    # What is cut at the very end between two lines is a shorter game: no file can tell.
    if not game_bytes.startswith(damaged) or not damaged.endswith(b"\n"):
        check_never_silent(bytes(damaged), good)


def test_a_refused_second_engine_leaves_the_line_that_is_being_written(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    first = Journal(path)
    first.write([OPENED])
    first.file.write(b'{"j":"seen","t":1')
    before = path.read_bytes()
    for resume in (False, True):
        with pytest.raises(JournalError, match="another engine"):
            Journal(path, resume=resume)
    assert path.read_bytes() == before


def test_resume_goes_on_before_a_damaged_line_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    data = bytearray(written(path, *EVERY_KIND))
    start = data.index(b'{"j":"done"')
    data[start + 20] ^= 4
    path.write_bytes(data)
    for number in (1, 2):
        journal = Journal(path, resume=True)
        assert "Line 5 of the journal was damaged" in journal.salvaged
        journal.write([Revoked(9.0, 1)])
        journal.close()
        beside = path.with_name("j.jsonl.damaged" if number == 1 else "j.jsonl.damaged-2")
        assert beside.name in journal.salvaged
        assert beside.read_bytes() == data[start:]
        assert beside.stat().st_mode & 0o077 == 0
        assert read_journal(path).lines == (*EVERY_KIND[:3], Revoked(9.0, 1))
        path.write_bytes(data)


def test_a_full_disk_keeps_a_damaged_journal_as_it_is_and_leaves_no_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j.jsonl"
    data = bytearray(written(path, *EVERY_KIND))
    data[data.index(b'{"j":"done"') + 20] ^= 4
    path.write_bytes(data)

    def refuse(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(JournalError, match="No space"):
        Journal(path, resume=True)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("read", [False, True])
def test_a_pipe_is_refused_at_once(tmp_path: Path, resume: bool, read: bool) -> None:
    """Whether somebody reads it or not: it keeps nothing, and opening it would wait for a reader."""
    path = tmp_path / "j.jsonl"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK) if read else -1
    try:
        with pytest.raises(JournalError):
            Journal(path, resume=resume)
    finally:
        if read:
            os.close(reader)


@pytest.mark.parametrize("resume", [False, True])
def test_a_device_is_refused_as_a_journal(resume: bool) -> None:
    """It keeps nothing of what is written."""
    with pytest.raises(JournalError) as caught:
        Journal(Path("/dev/null"), resume=resume)
    assert str(caught.value) == "/dev/null: not a regular file; choose another: --journal FILE"


def test_a_journal_whose_first_line_is_damaged_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    data = bytearray(written(path, *EVERY_KIND))
    data[20] ^= 1
    path.write_bytes(data)
    for attempt in (lambda: Journal(path, resume=True), lambda: read_journal(path), lambda: read_opened(path)):
        with pytest.raises(JournalError, match="the checksum of the line does not fit"):
            attempt()
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_a_line_without_a_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(msgspec.json.encode(Opened(VERSION, GAME.name, "basic", 3)) + b"\n")
    with pytest.raises(JournalError, match="the line has no checksum"):
        read_journal(path)


@pytest.mark.parametrize("theirs", [0, 1, VERSION - 1, VERSION + 1])
def test_a_journal_of_another_version_is_refused(tmp_path: Path, theirs: int) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(checked_journal([msgspec.json.encode(Opened(theirs, GAME.name, "basic", 3))]))
    with pytest.raises(JournalError, match=f"written in version {theirs}, this program reads {VERSION}"):
        read_journal(path)


def test_a_line_stays_json_for_other_programs(tmp_path: Path) -> None:
    lines = written(tmp_path / "j.jsonl", *EVERY_KIND).splitlines()
    assert [sorted(set(json.loads(line)) - {"j", "t", "c"})[:1] for line in lines[3:5]] == [["o"], ["a"]]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not a line of a journal|not a journal"),
        (b'{"j":"done","t":1,"a":"skip"}\n', "not a journal"),
        (b'{"j":"open","version":99,"game":"x","variant":"y","players":3}\n', "version 99"),
        (b'{"j":"begin","version":99,"players":["Ann"]}\n', "version 99.*update"),
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


def test_the_fold_takes_back_what_came_before_a_corrected_state() -> None:
    state = GAME.write_state(GAME.apply(GAME.empty_table("basic", 3), GAME.read_action("seat 1=4")))
    lines = [Done(1, "seat 1=3"), Adopted(2, state), Revoked(2, 1), Done(3, "seat 1=5")]
    begun = GAME.apply(GAME.empty_table("basic", 3), GAME.read_action("seat 1=5"))
    assert fold(GAME, OPENED, lines).state == begun


def test_the_fold_takes_back_and_refuses_the_impossible() -> None:
    assert fold(GAME, OPENED, [Done(1, "seat 1=3"), Revoked(2, 1)]).state == GAME.empty_table("basic", 3)
    with pytest.raises(JournalError, match="impossible action"):
        fold(GAME, OPENED, [Done(1, "skip")])
    with pytest.raises(JournalError, match="only 0"):
        fold(GAME, OPENED, [Revoked(1, 1)])


def test_a_full_disk_is_said_and_loses_nothing_recorded(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl", sync=False)
    journal.file.close()
    journal.file = FileIO("/dev/full", "ab")
    with pytest.raises(JournalError, match="No space"):
        journal.write([OPENED])


def test_the_journal_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    Journal(tmp_path / "j.jsonl").close()
    assert (tmp_path / "j.jsonl").stat().st_mode & 0o077 == 0


@pytest.mark.long
def test_the_session_scores_the_game_without_a_key() -> None:
    game = SensedGame(4, "5+", 2)
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
    assert [(score.score, score.out_of) for score in scores] == [(outcome.score, outcome.out_of)]
    assert session.keys_pressed == 0


def test_which_buttons_were_checked_is_recorded_and_known_when_it_is_watched_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, sync=False)
    checked = {"bed 2", "bed 1"}
    Session(GAME, "basic", 3, clock=ManualClock(), publish=lambda _: None, journal=journal, buttons=checked)
    journal.close()
    assert read_opened(path).buttons == ("bed 1", "bed 2")
    again, _ = relive(GAME, read_journal(path))
    assert [bed for bed in ("bed 1", "bed 2", "bed 3") if wiring_of(again.tracker).straight(bed)] == [
        "bed 1",
        "bed 2",
    ]


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
    opened = msgspec.json.encode(Opened(VERSION, GAME.name, "basic", 3))
    path.write_bytes(checked_journal([opened, line.encode()]))
    with pytest.raises(JournalError) as caught:
        replay_journal(path)
    assert "\x1b" not in str(caught.value)


def test_a_device_is_no_journal() -> None:
    with pytest.raises(JournalError, match="not a file"):
        read_journal(Path("/dev/zero"))


def test_what_lay_unread_at_the_end_is_found_by_its_zone(tmp_path: Path) -> None:
    down, read = Seen("?", 85.0, 170.0), Seen("H02A", 10.0, 20.0)
    first = (Sighting(1.0, "queen 1", (down,)), Sighting(1.0, "queen 2", (down,)))
    second = (Sighting(2.0, "queen 2", (read,)), Sighting(2.0, "row", (read, down)))
    data = written(tmp_path / "j", Observed(1.0, first), Observed(2.0, second))
    (tmp_path / "j").write_bytes(data + b'{"j":"seen","t":3')
    assert unread_in(tmp_path / "j") == {"queen 1": ((85.0, 170.0),), "row": ((85.0, 170.0),)}


def test_a_game_in_which_nothing_was_seen_begins_at_no_time(tmp_path: Path) -> None:
    written(tmp_path / "j")
    (moment,) = moments_of(tmp_path / "j").moments
    assert moment.t == 0.0


@pytest.mark.parametrize("t", [1e300, -1e300])
def test_a_time_that_no_calendar_has_is_a_damaged_line(tmp_path: Path, t: float) -> None:
    written(tmp_path / "j", Observed(1.0, ()), Observed(t, ()))
    with pytest.raises(JournalError, match="an impossible time"):
        read_journal(tmp_path / "j")


@pytest.mark.parametrize("faces", [False, True])
def test_a_replay_of_a_game_that_is_on_tells_no_hidden_card_unasked(
    tmp_path: Path, game_bytes: bytes, faces: bool
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(game_bytes[: len(game_bytes) // 2])
    told = CliRunner().invoke(replay, [str(path), "--json", *(["--faces"] if faces else [])])
    result = json.loads(told.stdout)
    assert not result["over"]
    assert ("final_state" in result, "replayed_state" in result) == (faces, faces)
    assert result["matches"] in (True, False)
    assert "ot for players" in told.stderr


def test_a_replay_counts_the_signs_that_came(tmp_path: Path, game_bytes: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(game_bytes[: len(game_bytes) // 8])
    told = CliRunner().invoke(replay, [str(path), "--json", "--count-rates"])
    rates = json.loads(told.stdout)["rates"]
    assert rates
    assert all(0 <= one["missed"] <= one["due"] for one in rates.values())


def test_a_replay_of_a_game_that_is_over_tells_all(whole_game: tuple[Path, str], replayed: Result) -> None:
    assert json.loads(replayed.stdout)["replayed_state"] == whole_game[1]
    assert "ot for players" not in replayed.stderr
