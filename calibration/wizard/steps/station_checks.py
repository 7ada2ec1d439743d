"""What was found at the stations, judged: a check for each scale, electrode, button and lamp."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from calibration.electrode_meter import dead_electrode, electrode_check
from calibration.wizard.setup_bench import PART_WORDS, SetupBench
from calibration.wizard.step_result import Check, Verdict, rate
from companion.core.config import ElectrodeConfig, StationConfig
from companion.core.language import listed, text
from companion.core.sensor_terms import place_name
from firmware.host.messages import LevelSample

DRIFT_S = 30.0
"""Time (s) over which noise and drift of empty scales are measured. A guess."""
NOISE_GOOD, NOISE_USABLE = 0.45, 0.8
"""Greatest noise (standard deviation, in cards) of a good, or usable, scale.

A good cell has 0.3; from 0.9 on the board finds no rest (virtual cells).
"""
DRIFT_GOOD, DRIFT_USABLE = 0.3, 0.7
"""Greatest drift (cards in DRIFT_S) of a good, or usable, scale.

From 0.7 on, a card seems to come or go within a minute.
"""
FEWEST_G, MOST_G = 0.5, 20.0
"""Range of the weight (g) of a card in its sleeve. A guess."""
_DEAD = {
    "count": text("{place}: the scale feels nothing"),
    "button": text("{place}: the button feels nothing"),
    "lamp": text("{place}: the lamp does not light"),
}
_ALL_WORK = {
    "count": text("all scales work"),
    "touch": text("all electrodes work"),
    "button": text("all buttons work"),
    "lamp": text("all lamps work"),
}
PLURAL = {"count": "scales", "touch": "electrodes", "button": "buttons", "lamp": "lamps"}


@dataclass(slots=True)
class Found:
    """Measurements of the stations step.

    Stations have the names that the board gives them.
    """

    noise: dict[str, float] = field(default_factory=dict)
    """Station -> standard deviation of one reading of its scale (counts)."""
    drift: dict[str, float] = field(default_factory=dict)
    """Station -> change of its scale's reading over DRIFT_S (counts)."""
    card: dict[str, float] = field(default_factory=dict)
    """Station -> weight of one card (counts)."""
    grams: dict[str, float] = field(default_factory=dict)
    """Station -> weight of one card (g)."""
    reversed: set[str] = field(default_factory=set)
    """Stations whose scale reads less under a load. It is used with the sign turned."""
    electrodes: dict[str, ElectrodeConfig] = field(default_factory=dict)
    """Station -> readings of its electrode at rest and under a finger, and threshold."""
    last_samples: dict[str, LevelSample] = field(default_factory=dict)
    """Station -> last sample of its electrode, which holds the capacitance."""
    empty: dict[str, float] = field(default_factory=dict)
    """Station -> latest reading of its empty scale (counts)."""
    wires: dict[str, dict[str, str]] = field(default_factory=dict)
    """Capability -> station that people see -> station that the board names."""


def answering(bench: SetupBench, capability: str) -> list[str]:
    return [one for one in bench.stations(capability) if bench.answers(one, capability)]


def checks_of(bench: SetupBench, found: Found) -> list[Check]:
    """Judge what was found of each station, and save it.

    Earlier findings count for parts that nobody tried this time.
    """
    checks: list[Check] = []
    # Earlier findings still count for parts that nobody tried this time.
    wires = {part: dict(known) for part, known in bench.profile.wires.items() if not found.wires.get(part)}
    for capability in PART_WORDS:
        asked = answering(bench, capability)
        if capability == "lamp":  # a lamp beside a dead button cannot be found
            asked = [one for one in asked if one in found.wires.get("button", {})]
        paired = found.wires.get(capability, {})
        checks += _dead(capability, asked, paired, found.last_samples)
        crossed = {there: here for here, there in paired.items() if here != there}
        if crossed:
            checks.append(_crossed(capability, crossed))
            if checks[-1].verdict is Verdict.USABLE:
                wires[capability] = crossed
    where, pushed = wires.get("count", {}), found.wires.get("button", {})
    checks += _weights(found, where)
    feeling = found.wires.get("touch", {})
    measured = {here: found.electrodes[there] for here, there in feeling.items() if there in found.electrodes}
    checks += [electrode_check(one, at, found.last_samples.get(feeling[one])) for one, at in measured.items()]
    bench.as_wired = False
    bench.update(
        stations=bench.profile.stations | _weighed(found, where),
        electrodes=bench.profile.electrodes | measured,
        wires=wires,
        buttons=own_buttons(pushed, wires.get("button", {})) if pushed else bench.profile.buttons,
    )
    return checks


def _weighed(found: Found, where: Mapping[str, str]) -> dict[str, StationConfig]:
    """Settings of each station whose scale felt a card of a possible weight.

    `where` corrects crossed wires: station that the board names -> station that people see.
    """
    return {
        where.get(one, one): StationConfig(0.0, round(grams, 3), one in found.reversed)
        for one, grams in found.grams.items()
        if FEWEST_G <= grams <= MOST_G
    }


def _crossed(capability: str, crossed: Mapping[str, str]) -> Check:
    """Check of wires that lead to other stations.

    Usable if they only have to be changed among each other. `crossed`: station that the board names -> another
    station, which people see.
    """
    wires = PLURAL[capability]
    if crossed.keys() == set(crossed.values()):
        names = listed([place_name(one) for one in sorted(crossed)])
        return Check(
            wires,
            Verdict.USABLE,
            len(crossed),
            "wires",
            text("the wires of {names} are crossed; the program puts that right", names=names),
            text("nothing; or change the two plugs, then: companion setup stations"),
            f"crossed {wires}",
        )
    mixed = [
        text("what is at {here} reports as {there}", here=place_name(here), there=place_name(there))
        for there, here in crossed.items()
    ]
    return Check(
        wires,
        Verdict.NOT_GOOD,
        len(crossed),
        "wires",
        text("{told}", told=tuple(mixed)),
        text("check the plugs against the drawing"),
        f"mixed {wires}",
    )


def own_buttons(paired: Mapping[str, str], where: Mapping[str, str]) -> tuple[str, ...]:
    """Stations whose button reports under their own name, as no other's does; sorted.

    `paired`: station that people see -> station that the board named. `where` corrects crossed wires: station
    that the board names -> station that people see.
    """
    heard = {here: where.get(there, there) for here, there in paired.items()}
    times = Counter(heard.values())
    return tuple(sorted(here for here, told in heard.items() if told == here and times[here] == 1))


def _dead(
    capability: str, asked: list[str], paired: Mapping[str, str], samples: Mapping[str, LevelSample]
) -> list[Check]:
    what = PART_WORDS[capability]
    checks = [
        dead_electrode(one, samples.get(one))
        if capability == "touch"
        else Check(
            f"{one} {what}",
            Verdict.NOT_GOOD,
            None,
            "",
            _DEAD[capability].of(place=place_name(one)),
            text("check its wire against the drawing"),
            f"dead {what}",
        )
        for one in asked
        if one not in paired
    ]
    if asked and not checks:
        checks.append(Check(PLURAL[capability], Verdict.GOOD, len(asked), "stations", _ALL_WORK[capability]))
    return checks


def _weights(found: Found, where: Mapping[str, str]) -> list[Check]:
    """Checks of noise, drift and card weight of each loaded scale.

    `where` corrects crossed wires: station that the board names -> station that people see.
    """
    checks: list[Check] = [
        Check(
            f"{where.get(station, station)} scale",
            Verdict.USABLE,
            None,
            "",
            text(
                "{place}: weight makes it read less (upside down, or A+ and A- swapped); the program puts that "
                "right",
                place=place_name(where.get(station, station)),
            ),
            text("nothing; or turn the cell round, then: companion setup stations"),
            "reversed cell",
        )
        for station in sorted(found.reversed & found.card.keys())
    ]
    for station, card in found.card.items():
        name, grams = f"{where.get(station, station)} scale", found.grams[station]
        noise, drift = found.noise.get(station, 0.0) / card, abs(found.drift.get(station, 0.0)) / card
        moves = rate(drift, DRIFT_GOOD, DRIFT_USABLE)
        shakes = rate(noise, NOISE_GOOD, NOISE_USABLE)
        said = text(
            "{grams} g a card, noise {noise}, drift {drift} cards in {seconds} s",
            grams=round(grams, 2),
            noise=round(noise, 2),
            drift=round(drift, 2),
            seconds=f"{DRIFT_S:.0f}",
        )
        if moves is not Verdict.GOOD and shakes is Verdict.GOOD:
            checks.append(
                Check(
                    name,
                    moves,
                    round(drift, 2),
                    "cards",
                    said,
                    text("let it warm up; is the cell screwed down, and nothing leaning on it?"),
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
                    text("shorter wires, away from the motor or lamp; check the solder joints"),
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
                    text("put on as many as are asked for; else check counts_per_gram in the rig file"),
                    "wrong weight",
                )
            )
        else:
            checks.append(Check(name, Verdict.GOOD, round(grams, 2), "g", said))
    return checks
