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
"""LOST_S: range of the time (s) for which a flickering card is lost. FOUND_S: range of the time (s) for which
it is then read. Guesses."""
FLICKERS_S = 10.0
"""Time (s) after which a card that stays on the pad is read steadily. A guess."""


@dataclass(frozen=True, slots=True)
class Bouncing:
    """Claim buttons with a worn contact.

    The share `share` (0 to 1) of presses is reported twice. The second report comes after a time drawn from
    `seconds` (s), longer than the board debounces.
    """

    share: float
    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """The observations with repeated presses."""
        again: list[Observation] = [
            replace(seen, t=seen.t + chance.uniform(*self.seconds))
            for seen in heard
            if isinstance(seen, Button) and chance.random() < self.share
        ]
        return Heard(_in_order([*heard, *again]), len(again))


@dataclass(frozen=True, slots=True)
class Settling:
    """One scale with a slow filter, which reports a load only after a while at rest.

    The while is drawn from `seconds` (s) for each change. A load that changes sooner, or returns to the
    reported one, is not reported.
    """

    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """The observations with late counts of one randomly chosen scale."""
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
                    # An unchanged count belongs to a full report after an outage: it is reported again.
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
    """A card that lies still on the pad is lost and found again.

    `share` (0 to 1) of the placed cards flicker. The cause is a driver that does not wake the tag up, so that
    it answers only some requests.
    """

    share: float

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """The observations with additional losses and reads of tags."""
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
