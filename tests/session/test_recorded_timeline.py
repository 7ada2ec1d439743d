"""The timeline of a recorded run: what is replayed of it, until when, and what is said to be missing."""

from math import inf
from pathlib import Path

import pytest

from companion.sensing.recording_folder import Part, RecordedGame, StoredFrame
from companion.session.journal.recorded_timeline import AFTER_S, STEP_S, Timeline

BEGINS = 100.0
END = 110.0


def run(pictures: list[float], port: list[float]) -> Part:
    """A run with one game that began at BEGINS, with pictures and bytes of these times (s)."""
    frames = [StoredFrame(t, Path("none.jpg"), 0, 0, 8, 8) for t in pictures]
    return Part(Path("part-1"), None, [RecordedGame("game.jsonl", BEGINS)], frames, [(t, b"x") for t in port])


def seconds(first: float, last: float) -> list[float]:
    return [first + n for n in range(int(last - first) + 1)]


WHOLE = seconds(BEGINS, END)


@pytest.mark.parametrize(
    ("pictures", "port", "said"),
    [
        (WHOLE, WHOLE, []),
        (WHOLE, [], []),
        # 60 s before and after the games are sound.
        (WHOLE, [BEGINS - 60, *WHOLE, END + 60], ["part-1: the pictures end 60 s before the rest"]),
        # A table that waits goes on sending.
        (WHOLE, [*WHOLE, END + 60, END + 120], ["part-1: the pictures end 60 s before the rest"]),
        (WHOLE, [*WHOLE, END + 120.1], ["part-1: the port's bytes: the clock jumps in record 12"]),
        (WHOLE, [BEGINS - 60.1, *WHOLE], ["clock jumps in record 1"]),
        (WHOLE, [*WHOLE, END - 0.5], []),
        (WHOLE, [*WHOLE, END - 0.6], ["clock jumps in record 12"]),
        ([*WHOLE, END + 120.1], WHOLE, ["part-1: 1 picture has an impossible time"]),
        ([BEGINS - 60.1, -5.0, *WHOLE], WHOLE, ["part-1: 2 pictures have impossible times"]),
        (seconds(BEGINS, END - 3), WHOLE, []),
        (seconds(BEGINS, END - 4), WHOLE, ["part-1: the pictures end 4 s before the rest"]),
        (WHOLE, seconds(BEGINS, END - 4), ["part-1: the bytes end 4 s before the rest"]),
        ([*seconds(BEGINS, 103), *seconds(106, END)], WHOLE, []),
        ([*seconds(BEGINS, 103), *seconds(107, END)], WHOLE, ["part-1: no picture for 4 s, in 1 gap"]),
        ([100, 104, 109, 110], WHOLE, ["part-1: no picture for 9 s, in 2 gaps"]),
    ],
)
def test_what_is_missing_in_a_run_is_said(pictures: list[float], port: list[float], said: list[str]) -> None:
    missing: list[str] = []
    assert Timeline.of(run(pictures, port), 0.0, END, missing) is not None
    assert len(missing) == len(said)
    for sentence, words in zip(missing, said, strict=True):
        assert words in sentence


@pytest.mark.parametrize("shift", [0.0, 40.0])
def test_a_run_is_replayed_until_pictures_or_bytes_end(shift: float) -> None:
    pictures, port = seconds(BEGINS, 105), WHOLE
    missing: list[str] = []
    line = Timeline.of(run(pictures, port), shift, END - shift, missing)
    assert line is not None
    assert line.end == 105 + AFTER_S - shift
    assert [one.t for one in line.frames] == [t - shift for t in pictures]
    assert [t for t, _ in line.port] == [t - shift for t in port if t <= 105 + AFTER_S]
    assert len(missing) == 1


def test_a_run_without_pictures_and_bytes_is_not_replayed() -> None:
    missing: list[str] = []
    assert Timeline.of(run([], []), 0.0, inf, missing) is None
    assert Timeline.of(run([], [END + 1000]), 0.0, END, missing) is None
    assert len(missing) == 1


def test_only_a_long_time_without_records_is_skipped() -> None:
    line = Timeline.of(run([], [100.0, 160.0, 300.0]), 0.0, inf, [])
    assert line is not None
    assert line.step(99.0) == STEP_S
    assert line.step(100.0) == STEP_S, "a minute is replayed in full"
    assert line.step(160.0) == 135.0, "and the last five seconds of a longer pause: a board falls silent then"
    assert line.step(295.0) == STEP_S
