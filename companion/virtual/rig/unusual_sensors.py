"""Laws: sensors and wiring unlike those of any noise profile: crossed, biased, late, dazzled, creeping.

A law changes the observations of a whole game, after the faults of the noise profile (`SensorFaults`). It never
moves what lies on the table. All times are in seconds.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from companion.sensing.observation import (
    Button,
    Count,
    Observation,
    Reach,
    Seen,
    Sighting,
    TagRead,
    Texture,
    Touch,
)
from companion.virtual.parameters import PAD_MODEL
from companion.virtual.rig.rig_plan import RigPlan

CAMERA, BOARD = "camera", "board"
"""Names of the two sources of observations."""

Span = tuple[float, float]
"""Begin and end of a time (s), or range of a length (s)."""


class Heard(NamedTuple):
    """Observations that reach the companion, in time order.

    `happened`: how often a sensor law changed them.
    """

    observations: list[Observation]
    happened: int


class Place(NamedTuple):
    """Circumstances of a game: rig, first dealt card, end (s)."""

    plan: RigPlan
    begin: float
    end: float

    def moment(self, chance: Random, least: float = 0.0, most: float = 1.0) -> float:
        """Draw a random time (s) within the game.

        `least` and `most` are shares (0 to 1) of its length.
        """
        return self.begin + (self.end - self.begin) * chance.uniform(least, most)

    def moments(self, per_hour: float, chance: Random, seconds: Span) -> list[Span]:
        """Draw random, disjoint spans (s) of the game.

        `per_hour`: their rate. `seconds`: range of their lengths.
        """
        spans: list[Span] = []
        at = self.begin
        while (at := at + chance.expovariate(per_hour / 3600)) < self.end:
            spans.append((at, at + chance.uniform(*seconds)))
            at = spans[-1][1]
        return spans


class SensorLaw(Protocol):
    """Peculiarity of sensors or wiring, which changes a whole game's observations."""

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Change the observations `heard` of one game.

        The result is in time order. `at`: the game's rig and times. `chance`: the only source of chance.
        """
        ...


def _exchanged(
    heard: Sequence[Observation], what: type[Observation], field: str, one: str, other: str
) -> Heard:
    """Observations of the type `what`, with `one` and `other` exchanged in their field `field`."""
    over = {one: other, other: one}
    told = [
        replace(seen, **{field: over[getattr(seen, field)]})
        if isinstance(seen, what) and getattr(seen, field) in over
        else seen
        for seen in heard
    ]
    return Heard(told, sum(new is not seen for new, seen in zip(told, heard, strict=True)))


@dataclass(frozen=True, slots=True)
class Crossed:
    """Sensor law: two buttons, or electrodes, are wired crosswise.

    `what`: Button or Touch.
    """

    what: type[Button] | type[Touch]

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Exchange two randomly chosen stations in the observations `heard`.

        `at`: rig and times of the game.
        """
        one, other = chance.sample(at.plan.stations, 2)
        return _exchanged(heard, self.what, "station", one, other)


@dataclass(frozen=True, slots=True)
class TagsSwapped:
    """Sensor law: two cards carry each other's tag.

    Their raised pictures differ.
    """

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Exchange two random cards in tag reads of `heard`.

        `at`: rig and times of the game.
        """
        read = dict.fromkeys(seen.card for seen in heard if isinstance(seen, TagRead) and seen.card is not None)
        cards = list(read)
        raised = at.plan.raised
        pairs = [(a, b) for a in cards for b in cards if a < b and raised.of(a) != raised.of(b)]
        if not pairs:
            return Heard(list(heard), 0)
        return _exchanged(heard, TagRead, "card", *chance.choice(pairs))


@dataclass(frozen=True, slots=True)
class ScaleOff:
    """Sensor law: a bumped scale counts a card too many or too few.

    It begins in the first half of the game. `seconds`: how long it stays wrong; None: to the end.
    """

    seconds: float | None = None

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Change the counts of one randomly chosen scale in `heard`.

        `at`: rig and times of the game.
        """
        station = chance.choice(at.plan.stations)
        cards = chance.choice((-1, 1))
        bumped = at.moment(chance, 0.2, 0.5)
        end = at.end + 60.0 if self.seconds is None else bumped + self.seconds
        return _weighed(heard, {station: [(bumped, cards), (end, 0)]})


@dataclass(frozen=True, slots=True)
class Creeping:
    """Sensor law: the zero of scales creeps by one card, and back.

    `minutes`: about how long each takes. Halfway the count flickers.
    """

    minutes: float

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Change the counts of all scales in the observations `heard`.

        `at`: rig and times of the game.
        """
        offsets: dict[str, list[tuple[float, int]]] = {}
        for station in at.plan.stations:
            way = chance.choice((-1, 1))
            steps = offsets[station] = []
            # The offset in cards goes from 0 to 1 and back; its rounded value flickers near a half.
            half = at.begin + 60 * self.minutes * chance.uniform(0.3, 0.7)
            while half < at.end:
                for _ in range(chance.randint(1, 3)):
                    steps += [(half, way), (half := half + chance.uniform(0.3, 3.0), 0)]
                    half += chance.uniform(0.5, 4.0)
                steps.append((half, way))
                back = half + 60 * self.minutes * chance.uniform(0.5, 1.0)
                steps.append((back, 0))
                half = back + 60 * self.minutes * chance.uniform(0.5, 1.0)
        return _weighed(heard, offsets)


@dataclass(frozen=True, slots=True)
class RestingHand:
    """Sensor law: a hand rests on one scale for a part of the game.

    `share`: that part (0 to 1). `seconds`: range of one rest (s). The hand weighs one to four cards.
    """

    share: float
    seconds: Span = (15.0, 90.0)

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Add the hand's weight to one random scale in `heard`; the camera sees the hand.

        `at`: rig and times of the game.
        """
        station = chance.choice(at.plan.stations)
        steps: list[tuple[float, int]] = []
        hands: list[Observation] = []
        t = at.begin
        while t < at.end:
            rest = chance.uniform(*self.seconds)
            steps += [(t, chance.randint(1, 4)), (t + rest, 0)]
            hands += [Reach(t - 0.3, station, True), Reach(t + rest + 0.3, station)]
            t += rest + rest * (1 / self.share - 1) * chance.uniform(0.5, 1.5)
        changed = _weighed(heard, {station: steps})
        return Heard(merged(changed.observations, hands), len(steps) // 2)


@dataclass(frozen=True, slots=True)
class Drumming:
    """Sensor law: children sometimes drum on two neighbouring stations.

    Scales and electrodes report it, and the camera sees hands. `per_hour`: rate of drumming; `seconds`: range
    of how long it lasts (s).
    """

    per_hour: float
    seconds: Span = (10.0, 30.0)

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Add touches, hands and wrong counts to the observations `heard`.

        `at`: rig and times of the game.
        """
        stations = at.plan.stations
        offsets: dict[str, list[tuple[float, int]]] = {station: [] for station in stations}
        more: list[Observation] = []
        spans = at.moments(self.per_hour, chance, self.seconds)
        for begin, end in spans:
            first = chance.randrange(len(stations) - 1)
            for station in stations[first : first + 2]:
                more += [Reach(begin, station, True), Reach(end, station)]
                t = begin
                while (t := t + chance.uniform(0.2, 0.7)) < end:
                    offsets[station].append((t, chance.randint(-1, 3)))
                    if chance.random() < 0.3:
                        more += [Touch(t, station, True), Touch(t + 0.15, station, False)]
                offsets[station].append((end, 0))
        return Heard(merged(_weighed(heard, offsets).observations, more), len(spans))


@dataclass(frozen=True, slots=True)
class Crosstalk:
    """Sensor law: a neighbouring electrode also reports some touches.

    `share`: of all touches (0 to 1). Half of these are reported by the neighbour alone.
    """

    share: float

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Copy or move some touches in `heard` to neighbouring electrodes.

        `at`: rig and times of the game.
        """
        stations = at.plan.stations
        told: list[Observation] = []
        moved: dict[str, tuple[str, bool]] = {}
        happened = 0
        for seen in heard:
            if not isinstance(seen, Touch):
                told.append(seen)
                continue
            if seen.pressed:
                moved.pop(seen.station, None)
                if chance.random() < self.share:
                    n = stations.index(seen.station)
                    beside = chance.choice([stations[m] for m in (n - 1, n + 1) if 0 <= m < len(stations)])
                    moved[seen.station] = (beside, chance.random() < 0.5)
                    happened += 1
            beside, instead = moved.get(seen.station, ("", False))
            if not instead:
                told.append(seen)
            if beside:
                told.append(replace(seen, t=seen.t + PAD_MODEL.neighbour_s, station=beside))
        return Heard(_in_order(told), happened)


@dataclass(frozen=True, slots=True)
class WrongTexture:
    """Sensor law: presses are recognised as another raised picture.

    Only some are. Or as none. `share`: of all presses (0 to 1).
    """

    share: float

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Replace the textures of some presses in the observations `heard`.

        `at`: rig and times of the game.
        """
        classes = sorted(
            {str(seen.cls) for seen in heard if isinstance(seen, Texture) and seen.cls is not None}
        )
        told, happened = list[Observation](), 0
        for seen in heard:
            if isinstance(seen, Texture) and chance.random() < self.share:
                others = [cls for cls in (*classes, None) if cls != seen.cls]
                told.append(replace(seen, cls=chance.choice(others)))
                happened += 1
            else:
                told.append(seen)
        return Heard(told, happened)


@dataclass(frozen=True, slots=True)
class Late:
    """Sensor law: camera or board reports late, in order.

    `part`: CAMERA or BOARD. The delay is `seconds` (s) plus a random log-normal time with median `median` (s)
    and log deviation `sigma`.
    """

    part: str
    seconds: float = 0.0
    median: float = 0.0
    sigma: float = 0.0

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Delay the reports of the part in the observations `heard`.

        `at`: rig and times of the game.
        """
        told: list[Observation] = []
        last, when, happened = 0.0, -1.0, 0
        for seen in heard:
            if _part(seen) != self.part:
                told.append(seen)
                continue
            if seen.t != when:
                # Observations of one moment share one delay.
                when = seen.t
                tail = self.median * exp(chance.gauss(0.0, self.sigma)) if self.median else 0.0
                last = max(last, seen.t + self.seconds + tail)
                happened += 1
            told.append(replace(seen, t=last))
        return Heard(_in_order(told), happened)


@dataclass(frozen=True, slots=True)
class Dazzled:
    """Sensor law: light keeps some stickers undecoded for a while.

    `share`: probability for each sticker. `seconds`: range of the time (s). `one_zone`: in one random zone,
    not in all.
    """

    share: float
    seconds: Span
    per_hour: float = 0.0
    """Number of times an hour that light dazzles; 0: once, in the first half of the game."""
    one_zone: bool = False

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Leave dazzled stickers out of the sightings in `heard`.

        `at`: rig and times of the game.
        """
        if self.per_hour:
            spans = at.moments(self.per_hour, chance, self.seconds)
        else:
            begin = at.moment(chance, 0.2, 0.5)
            spans = [(begin, begin + chance.uniform(*self.seconds))]
        zones = sorted({seen.zone for seen in heard if isinstance(seen, Sighting)})
        where = {span: [chance.choice(zones)] if self.one_zone else zones for span in spans}
        told = _told_again(heard, sorted({edge for span in spans for edge in span}))
        luck: dict[tuple[Span, str, str], bool] = {}

        def unread(t: float, zone: str, card: str) -> bool:
            span = next((span for span in spans if span[0] <= t < span[1] and zone in where[span]), None)
            if span is None:
                return False
            if (span, zone, card) not in luck:
                luck[span, zone, card] = chance.random() < self.share
            return luck[span, zone, card]

        return Heard(_without_unread(told, unread), sum(luck.values()))


@dataclass(frozen=True, slots=True)
class Frozen:
    """Sensor law: the camera's picture freezes now and then.

    No error is reported. `per_hour`: how often. `seconds`: range of how long it lasts (s).
    """

    per_hour: float
    seconds: Span

    def apply(self, heard: Sequence[Observation], at: Place, chance: Random) -> Heard:
        """Leave out of `heard` what the camera would report of frozen pictures.

        `at`: rig and times of the game.
        """
        spans = at.moments(self.per_hour, chance, self.seconds)
        return Heard(frozen(heard, spans), len(spans))


def under_laws(
    laws: Sequence[SensorLaw], heard: Sequence[Observation], unseen: Iterable[Span], at: Place, chance: Random
) -> Heard:
    """Apply sensor laws in turn to a game's observations.

    `heard`: the observations. `unseen`: spans (s) in which the camera's picture is frozen before any law acts.
    `at`: the game's rig and times.
    """
    told, happened = frozen(heard, unseen), 0
    for law in laws:
        told, times = law.apply(told, at, chance)
        happened += times
    return Heard(told, happened)


def _told_again(heard: Sequence[Observation], edges: Sequence[float]) -> list[Observation]:
    """Observations in time order, with each zone's last sighting once more at each of these times (s)."""
    told: list[Observation] = []
    there: dict[str, Sighting] = {}
    waiting = deque(edges)
    for seen in heard:
        while waiting and waiting[0] <= seen.t:
            edge = waiting.popleft()
            told += [replace(last, t=edge) for last in there.values()]
        if isinstance(seen, Sighting):
            there[seen.zone] = seen
        told.append(seen)
    return told


def _without_unread(
    told: Iterable[Observation], unread: Callable[[float, str, str], bool]
) -> list[Observation]:
    """Observations without unread cards, and without sightings that then repeat the last of their zone.

    `unread(t, zone, card)`: True if the card is not read at `t` (s).
    """
    shown: dict[str, tuple[Seen, ...]] = {}
    read: list[Observation] = []
    for seen in told:
        if not isinstance(seen, Sighting):
            read.append(seen)
            continue
        cards = tuple(card for card in seen.cards if not unread(seen.t, seen.zone, card.card))
        if cards != shown.get(seen.zone):
            shown[seen.zone] = cards
            read.append(replace(seen, cards=cards))
    return read


def frozen(heard: Sequence[Observation], spans: Iterable[Span]) -> list[Observation]:
    """Leave out what the camera would report during some spans (s).

    The spans do not overlap. After each one the camera reports zones whose content differs from its last
    report.
    """
    told: list[Observation] = []
    there: dict[str, Sighting] = {}
    missed: dict[str, Sighting] = {}
    waiting = sorted(spans)
    for seen in heard:
        while waiting and waiting[0][1] <= seen.t:
            _, end = waiting.pop(0)
            for zone, last in missed.items():
                if zone not in there or there[zone].cards != last.cards:
                    told.append(replace(last, t=end))
                    there[zone] = last
            missed.clear()
        if waiting and waiting[0][0] <= seen.t and isinstance(seen, Sighting | Reach):
            if isinstance(seen, Sighting):
                missed[seen.zone] = seen
            continue
        if isinstance(seen, Sighting):
            there[seen.zone] = seen
        told.append(seen)
    if waiting:
        told += [replace(last, t=max(last.t, waiting[0][1])) for last in missed.values()]
    return told


def _weighed(heard: Sequence[Observation], offsets: dict[str, list[tuple[float, int]]]) -> Heard:
    """Shift the counts of scales in the observations `heard`.

    Each change is reported at its time (s). No count is below 0. `offsets`: station -> pairs of a time (s) and
    the offset (cards) from then on.
    """
    steps = sorted((t, station, cards) for station, changes in offsets.items() for t, cards in changes)
    now: dict[str, int] = {}
    true: dict[str, Count] = {}
    last: dict[str, int] = {}
    told: list[Observation] = []
    happened = 0

    def tell(t: float, station: str) -> bool:
        n = max(0, true[station].n + now.get(station, 0))
        if n == last.get(station):
            return False
        last[station] = n
        told.append(replace(true[station], t=t, n=n, raw=float(n)))
        return True

    for seen in heard:
        while steps and steps[0][0] <= seen.t:
            t, station, cards = steps.pop(0)
            now[station] = cards
            if station in true:
                happened += tell(t, station)
        if isinstance(seen, Count):
            true[seen.station] = seen
            tell(seen.t, seen.station)
        else:
            told.append(seen)
    return Heard(told, happened)


def _part(seen: Observation) -> str:
    """Source of an observation: CAMERA or BOARD.

    "" for a report of the program itself.
    """
    if isinstance(seen, Sighting | Reach):
        return CAMERA
    return BOARD if isinstance(seen, Count | TagRead | Touch | Button | Texture) else ""


def merged(heard: Iterable[Observation], more: Iterable[Observation]) -> list[Observation]:
    """Both in time order."""
    return _in_order([*heard, *more])


def _in_order(told: Iterable[Observation]) -> list[Observation]:
    return sorted(told, key=lambda seen: seen.t)
