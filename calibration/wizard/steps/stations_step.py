"""Setup step: scales, electrodes, buttons and lamps of all stations: wires, weights, noise, drift."""

import statistics
from collections.abc import Callable, Mapping, Sequence

from calibration.electrode_meter import ElectrodeMeter
from calibration.watch.live_values import noise_of
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import (
    ClearTable,
    LampsBeside,
    LoadScale,
    PushBesideLamp,
    PushButton,
    TouchElectrode,
)
from calibration.wizard.step_result import StepResult, result_of, skipped
from calibration.wizard.steps.station_checks import (
    DRIFT_S,
    Found,
    answering,
    checks_of,
)
from companion.core.language import text
from firmware.board.default_rig import COUNTS_PER_GRAM
from firmware.host.messages import ButtonEvent, Message, TouchEvent, WeightEvent, WeightSample
from firmware.wire.codec import CONF_WEIGHT_SAMPLES

NAME = "stations"
LOAD = 10
"""Number of cards by which a scale is calibrated.

One card's weight then has a tenth of the reading's error.
"""
WEIGH_S = 4.0
"""Time (s) of one weighing, readings under a hand left out. A guess."""
RESTING = 8.0
"""Largest spread of readings at rest, in standard deviations. A guess.

It covers noise and drift; a leaning hand changes a reading more.
"""
HAND_S = 1.2
"""Time (s) in which the hand leaves after a scale's load changed. A guess."""
MOVED_SAMPLES = 5
"""Number of a scale's readings whose median shows that the load changed. A guess."""
CALM_SHARE, CALM_TRIES = 0.7, 3
"""CALM_SHARE: share of readings at rest from which a weighing counts. CALM_TRIES: most weighings until that
is reached. Guesses."""
UNLIKE = 0.2
"""Largest difference between laying and taking away a load, as a share of it. A guess."""
NOWHERE = "nowhere"
"""Name that stands for a scale if no scale felt a load."""
STEP_CARDS = 4.0
"""Change of a scale's reading that shows a load, as a multiple of a median's noise. A guess."""
TRIES = 3
"""Number of attempts with one electrode or button. A guess: one touch in 100 is missed."""
FEEL_SHARE = 1 / 3
"""Share of the bench's patience for one touch or push; there are TRIES of them."""
OWN_S = 0.6
"""Time (s) for which the expected part may still report, after another one did. A guess."""
LIT, DARK = (255, 255, 255), (0, 0, 0)


def check_stations(bench: SetupBench) -> StepResult:
    """Weigh, touch and push at every station; judge its parts.

    Card weights, thresholds, crossed wires and buttons that were heard are saved in the profile.
    """
    link = bench.link
    stations = bench.stations("count") or bench.stations("touch") or bench.stations("button")
    if link is None or bench.connect() is None or not stations:
        return skipped(NAME, text("no stations: weights and touches are not felt"), "companion setup find")
    bench.as_wired = True
    bench.ask(ClearTable())
    found = Found()
    scales = answering(bench, "count")
    if scales:
        link.configure(CONF_WEIGHT_SAMPLES, None, 1)
        try:
            bench.zero()
            _rest(bench, found)
            bench.say("")
            for station in scales:
                _weigh(bench, found, station)
        finally:
            # Without this the board would go on sending ten readings a second after the step was left.
            link.configure(CONF_WEIGHT_SAMPLES, None, 0)
    _electrodes(bench, found)
    for station in answering(bench, "button"):
        _push(bench, found, station)
    if found.wires.get("button"):
        _lamps(bench, found)
    return result_of(NAME, checks_of(bench, found))


def at_rest(readings: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Choose the readings of a scale that were made without a hand.

    `readings`: (time in s, counts). They are the largest group of readings that lie near each other.
    """
    counts = sorted(raw for _, raw in readings)
    reach = max(1.0, RESTING * noise_of([raw for _, raw in readings]))
    most, low, end = 0, counts[0] if counts else 0, 0
    for begin, lowest in enumerate(counts):
        while end < len(counts) and counts[end] <= lowest + reach:
            end += 1
        if end - begin > most:
            most, low = end - begin, lowest
    return [(t, raw) for t, raw in readings if low <= raw <= low + reach]


def _rest(bench: SetupBench, found: Found) -> None:
    """Measure noise and drift of the empty scales, into `found`."""
    bench.say(text("Nothing may touch the scales for {seconds} seconds.", seconds=f"{DRIFT_S:.0f}"))
    bench.wait(HAND_S)
    for station, readings in bench.samples(DRIFT_S).items():
        found.noise[station] = noise_of([raw for _, raw in readings])
        calm = at_rest(readings)
        if len(calm) > 2:
            found.drift[station] = statistics.linear_regression(*zip(*calm, strict=True)).slope * DRIFT_S


def _counts(bench: SetupBench) -> dict[str, float]:
    """Mean reading at rest (counts) of every scale.

    A scale on which a hand leans is weighed again, CALM_TRIES times at most.
    """
    found: dict[str, float] = {}
    calmest: dict[str, float] = {}
    for _ in range(CALM_TRIES):
        for station, readings in bench.samples(WEIGH_S).items():
            calm = at_rest(readings)
            share = len(calm) / len(readings)
            if share > calmest.get(station, 0.0):
                calmest[station] = share
                found[station] = statistics.fmean(raw for _, raw in calm)
        if all(share >= CALM_SHARE for share in calmest.values()):
            break
    return found


def _weigh(bench: SetupBench, found: Found, station: str) -> None:
    """Find out which scale carries the load of a station, and the weight of a card.

    The results are put into `found`. The load must come and go by the same amount, because a leaning hand
    would not. A scale other than the expected one must feel it twice.
    """
    felt_before = ""
    for _ in range(TRIES):
        rise = _loaded(bench, found, station)
        if rise is None:
            return
        most, counts, per_gram = rise
        if not most and felt_before == NOWHERE:
            return
        if most and most in (station, felt_before):
            found.wires.setdefault("count", {})[station] = most
            found.card[most] = counts / LOAD
            found.grams[most] = found.card[most] / per_gram
            return
        felt_before = most or NOWHERE


def _loaded(bench: SetupBench, found: Found, station: str) -> tuple[str, float, float] | None:
    """Have ten cards laid on a station's scale; find the scale that felt them.

    Returns (its station, counts of that load, counts per gram). The station is "" if no scale felt them come
    and go. None if the person has no cards to lay.
    """
    before = found.empty or _counts(bench)
    if not bench.ask(LoadScale(station, LOAD)):
        return None
    heard, moved = _until_moved(bench, found, before)
    if not moved:
        bench.ask(LoadScale(station, 0))
        bench.wait(HAND_S)
        found.empty = {}
        return "", 0.0, 0.0
    loaded = _counts(bench)
    bench.ask(LoadScale(station, 0))
    heard += _until_moved(bench, found, loaded)[0]
    after = found.empty = _counts(bench)
    rises: dict[str, float] = {}
    falls: dict[str, float] = {}
    for one in before.keys() & loaded.keys() & after.keys():
        up, down = loaded[one] - before[one], loaded[one] - after[one]
        floor = STEP_CARDS * 1.25 * found.noise.get(one, 0.0) / (10 * WEIGH_S) ** 0.5
        if max(up, down) < -floor and abs(up - down) <= UNLIKE * -max(up, down):
            falls[one] = -(up + down) / 2
        if min(up, down) > floor and abs(up - down) <= UNLIKE * max(up, down):
            rises[one] = (up + down) / 2
    if not rises and not falls:
        return "", 0.0, 0.0
    # A hand that pulls lifts a scale. It is no reversed cell while another scale carries the load.
    felt = rises or falls
    # The station's own scale is believed if several moved, because a hand may lean on another.
    most = station if station in felt else max(felt, key=lambda one: felt[one])
    (found.reversed.discard if rises else found.reversed.add)(most)
    return most, felt[most], _counts_per_gram(bench, heard, most)


def _until_moved(bench: SetupBench, found: Found, before: Mapping[str, float]) -> tuple[list[Message], bool]:
    """Wait until a scale moved and the hand has left.

    Its reading then differs from `before`. Returns the board's messages meanwhile, and False if no scale moved
    within the bench's patience.
    """
    heard: list[Message] = []
    newest: dict[str, list[int]] = {}
    for messages in bench.ticks(bench.patience_s):
        heard += messages
        for one in messages:
            if isinstance(one, WeightSample) and one.station in before:
                those = newest.setdefault(one.station, [])
                those.append(one.raw)
                del those[:-MOVED_SAMPLES]
        if any(
            len(those) == MOVED_SAMPLES
            and abs(statistics.median(those) - before[station]) > STEP_CARDS * found.noise.get(station, 0.0)
            for station, those in newest.items()
        ):
            return heard + bench.wait(HAND_S), True
    return heard, False


def _counts_per_gram(bench: SetupBench, heard: list[Message], station: str) -> float:
    """Counts per gram by which the board converts a station's readings.

    It follows from the board's reports of grams and counts in `heard`. If they differ too little to tell, it is
    that of the recommended cell.
    """
    told = [one for one in heard if isinstance(one, WeightEvent) and one.station == station]
    told += [one for one in bench.weights if one.station == station]
    if not told:
        return float(COUNTS_PER_GRAM)
    low, high = min(told, key=lambda one: one.grams), max(told, key=lambda one: one.grams)
    if high.grams - low.grams < 1.0:
        return float(COUNTS_PER_GRAM)
    return (high.raw - low.raw) / (high.grams - low.grams)


def _electrodes(bench: SetupBench, found: Found) -> None:
    """Measure the electrode of every station under a finger, into `found`."""
    stations, link = answering(bench, "touch"), bench.link
    if link is None or not stations:
        return
    meter = ElectrodeMeter()

    def hear(messages: list[Message]) -> None:
        meter.hear(messages)
        bench.values.ask(link, bench.clock.now())

    bench.listeners.append(hear)
    try:
        for station in stations:
            _touch(bench, found, station, meter)
    finally:
        bench.listeners.remove(hear)
        bench.values.end(link)


def _touch(bench: SetupBench, found: Found, station: str, meter: ElectrodeMeter) -> None:
    """Find and measure the electrode that feels fingers at a station.

    The results are put into `found`. Electrodes also report touches that nobody made. An electrode other than
    the expected one must therefore feel two.
    """
    felt_before = ""
    for _ in range(TRIES):
        meter.forget()
        if not bench.ask(TouchElectrode(station)):
            return
        felt = _felt_at(bench, TouchEvent, station)
        _felt(bench, lambda one: isinstance(one, TouchEvent) and not one.pressed)
        # A finger below the board's threshold is measured all the same, as the threshold is chosen here.
        felt = felt or meter.touched()
        measured, last = meter.finger(felt), meter.last(station)
        if measured is not None:
            found.electrodes[felt] = measured
        if last is not None:
            found.last_samples[station] = last
        if felt and felt in (station, felt_before):
            found.wires.setdefault("touch", {})[station] = felt
            return
        felt_before = felt or felt_before


def _push(bench: SetupBench, found: Found, station: str) -> None:
    """Find out which button is pushed at a station, into `found`.

    A button other than the expected one must be heard twice.
    """
    felt_before = ""
    _shine(bench, station)
    for _ in range(TRIES):
        if not bench.ask(PushButton(station)):
            break
        felt = _felt_at(bench, ButtonEvent, station)
        bench.wait(0.5)
        if felt and felt in (station, felt_before):
            found.wires.setdefault("button", {})[station] = felt
            break
        felt_before = felt or felt_before
    _shine(bench, "")


def _felt_at(bench: SetupBench, kind: type[TouchEvent] | type[ButtonEvent], station: str) -> str:
    """Wait for a touch or push (`kind`); return the station at which it was felt.

    "" if none was. `station` wins if its own part feels within 0.6 s of another one.
    """

    felt = _felt(bench, lambda one: isinstance(one, kind) and one.pressed)
    if not isinstance(felt, TouchEvent | ButtonEvent):
        return ""
    if felt.station != station:
        own = bench.wait_for(
            lambda one: isinstance(one, kind) and one.pressed and one.station == station, OWN_S
        )
        felt = own if isinstance(own, TouchEvent | ButtonEvent) else felt
    return felt.station


def _shine(bench: SetupBench, station: str) -> None:
    """Light the lamp of one station, and put out all others.

    `station`: by the board's name; "" puts out all.
    """
    for one in bench.stations("lamp"):
        if bench.link is not None:
            bench.link.lamp(one, LIT if one == station else DARK)


def _lamps(bench: SetupBench, found: Found) -> None:
    """Find out which lamp is at which station, into `found`.

    While a station's button was pushed, its lamp was lit, so one question may be enough.
    """
    lamps = answering(bench, "lamp")
    pushed = found.wires["button"]
    if lamps and bench.ask(LampsBeside()):
        found.wires["lamp"] = {one: one for one in lamps if one in pushed}
        return
    for station in lamps:
        _light(bench, found, station)
    _shine(bench, "")


def _light(bench: SetupBench, found: Found, station: str) -> None:
    """Light one lamp, and find its place by the button beside it.

    `station`: the board's name for it.
    """
    where = {there: here for here, there in found.wires["button"].items()}
    _shine(bench, station)
    for _ in range(TRIES - 1):
        if not bench.ask(PushBesideLamp()):
            break
        felt = _felt(bench, lambda one: isinstance(one, ButtonEvent) and one.pressed)
        bench.wait(0.5)
        if isinstance(felt, ButtonEvent):
            found.wires.setdefault("lamp", {})[where.get(felt.station, felt.station)] = station
            break


def _felt(bench: SetupBench, wanted: Callable[[Message], bool]) -> Message | None:
    return bench.wait_for(wanted, FEEL_SHARE * bench.patience_s)
