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
from companion.virtual.rig.board_readings import CARD_G, HAND_G, HAND_S
from companion.virtual.rig.hovering_hands import reaches
from companion.virtual.rig.matrix_presses import Matrix
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.rig_plan import RigPlan

SHOWN_S, SIGHT_S = 0.1, 0.22
"""SHOWN_S: delay (s) from a card at rest, with the hand away, to its sighting. SIGHT_S: delay after a card was
taken or a hand has left. Measured through pixels: 73 of 87 laid and 68 of 75 taken cards were reported within
these times."""
GLARE_S = 0.4
"""Mean time (s) for which a reflection keeps a sticker undecoded. Under `home`, 99 % of the stickers in view
are then decoded within a second."""
DAZZLED_S = (0.5, 6.0)
"""Range of the time (s) for which a reflection hides a sticker in `counted_unread` zones. A guess.

People do not lay a card down again in such a zone, because no screen misses it.
"""
COVERED, COVERED_S = 0.2, (0.5, 6.0)
"""COVERED: share of the cards laid askew whose sticker lies under a neighbour. COVERED_S: range of the time (s)
until it is free. Guesses."""
SCALE_S = (0.14, 0.44)
"""Range of the delay (s) from a load to its count. Measured through the board program under `home`: 32 of 34
counts."""
STILL_S = (0.4, 1.6)
"""Range of the time (s) after which a scale reports a resting hand. Four samples agree then.

Shorter rests are never reported.
"""
NOTICED_S = 0.1
"""Delay (s) from a hand over a station to the camera's report of it."""
TAG_S = 0.1
"""Delay (s) from a card on the pad, or lifted from it, to the reader's report."""
PRESSED_S = (0.5, 0.9)
"""Range of the time (s) from laying a card on the pad to the end of its press."""
BLIP_S = (0.3, 3.0)
"""Range of the time (s) for which a restless scale is wrong by one card."""
BLIND_S = (0.5, 2.5)
"""Range of the time (s) until a nudged or darkened camera has found the mat again."""
STARTED_S = (0.5, 1.5)
"""Range of the time (s) from the program's start to the first full report."""
UNPLUGGED_S = (2.0, 6.0)
"""Range of the time (s) from a pulled cable to the restarted board's full report."""


@dataclass(slots=True)
class _Zone:
    """Zone on the table: its cards, when (s) each hidden card shows again, and the last report."""

    cards: tuple[Seen, ...] = ()
    hidden: dict[str, float] = field(default_factory=dict)
    told: tuple[str, ...] | None = ()
    """Card codes of the camera's last report. None: the next report is sent even if nothing changed."""


class SensorFaults:
    """Adds sensor faults to a game's observations, in time order.

    Equal `chance`, equal faults. A resting hand adds its weight to the scale's count and hides changes. This
    is harder than the real table, where `companion/sensing/card_weighing.py` holds the weight of such a hand
    back. A board without power measures nothing: once it is back, it reports the present loads and cards, and
    the rest is lost. Presses on the pad are recognised by the code that recognises presses of a real board.
    """

    def __init__(self, noise: Noise, plan: RigPlan, chance: Random, hands: Random, cards: int = 0) -> None:
        """`hands`: random stream of the hands over the table.

        `cards`: number of the card set, which fixes its enrolment and its presses.
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
        """The observations that reach the companion, in time order.

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
                self._later(at + chance.uniform(*STARTED_S), self._when_there(absences, anew))
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
                self._blind.append((at, at + chance.uniform(*BLIND_S)))
                self._away("camera", *self._blind[-1], cause)
        for _ in range(_times(noise.unplugs_per_game, chance)):
            at = chance.uniform(start, end)
            self._unplugged.append((at, at + chance.uniform(*UNPLUGGED_S)))
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
            at += chance.expovariate(noise.hand_on_scale / HAND_S)
            if at > end:
                return
            off = at + chance.uniform(0, 2 * HAND_S)
            hands.append((at, off, round(chance.uniform(*HAND_G) / CARD_G)))
            weighed = at + chance.uniform(*STILL_S)
            if weighed < off:
                self._later(weighed, lambda t: self._count(t, station))
            self._later(off + chance.uniform(*SCALE_S), lambda t: self._count(t, station))
            at = off

    def _watch_hands(self, observations: Sequence[Observation]) -> None:
        """Report hands over stations that the camera does not miss."""
        rests = {station: [(begin, end) for begin, end, _ in hands] for station, hands in self._hands.items()}
        told = list(reaches(observations, self._plan, self._hand_chance, rests))
        for came, left in zip(told[::2], told[1::2], strict=True):
            begin = _after(self._blind, came.t + NOTICED_S)
            end = _after(self._blind, left.t + SIGHT_S)
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
                    self._later(_after(self._blind, seen.t + SIGHT_S), lambda t: iter([Reach(t, seen.zone)]))
            case Count():
                delay = chance.uniform(*SCALE_S) if noise.weight_sigma else 0.0
                self._loads[seen.station] = seen.n
                self._later(seen.t + delay, lambda t: self._count(t, seen.station))
            case TagRead(t, station, str(card)):
                badly = chance.random() < noise.tag_badly_placed
                both = [card, self._stuck_to(card)] if chance.random() < noise.two_on_pad else [card]
                self._on_pad[station] = [] if badly else both
                self._pressed = both
                self._later(t + TAG_S, lambda t: self._pad(t, station))
            case TagRead(t, station):
                self._on_pad[station] = []
                self._later(t + TAG_S, lambda t: self._pad(t, station))
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
        """Press the cards on the pad.

        Cards that came together lie in random order.
        """
        if self._book is None:
            return
        self._press_chance.shuffle(self._pressed)
        felt = self._book.of(*self._matrix.picture([self._plan.raised.of(code) for code in self._pressed], t))
        if felt is not None:
            self._felt(Texture(t + self._press_chance.uniform(*PRESSED_S), station, felt.cls, felt.p))

    def _felt(self, seen: Observation) -> None:
        """Report an observation that no later report repeats.

        While the board is unplugged it is lost.
        """
        if _after(self._unplugged, seen.t) == seen.t:
            self._tell(seen)

    def _stuck_to(self, card: str) -> str:
        """Card that sticks to `card`: the next of the deal, after the last one a random card."""
        at = self._deck.index(card) + 1
        return self._deck[at] if at < len(self._deck) else self._chance.choice(self._deck)

    def _snapshot(self, t: float) -> Iterator[Observation]:
        """First reports of a board just started: counts and tags."""
        for station in self._loads:
            yield from self._count(t, station)
        for station in self._on_pad:
            yield from self._pad(t, station)

    def _when_there(
        self, absences: Sequence[tuple[float, float]], tell: Callable[[float], Iterator[Observation]]
    ) -> Callable[[float], Iterator[Observation]]:
        """Wrap `tell` to report at once, or after an absence."""

        def told(t: float) -> Iterator[Observation]:
            if (back := _after(absences, t)) == t:
                yield from tell(t)
            else:
                self._later(back, tell)

        return told

    def _look_anew(self, t: float) -> Iterator[Observation]:
        """First reports of a camera that has just started: its health, and each zone's content."""
        yield Health(t, "camera", True)
        for name, zone in self._zones.items():
            zone.told = None
            yield from self._look(t, name)

    def _feel_anew(self, t: float) -> Iterator[Observation]:
        """First reports of a board that is connected again: its health, all counts and all tags."""
        yield Health(t, "board", True)
        self._counts.clear()
        self._felt_on_pad.clear()
        yield from self._snapshot(t)

    def _pad(self, t: float, station: str) -> Iterator[Observation]:
        """New tags on the reader, unless the board is unplugged."""
        there, told = self._on_pad[station], self._felt_on_pad.get(station, [])
        if _after(self._unplugged, t) != t or there == told:
            return
        self._felt_on_pad[station] = there
        for card in there:
            yield TagRead(t, station, card)
        if not there:
            yield TagRead(t, station, None)

    def _change(self, seen: Sighting) -> None:
        """Change the cards of a zone.

        The camera reports it a little later, and again when a hidden card shows.
        """
        zone = self._zones.setdefault(seen.zone, _Zone())
        there = {card.card for card in zone.cards}
        zone.cards = seen.cards
        zone.hidden = {code: until for code, until in zone.hidden.items() if until > seen.t}
        laid = any(card.card not in there for card in seen.cards)
        for card in seen.cards:
            new = card.card not in there and not self._plan.on_screen(card.card)
            if new and self._chance.random() < COVERED * self._noise.askew:
                zone.hidden[card.card] = seen.t + self._chance.uniform(*COVERED_S)
            elif new and self._chance.random() < self._noise.glare:
                zone.hidden[card.card] = seen.t + self._glare_s(seen.zone)
        for at in (seen.t + (0.0 if laid else SIGHT_S - SHOWN_S), *zone.hidden.values()):
            self._later(_after(self._blind, at + SHOWN_S), lambda t: self._look(t, seen.zone))

    def _glare_s(self, zone: str) -> float:
        """Time (s) for which glare keeps a zone's card undecoded."""
        if zone in self._plan.counted_unread:
            return self._chance.uniform(*DAZZLED_S)
        return self._chance.expovariate(1 / GLARE_S)

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
        """New count of a scale, unless the board is unplugged."""
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
                self._later(at + self._chance.uniform(*BLIP_S), lambda t: self._count(t, station))

        self._later(t, off)


def _after(absences: Sequence[tuple[float, float]], t: float) -> float:
    """The time `t` (s), or the end of the absence that contains it."""
    return next((end for begin, end in absences if begin <= t < end), t)


def _times(rate: float, chance: Random) -> int:
    """Random number of events in a game, with mean `rate`."""
    return int(rate) + (chance.random() < rate % 1)
