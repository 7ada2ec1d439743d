"""Setup step: scales, electrodes and buttons: which wire is whose, what a card weighs, noise and drift."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from calibration.setup_bench import SetupBench
from calibration.setup_requests import ClearTable, LoadScale, PushButton, TouchElectrode
from calibration.step_result import Check, StepResult, Verdict, rate, result_of, skipped
from companion.core.config import StationConfig
from firmware.host.messages import ButtonEvent, Message, TouchEvent, WeightEvent
from firmware.wire.codec import CONF_WEIGHT_SAMPLES

NAME = "stations"
LOAD = 10
"""LOAD: cards by which a scale is calibrated: the error of a card's weight is a tenth of the reading's."""
WEIGH_S = 6.0
"""WEIGH_S: time (s) of a reading: sixty samples. Those under a hand are left out."""
DRIFT_S = 30.0
"""DRIFT_S: time (s) over which the drift of empty scales is measured."""
RESTING = 8.0
"""RESTING: range of readings at rest, in standard deviations: noise and drift. A hand weighs
more."""
HAND_S = 1.2
"""HAND_S: time (s) that a hand takes to lay cards and leave."""
NOISE_GOOD, NOISE_USABLE = 0.45, 0.8
"""Noise of a sample (standard deviation, in cards). A good cell has 0.3; from 0.9 on the board
finds no rest."""
DRIFT_GOOD, DRIFT_USABLE = 0.3, 0.7
"""Drift (cards in DRIFT_S). From 0.7 on a card is gained or lost within a minute."""
FEWEST_G, MOST_G = 0.5, 20.0
"""Range of a card's weight (g), sleeve included."""
STEP_CARDS = 4.0
"""STEP_CARDS: change (in noise of a median) by which the scale that carries the load is recognised."""
TRIES = 3
"""TRIES: attempts with an electrode or button: one touch in a hundred is missed."""
FEEL_S = 2.0
"""FEEL_S: time (s) in which a touch or a push must be felt."""
WHAT = {"count": "scale", "touch": "electrode", "button": "button"}
PLURAL = {"count": "scales", "touch": "electrodes", "button": "buttons"}


@dataclass(slots=True)
class _Found:
    """What was measured. Stations by the names that the board gives them, unless told otherwise."""

    noise: dict[str, float] = field(default_factory=dict)
    """Standard deviation of a sample, counts."""
    drift: dict[str, float] = field(default_factory=dict)
    """Change over DRIFT_S, counts."""
    card: dict[str, float] = field(default_factory=dict)
    """Counts a card."""
    grams: dict[str, float] = field(default_factory=dict)
    """Grams a card."""
    wires: dict[str, dict[str, str]] = field(default_factory=dict)
    """Capability -> the station that people see -> the station that the board named."""


def check_stations(bench: SetupBench) -> StepResult:
    """Weigh, touch and push at every station. Keeps weights and crossed wires."""
    link = bench.link
    stations = bench.stations("count") or bench.stations("touch") or bench.stations("button")
    if link is None or bench.connect() is None or not stations:
        return skipped(NAME, "no stations: weights and touches are not felt", "companion setup find")
    bench.update(wires={})
    bench.ask(ClearTable())
    found = _Found()
    scales = [one for one in bench.stations("count") if bench.answers(one, "count")]
    if scales:
        link.configure(CONF_WEIGHT_SAMPLES, None, 1)
        link.zero()
        _rest(bench, found)
        for station in scales:
            _weigh(bench, found, station, scales)
        link.configure(CONF_WEIGHT_SAMPLES, None, 0)
    for station in [one for one in bench.stations("touch") if bench.answers(one, "touch")]:
        _touch(bench, found, station)
    for station in [one for one in bench.stations("button") if bench.answers(one, "button")]:
        _push(bench, found, station)
    bench.ask(ClearTable())
    return result_of(NAME, _checks(bench, found, scales))


def noise_of(counts: Sequence[int]) -> float:
    """Standard deviation of single readings (counts), from differences of neighbours: a hand that rests there,
    and drift, do not count."""
    steps = [abs(b - a) for a, b in pairwise(counts)]
    return statistics.median(steps) / 0.954 if steps else 0.0


def at_rest(readings: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """The readings (time, counts) without those under a hand: the most that lie near to each other."""
    counts = sorted(raw for _, raw in readings)
    reach = max(1.0, RESTING * noise_of([raw for _, raw in readings]))
    most, low, end = 0, counts[0] if counts else 0, 0
    for begin, lowest in enumerate(counts):
        while end < len(counts) and counts[end] <= lowest + reach:
            end += 1
        if end - begin > most:
            most, low = end - begin, lowest
    return [(t, raw) for t, raw in readings if low <= raw <= low + reach]


def _rest(bench: SetupBench, found: _Found) -> None:
    """Noise and drift of the empty scales."""
    bench.say(f"Nothing may touch the scales for {DRIFT_S:.0f} seconds.")
    bench.wait(HAND_S)
    for station, readings in bench.samples(DRIFT_S).items():
        found.noise[station] = noise_of([raw for _, raw in readings])
        calm = at_rest(readings)
        if len(calm) > 2:
            found.drift[station] = statistics.linear_regression(*zip(*calm, strict=True)).slope * DRIFT_S


def _counts(bench: SetupBench) -> dict[str, float]:
    """Mean reading at rest of every scale, in counts."""
    return {
        station: statistics.fmean(raw for _, raw in at_rest(readings))
        for station, readings in bench.samples(WEIGH_S).items()
    }


def _weigh(bench: SetupBench, found: _Found, station: str, scales: Iterable[str]) -> None:
    """Find the scale that carries what people lay on a station, and the weight of a card there."""
    before = _counts(bench)
    if not bench.ask(LoadScale(station, LOAD)):
        return
    heard = bench.wait(HAND_S)
    loaded = _counts(bench)
    bench.ask(LoadScale(station, 0))
    heard += bench.wait(HAND_S)
    after = _counts(bench)
    rises = {
        one: loaded[one] - (before[one] + after[one]) / 2 for one in before if one in loaded and one in after
    }
    if not rises:
        return
    most = max(rises, key=lambda one: rises[one])
    floor = STEP_CARDS * 1.25 * found.noise.get(most, 0.0) / (10 * WEIGH_S) ** 0.5
    if rises[most] <= floor:
        return
    found.wires.setdefault("count", {})[station] = most
    found.card[most] = rises[most] / LOAD
    found.grams[most] = found.card[most] / _counts_per_gram(bench, heard, most)


def _counts_per_gram(bench: SetupBench, heard: list[Message], station: str) -> float:
    """The board's own scale: by its reports of a load, which name grams and counts."""
    told = [one for one in heard if isinstance(one, WeightEvent) and one.station == station]
    told += [one for one in bench.weights if one.station == station]
    if not told:
        return USUAL_COUNTS
    low, high = min(told, key=lambda one: one.grams), max(told, key=lambda one: one.grams)
    if high.grams - low.grams < 1.0:
        return USUAL_COUNTS
    return (high.raw - low.raw) / (high.grams - low.grams)


USUAL_COUNTS = 420.0
"""USUAL_COUNTS: counts per gram of the recommended cell and amplifier."""


def _touch(bench: SetupBench, found: _Found, station: str) -> None:
    for _ in range(TRIES):
        if not bench.ask(TouchElectrode(station, True)):
            return
        felt = bench.wait_for(lambda one: isinstance(one, TouchEvent) and one.pressed, FEEL_S)
        bench.ask(TouchElectrode(station, False))
        bench.wait_for(lambda one: isinstance(one, TouchEvent) and not one.pressed, FEEL_S / 2)
        if isinstance(felt, TouchEvent):
            found.wires.setdefault("touch", {})[station] = felt.station
            return


def _push(bench: SetupBench, found: _Found, station: str) -> None:
    for _ in range(TRIES):
        if not bench.ask(PushButton(station)):
            return
        felt = bench.wait_for(lambda one: isinstance(one, ButtonEvent) and one.pressed, FEEL_S)
        bench.wait(0.5)
        if isinstance(felt, ButtonEvent):
            found.wires.setdefault("button", {})[station] = felt.station
            return


def _checks(bench: SetupBench, found: _Found, scales: list[str]) -> list[Check]:
    checks: list[Check] = []
    wires: dict[str, dict[str, str]] = {}
    for capability in WHAT:
        asked = [one for one in bench.stations(capability) if bench.answers(one, capability)]
        paired = found.wires.get(capability, {})
        checks += _dead(capability, asked, paired)
        crossed = {there: here for here, there in paired.items() if here != there}
        if set(crossed) == set(crossed.values()) and crossed:
            wires[capability] = crossed
            names = " and ".join(sorted(crossed))
            said = f"the wires of {names} are crossed; the program puts that right"
            checks.append(
                Check(
                    PLURAL[capability],
                    Verdict.USABLE,
                    len(crossed),
                    "wires",
                    said,
                    "nothing; or change the two plugs, then: companion setup stations",
                    f"crossed {PLURAL[capability]}",
                )
            )
        elif crossed:
            said = "; ".join(f"{here} was felt as {there}" for there, here in crossed.items())
            checks.append(
                Check(
                    PLURAL[capability],
                    Verdict.NOT_GOOD,
                    len(crossed),
                    "wires",
                    said,
                    "check the plugs against the drawing",
                    f"mixed {PLURAL[capability]}",
                )
            )
    where = wires.get("count", {})
    checks += _weights(found, where)
    kept = {
        where.get(one, one): StationConfig(0.0, round(grams, 3))
        for one, grams in found.grams.items()
        if FEWEST_G <= grams <= MOST_G
    }
    bench.update(stations=bench.profile.stations | kept, wires=wires)
    return checks


def _dead(capability: str, asked: list[str], paired: Mapping[str, str]) -> list[Check]:
    what = WHAT[capability]
    checks = [
        Check(
            f"{one} {what}",
            Verdict.NOT_GOOD,
            None,
            "",
            f"the {what} of {one} feels nothing",
            "check its wire against the drawing",
            f"dead {what}",
        )
        for one in asked
        if one not in paired
    ]
    if asked and not checks:
        checks.append(
            Check(PLURAL[capability], Verdict.GOOD, len(asked), "stations", f"all {PLURAL[capability]} answer")
        )
    return checks


def _weights(found: _Found, where: Mapping[str, str]) -> list[Check]:
    """Noise, drift and weight in cards, for each scale that carried a load."""
    checks: list[Check] = []
    for station, card in found.card.items():
        name, grams = f"{where.get(station, station)} scale", found.grams[station]
        noise, drift = found.noise.get(station, 0.0) / card, abs(found.drift.get(station, 0.0)) / card
        moves = rate(drift, DRIFT_GOOD, DRIFT_USABLE)
        shakes = rate(noise, NOISE_GOOD, NOISE_USABLE)
        said = f"{grams:.2f} g a card, noise {noise:.2f}, drift {drift:.2f} cards in {DRIFT_S:.0f} s"
        if moves is not Verdict.GOOD and shakes is Verdict.GOOD:
            checks.append(
                Check(
                    name,
                    moves,
                    round(drift, 2),
                    "cards",
                    said,
                    "let it warm up; is the cell screwed down, and nothing leaning on it?",
                    "creeping scale",
                )
            )
        elif shakes is not Verdict.GOOD:
            checks.append(
                Check(
                    name,
                    shakes,
                    round(noise, 2),
                    "cards",
                    said,
                    "shorter wires, away from the motor or lamp; check the solder joints",
                    "noisy scale",
                )
            )
        elif not FEWEST_G <= grams <= MOST_G:
            checks.append(
                Check(
                    name,
                    Verdict.NOT_GOOD,
                    round(grams, 2),
                    "g",
                    said,
                    "put on as many as are asked for; else check counts_per_gram in the rig file",
                    "wrong weight",
                )
            )
        else:
            checks.append(Check(name, Verdict.GOOD, round(grams, 2), "g", said))
    return checks
