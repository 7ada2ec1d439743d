"""Damaged recordings: a recorded game with a sensor that fails."""

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
"""Share (0 to 1) of observations that a lossy sensor loses. A guess."""
AWAY = (1 / 3, 2 / 3)
"""Begin and end of an outage, as shares of the recording. Chosen."""
CORRECTIONS = ("undo", "table_is_right", "companion_is_right", "turn", "end_game")
"""Entries by which people answered the companion.

They are left out, because the damaged game may ask other questions.
"""

_PARTS: dict[str, tuple[str, tuple[type, ...]]] = {
    "camera": ("camera", (Sighting, Reach)),
    "board": ("board", (TagRead, Count, Touch, Button, Texture)),
    "reader": (part_name(Part("pad", ("reader",))), (TagRead,)),
    "scales": (part_name(Part(None, ("count",))), (Count,)),
    "touch": (part_name(Part(None, ("touch",))), (Touch,)),
    "buttons": ("", (Button,)),
    "texture": (part_name(Part("pad", ("texture",))), (Texture,)),
}
"""Name of a sensor -> health source, types of observations.

The health source reports the loss of the sensor; it is empty if nobody notices the loss.
"""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A sensor of a recorded game, with its observations.

    `word`: health source that reports its loss; empty if neither board nor host notices. `kinds`: types of its
    observations. `station`: the only station it serves; empty for all.
    """

    name: str
    word: str
    kinds: tuple[type, ...]
    station: str = ""

    def felt(self, seen: Observation) -> bool:
        """True if the observation or health report is this sensor's."""
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
    """Every sensor that reports in a recording.

    First each kind of sensor, then each single scale.
    """
    seen = [one for line in lines for one in line.o]
    found = [
        Sensor(name, word, kinds)
        for name, (word, kinds) in _PARTS.items()
        if any(isinstance(one, kinds) for one in seen)
    ]
    scales = sorted({one.station for one in seen if isinstance(one, Count)})
    return found + [Sensor(f"{station} scale", f"{station} scale", (Count,), station) for station in scales]


def damaged(lines: Sequence[Observed], sensor: Sensor, damage: str, seed: int = 0) -> Iterator[Observed]:
    """The recording as it would be with a damaged sensor.

    `damage`: a name out of `DAMAGES`. A sensor that recovers reports the cards at rest. Corrections by key are
    left out. `seed`: seed of the lost observations. BadInputError for an unknown damage.
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
"""Name of a damage -> function that plans when the sensor works.

The function gets a recording's first and last time (s) and a random generator. It returns a predicate: time (s)
-> True if the sensor works.

dead: from the start. dying: from the middle on. away: for the middle third. lossy: random observations are lost
all along. stuck: silent from the middle on, like a scale with something wedged under it. Health reports
announce dead, dying and away, but not for buttons.
"""
