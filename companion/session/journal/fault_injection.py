"""Damaged recordings: recorded games as if a sensor had failed."""

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
from companion.session.journal.journal_lines import Observed
from firmware.host.messages import Part

LOST = 0.2
"""Share (0 to 1) of observations that a lossy sensor loses. A guess."""
AWAY = (1 / 3, 2 / 3)
"""Begin and end of a sensor's outage, as shares (0 to 1) of the recording's length. A free choice."""
CORRECTIONS = ("undo", "table_is_right", "companion_is_right", "turn", "end_game")
"""`ManualEntry.what` of the entries by which people corrected the recorded game.

A damaged recording leaves them out, because its game may go wrong elsewhere.
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
"""Name of a sensor -> (`Health.source` that reports its loss, types of its observations).

The source is empty if nobody notices the loss.
"""


@dataclass(frozen=True, slots=True)
class Sensor:
    """A sensor in a recorded game.

    `name`: as in a report, e.g. "camera". `word`: `Health.source` that reports its loss; empty if nobody
    notices the loss. `kinds`: types of its observations. `station`: the only station with this sensor; empty
    for all.
    """

    name: str
    word: str
    kinds: tuple[type, ...]
    station: str = ""

    def felt(self, seen: Observation) -> bool:
        """True if `seen` is an observation of this sensor, or a report on its health."""
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
    """Find every sensor that has an observation in `lines`.

    Returns kinds of sensors first (camera, board, scales, ...), then each scale for itself.
    """
    seen = [one for line in lines for one in line.o]
    found = [
        Sensor(name, word, kinds)
        for name, (word, kinds) in _PARTS.items()
        if any(isinstance(one, kinds) for one in seen)
    ]
    scales = sorted({one.station for one in seen if isinstance(one, Count)})
    return found + [Sensor(f"{station} scale", f"{station} scale", (Count,), station) for station in scales]


def _working(damage: str, lines: Sequence[Observed], chance: Random) -> Callable[[float], bool]:
    """Plan when a damaged sensor works: returns a predicate, time (s) -> True if it works.

    `damage`: how it fails; BadInputError if that is no key of DAMAGES. `lines`: the recorded game, whose first
    and last time bound the plan. `chance` draws the losses of a lossy sensor.
    """
    if damage not in DAMAGES:
        raise BadInputError(
            text("there is no damage {name}", name=repr(damage)),
            where="--damage",
            next_step=text("use {names} or all", names=[*DAMAGES]),
        )
    return DAMAGES[damage](lines[0].t, lines[-1].t, chance)


def _reported(
    line: Observed,
    sensor: Sensor,
    works: Callable[[float], bool],
    lying: dict[tuple[type, str], Observation],
) -> list[Observation]:
    """Observations of a line that are left when `sensor` works only at some times.

    Those of other sensors stay; people's corrections go. `works`: time (s) -> True if the sensor works. `lying`
    gets the sensor's newest observation of each zone and station, reported or not.
    """
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
    return kept


def damaged(lines: Sequence[Observed], sensor: Sensor, damage: str) -> Iterator[Observed]:
    """Yield recorded lines as if `sensor` had failed.

    `damage`: how it fails, a key of `DAMAGES`; BadInputError for another. A sensor that works again reports
    the cards that lie there. People's corrections are left out.
    """
    works = _working(damage, lines, Random(f"0 {sensor.name}"))
    lying: dict[tuple[type, str], Observation] = {}
    away = False
    for line in lines:
        kept = _reported(line, sensor, works, lying)
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
"""Name of a kind of failure -> function that plans when the failing sensor works.

The function gets a recording's first and last time (s) and a random generator. It returns a predicate: time
(s) -> True if the sensor works.

`dead`: the sensor never works. `dying`: it works until the middle. `away`: it is silent in the middle third.
`lossy`: it loses random observations. `stuck`: as dying, but unnoticed, like a scale with something wedged
under it. For dead, dying and away a health report tells of the loss, except for buttons.
"""
