"""What journal and replay believed about a recorded game, and the recorded board's silence."""

from dataclasses import replace

import pytest

from companion.core.clock import ManualClock
from companion.sensing.observation import Button, Health
from companion.sensing.recording_folder import RecordedSettings
from companion.session.journal.journal_lines import Opened
from companion.session.journal.recorded_board import RecordedBoard
from companion.session.journal.recording_replay import Conclusion, ReplayedGame
from firmware.wire import codec
from tests.support.board_hello import packed_hello

OPENED = Opened(1, "pairs", "plain", 2)
FIRST = Conclusion(0.0, "empty", (), None, None, "")
LAST = Conclusion(20.0, "full", ((1, "proved"),), 3, 5, "All won.")
END = 20.0


def test_the_beliefs_of_both_sides_stand_beside_each_other() -> None:
    other = replace(LAST, state="other", verdicts=((1, "refuted"),), score=4)
    told = ReplayedGame("game-1.jsonl", OPENED, [LAST], [other], END).as_dict()
    assert (told["final_state"], told["replayed_state"]) == ("full", "other")
    assert (told["verdicts"], told["replayed_verdicts"]) == (LAST.verdicts, other.verdicts)
    assert (told["score"], told["replayed_score"], told["out_of"]) == (3, 4, 5)
    assert (told["over"], told["matches"], told["outcome"]) == (True, False, "All won.")


def test_of_a_journal_that_cannot_be_read_nothing_is_said() -> None:
    told = ReplayedGame("game-1.jsonl", OPENED, [], [FIRST], END).as_dict()
    assert [told[key] for key in ("final_state", "verdicts", "score")] == [None] * 3
    assert (told["replayed_state"], told["over"], told["matches"]) == ("empty", False, False)


@pytest.mark.parametrize(
    ("late", "agree"),
    [(-5.0, True), (0.0, True), (5.0, True), (5.1, False)],
    ids=["early", "same", "late", "later"],
)
def test_both_sides_agree_if_they_believe_the_same_within_five_seconds(late: float, agree: bool) -> None:
    now = [FIRST, replace(LAST, t=END + late)]
    assert ReplayedGame("game-1.jsonl", OPENED, [replace(FIRST, state="x"), LAST], now, END).agree is agree


def test_a_recorded_board_that_falls_silent_is_away_until_it_is_heard_again() -> None:
    state = codec.pack_snapshot(station=0, t_us=0, uids=None, weight=None, touched=None, pressed=True)
    clock = ManualClock(0.0)
    records = [
        (1.0, codec.encode(codec.HELLO, packed_hello(stations=[("bed 1", codec.CAP_BUTTON, 0)]))),
        (7.0, codec.encode(codec.SNAPSHOT, state, codec.FLAG_SEQ, 0)),
    ]
    board = RecordedBoard(records, RecordedSettings("pairs", "plain", 2), clock)
    told = []
    for tick in range(17):
        told += [(tick / 2, one) for one in board.poll()]
        clock.sleep(0.5)
    silences = [(t, one.ok) for t, one in told if isinstance(one, Health) and one.source == "board"]
    assert silences == [(1.0, True), (6.5, False), (7.0, True)]
    assert [(t, one.station) for t, one in told if isinstance(one, Button)] == [(7.0, "bed 1")]
    board.close()
