"""Measures touch electrodes: resting level, level under a finger, threshold."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from calibration.wizard.step_result import Check, Verdict, rate
from companion.core.config import ElectrodeConfig
from companion.core.language import text
from companion.core.sensor_terms import place_name
from firmware.host.messages import LevelSample, Message

LEAST_FALL = 8.0
"""Least fall (counts) of an electrode's reading that is taken for a finger.

The board takes no smaller threshold.
"""
THRESHOLD_SHARE = 1 / 3
"""Threshold that is set, as a share of the fall under a finger. A guess.

People touch more lightly in a game than at setup, and a passing hand changes the reading still less.
"""
FALL_GOOD, FALL_USABLE = 24.0, 16.0
"""Least falls (counts) of an electrode's reading under a finger at which it is good (FALL_GOOD), or usable
(FALL_USABLE). Three and two times LEAST_FALL."""
NOISES = 8.0
"""Least fall of an electrode's reading under a finger, as a multiple of the mean deviation at rest. A
guess."""
OPEN_PF, LARGE_PF = 4.0, 45.0
"""OPEN_PF: capacitance (pF) below which a pin has no wire. LARGE_PF: above it a foil is too large.

Bounds of the board's self-test.
"""
SHARE_MOST = 100
"""Largest threshold of an electrode, in thousandths of its reading at rest: three times the board's
default."""
STEADY = 3
"""Number of readings in a row over which a fall must last, as one may be noise. A guess.

They take half a second.
"""
_FEELS = text("{place}: at rest {rest}, touched {touched}; a finger from {threshold} counts on ({pf} pF)")
_HARDLY_FEELS = text("{place}: the electrode is too large ({pf} pF): a finger only changes {rest} to {touched}")
_SMALLER = text("a smaller foil or a shorter wire, away from ground: 45 pF at most")
_WHY = {
    "shorted electrode": text("{place}: the electrode's wire lies on ground"),
    "open electrode": text("{place}: nothing hangs on the electrode's pin ({pf} pF)"),
    "large electrode": text("{place}: the electrode is too large to feel a finger ({pf} pF)"),
    "stuck electrode": text("{place}: the electrode feels a finger all the time"),
    "dead electrode": text("{place}: the electrode feels nothing"),
}
_FIX = {
    "large electrode": _SMALLER,
    "stuck electrode": text("take away what lies there, then reset the board"),
}


@dataclass(slots=True)
class ElectrodeMeter:
    """Meter of a board's touch electrodes: collects readings, chooses thresholds."""

    _heard: dict[str, list[LevelSample]] = field(default_factory=dict)

    def hear(self, messages: Sequence[Message]) -> None:
        """Keep the electrodes' samples among a board's messages."""
        for one in messages:
            if isinstance(one, LevelSample) and one.part == "touch":
                self._heard.setdefault(one.station, []).append(one)

    def forget(self) -> None:
        """Discard all samples."""
        self._heard.clear()

    def last(self, station: str) -> LevelSample | None:
        """Newest sample of the electrode at a station.

        None without any.
        """
        return self._heard.get(station, [None])[-1]

    def finger(self, station: str) -> ElectrodeConfig | None:
        """Readings of a station's electrode at rest and under a finger, with the threshold to set.

        None as long as no finger was felt.
        """
        heard = self._heard.get(station, [])
        falls = [_fall(one) for one in heard]
        steady = [min(falls[at : at + STEADY]) for at in range(len(falls) - STEADY + 1)]
        if not steady:
            return None
        least = max(LEAST_FALL, NOISES * statistics.median(one.noise for one in heard))
        if max(steady) <= least:
            return None
        # A finger comes and goes, so its readings are those near the deepest fall.
        under = [one for one, fall in zip(heard, falls, strict=True) if fall > max(steady) / 2]
        rest = statistics.median(one.baseline or 0 for one in under)
        touched = statistics.median(one.value for one in under)
        share = round(1000 * (rest - touched) * THRESHOLD_SHARE / rest)
        share = min(SHARE_MOST, max(math.ceil(1000 * LEAST_FALL / rest), share))
        return ElectrodeConfig(round(rest, 1), round(touched, 1), share)

    def touched(self) -> str:
        """Station whose electrode fell most under a finger.

        The fall counts as a share of the reading at rest. "" if no finger was felt.
        """
        found = {one: at for one in self._heard if (at := self.finger(one)) is not None}
        return max(found, key=lambda one: 1 - found[one].touched / found[one].rest) if found else ""


def _fall(sample: LevelSample) -> int:
    """Fall of a reading below the reading at rest (counts); 0 while the latter is unknown."""
    return 0 if sample.baseline is None else sample.baseline - sample.value


def _picofarads(sample: LevelSample | None) -> float:
    """Capacitance (pF) of an electrode; 0 for a wire on ground, or without a sample."""
    return 0.0 if sample is None else max(0, sample.detail) / 10


def electrode_check(name: str, measured: ElectrodeConfig, last: LevelSample | None) -> Check:
    """Check that a finger lowers an electrode's reading far enough.

    `name`: of the station. `measured`: readings at rest and under a finger. `last`: the electrode's newest
    sample, which holds its capacitance; None if unknown.
    """
    fall = measured.rest - measured.touched
    level = rate(-fall, -FALL_GOOD, -FALL_USABLE)
    good = level is Verdict.GOOD
    said = (_FEELS if good else _HARDLY_FEELS).of(
        place=place_name(name),
        rest=round(measured.rest),
        touched=round(measured.touched),
        threshold=round(measured.rest * measured.share / 1000),
        pf=round(_picofarads(last)),
    )
    fix, fault = ("", "") if good else (_SMALLER, "large electrode")
    return Check(f"{name} electrode", level, round(fall, 1), "counts", said, fix, fault)


def dead_electrode(name: str, last: LevelSample | None) -> Check:
    """Report an electrode that felt no finger (NOT_GOOD), with the likely cause.

    `name`: of the station. The cause comes from the capacitance in `last`, the newest sample; None leaves the
    cause open.
    """
    fault, pf = "dead electrode", 0.0
    if last is not None:
        pf = _picofarads(last)
        if not pf:
            fault = "shorted electrode"
        elif pf < OPEN_PF:
            fault = "open electrode"
        elif pf > LARGE_PF:
            fault = "large electrode"
        elif _fall(last) > last.threshold:
            fault = "stuck electrode"
    said = _WHY[fault].of(place=place_name(name), pf=round(pf))
    fix = _FIX.get(fault, text("check its wire against the drawing"))
    return Check(f"{name} electrode", Verdict.NOT_GOOD, None, "", said, fix, fault)
