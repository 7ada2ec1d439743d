"""Live values of a rig's sensors as the board sends them, and the faults they show."""

import statistics
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from companion.core.language import text
from companion.sensing.board_words import words_of
from firmware.host.link import Link
from firmware.host.messages import (
    CommandResult,
    Connected,
    Disconnected,
    LevelSample,
    Message,
    Part,
    PartState,
    Station,
    TextureFrame,
)

PARTS: Mapping[str, str] = {
    "scale": "count",
    "touch": "touch",
    "matrix": "texture",
    "reader": "reader",
    "button": "button",
}
"""Name of a sensor on the command line -> the board's name for it (capability)."""
CALLED = {capability: part for part, capability in PARTS.items()}
"""Capability of a station (the board's name for a sensor) -> name on the command line."""
UNITS = {"touch": "counts", "matrix": "of 255", "scale": "counts", "reader": "tags", "button": ""}
"""Sensor -> unit of its raw value."""
NO_LEVELS = text("the board's program has no live values yet")
LEASE_S, RENEW_S = 4, 2.0
"""LEASE_S: time (s) for which the board is asked to send live values. RENEW_S: time (s) until it is asked
again. Guesses."""
WINDOW_S = 2.0
"""Time (s) over which rates of readings and scans are measured. A guess."""
STALE_S = 2.0
"""Age (s) from which a value is no longer shown. A guess."""
HELD_S = 2.5
"""Time (s) for which a part still counts as silent after it answers again.

A broken wire gives single readings that look sound, and the board needs a second to find it broken again.
"""
LOOP = 32768
"""Value at which a counter of the board starts again from 0 (docs/protocol.md)."""
FOIL_PF = (4.0, 45.0)
"""Range of a good electrode's capacitance (pF).

Below it, the pin has no wire. Above it, a finger (1.8 pF) is not felt through 1.5 mm of plastic (data sheet).
"""
NOISE_G = 2.5
"""Noise (g, standard deviation) above which a scale hardly finds rest.

Four readings then differ by more than the board's band of 4.5 g. A good cell has 0.1, the virtual table's
noise profile `home` 1.2.
"""
NOISE_S, MOST_KEPT = 6.0, 200
"""NOISE_S: time (s) over which a scale's noise is measured, some thirty readings. MOST_KEPT: most levels that

are kept of one sensor.
"""
REVERSED_G = -10.0
"""Load (g) below which a load cell counts as wired in reverse: the board's own bound."""
SCALE_HZ = 8.0
"""Fewest readings per second of a sound scale. An HX711 makes 10 or 80 (data sheet)."""
LIT_SHARE = 25
"""Share (%) of the matrix's crossings that may read low although rows float. A guess.

Rows float without their resistors; nearly all crossings then read high.
"""
MATRIX_REST = 30
"""Highest level (0 to 255) of an unpressed pressure matrix. A guess.

In the model of the drawn circuit it is 2, without row resistors 42. Velostat below a cover rests higher.
"""
FLOATING_AT = 60
"""Number of crossings at full reading from which row resistors are missing.

The bound of the board's program.
"""
REACHED, LINES_SEEN = 12, 12
"""REACHED: rise (of 255) from which a press has reached a line of the matrix. LINES_SEEN: number of rows, or

of columns, that presses must reach before the other ones are reported as open.
"""
SIDE = 16


@dataclass(frozen=True, slots=True)
class Reading:
    """Reading of one sensor at one moment; a number is None while unknown.

    `noise`: standard deviation, in `unit`. `rate_hz`: readings per second.
    """

    station: str
    part: str
    """Sensor, as on the command line: a key of PARTS."""
    value: int | None = None
    baseline: int | None = None
    """Value at rest."""
    threshold: int | None = None
    """Value from which the sensor feels something."""
    noise: float | None = None
    rate_hz: float | None = None
    felt: float = 0.0
    """Distance of the value from rest: 0.0 at rest, 1.0 at the threshold; may be below 0 or above 1."""
    measure: float | None = None
    """Measured quantity in `measured_in`: g, pF, or % of scans that heard a tag.

    None where the sensor has none.
    """
    measured_in: str = ""
    fault: str = ""
    """Sentence on what is wrong; "" for a sound sensor."""
    per_gram: float = 1.0
    """Counts per gram of a scale, by the rig file; 1.0 for other sensors."""
    dead: bool = False
    """True if the sensor does not answer, or its wire is broken."""

    @property
    def unit(self) -> str:
        """Unit of value, baseline, threshold and noise."""
        return UNITS[self.part]

    def plain(self) -> dict[str, Any]:
        """Reading as values for JSON."""
        return {
            "station": self.station,
            "part": self.part,
            "value": self.value,
            "unit": self.unit,
            "baseline": self.baseline,
            "threshold": self.threshold,
            "noise": None if self.noise is None else round(self.noise, 2),
            "rate_hz": None if self.rate_hz is None else round(self.rate_hz, 1),
            "felt": round(self.felt, 2),
            "measure": None if self.measure is None else round(self.measure, 2),
            "measured_in": self.measured_in,
            "ok": not self.fault,
            "fault": self.fault,
        }


Settings = Callable[[Connected], Iterable[tuple[int, str, int]]]


class LiveValues:
    """Latest values of every sensor of one board.

    Call `ask` and `take` often. `met`: the board's greeting, None before. `down`: why the link is down, "" if
    it is up. `too_old`: the board's program cannot send live values.
    """

    def __init__(self, settings: Settings = lambda _met: ()) -> None:
        """Begin without any values.

        `settings(greeting)` returns what to set at a board that greets: (setting, station, value).
        """
        self._settings = settings
        self._told: Connected | None = None
        self.stations: tuple[Station, ...] = ()
        self.met: Connected | None = None
        self.down = ""
        self.too_old = False
        self.pressed: dict[str, bytes] = {}
        """Station -> last picture of its matrix, 16 rows of 16."""
        self._samples: dict[tuple[str, str], deque[LevelSample]] = {}
        self._silent: dict[Part, tuple[str, float]] = {}
        """Part that does not answer -> its name, and until when it counts as silent (s)."""
        self._peaks: dict[str, Any] = {}
        self._asked = -1
        self._asked_at = float("-inf")

    def ask(self, link: Link, now: float) -> None:
        """Ask the board to send live values; call it often.

        The request is repeated after 2 s, because the board stops by itself after 4 s. `now`: time (s).
        """
        if self.met is not self._told and self.met is not None:
            self._told = self.met
            for setting in self._settings(self.met):
                link.configure(*setting)
        if self.met is not None and not self.too_old and now - self._asked_at >= RENEW_S:
            self._asked, self._asked_at = link.levels(LEASE_S), now

    def end(self, link: Link) -> None:
        """Tell the board to stop sending live values."""
        link.levels(0)
        self._asked_at = float("-inf")

    def take(self, messages: Iterable[Message]) -> None:
        """Take values, greeting and faults from messages of the board."""
        for message in messages:
            match message:
                case Connected():
                    self.met, self.stations, self.down = message, message.stations, ""
                    self._asked_at, self.too_old = float("-inf"), False
                    self._samples.clear()
                case Disconnected(_, reason):
                    self.down = words_of(reason)
                    self._samples.clear()
                case LevelSample(t, station, capability):
                    kept = self._samples.setdefault((station, capability), deque(maxlen=MOST_KEPT))
                    kept.append(message)
                    while kept[0].t < t - NOISE_S:
                        kept.popleft()
                case TextureFrame(_, station, pixels):
                    self.pressed[station] = pixels
                    peaks = self._peaks.get(station, np.zeros(SIDE * SIDE, np.uint8))
                    self._peaks[station] = np.maximum(peaks, np.frombuffer(pixels, np.uint8))
                case PartState(_, part, False, name):
                    self._silent[part] = name, float("inf")
                case PartState(t, part, True) if part in self._silent:
                    self._silent[part] = self._silent[part][0], t + HELD_S
                case CommandResult(_, number, False) if number == self._asked:
                    self.too_old = True

    def forget(self) -> None:
        """Discard all levels and matrix presses received so far."""
        self._samples.clear()
        self._peaks.clear()

    def sensors(self, part: str = "", station: str = "") -> list[tuple[str, str]]:
        """List the sensors of the rig: (station, sensor).

        `part` and `station` restrict them to one sensor or one station; "" means all.
        """
        return [
            (one.name, name)
            for one in self.stations
            for name, capability in PARTS.items()
            if capability in one.capabilities and part in ("", name) and station in ("", one.name)
        ]

    def readings(self, now: float, part: str = "", station: str = "") -> list[Reading]:
        """Readings of all sensors at `now` (s), station by station.

        `part` and `station` restrict them to one sensor or one station; "" means all.
        """
        return [self.reading(name, called, now) for name, called in self.sensors(part, station)]

    def reading(self, station: str, part: str, now: float) -> Reading:
        """Reading of one sensor (`part` of a station) at the time `now` (s)."""
        kept = self._samples.get((station, PARTS[part]))
        silent = self._silence(station, PARTS[part], now)
        if not kept or now - kept[-1].t > STALE_S:
            why = silent or ("" if kept is None else text("no value comes"))
            return Reading(station, part, fault=why, dead=bool(why))
        last, recent = kept[-1], _recent(kept)
        base = last.baseline
        rise = 0 if base is None else last.value - base
        felt, measure, unit = _felt(part, last, rise)
        if part == "reader":
            measure = _heard_share(recent)
        return Reading(
            station,
            part,
            last.value,
            base,
            _felt_at(part, last),
            noise_of([one.value for one in kept]) if part == "scale" else last.noise,
            _rate(recent),
            felt,
            measure,
            unit,
            silent or self._fault(station, part, kept, rise) or _too_slow(part, _rate(recent)),
            float(last.detail or 1) if part == "scale" else 1.0,
            bool(silent),
        )

    def lines(self, station: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Pressure matrix lines that no press has reached yet.

        (rows, columns), as numbers from 0.
        """
        peaks = self._peaks.get(station)
        last = self._samples.get((station, "texture"))
        if peaks is None or not last:
            every = tuple(range(SIDE))
            return every, every
        least = (last[-1].baseline or 0) + REACHED
        pressed = peaks.reshape(SIDE, SIDE) >= least
        rows = tuple(int(n) for n in np.flatnonzero(~pressed.any(axis=1)))
        columns = tuple(int(n) for n in np.flatnonzero(~pressed.any(axis=0)))
        return rows, columns

    def _silence(self, station: str, capability: str, now: float) -> str:
        silent = ((part, name) for part, (name, until) in self._silent.items() if now < until)
        name = next((name for part, name in silent if part.serves(station, capability)), None)
        if name is None:
            return ""
        _, broken, why = name.partition("broken wire")
        return text("broken wire{why}", why=why) if broken else text("does not answer")

    def _fault(self, station: str, part: str, kept: deque[LevelSample], rise: int) -> str:
        """Sentence on what is wrong with a sensor that answers.

        "" if its values look sound. `part`: kind of sensor. `kept`: its newest samples. `rise`: value above
        rest.
        """
        last = kept[-1]
        if part == "touch":
            return _foil_fault(last.detail)
        if part == "scale":
            grams = rise / (last.detail or 1)
            if grams < REVERSED_G:
                return text("below zero: reversed (swap A+ and A-), or unloaded since the board started")
            if noise_of([one.value for one in kept]) / (last.detail or 1) > NOISE_G:
                return text("too noisy to find rest: check its 3.3 V and its wires")
        if part == "matrix":
            if last.detail >= FLOATING_AT or self._all_lit(station):
                return text("rows float (470 ohm at each row are missing), or all of it is pressed")
            return self._open_lines(station)
        return ""

    def _all_lit(self, station: str) -> bool:
        """True if nearly all crossings of a pressure matrix read more than at rest."""
        picture = np.frombuffer(self.pressed.get(station, b"\0"), np.uint8)
        return bool(np.percentile(picture, LIT_SHARE) > MATRIX_REST)

    def _open_lines(self, station: str) -> str:
        """Sentence that names the matrix lines no press reaches.

        "" if there are none, and until presses have reached LINES_SEEN (12) rows and as many columns.
        """
        rows, columns = self.lines(station)
        if max(len(rows), len(columns)) > SIDE - LINES_SEEN:
            return ""
        if rows and columns:
            return text("open: rows {rows}, columns {columns}", rows=_numbers(rows), columns=_numbers(columns))
        if rows:
            return text("open: rows {rows}", rows=_numbers(rows))
        return text("open: columns {columns}", columns=_numbers(columns)) if columns else ""


def noise_of(counts: Sequence[int]) -> float:
    """Noise (standard deviation, counts) of a scale's readings.

    Differences of neighbours are used, which hardly change when a hand rests on the scale, or the cell drifts.
    0.0 for fewer than two.
    """
    steps = [abs(b - a) for a, b in pairwise(counts)]
    return statistics.median(steps) / 0.954 if steps else 0.0


def _felt_at(part: str, last: LevelSample) -> int | None:
    """Value from which a sensor feels something.

    None while its value at rest is unknown. `last`: its newest sample.
    """
    if part not in ("scale", "touch"):
        return last.threshold
    if last.baseline is None:
        return None
    return last.baseline + (last.threshold if part == "scale" else -last.threshold)


def _felt(part: str, last: LevelSample, rise: int) -> tuple[float, float | None, str]:
    """Distance of a sensor's value from rest (1.0 at the threshold), measured quantity, and its unit.

    The quantity is None where the sensor has none, or it is unknown. `rise`: value above rest.
    """
    least = last.threshold or 1
    if part == "touch":
        return -rise / least, None if last.detail < 0 else last.detail / 10, "pF"
    if part == "scale":
        return rise / least, rise / (last.detail or 1), "g"
    if part == "matrix":
        return rise / max(1, last.threshold - (last.baseline or 0)), None, ""
    return float(last.value), None, "%" if part == "reader" else ""


def _foil_fault(tenths: int) -> str:
    """Sentence on the fault of an electrode, by its capacitance; "" for none.

    `tenths`: of a pF; below 0 for a wire on ground.
    """
    low, high = FOIL_PF
    size = tenths / 10
    if tenths < 0:
        return text("on ground: its wire touches 0 V")
    if size < low:
        return text("open: no foil at this wire")
    if size > high:
        return text(
            "foil too large to feel a finger: {size} pF, at most {most}", size=f"{size:.0f}", most=f"{high:.0f}"
        )
    return ""


def _too_slow(part: str, rate: float | None) -> str:
    if part != "scale" or rate is None or rate >= SCALE_HZ:
        return ""
    return text("only {rate} readings a second", rate=f"{rate:.1f}")


def _recent(kept: deque[LevelSample]) -> list[LevelSample]:
    """Samples of a sensor in the last 2 s; at least the newest one."""
    return [one for one in kept if one.t >= kept[-1].t - WINDOW_S]


def _rate(kept: Sequence[LevelSample]) -> float | None:
    """Readings of a sensor per second; None if `kept` covers too short a time."""
    passed = kept[-1].t - kept[0].t
    return None if passed < WINDOW_S / 4 else (kept[-1].readings - kept[0].readings) % LOOP / passed


def _heard_share(kept: Sequence[LevelSample]) -> float | None:
    """Share (%) of reader scans that heard a tag.

    None if no scan was made meanwhile.
    """
    scans = (kept[-1].readings - kept[0].readings) % LOOP
    heard = (kept[-1].detail - kept[0].detail) % LOOP
    return 100 * heard / scans if scans else None


def _numbers(lines: tuple[int, ...]) -> str:
    return " ".join(str(line + 1) for line in lines)
