"""Damage to a recorded game: a sensor that is dead, dies, is away for a while, or loses some of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.core.errors import BadInputError
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
from companion.session.journal import Observed
from firmware.host.messages import Part

LOST = 0.2
"""Share of a lossy sensor's observations that never arrive."""
AWAY = (1 / 3, 2 / 3)
"""The part of the recording in which a sensor is away."""
CORRECTIONS = ("undo", "table_is_right", "companion_is_right", "turn", "end_game")
"""Keys that answered what the companion said then; it may say something else now."""

_PARTS: dict[str, tuple[str, tuple[type, ...]]] = {
    "camera": ("camera", (Sighting, Reach)),
    "board": ("board", (TagRead, Count, Touch, Button, Texture)),
    "reader": (part_name(Part("pad", ("reader",))), (TagRead,)),
    "scales": (part_name(Part(None, ("count",))), (Count,)),
    "touch": (part_name(Part(None, ("touch",))), (Touch,)),
    "buttons": ("", (Button,)),
    "texture": (part_name(Part("pad", ("texture",))), (Texture,)),
}
"""By name: as what its loss is told, empty where nobody notices it, and what comes from it."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A sensor by name: the observations that come from it, of one station alone if it is named.

    `word` is the source of the word that it is gone; empty where neither board nor host notices.
    """

    name: str
    word: str
    kinds: tuple[type, ...]
    station: str = ""

    def felt(self, seen: Observation) -> bool:
        """Whether an observation, or word of its health, comes from it."""
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
    """Every sensor that says anything in a recording: those of a kind together, then each scale alone."""
    seen = [one for line in lines for one in line.o]
    found = [
        Sensor(name, word, kinds)
        for name, (word, kinds) in _PARTS.items()
        if any(isinstance(one, kinds) for one in seen)
    ]
    scales = sorted({one.station for one in seen if isinstance(one, Count)})
    return found + [Sensor(f"{station} scale", f"{station} scale", (Count,), station) for station in scales]


def damaged(lines: Sequence[Observed], sensor: Sensor, damage: str, seed: int = 0) -> Iterator[Observed]:
    """The recording as it would be with that damage to that sensor. BadInputError: no such damage.

    What lies at rest is told by a sensor that comes back. Keys that corrected the companion are left out.
    """
    if damage not in DAMAGES:
        raise BadInputError(
            f"no damage {damage!r}", where="damage", next_step=f"use {', '.join(DAMAGES)} or all"
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
"""By name: from the first and last time of a recording (s) to whether a sensor works at a time.

dead: from the start; dying: from the middle on; away: for the middle third; lossy: a part is lost all along;
stuck: from the middle on without a word, as a scale under which something is wedged. Of the others board and
host notice all but a button.
"""
