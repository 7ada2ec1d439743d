"""Live values and bench tests: sound parts pass, each defect is named, and what comes too soon is repeated."""

import json
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from calibration.watch.bench_tests import TRIES, Bench, BenchResult, Measured
from calibration.watch.camera_values import CameraValues
from calibration.watch.live_values import MOST_KEPT, LiveValues, Reading
from calibration.watch.value_lines import bar, bars, line
from calibration.watch.virtual_bench import BENCH_DEFECTS, Deed, VirtualBench
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError, SourceError
from firmware.host.messages import CommandResult, Connected, LevelSample, Station
from vision.camera.frames import CameraInfo, CameraStatus, Frame
from vision.codes.sticker_set import Gray

DEFECT_AT = {
    "foil too large": ("bed 2", "touch", "foil too large to feel a finger: 62 pF"),
    "foil without a wire": ("bed 2", "touch", "open: no foil"),
    "foil on ground": ("bed 2", "touch", "on ground"),
    "dead HX711": ("bed 3", "scale", "does not answer"),
    "broken bridge wire": ("bed 3", "scale", "broken wire: beyond its range"),
    "loose bridge wire": ("bed 3", "scale", "broken wire: one number without noise"),
    "reversed cell": ("bed 3", "scale", "reversed"),
    "noisy cell": ("bed 3", "scale", "too noisy"),
    "no row resistors": ("pad", "matrix", "rows float"),
    "dead matrix line": ("pad", "matrix", "open: rows 7"),
    "dead reader": ("pad", "reader", "does not answer"),
}
"""Defect -> station, part, and how the words for it begin or what they contain."""


class Rig:
    """A virtual board on the bench, on a clock of its own."""

    def __init__(self, defect: str = "", do: Callable[[Deed], None] | None = None) -> None:
        self.clock = ManualClock()
        self.board = VirtualBench(self.clock, defect=defect)
        self.told: list[str] = []
        self.bench = Bench(self.board, self.clock, self.told.append, do=do or self.board.do)
        self.bench.connect()

    def test(self, station: str, part: str) -> BenchResult:
        self.told.clear()
        return self.bench.test(station, part)

    def reading(self, station: str, part: str) -> Reading:
        self.bench.wait(2.5)
        return self.bench.values.reading(station, part, self.clock.now())

    def close(self) -> None:
        self.board.close()


@pytest.fixture
def sound() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.close()


def test_a_sound_rig_shows_every_sensor_and_no_fault(sound: Rig) -> None:
    sound.bench.wait(2.0)
    readings = sound.bench.values.readings(sound.clock.now())
    assert {one.part for one in readings} == {"scale", "touch", "matrix", "reader", "button"}
    assert len(readings) == 18
    assert [one.fault for one in readings if one.fault] == []
    assert all(one.value is not None and one.baseline is not None and one.rate_hz for one in readings)


def test_what_is_felt_grows_past_the_threshold(sound: Rig) -> None:
    assert abs(sound.reading("bed 1", "touch").felt) < 0.5
    sound.board.do(Deed("touch", "bed 1", on=True))
    sound.board.do(Deed("scale", "bed 1", on=True, grams=12.0))
    finger, load = sound.reading("bed 1", "touch"), sound.reading("bed 1", "scale")
    assert finger.felt > 1
    assert finger.value is not None
    assert finger.threshold is not None
    assert finger.value < finger.threshold
    assert load.measure == pytest.approx(12.0, abs=0.3)
    assert load.value is not None
    assert load.threshold is not None
    assert load.value > load.threshold


def test_a_part_that_stops_is_not_shown_with_an_old_value(sound: Rig) -> None:
    sound.reading("bed 1", "touch")
    sound.board.board.misbehave("touch", "bed 1", "dead", True)
    gone = sound.reading("bed 1", "touch")
    assert (gone.value, gone.fault) == (None, "does not answer")


def press_all(rig: Rig) -> None:
    rig.board.do(Deed("matrix", "pad", on=True))
    for station in ("bed 2", "bed 3"):
        rig.board.do(Deed("scale", station, on=True, grams=100))


@pytest.mark.parametrize("defect", DEFECT_AT)
def test_a_defect_is_named_where_it_is(defect: str) -> None:
    station, part, words = DEFECT_AT[defect]
    rig = Rig(defect)
    rig.bench.wait(2.0)
    press_all(rig)
    assert words in rig.reading(station, part).fault
    others = [one for one in rig.bench.values.readings(rig.clock.now()) if one.fault]
    assert [(one.station, one.part) for one in others] == [(station, part)]
    rig.close()


@pytest.mark.parametrize("part", ["scale", "touch", "button", "matrix", "reader"])
def test_a_sound_part_passes_on_the_bench(sound: Rig, part: str) -> None:
    result = sound.test("pad" if part in ("matrix", "reader") else "bed 1", part)
    assert result.passed, result
    assert "   3" in sound.told
    assert not any("Once more" in line for line in sound.told)


@pytest.mark.parametrize("defect", [*DEFECT_AT, "weak reader"])
def test_a_part_with_a_defect_does_not_pass(defect: str) -> None:
    station, part, words = DEFECT_AT.get(defect, ("pad", "reader", ""))
    rig = Rig(defect)
    result = rig.test(station, part)
    assert not result.passed
    outside = [one.said for one in result.numbers if not one.ok]
    assert words.split(":")[0].removeprefix("open") in result.fault or outside
    rig.close()


def test_every_defect_of_the_bench_is_tried_here() -> None:
    assert set(BENCH_DEFECTS) - set(DEFECT_AT) == {"weak reader", "clone MFRC522"}
    with pytest.raises(BadInputError, match="moths: no such defect"):
        VirtualBench(ManualClock(), defect="moths")


class Hasty:
    """Hands that lay the load while the scale is watched already, the first `times` times."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.rig: Rig

    def do(self, deed: Deed) -> None:
        board = self.rig.board
        if deed.on and self.left:
            self.left -= 1
            board.do(Deed(deed.part, deed.station, on=False))
            self._later(deed)
        else:
            board.do(deed)

    def _later(self, deed: Deed) -> None:
        due, poll = self.rig.clock.now() + 4.0, self.rig.board.poll

        def late() -> list[object]:
            if self.rig.clock.now() >= due:
                self.rig.board.poll = poll
                self.rig.board.do(deed)
            return list(poll())

        self.rig.board.poll = late


def hasty(times: int) -> Rig:
    hands = Hasty(times)
    hands.rig = Rig(do=hands.do)
    return hands.rig


def test_a_load_that_comes_while_it_is_weighed_is_asked_for_once_more() -> None:
    rig = hasty(1)
    result = rig.test("bed 1", "scale")
    assert result.passed, result
    assert sum("Too soon: it still moves. Once more." in line for line in rig.told) == 1
    rig.close()


def test_a_scale_that_never_rests_does_not_pass() -> None:
    rig = hasty(TRIES)
    result = rig.test("bed 1", "scale")
    assert not result.passed
    assert result.fault.startswith("Too soon")
    assert sum("lay 100 g" in line for line in rig.told) == TRIES
    rig.close()


def test_a_finger_that_never_comes_is_not_felt() -> None:
    rig = Rig(do=lambda _deed: None)
    for part in ("touch", "scale"):
        result = rig.test("bed 1", part)
        assert (result.passed, result.fault) == (False, "Nothing was felt.")
    rig.close()


def test_a_cell_of_another_size_is_told_for_the_rig_file(sound: Rig) -> None:
    sound.board.board.chips.cells["bed 1"].counts_per_gram = 420.0
    result = sound.test("bed 1", "scale")
    assert result.passed
    assert result.note == "write counts_per_gram 420 into the rig file; it says 2100"


@pytest.mark.parametrize(("number", "ok"), [(4.0, True), (45.0, True), (3.9, False), (45.1, False)])
def test_the_range_has_both_its_ends(number: float, ok: bool) -> None:
    measured = Measured("foil", number, 4.0, 45.0, " pF")
    assert measured.ok is ok
    assert ("OUTSIDE" in measured.said) is not ok


def test_without_a_number_nothing_has_passed() -> None:
    assert not BenchResult("bed 1", "scale").passed


def test_a_board_that_leaves_in_the_middle_ends_the_test(sound: Rig) -> None:
    sound.board.board.unplug()
    with pytest.raises(SourceError, match="plug it in again"):
        sound.test("bed 1", "scale")


class OldBoard:
    """A link to a board that knows no levels."""

    def levels(self, seconds: int) -> int:
        return 7


def test_a_board_of_an_older_program_is_named() -> None:
    values = LiveValues()
    values.take([Connected(1.0, "b", 1, "1", 0, "1.1", 0, (), True)])
    values.ask(OldBoard(), 1.0)
    values.take([CommandResult(1.1, 6, False, "no"), CommandResult(1.1, 7, True, "")])
    assert not values.too_old
    values.take([CommandResult(1.2, 7, False, "unknown command 6")])
    assert values.too_old


@pytest.mark.parametrize(
    ("felt", "drawn"),
    [
        (0.0, "····┃···"),
        (-3.0, "····┃···"),
        (0.5, "██··┃···"),
        (1.0, "████┃···"),
        (1.5, "██████··"),
        (9.0, "████████"),
    ],
)
def test_the_middle_of_a_bar_is_the_threshold(felt: float, drawn: str) -> None:
    assert bar(felt, 8) == drawn


def test_lines_and_bars_say_what_is_wrong() -> None:
    one = Reading("bed 2", "touch", 701, 700, 679, 0.3, 50.0, -0.05, 62.1, "pF", "foil too large")
    assert line(one) == (
        "bed 2, touch: value 701, rest 700, felt at 679, noise 0.3, 50 a second, 62.1 pF: foil too large"
    )
    none = Reading("bed 3", "scale", fault="does not answer")
    assert line(none).endswith("noise -, - a second: does not answer")
    for width in (60, 80, 120):
        drawn = bars([one, none], width).plain.split("\n")
        assert max(map(len, drawn)) <= width
        assert sum("└" in row for row in drawn) == 2


def test_a_counter_that_begins_again_is_no_negative_rate() -> None:
    values = LiveValues()
    for at, readings in ((1.0, 32760), (2.0, 32767), (3.0, 9)):
        values.take([LevelSample(at, "bed", "count", 5, 5, 9, 1.0, 420, readings)])
    assert values.reading("bed", "scale", 3.0).rate_hz == pytest.approx(8.5)


class Looked:
    """A camera that shows the same picture fifteen times a second."""

    def __init__(self, clock: ManualClock, gray: Gray | None) -> None:
        self.clock, self.gray, self.next = clock, gray, 0.0
        self.info = CameraInfo(640, 480, 1 / 15, "test")
        self.state = CameraStatus(gray is not None, "no picture came")
        self.finished = False

    def read(self) -> Frame | None:
        if self.gray is None or self.clock.now() < self.next:
            return None
        self.next = self.clock.now() + 1 / 15
        return Frame(self.clock.now(), self.gray)


def print_below(blur: float = 0.0, level: float = 1.0) -> Gray:
    """Printed squares on paper, 320 x 240."""
    gray = np.kron(np.indices((12, 16)).sum(0) % 2, np.ones((20, 20))) * 140 + 40
    soft = cv2.GaussianBlur(gray, (0, 0), blur or 0.6)
    return np.asarray(np.clip(soft * level, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("gray", "wrong"),
    [
        (print_below(), ""),
        (print_below(blur=4.0), "width of the sharpest edges"),
        (print_below(level=0.2), "mean light"),
        (print_below(level=5.0), "mean light"),
        (None, "no picture came"),
    ],
    ids=["good", "blurred", "dark", "too bright", "none"],
)
def test_a_camera_is_tested_by_what_it_shows(gray: Gray | None, wrong: str) -> None:
    clock = ManualClock()
    values = CameraValues(Looked(clock, gray), clock)
    result = values.test()
    assert result.passed is not bool(wrong), result
    assert wrong in (result.fault or "; ".join(one.what for one in result.numbers if not one.ok))
    assert wrong in values.line()


WORST = (-(2**31), -1, 0, 1, 2**31 - 1)


@pytest.mark.parametrize("part", ["count", "touch", "texture", "reader", "button"])
def test_a_board_that_tells_nonsense_is_shown_and_takes_no_room(part: str) -> None:
    values = LiveValues()
    values.take([Connected(1.0, "b", 1, "1", 0, "1.2", 0, (Station("bed", frozenset({part})),), True)])
    for number in range(2000):
        odd = [WORST[(number // 5**place) % 5] for place in range(4)]
        values.take([LevelSample(1.0, "bed", part, odd[0], None if odd[1] else 7, odd[1], odd[2], odd[3], 5)])
        (one,) = values.readings(1.0)
        assert line(one)
        assert bars([one], 80).plain
    assert json.dumps(one.plain(), allow_nan=False)
    assert max(map(len, values._samples.values())) <= MOST_KEPT
