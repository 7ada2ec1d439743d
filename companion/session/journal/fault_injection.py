"""Damaged recordings: a recorded game with a sensor that is dead, dies, is away for a while, or is lossy."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.sensing.link_status import part_name
from companion.sensing.observation import (
    Button,
    Count,
    Health,
    ManualEntry,
    Observation,
    Reach,
    Sighting,
    TagRead,
    Texture,
    Touch,
)
from companion.session.journal.journal import Observed
from firmware.host.messages import Part

LOST = 0.2
"""LOST: share (0 to 1) of a lossy sensor's observations that never arrive."""
AWAY = (1 / 3, 2 / 3)
"""AWAY: begin and end of the outage, as shares of the recording's length."""
CORRECTIONS = ("undo", "table_is_right", "companion_is_right", "turn", "end_game")
"""Keys that answered the companion. They are left out, because the damaged game may ask something else."""

_PARTS: dict[str, tuple[str, tuple[type, ...]]] = {
    "camera": ("camera", (Sighting, Reach)),
    "board": ("board", (TagRead, Count, Touch, Button, Texture)),
    "reader": (part_name(Part("pad", ("reader",))), (TagRead,)),
    "scales": (part_name(Part(None, ("count",))), (Count,)),
    "touch": (part_name(Part(None, ("touch",))), (Touch,)),
    "buttons": ("", (Button,)),
    "texture": (part_name(Part("pad", ("texture",))), (Texture,)),
}
"""Name of a sensor -> the health source that reports its loss (empty if nobody notices it), and the types of
its observations."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A sensor by name, with the observations that come from it. If `station` is named, only those of that
    station.

    `word` is the health source that reports its loss; empty if neither board nor host notices it.
    """

    name: str
    word: str
    kinds: tuple[type, ...]
    station: str = ""

    def felt(self, seen: Observation) -> bool:
        """Whether an observation or a health report comes from this sensor."""
        if isinstance(seen, Health):
            return seen.source == self.word
        return isinstance(seen, self.kinds) and (not self.station or self._is_of_station(seen))

    def _is_of_station(self, seen: Observation) -> bool:
        match seen:
            case (
                TagRead(station=station)
                | Count(station=station)
                | Touch(station=station)
                | Button(station=station)
                | Texture(station=station)
            ):
                return station == self.station
        return False


def sensors_in(lines: Sequence[Observed]) -> list[Sensor]:
    """Every sensor that reports anything in a recording: first each kind of sensor, then each single scale."""
    seen = [one for line in lines for one in line.o]
    found = [
        Sensor(name, word, kinds)
        for name, (word, kinds) in _PARTS.items()
        if any(isinstance(one, kinds) for one in seen)
    ]
    scales = sorted({one.station for one in seen if isinstance(one, Count)})
    return found + [Sensor(f"{station} scale", f"{station} scale", (Count,), station) for station in scales]


def damaged(lines: Sequence[Observed], sensor: Sensor, damage: str, seed: int = 0) -> Iterator[Observed]:
    """The recording as it would be with this damage to this sensor. BadInputError: there is no such damage.

    A sensor that comes back reports what lies at rest. Keys that corrected the companion are left out.
    """
    if damage not in DAMAGES:
        raise BadInputError(
            text("there is no damage {name}", name=repr(damage)),
            where="--damage",
            next_step=text("use {names} or all", names=[*DAMAGES]),
        )
    first, last = lines[0].t, lines[-1].t
    chance = Random(f"{seed} {sensor.name}")
    works = DAMAGES[damage](first, last, chance)
    lying: dict[tuple[type, str], Observation] = {}
    away = False
    for line in lines:
        kept: list[Observation] = []
        for seen in line.o:
            if isinstance(seen, ManualEntry) and seen.what in CORRECTIONS:
                continue
            if not sensor.felt(seen):
                kept.append(seen)
                continue
            if isinstance(seen, Sighting | Count):
                lying[type(seen), seen.zone if isinstance(seen, Sighting) else seen.station] = seen
            if works(line.t):
                kept.append(seen)
        if damage != "lossy" and works(line.t) == away:
            away = not away
            if sensor.word and damage != "stuck":
                kept.insert(0, Health(line.t, sensor.word, not away, "does not answer" if away else ""))
            if not away:
                kept += [seen for seen in lying.values() if seen not in kept]
        yield Observed(line.t, tuple(kept))


def _dead(_first: float, _last: float, _chance: Random) -> Callable[[float], bool]:
    return lambda t: False


def _dying(first: float, last: float, _chance: Random) -> Callable[[float], bool]:
    return lambda t: t < (first + last) / 2


def _away(first: float, last: float, _chance: Random) -> Callable[[float], bool]:
    return lambda t: not AWAY[0] <= (t - first) / (last - first or 1.0) < AWAY[1]


def _lossy(_first: float, _last: float, chance: Random) -> Callable[[float], bool]:
    return lambda t: chance.random() >= LOST


DAMAGES: dict[str, Callable[[float, float, Random], Callable[[float], bool]]] = {
    "dead": _dead,
    "dying": _dying,
    "away": _away,
    "lossy": _lossy,
    "stuck": _dying,
}
"""Name of a damage -> a function of a recording's first and last time (s), whose result says whether the sensor
works at a time (s).

dead: from the start. dying: from the middle on. away: for the middle third. lossy: random observations are lost
all along. stuck: silent from the middle on without a health report, like a scale with something wedged under
it. Board and host notice all other damages, except that of a button.
"""
