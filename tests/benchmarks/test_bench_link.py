"""The link's benchmark on a machine that is busy elsewhere: it tells what it has."""

from collections import deque
from typing import Any

from companion.core.clock import ManualClock
from companion.core.errors import SourceError
from firmware.wire import codec
from tests.benchmarks.link_bench import PINGS_LATE, measure_all, ping


class LatePort:
    """A board that answers pings at once, but for those of some numbers; time passes at each look."""

    def __init__(self, clock: ManualClock, unheard: range) -> None:
        self._clock = clock
        self._unheard = unheard
        self._decoder = codec.Decoder()
        self._answers: deque[bytes] = deque()

    def write(self, data: bytes) -> int:
        for frame in self._decoder.feed(data):
            if int.from_bytes(frame[4], "little") not in self._unheard:
                self._answers.append(codec.encode(codec.PONG, frame[4] + bytes(14)))
        return len(data)

    def read(self) -> bytes:
        self._clock.sleep(0.001)
        return self._answers.popleft() if self._answers else b""

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_late_ping_is_counted_and_the_others_are_timed() -> None:
    clock = ManualClock()
    result = ping(LatePort(clock, range(3, 5)), clock, 20)
    assert result == {"rtt_median_ms": 1.0, "rtt_p95_ms": 1.0, "pings_answered": 18, "pings_late": 2}


def test_a_board_that_answers_no_more_ends_the_pings_with_what_there_is() -> None:
    clock = ManualClock()
    result = ping(LatePort(clock, range(7, 20)), clock, 20)
    assert (result["pings_answered"], result["pings_late"]) == (7, PINGS_LATE)
    nothing = ping(LatePort(clock, range(20)), clock, 20)
    assert nothing == {"rtt_median_ms": None, "rtt_p95_ms": None, "pings_answered": 0, "pings_late": PINGS_LATE}


def test_a_part_that_is_stopped_is_named_and_the_others_are_told() -> None:
    def late() -> dict[str, Any]:
        raise TimeoutError("the board does not answer")

    def died() -> dict[str, Any]:
        raise SourceError("MicroPython ended by itself", where="board.mjs")

    result = measure_all({"a": lambda: {"one": 1}, "late": late, "died": died, "b": lambda: {"two": 2}})
    assert result["one"] == 1
    assert result["two"] == 2
    assert result["stopped"] == {
        "late": "the board does not answer",
        "died": "board.mjs: MicroPython ended by itself",
    }
    assert "stopped" not in measure_all({"a": lambda: {"one": 1}})
