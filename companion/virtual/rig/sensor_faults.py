"""Sensor faults on a perfect rig's observations: late, missed, false and hidden ones, and outages.

The rates are those of the noise profile. Faults that decoders and filters already correct (a missed scan, a
lost frame, a flipped bit) are left out. Delays of the scales are measured through the real board program.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count as counting
from random import Random

import msgspec

from companion.sensing.observation import (
    UNREAD,
    Button,
    Count,
    Health,
    Observation,
    Reach,
    Seen,
    Sighting,
    TagRead,
    Texture,
)
from companion.sensing.observation import Touch as TouchSeen
from companion.sensing.press_recogniser import TextureBook
from companion.virtual.parameters import LOAD_CELL, PAD_MODEL, SIGHT, STARTING
from companion.virtual.rig.hovering_hands import reaches
from companion.virtual.rig.matrix_presses import Matrix
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.rig_plan import RigPlan


@dataclass(slots=True)
class _Zone:
    """Zone on the table: its cards, and what the camera last reported.

    `hidden`: code of a card that the camera cannot read -> time (s) when it shows again.
    """

    cards: tuple[Seen, ...] = ()
    hidden: dict[str, float] = field(default_factory=dict)
    told: tuple[str, ...] | None = ()
    """Card codes of the last report; None: report even if nothing changed."""


class SensorFaults:
    """Faults of sensors that change a perfect rig's reports.

    Equal `chance`, equal faults. A resting hand adds its weight to the scale's count and hides changes. This
    is harder than the real table, where `companion/sensing/card_weighing.py` holds the weight of such a hand
    back. A board without power measures nothing: once it is back, it reports the present loads and cards, and
    the rest is lost. Presses on the pad are recognised by the code that recognises presses of a real board.
    """

    def __init__(self, noise: Noise, plan: RigPlan, chance: Random, hands: Random, cards: int = 0) -> None:
        """Prepare the faults of a game's sensors.

        `noise`: how strong they are. `plan`: sensors of the rig. `chance` decides them. `hands`: random stream
        of the hands over the table. `cards`: number of the card set, which fixes its enrolment and its
        presses.
        """
        self._noise = noise
        self._plan = plan
        self._chance = chance
        self._hand_chance = hands
        self._deck: list[str] = []
        """Cards that come to the pad, in the order of the deal."""
        self._zones: dict[str, _Zone] = {}
        self._loads: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        """Station -> last reported count of its scale."""
        self._hands: dict[str, list[tuple[float, float, int]]] = {}
        """Station -> rests of hands on its scale: begin (s), end (s), weight in cards."""
        self._press_chance = Random(f"{cards} presses")
        self._matrix = Matrix(plan.raised, noise, self._press_chance)
        self._book = TextureBook(plan.raised.enrolled(cards)) if plan.raised.pictures else None
        self._pressed: list[str] = []
        """Cards that came to the pad last."""
        self._unfelt: set[str] = set()
        """Stations whose electrode misses the finger that touches it now."""
        self._on_pad: dict[str, list[str]] = {}
        self._felt_on_pad: dict[str, list[str]] = {}
        self._queue: list[tuple[float, int, Callable[[float], Iterator[Observation]]]] = []
        self._order = counting()
        self._blind: list[tuple[float, float]] = []
        self._unplugged: list[tuple[float, float]] = []

    def disturb(
        self, observations: Sequence[Observation], start: float, restarts: Iterable[tuple[float, float]] = ()
    ) -> Iterator[Observation]:
        """Change perfect observations into those that reach the companion, in time order.

        Play begins at `start` (s). `restarts`: begin and end (s) of each time in which the program was not
        running. After it, all sensors report everything again.
        """
        gone = list(restarts)
        for seen in self._disturbed(observations, start, [back for _, back in gone]):
            if not any(out < seen.t < back for out, back in gone):
                yield seen

    def _disturbed(
        self, observations: Sequence[Observation], start: float, restarts: Iterable[float]
    ) -> Iterator[Observation]:
        chance = Random("restarts")
        for at in restarts:
            for absences, anew in ((self._blind, self._look_anew), (self._unplugged, self._feel_anew)):
                self._later(at + chance.uniform(*STARTING.started_s), self._when_there(absences, anew))
        end = observations[-1].t
        read = [seen.card for seen in observations if isinstance(seen, TagRead) and seen.card is not None]
        self._deck = list(dict.fromkeys(read))
        self._plan_mishaps(start, end)
        self._watch_hands(observations)
        for seen in observations:
            yield from self._until(seen.t)
            self._take(seen)
        yield from self._until(end + 60.0)

    def _plan_mishaps(self, start: float, end: float) -> None:
        noise, chance = self._noise, self._chance
        for cause, rate in (
            ("camera moved: looking for the mat again", noise.nudges_per_game),
            ("mat not found: no corner marker in sight", noise.light_switches_per_game),
        ):
            for _ in range(_times(rate, chance)):
                at = chance.uniform(start, end)
                self._blind.append((at, at + chance.uniform(*SIGHT.blind_s)))
                self._away("camera", *self._blind[-1], cause)
        for _ in range(_times(noise.unplugs_per_game, chance)):
            at = chance.uniform(start, end)
            self._unplugged.append((at, at + chance.uniform(*STARTING.unplugged_s)))
            self._away("board", *self._unplugged[-1], "the cable was pulled")
            self._later(self._unplugged[-1][1], self._snapshot)
        at = start
        while noise.count_blips_per_minute and self._plan.stations:
            at += chance.expovariate(noise.count_blips_per_minute / 60)
            if at > end:
                break
            self._blip(at, self._any_station())
        for station in self._plan.stations:
            self._rest_hands(station, start, end)

    def _any_station(self) -> str:
        return self._plan.stations[self._chance.randrange(len(self._plan.stations))]

    def _rest_hands(self, station: str, start: float, end: float) -> None:
        """Plan hands that rest on a scale, with the rate `hand_on_scale` of the noise profile."""
        noise, chance = self._noise, self._chance
        hands = self._hands[station] = []
        at = start
        while noise.hand_on_scale:
            at += chance.expovariate(noise.hand_on_scale / LOAD_CELL.hand_s)
            if at > end:
                return
            off = at + chance.uniform(0, 2 * LOAD_CELL.hand_s)
            hands.append((at, off, round(chance.uniform(*LOAD_CELL.hand_g) / LOAD_CELL.card_g)))
            weighed = at + chance.uniform(*LOAD_CELL.still_s)
            if weighed < off:
                self._later(weighed, lambda t: self._count(t, station))
            self._later(off + chance.uniform(*LOAD_CELL.counted_s), lambda t: self._count(t, station))
            at = off

    def _watch_hands(self, observations: Sequence[Observation]) -> None:
        """Report the hands over stations, except those that the camera misses.

        `observations`: what a perfect rig reports.
        """
        rests = {station: [(begin, end) for begin, end, _ in hands] for station, hands in self._hands.items()}
        told = list(reaches(observations, self._plan, self._hand_chance, rests))
        for came, left in zip(told[::2], told[1::2], strict=True):
            begin = _after(self._blind, came.t + SIGHT.noticed_s)
            end = _after(self._blind, left.t + SIGHT.gone_s)
            if begin < end and self._hand_chance.random() >= self._noise.reach_missed:
                for at, reach in ((begin, came), (end, left)):
                    self._tell(msgspec.structs.replace(reach, t=at))

    def _away(self, source: str, out: float, back: float, cause: str) -> None:
        self._later(out, lambda t: iter([Health(t, source, False, cause)]))
        self._later(back, lambda t: iter([Health(t, source, True)]))

    def _until(self, t: float) -> Iterator[Observation]:
        while self._queue and self._queue[0][0] <= t:
            at, _, told = heappop(self._queue)
            yield from told(at)

    def _tell(self, seen: Observation) -> None:
        self._later(seen.t, lambda _: iter([seen]))

    def _later(self, t: float, told: Callable[[float], Iterator[Observation]]) -> None:
        heappush(self._queue, (t, next(self._order), told))

    def _take(self, seen: Observation) -> None:
        noise, chance = self._noise, self._chance
        match seen:
            case Sighting():
                self._change(seen)
            case Reach():
                if chance.random() >= noise.reach_missed:
                    self._later(
                        _after(self._blind, seen.t + SIGHT.gone_s), lambda t: iter([Reach(t, seen.zone)])
                    )
            case Count():
                delay = chance.uniform(*LOAD_CELL.counted_s) if noise.weight_sigma else 0.0
                self._loads[seen.station] = seen.n
                self._later(seen.t + delay, lambda t: self._count(t, seen.station))
            case TagRead(t, station, str(card)):
                badly = chance.random() < noise.tag_badly_placed
                both = [card, self._stuck_to(card)] if chance.random() < noise.two_on_pad else [card]
                self._on_pad[station] = [] if badly else both
                self._pressed = both
                self._later(t + PAD_MODEL.tag_s, lambda t: self._pad(t, station))
            case TagRead(t, station):
                self._on_pad[station] = []
                self._later(t + PAD_MODEL.tag_s, lambda t: self._pad(t, station))
            case Texture():
                self._press(seen.t, seen.station)
            case TouchSeen(_, station, pressed):
                # A missed finger is not reported when it leaves, either.
                if pressed and chance.random() < noise.touch_missed:
                    self._unfelt.add(station)
                elif pressed or station not in self._unfelt:
                    self._felt(seen)
                if not pressed:
                    self._unfelt.discard(station)
                if pressed and chance.random() < noise.touch_ghost:
                    self._felt(TouchSeen(seen.t, self._any_station(), True))
            case Button():
                self._felt(seen)
            case _:
                self._tell(seen)

    def _press(self, t: float, station: str) -> None:
        """Press the cards on a station's pad, and report the texture that is recognised.

        Several cards lie in random order. `t`: time (s).
        """
        if self._book is None:
            return
        self._press_chance.shuffle(self._pressed)
        felt = self._book.of(*self._matrix.picture([self._plan.raised.of(code) for code in self._pressed], t))
        if felt is not None:
            self._felt(Texture(t + self._press_chance.uniform(*PAD_MODEL.press_s), station, felt.cls, felt.p))

    def _felt(self, seen: Observation) -> None:
        """Report an observation that no later report repeats, such as a touch.

        It is lost while the board is unplugged.
        """
        if _after(self._unplugged, seen.t) == seen.t:
            self._tell(seen)

    def _stuck_to(self, card: str) -> str:
        """Card that sticks to `card`: the next of the deal.

        After the last one it is a random one.
        """
        at = self._deck.index(card) + 1
        return self._deck[at] if at < len(self._deck) else self._chance.choice(self._deck)

    def _snapshot(self, t: float) -> Iterator[Observation]:
        """Report all counts and tags, as a new board does."""
        for station in self._loads:
            yield from self._count(t, station)
        for station in self._on_pad:
            yield from self._pad(t, station)

    def _when_there(
        self, absences: Sequence[tuple[float, float]], tell: Callable[[float], Iterator[Observation]]
    ) -> Callable[[float], Iterator[Observation]]:
        """Wrap `tell` so that a report due in an absence waits for its end.

        `absences`: begin and end (s) of each.
        """

        def told(t: float) -> Iterator[Observation]:
            if (back := _after(absences, t)) == t:
                yield from tell(t)
            else:
                self._later(back, tell)

        return told

    def _look_anew(self, t: float) -> Iterator[Observation]:
        """Report the camera's health and each zone's content.

        So it does after its start.
        """
        yield Health(t, "camera", True)
        for name, zone in self._zones.items():
            zone.told = None
            yield from self._look(t, name)

    def _feel_anew(self, t: float) -> Iterator[Observation]:
        """Report the board's health, counts and tags.

        So it does after a reconnect.
        """
        yield Health(t, "board", True)
        self._counts.clear()
        self._felt_on_pad.clear()
        yield from self._snapshot(t)

    def _pad(self, t: float, station: str) -> Iterator[Observation]:
        """Report the tags on a station's reader at `t` (s) if they changed.

        Nothing while the board is unplugged.
        """
        there, told = self._on_pad[station], self._felt_on_pad.get(station, [])
        if _after(self._unplugged, t) != t or there == told:
            return
        self._felt_on_pad[station] = there
        for card in there:
            yield TagRead(t, station, card)
        if not there:
            yield TagRead(t, station, None)

    def _change(self, seen: Sighting) -> None:
        """Note the cards that a zone has from now on.

        The camera reports them a little later, and again when a hidden card shows.
        """
        zone = self._zones.setdefault(seen.zone, _Zone())
        there = {card.card for card in zone.cards}
        zone.cards = seen.cards
        zone.hidden = {code: until for code, until in zone.hidden.items() if until > seen.t}
        laid = any(card.card not in there for card in seen.cards)
        for card in seen.cards:
            new = card.card not in there and not self._plan.on_screen(card.card)
            if new and self._chance.random() < SIGHT.beneath_another * self._noise.askew:
                zone.hidden[card.card] = seen.t + self._chance.uniform(*SIGHT.beneath_another_s)
            elif new and self._chance.random() < self._noise.glare:
                zone.hidden[card.card] = seen.t + self._glare_s(seen.zone)
        for at in (seen.t + (0.0 if laid else SIGHT.gone_s - SIGHT.shown_s), *zone.hidden.values()):
            self._later(_after(self._blind, at + SIGHT.shown_s), lambda t: self._look(t, seen.zone))

    def _glare_s(self, zone: str) -> float:
        """Draw how long (s) glare keeps a card in `zone` undecoded."""
        if zone in self._plan.counted_unread:
            return self._chance.uniform(*SIGHT.reflection_s)
        return self._chance.expovariate(1 / SIGHT.undecoded_s)

    def _look(self, t: float, name: str) -> Iterator[Observation]:
        zone = self._zones[name]
        hidden = {code for code, until in zone.hidden.items() if until > t}
        if name in self._plan.counted_unread:
            seen = tuple(
                Seen(UNREAD, card.x, card.y, quality=0.0) if card.card in hidden else card
                for card in zone.cards
            )
        else:
            seen = tuple(card for card in zone.cards if card.card not in hidden)
        codes = tuple(card.card for card in seen)
        if codes != zone.told:
            zone.told = codes
            yield Sighting(t, name, seen)

    def _count(self, t: float, station: str) -> Iterator[Observation]:
        """Report a scale's count at `t` (s) if it changed.

        Nothing while the board is unplugged.
        """
        if _after(self._unplugged, t) != t:
            return
        hand = sum(cards for begin, end, cards in self._hands.get(station, ()) if begin <= t < end)
        n = self._loads.get(station, 0) + hand
        if n != self._counts.get(station):
            self._counts[station] = n
            yield Count(t, station, n, float(n))

    def _blip(self, t: float, station: str) -> None:
        step = self._chance.choice((-1, 1))

        def off(at: float) -> Iterator[Observation]:
            n = self._counts.get(station, 0) + step
            if n >= 0 and _after(self._unplugged, at) == at:
                self._counts[station] = n
                yield Count(at, station, n, float(n))
                self._later(at + self._chance.uniform(*LOAD_CELL.blip_s), lambda t: self._count(t, station))

        self._later(t, off)


def _after(absences: Sequence[tuple[float, float]], t: float) -> float:
    """Time `t` (s), or the end of the absence that contains it.

    `absences`: begin and end (s) of each.
    """
    return next((end for begin, end in absences if begin <= t < end), t)


def _times(rate: float, chance: Random) -> int:
    """Draw how often something happens in a game: `rate` rounded down or up.

    Up with the probability of its fraction, so that the mean is `rate`.
    """
    return int(rate) + (chance.random() < rate % 1)
