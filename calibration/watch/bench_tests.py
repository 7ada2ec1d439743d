"""Bench tests: each part is tested alone before gluing.

A test is a list of acts. A person is told what to do, a count-down runs, then the sensor is watched. An act
that comes too soon or too late is asked for again. Each measured number must lie in its range.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from calibration.watch.live_values import (
    FOIL_PF,
    MATRIX_REST,
    NO_LEVELS,
    NOISE_G,
    SCALE_HZ,
    LiveValues,
    Reading,
)
from calibration.watch.virtual_bench import Deed
from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import Text, text
from companion.core.sensor_terms import place_name
from firmware.host.link import Link
from firmware.host.messages import Message

TICK_S = 0.02
COUNT_DOWN = 3
"""Seconds counted down before a sensor is watched, in which the hand is taken away."""
WATCH_S = 3.0
"""Time (s) for which a sensor is watched: some fifteen of its levels."""
STROKE_S = 20.0
"""Longest time (s) in which a finger strokes over all lines of the pressure matrix. A guess."""
LOOK_S = 0.2
"""LOOK_S: time (s) between two readings of a sensor in a bench test, in which the board sends it once."""
TRIES = 3
"""TRIES: number of times that a person is asked for the same act before a bench test fails. A guess."""
CONNECT_S = 8.0
"""Longest wait (s) for the first greeting of a board that may just be plugged in. A guess."""
COUNTS_PER_GRAM = (200.0, 3500.0)
"""Range of a load cell's counts per gram (1 mV/V, gain 128).

By data sheets a cell of 10 kg has 210, a cell of 750 g 2800. The range is wider than that.
"""
CALM_G = 4.0
"""CALM_G: largest spread (g) of readings of a scale at rest; NOISY times the noise if that is more. A guess:
no card is lighter."""
NOISY = 8.0
BACK_SHARE = 3.0
"""Largest reading of an unloaded cell, in % of the load that lay on it.

Creep is 0.05 to 0.5 % in data sheets.
"""
TOUCH_TIMES = (1.3, 40.0)
"""Range of a finger's effect on an electrode, as a multiple of the threshold. A guess."""
HEARD_SHARE = (95.0, 100.0)
"""Range of the share (%) of scans in which the reader hears a well-laid tag.

Measured on virtual readers: 99.5 %.
"""
NEAR_UNIT = 0.2
"""Largest difference (as a share) from the rig file's counts per gram that needs no note.

A guess.
"""


class Board(Protocol):
    """Board on the bench, real or virtual."""

    @property
    def link(self) -> Link:
        """Link of the board: its connection and commands."""
        ...

    def poll(self) -> list[Message]:
        """Messages of the board since the last call."""
        ...


@dataclass(frozen=True, slots=True)
class Measured:
    """Number that a bench test measured, with the range in which it passes.

    `what`: its name. `low`, `high`: ends of the range, in `unit`.
    """

    what: str
    number: float
    low: float
    high: float
    unit: str = ""

    @property
    def ok(self) -> bool:
        """Whether the number lies in its range, ends included."""
        return self.low <= self.number <= self.high

    @property
    def said(self) -> Text:
        """Sentence that names the number and its range."""
        low, high = f"{self.low:g}", f"{self.high:g}"
        number = f"{self.number:.4g}{self.unit}"
        if self.ok:
            return text(
                "{what} {number} (range {low} to {high})", what=self.what, number=number, low=low, high=high
            )
        return text(
            "{what} {number}, OUTSIDE the range {low} to {high}",
            what=self.what,
            number=number,
            low=low,
            high=high,
        )


@dataclass(slots=True)
class BenchResult:
    """Result of one part's bench test at a station.

    `fault`: what is wrong, "" if the test passed. `note`: a sentence for the person, "" for none.
    """

    station: str
    part: str
    numbers: list[Measured] = field(default_factory=list)
    fault: str = ""
    note: str = ""

    @property
    def passed(self) -> bool:
        """True if the part has no fault, and all its numbers lie in their ranges.

        False without any number.
        """
        return not self.fault and bool(self.numbers) and all(one.ok for one in self.numbers)

    def plain(self) -> dict[str, Any]:
        """Result as values for JSON."""
        numbers = [
            {"what": str(one.what), "number": round(one.number, 3), "low": one.low, "high": one.high,
             "unit": one.unit.strip(), "ok": one.ok}
            for one in self.numbers
        ]  # fmt: skip
        return {
            "station": self.station,
            "part": self.part,
            "passed": self.passed,
            "numbers": numbers,
            "fault": str(self.fault),
            "note": str(self.note),
        }


class _FailedError(Exception):
    """Signal that ends a bench test as failed; its argument is the fault, in words."""


class Bench:
    """Bench tests of one board's parts: a person acts, and the sensor is watched.

    `tell` receives each line for the person. `do` does at a virtual board what the person is asked for.
    `grams`: weight (g) that is laid on a scale.
    """

    def __init__(
        self,
        board: Board,
        clock: Clock,
        tell: Callable[[str], None],
        *,
        do: Callable[[Deed], None] = lambda _deed: None,
        grams: float = 100.0,
    ) -> None:
        self.values = LiveValues()
        self._board, self._clock, self._tell, self._do, self._grams = board, clock, tell, do, grams

    def connect(self) -> None:
        """Wait until the board greets.

        SourceError if no board greets within 8 s, or its program cannot send live values.
        """
        until = self._clock.now() + CONNECT_S
        while self.values.met is None and self._clock.now() < until:
            self._tick()
        if self.values.met is None:
            raise SourceError(
                self.values.down or text("no board answers"),
                where="watch",
                next_step=text("companion doctor says why"),
            )
        self.wait(1.0)
        if self.values.too_old:
            raise SourceError(NO_LEVELS, where="watch", next_step="companion flash")

    def wait(self, seconds: float) -> None:
        """Receive the board's messages for some seconds."""
        until = self._clock.now() + seconds
        while self._clock.now() < until:
            self._tick()

    def test(self, station: str, part: str) -> BenchResult:
        """Make the bench test of one part of a station; return its result.

        `part`: "scale", "touch", "matrix", "reader" or "button". A failed test is a result, not an error.
        """
        result = BenchResult(station, part)
        tests: dict[str, Callable[[BenchResult], None]] = {
            "scale": self._scale,
            "touch": self._touch,
            "matrix": self._matrix,
            "reader": self._reader,
            "button": self._button,
        }
        try:
            tests[part](result)
        except _FailedError as failed:
            result.fault = failed.args[0]
        finally:
            self._do(Deed(part, station, on=False))
        return result

    def _tick(self) -> None:
        self._clock.sleep(TICK_S)
        self.values.ask(self._board.link, self._clock.now())
        self.values.take(self._board.poll())
        if self.values.met is not None and self.values.down:
            raise SourceError(self.values.down, where="watch", next_step=text("plug it in again"))

    def _ask(self, words: Text, deed: Deed) -> None:
        """Tell the person what to do at a station, then count down.

        `words`: the request. `deed`: the act, for virtual hands.
        """
        self._tell(text("{place}: {request}", place=place_name(deed.station), request=words))
        self._do(deed)
        for left in range(COUNT_DOWN, 0, -1):
            self._tell(f"   {left}")
            self.wait(1.0)

    def _watched(self, station: str, part: str) -> list[Reading]:
        self.values.forget()
        return [*self._readings(station, part, WATCH_S)]

    def _readings(self, station: str, part: str, seconds: float) -> Iterator[Reading]:
        """Readings of a sensor for `seconds`, one every 0.2 s.

        _FailedError if the sensor does not answer.
        """
        until, found = self._clock.now() + seconds, False
        while self._clock.now() < until:
            self.wait(LOOK_S)
            one = self.values.reading(station, part, self._clock.now())
            if one.dead:
                raise _FailedError(one.fault)
            if one.value is not None:
                found = True
                yield one
        if not found:
            raise _FailedError(text("no value comes"))

    def _done(self, words: Text, deed: Deed, good: Callable[[Sequence[Reading]], str]) -> list[Reading]:
        """Ask for an act; return the sensor's readings afterwards.

        `good` returns "" if the readings fit, else a sentence on what is wrong. The act is then asked for
        again, three times in all; after that _FailedError.
        """
        why = ""
        for _ in range(TRIES):
            if why:
                self._tell(text("{why} Once more.", why=why))
            self._ask(words, deed)
            found = self._watched(deed.station, deed.part)
            why = good(found)
            if not why:
                return found
        raise _FailedError(why)

    def _add(self, result: BenchResult, number: Measured, fault: str) -> None:
        """Add a number to the result of a bench test.

        _FailedError with `fault` if it lies outside its range.
        """
        result.numbers.append(number)
        if not number.ok:
            raise _FailedError(fault)

    # One method for each part

    def _scale(self, result: BenchResult) -> None:
        at = result.station
        empty = self._done(text("take everything off the scale."), Deed("scale", at, on=False), _calm)
        noise = statistics.median(one.noise or 0.0 for one in empty)
        unit = empty[-1].per_gram
        self._board.link.zero(at)
        zero = _middle(empty)
        result.numbers.append(_number(text("noise"), noise / unit, (0, NOISE_G), " g"))
        result.numbers.append(_number(text("readings a second"), empty[-1].rate_hz or 0.0, (SCALE_HZ, 100)))
        laid = Deed("scale", at, on=True, grams=self._grams)
        words = text("lay {grams} g on it, and let go.", grams=f"{self._grams:g}")

        def loaded(found: Sequence[Reading]) -> str:
            moved = abs(_middle(found) - zero) > max(CALM_G * unit, NOISY * noise)
            return _calm(found) if moved else text("Nothing was felt.")

        counts = _middle(self._done(words, laid, loaded)) - zero
        result.numbers.append(_number(text("counts a gram"), counts / self._grams, COUNTS_PER_GRAM))
        if counts < 0:
            raise _FailedError(
                text("reversed: it says less under a load; turn the cell over, or swap A+ and A-")
            )
        back = _middle(self._done(text("take it off again."), Deed("scale", at, on=False), _calm)) - zero
        result.numbers.append(
            _number(text("left after unloading"), 100 * back / counts, (-BACK_SHARE, BACK_SHARE), " %")
        )
        if abs(counts / self._grams / unit - 1) > NEAR_UNIT:
            result.note = text(
                "write counts_per_gram {found} into the rig file; it says {now}",
                found=round(counts / self._grams),
                now=round(unit),
            )

    def _touch(self, result: BenchResult) -> None:
        at = result.station
        rest = self._done(text("take your hands away."), Deed("touch", at, on=False), _let_go)
        if rest[-1].measure is None:
            raise _FailedError(rest[-1].fault)
        self._add(result, _number(text("foil"), rest[-1].measure, FOIL_PF, " pF"), rest[-1].fault)
        finger = self._done(
            text("lay a finger flat on it, and keep it there."), Deed("touch", at, on=True), _held
        )
        depth = statistics.median(one.felt for one in finger)
        result.numbers.append(_number(text("depth of a finger, in thresholds"), depth, TOUCH_TIMES))
        self._done(text("let go."), Deed("touch", at, on=False), _let_go)

    def _button(self, result: BenchResult) -> None:
        at = result.station
        self._done(text("do not push the button."), Deed("button", at, on=False), _let_go)
        held = self._done(text("push the button, and hold it."), Deed("button", at, on=True), _held)
        share = 100 * statistics.fmean(one.felt >= 1 for one in held)
        result.numbers.append(_number(text("closed while held"), share, (95, 100), " %"))
        self._done(text("let go."), Deed("button", at, on=False), _let_go)

    def _reader(self, result: BenchResult) -> None:
        at = result.station
        self._done(text("take all tags away."), Deed("reader", at, on=False), _let_go)
        lying = self._done(text("lay one tagged card on it, and let go."), Deed("reader", at, on=True), _some)
        heard = next((one.measure for one in reversed(lying) if one.measure is not None), 0.0)
        result.numbers.append(_number(text("scans that hear the tag"), heard, HEARD_SHARE, " %"))
        self._done(text("take it away."), Deed("reader", at, on=False), _let_go)

    def _matrix(self, result: BenchResult) -> None:
        at = result.station
        rest = self._done(text("nothing may press on it."), Deed("matrix", at, on=False), _unpressed)
        result.numbers.append(_number(text("level at rest"), _middle(rest), (0, MATRIX_REST)))
        self._ask(text("stroke over all of it with a finger, firmly."), Deed("matrix", at, on=True))
        self.values.forget()
        rows, columns = self.values.lines(at)
        for one in self._readings(at, "matrix", STROKE_S):
            rows, columns = self.values.lines(at)
            if one.fault.startswith("rows float"):
                raise _FailedError(one.fault)
            if not rows and not columns:
                break
        result.numbers.append(_number(text("rows reached"), 16 - len(rows), (16, 16)))
        result.numbers.append(_number(text("columns reached"), 16 - len(columns), (16, 16)))
        if rows or columns:
            raise _FailedError(_not_reached(rows, columns))
        self._done(text("let go."), Deed("matrix", at, on=False), _let_go)


def _not_reached(rows: Sequence[int], columns: Sequence[int]) -> Text:
    def numbers(lines: Sequence[int]) -> str:
        return " ".join(str(line + 1) for line in lines) or "-"

    return text("not reached: rows {rows}, columns {columns}", rows=numbers(rows), columns=numbers(columns))


def _number(what: str, number: float, bounds: tuple[float, float], unit: str = "") -> Measured:
    return Measured(what, number, *bounds, unit)


def _middle(found: Sequence[Reading]) -> float:
    return statistics.median(one.value or 0 for one in found)


def _calm(found: Sequence[Reading]) -> str:
    """Judge a scale's readings: a sentence if it still moves, "" if it rests."""
    values = sorted(one.value or 0 for one in found)
    noise = statistics.median(one.noise or 0.0 for one in found)
    # The lowest and the highest reading may be strays.
    inner = values[1:-1] if len(values) > 4 else values
    spread = inner[-1] - inner[0]
    return text("Too soon: it still moves.") if spread > max(CALM_G * found[-1].per_gram, NOISY * noise) else ""


def _let_go(found: Sequence[Reading]) -> str:
    """Judge a sensor's readings: a sentence if something is still felt, else ""."""
    felt = any(one.felt >= 1 for one in found)
    return text("Too soon: something is still felt.") if felt else ""


def _unpressed(found: Sequence[Reading]) -> str:
    """Judge a matrix's readings: a sentence if something presses or is faulty, else ""."""
    if _middle(found) <= MATRIX_REST:
        return ""
    return found[-1].fault or text("Too soon: something presses.")


def _held(found: Sequence[Reading]) -> str:
    """Judge a sensor's readings: "" if it felt something in nearly all.

    Else a sentence on what is wrong.
    """
    share = statistics.fmean(one.felt >= 1 for one in found)
    if not share:
        return text("Nothing was felt.")
    return "" if share >= HEARD_SHARE[0] / 100 else text("Too soon: it was not felt all the time.")


def _some(found: Sequence[Reading]) -> str:
    """Judge a sensor's readings: "" if it felt something in at least one.

    Else a sentence on what is wrong.
    """
    return "" if any(one.felt >= 1 for one in found) else text("Nothing was felt.")
