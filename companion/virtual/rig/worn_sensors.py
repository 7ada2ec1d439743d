"""Worn contacts and slow filters: buttons that bounce, scales that settle late, tags that flicker.

Sensor laws like those of `unusual_sensors`: each changes the observations of a whole game. All times are in
seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from companion.sensing.observation import Button, Count, Observation, TagRead
from companion.virtual.parameters import PAD_MODEL
from companion.virtual.rig.unusual_sensors import Heard, Place, Span, merged


@dataclass(frozen=True, slots=True)
class Bouncing:
    """Sensor law: worn claim buttons report some presses twice.

    `share`: of all presses (0 to 1). `seconds`: range of the time (s) to the second report, longer than the
    board debounces.
    """

    share: float
    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Add the repeated presses of buttons to the observations `heard`.

        `at`: rig and times of the game.
        """
        again: list[Observation] = [
            replace(seen, t=seen.t + chance.uniform(*self.seconds))
            for seen in heard
            if isinstance(seen, Button) and chance.random() < self.share
        ]
        return Heard(merged(heard, again), len(again))


@dataclass(frozen=True, slots=True)
class Settling:
    """Sensor law: a scale with a slow filter reports a load only after a while at rest.

    The time is drawn from `seconds` (s) for each change. A load that changes sooner, or returns to the
    reported one, is not reported.
    """

    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Delay the counts of one random scale in `heard`.

        `at`: rig and times of the game.
        """
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
    """Sensor law: cards are lost and found again while they lie still on the pad.

    `share`: of the placed cards (0 to 1). A driver that does not wake a tag up would cause it.
    """

    share: float

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Add false losses and reads of tags to `heard`.

        `at`: rig and times of the game.
        """
        more: list[Observation] = []
        happened = 0
        reads = [seen for seen in heard if isinstance(seen, TagRead)]
        for n, seen in enumerate(reads):
            if seen.card is None or chance.random() >= self.share:
                continue
            later = (other.t for other in reads[n + 1 :] if other.station == seen.station)
            end = min(next(later, at.end), seen.t + PAD_MODEL.flickers_s)
            lost = seen.t + chance.uniform(*PAD_MODEL.flicker_found_s)
            found = lost + chance.uniform(*PAD_MODEL.flicker_lost_s)
            happened += found < end
            while found < end:
                more += [replace(seen, t=lost, card=None), replace(seen, t=found)]
                lost = found + chance.uniform(*PAD_MODEL.flicker_found_s)
                found = lost + chance.uniform(*PAD_MODEL.flicker_lost_s)
        return Heard(merged(heard, more), happened)
