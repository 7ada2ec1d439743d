"""Worn contacts and slow filters: buttons that bounce, scales that settle late, tags that flicker.

Sensor laws like those of `sensor_laws`: each changes the observations of a whole game. All times are in
seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from companion.sensing.observation import Button, Count, Observation, TagRead
from companion.virtual.rig.sensor_laws import Heard, Place, Span

LOST_S, FOUND_S = (0.1, 0.4), (0.3, 0.9)
"""LOST_S: time (s) for which a flickering card is lost. FOUND_S: time (s) for which it is read again."""
FLICKERS_S = 10.0
"""FLICKERS_S: time (s) after which a card that stays on the pad is read steadily."""


@dataclass(frozen=True, slots=True)
class Bouncing:
    """A press of any button is reported once more, with this share (0 to 1), after a time in `seconds` (s): a
    worn contact opens beneath the finger for longer than the board debounces it."""

    share: float
    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """See the class."""
        again: list[Observation] = [
            replace(seen, t=seen.t + chance.uniform(*self.seconds))
            for seen in heard
            if isinstance(seen, Button) and chance.random() < self.share
        ]
        return Heard(_in_order([*heard, *again]), len(again))


@dataclass(frozen=True, slots=True)
class Settling:
    """One scale finds its load at rest only a time in `seconds` (s) after its last change, drawn anew for each.
    It does not report what changed again sooner, nor its last load again, unless the board repeats it."""

    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """See the class."""
        station = chance.choice(at.plan.stations)
        told: list[Observation] = []
        moving: Count | None = None
        rests, load, last, happened = 0.0, -1, -1, 0
        for seen in heard:
            if moving is not None and rests <= seen.t:
                if moving.n != last:
                    told.append(replace(moving, t=rests))
                    last = moving.n
                    happened += 1
                moving = None
            if isinstance(seen, Count) and seen.station == station:
                if seen.n == load:
                    # After an outage the board reports every scale.
                    last = -1
                moving, rests, load = seen, seen.t + chance.uniform(*self.seconds), seen.n
            else:
                told.append(seen)
        if moving is not None and moving.n != last:
            told.append(replace(moving, t=rests))
            happened += 1
        return Heard(told, happened)


@dataclass(frozen=True, slots=True)
class Flickering:
    """A card that lies still on the pad is lost and found again, with this share (0 to 1) of placements: the
    tag answers some requests alone, as with drivers that do not wake it up."""

    share: float

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """See the class."""
        more: list[Observation] = []
        happened = 0
        reads = [seen for seen in heard if isinstance(seen, TagRead)]
        for n, seen in enumerate(reads):
            if seen.card is None or chance.random() >= self.share:
                continue
            later = (other.t for other in reads[n + 1 :] if other.station == seen.station)
            end = min(next(later, at.end), seen.t + FLICKERS_S)
            lost = seen.t + chance.uniform(*FOUND_S)
            found = lost + chance.uniform(*LOST_S)
            happened += found < end
            while found < end:
                more += [replace(seen, t=lost, card=None), replace(seen, t=found)]
                lost = found + chance.uniform(*FOUND_S)
                found = lost + chance.uniform(*LOST_S)
        return Heard(_in_order([*heard, *more]), happened)


def _in_order(told: Sequence[Observation]) -> list[Observation]:
    return sorted(told, key=lambda seen: seen.t)
