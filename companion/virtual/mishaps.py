"""What imperfect sensors make of a perfect rig's report: late, missed, made up, hidden, blind.

The rates are those of the noise profile; what decoders and filters already forgive (a scan, a frame, a flipped
bit) does not appear here. Delays of the scales are those seen through the real board code.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count as counting
from random import Random

import msgspec

from companion.observation import Button, Count, Observation, Reach, Seen, Sighting, TagRead
from companion.observation import Touch as TouchSeen
from companion.virtual.noise import Noise

SIGHT_S = 0.25
"""From a card at rest with the hand away to its sighting: three frames and the steadiness that is asked for."""
GLARE_S = 0.4
"""How long a sticker stays unread on average: 99 % of those in view are read within a second."""
COVERED, COVERED_S = 0.2, (0.5, 6.0)
"""Share of the cards laid askew whose sticker lies under a neighbour, and for how long."""
SCALE_S = (0.14, 0.44)
"""From the load to the count: 32 of 34 seen through the board's code under `home`."""
SLOW_SCALE_S = (0.5, 2.0)
"""The same while a hand rests there; the other two took 0.7 and 1.6 s."""
TAG_S = 0.1
BLIP_S = (0.3, 3.0)
"""A restless scale shows one card more or less for so long."""
BLIND_S = (0.5, 2.5)
"""A nudged camera is registered anew, or the light has come back, after so long."""
UNPLUGGED_S = (2.0, 6.0)
"""Until the cable is in again and the board has told what it kept meanwhile."""


@dataclass(slots=True)
class _Zone:
    """What lies in a zone, which of it is hidden until when, and what the camera said last."""

    cards: tuple[Seen, ...] = ()
    hidden: dict[str, float] = field(default_factory=dict)
    told: tuple[str, ...] = ()


class Mishaps:
    """Disturbs the observations of one game, which come in time order. The same chance, the same mishaps."""

    def __init__(self, noise: Noise, mattresses: Sequence[str], beds: int, chance: Random) -> None:
        self._noise = noise
        self._mattresses = mattresses
        self._beds = beds
        self._chance = chance
        self._zones: dict[str, _Zone] = {}
        self._loads: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        """What each scale told last."""
        self._queue: list[tuple[float, int, Callable[[float], Iterator[Observation]]]] = []
        self._order = counting()
        self._blind: list[tuple[float, float]] = []
        self._unplugged: list[tuple[float, float]] = []
        self._muffled = False

    def disturb(self, observations: Sequence[Observation], start: float) -> Iterator[Observation]:
        """What the companion hears of a game whose play begins at `start` (s), in time order."""
        end = observations[-1].t
        self._plan(start, end)
        for seen in observations:
            yield from self._until(seen.t)
            self._take(seen)
        yield from self._until(end + 60.0)

    def _plan(self, start: float, end: float) -> None:
        noise, chance = self._noise, self._chance
        for _ in range(_times(noise.nudges_per_game + noise.light_switches_per_game, chance)):
            at = chance.uniform(start, end)
            self._blind.append((at, at + chance.uniform(*BLIND_S)))
        for _ in range(_times(noise.unplugs_per_game, chance)):
            at = chance.uniform(start, end)
            self._unplugged.append((at, at + chance.uniform(*UNPLUGGED_S)))
        at = start
        while noise.count_blips_per_minute:
            at += chance.expovariate(noise.count_blips_per_minute / 60)
            if at > end:
                break
            self._blip(at, f"bed {chance.randrange(self._beds) + 1}")

    def _until(self, t: float) -> Iterator[Observation]:
        while self._queue and self._queue[0][0] <= t:
            at, _, told = heappop(self._queue)
            yield from told(at)

    def _later(self, t: float, told: Callable[[float], Iterator[Observation]]) -> None:
        heappush(self._queue, (t, next(self._order), told))

    def _take(self, seen: Observation) -> None:
        noise, chance = self._noise, self._chance
        match seen:
            case Sighting():
                self._change(seen)
            case Reach():
                if chance.random() >= noise.reach_missed:
                    self._later(self._sighted(seen.t + SIGHT_S), lambda t: iter([Reach(t, seen.zone)]))
            case Count():
                slow = chance.random() < noise.hand_on_bed
                delay = 0.0 if not noise.weight_sigma else chance.uniform(*(SLOW_SCALE_S if slow else SCALE_S))
                self._loads[seen.station] = seen.n
                self._later(self._wired(seen.t + delay), lambda t: self._count(t, seen.station))
            case TagRead(_, station, str(card)):
                self._muffled = chance.random() < noise.tag_badly_placed
                other = chance.choice(self._mattresses) if chance.random() < noise.two_on_pad else card
                for code in dict.fromkeys((card, other)):
                    if not self._muffled:
                        self._felt(seen.t + TAG_S, TagRead(0.0, station, code))
            case TagRead():
                if not self._muffled:
                    self._felt(seen.t + TAG_S, seen)
            case TouchSeen(_, station, pressed):
                if not pressed or chance.random() >= noise.touch_missed:
                    self._felt(seen.t, seen)
                if pressed and chance.random() < noise.touch_ghost:
                    self._felt(seen.t, TouchSeen(0.0, f"bed {chance.randrange(self._beds) + 1}", True))
            case Button():
                self._felt(seen.t, seen)
            case _:
                self._later(seen.t, lambda t: iter([seen]))

    def _felt(self, t: float, seen: Observation) -> None:
        """The board tells it as soon as its cable is in."""
        self._later(self._wired(t), lambda at: iter([msgspec.structs.replace(seen, t=at)]))

    def _wired(self, t: float) -> float:
        return next((end for begin, end in self._unplugged if begin <= t < end), t)

    def _sighted(self, t: float) -> float:
        return next((end for begin, end in self._blind if begin <= t < end), t)

    def _change(self, seen: Sighting) -> None:
        """Cards come to a zone and leave it; the camera looks a little later, and again when one shows."""
        zone = self._zones.setdefault(seen.zone, _Zone())
        there = {card.card for card in zone.cards}
        zone.cards = seen.cards
        zone.hidden = {code: until for code, until in zone.hidden.items() if until > seen.t}
        for card in seen.cards:
            # Tiles show up on the screen by name: who sees none lays hers down again.
            new = card.card not in there and not card.card.startswith("P")
            if new and self._chance.random() < COVERED * self._noise.askew:
                zone.hidden[card.card] = seen.t + self._chance.uniform(*COVERED_S)
            elif new and self._chance.random() < self._noise.glare:
                zone.hidden[card.card] = seen.t + self._chance.expovariate(1 / GLARE_S)
        for at in (seen.t, *zone.hidden.values()):
            self._later(self._sighted(at + SIGHT_S), lambda t: self._look(t, seen.zone))

    def _look(self, t: float, name: str) -> Iterator[Observation]:
        zone = self._zones[name]
        seen = tuple(card for card in zone.cards if zone.hidden.get(card.card, 0.0) <= t)
        codes = tuple(card.card for card in seen)
        if codes != zone.told:
            zone.told = codes
            yield Sighting(t, name, seen)

    def _count(self, t: float, station: str) -> Iterator[Observation]:
        """What the scale carries by now, if it has not told so already."""
        n = self._loads.get(station, 0)
        if n != self._counts.get(station):
            self._counts[station] = n
            yield Count(t, station, n, float(n))

    def _blip(self, t: float, station: str) -> None:
        step = self._chance.choice((-1, 1))

        def off(at: float) -> Iterator[Observation]:
            n = self._counts.get(station, 0) + step
            if n >= 0:
                self._counts[station] = n
                yield Count(at, station, n, float(n))
                self._later(at + self._chance.uniform(*BLIP_S), lambda t: self._count(t, station))

        self._later(t, off)


def _times(rate: float, chance: Random) -> int:
    """How often something happens in a game in which it happens `rate` times on average."""
    return int(rate) + (chance.random() < rate % 1)
