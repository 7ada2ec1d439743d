"""The wiring: which buttons and electrodes are connected crosswise, learned from hands and turned up cards."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, inf, log, log1p
from typing import NamedTuple

from msgspec.structs import replace

from companion.fusion.occlusion import HandOcclusion
from companion.fusion.parameters.sensors import HANDS, WIRING
from companion.sensing.observation import Button, Health, Observation, Reach, Sighting, Touch


class Crossed(NamedTuple):
    """Two parts that are connected crosswise: what they are, and their stations."""

    what: str
    one: str
    other: str


class Wiring:
    """Reads the reports of buttons and electrodes as they were meant.

    A report is compared with the hands that the camera saw. A press that may be another station's is held back
    until cards are turned up somewhere, for `WIRING.press_waits_s` at most.
    """

    def __init__(self, stations: Iterable[str], checked: Iterable[str] = ()) -> None:
        """`stations`: those that may have a button. `checked`: those whose button was found to be theirs before
        the game; a plug may have been changed since."""
        self.doubtful: set[float] = set()
        """Times (s) of presses of which nobody knows at which station they were."""
        self.moved: set[tuple[str, float]] = set()
        """(station, time in s) of presses that were told there first, and were meant at another station."""
        self.found: list[Crossed] = []
        """Pairs that are crossed, in the order in which this was found."""
        self._meant: dict[tuple[str, str], str] = {}
        """(what, station that is reported) -> station that is meant, where they differ."""
        self._odds: dict[Crossed, float] = {}
        """Log-odds of each pair that was ever in doubt, as reports are read now."""
        self._fitting: Counter[tuple[str, str]] = Counter()
        """(what, station that is meant) -> reports while a hand was there and at no other station, or presses
        after which its cards were turned up; `WIRING.most_fitting` at most."""
        self._checked = set(checked)
        """Stations whose button was found to be theirs before the game, without any sign against that since."""
        self._held: list[Button] = []
        self._touches: list[Touch] = []
        """Touches that were not compared with hands yet."""
        self._claimed: dict[str, float] = {}
        """Station that is pressed -> when (s), until its cards are turned up."""
        self._stations = sorted(stations)
        self.hands = HandOcclusion()
        """The hands that the camera has seen over the stations."""
        self._shown: set[str] = set()
        """Zones in which cards lie."""

    def read(self, t: float, observations: Sequence[Observation]) -> list[Observation]:
        """A batch at `t` (s) as it was meant. Held presses come in a later one, with the time of their own."""
        told: list[Observation] = []
        for seen in observations:
            match seen:
                case Reach(at, station, over) if station in self._stations:
                    self.hands.see(at, station, over)
                case Health(at, "camera", ok):
                    self.hands.sight(at, ok=ok)
                case Touch(_, station) if station in self._stations:
                    self._touches += [seen] if seen.pressed else []
                    told.append(replace(seen, station=self.station(seen)))
                    continue
                case Button(_, station) if station in self._stations:
                    self._held.append(seen)
                    continue
                case Sighting(_, station) if station in self._stations:
                    told += self._turned_up(seen)
            told.append(seen)
        for touch in [one for one in self._touches if t - one.t >= HANDS.near_s]:
            self._touches.remove(touch)
            self._compare(touch)
        for press in list(self._held):
            told += self._decided(t, press)
        return told

    def station(self, seen: Button | Touch) -> str:
        """The station where a press or touch was meant, as far as is known now."""
        return self._meant.get((_what(seen), seen.station), seen.station)

    def meant(self, touch: Touch) -> tuple[tuple[str, float], ...]:
        """(station, cost in nats) of the others at which a touch may have been, as it is read now: a hand was
        there as well, and the two electrodes may be connected crosswise."""
        costs = {
            other: log1p(exp(-self._odds_of(Crossed("electrodes", *sorted((touch.station, other))))))
            for other in self._elsewhere(touch.t, touch.station)
        }
        return tuple((other, cost) for other, cost in costs.items() if cost < WIRING.unlikely)

    def straight(self, station: str) -> bool:
        """Whether the button of a station is known to be its own: a press has once fitted it, or it was checked
        before the game and nothing speaks against that."""
        return station in self._checked or self._fitting["buttons", station] > 0

    def _decided(self, t: float, press: Button) -> list[Observation]:
        """The press as it was meant; nothing while that is doubtful at `t` (s)."""
        station = self.station(press)
        elsewhere = self._elsewhere(press.t, station)
        if press.t not in self.doubtful:
            if elsewhere and self._absent(press.t, station):
                if t - press.t < HANDS.near_s:
                    return []  # its hand may be seen late
                self._compare(press)
            elif self._sees(press.t, station):
                self._compare(press)
                return self._let_go(press)
        pairs = [one for one in self._odds if one.what == "buttons" and station in one[1:]]
        doubtful = station == self.station(press) and any(self._odds[one] >= WIRING.doubt for one in pairs)
        if doubtful and t - press.t < WIRING.press_waits_s:
            self.doubtful.add(press.t)
            return []
        return self._let_go(press)

    def _let_go(self, press: Button) -> list[Observation]:
        self._held.remove(press)
        station = self.station(press)
        self._claimed[station] = press.t
        return [replace(press, station=station)]

    def _turned_up(self, seen: Sighting) -> list[Observation]:
        """Cards that are turned up tell which button was meant; the presses that waited for them."""
        before = seen.zone in self._shown
        (self._shown.add if seen.cards else self._shown.discard)(seen.zone)
        if before or not seen.cards:
            return []
        for press in list(self._held):
            station = self.station(press)
            pair = Crossed("buttons", *sorted((station, seen.zone)))
            by_hand = seen.zone in self._elsewhere(press.t, station)
            if station == seen.zone or by_hand or self._odds.get(pair, WIRING.prior) >= WIRING.doubt:
                if station != seen.zone:
                    compared = press.t in self.doubtful or not by_hand
                    self._add(pair, WIRING.turned_up_elsewhere + (0.0 if compared else WIRING.hand_elsewhere))
                else:
                    self._fits(station)
                self.doubtful.discard(press.t)
                told = self._let_go(press)
                del self._claimed[self.station(press)]  # its cards are there
                return told
        at = self._claimed.pop(seen.zone, -inf)
        if seen.t - at <= WIRING.press_to_cards_s:
            self._fits(seen.zone)
        others = [one for one, t in self._claimed.items() if seen.t - t <= WIRING.press_to_cards_s]
        if len(others) == 1 and seen.t - at > WIRING.press_to_cards_s:
            pressed, pair = self._claimed.pop(others[0]), Crossed("buttons", *sorted((others[0], seen.zone)))
            known = self.straight(others[0]) or self.straight(seen.zone)
            beneath = not known and self.hands.near(pressed, seen.zone, HANDS.within_s)
            self._add(pair, WIRING.turned_up_elsewhere)
            if beneath or pair in self.found[-1:]:
                self.moved.add((others[0], pressed))
                return [Button(pressed, seen.zone)]
        return []

    def _fits(self, station: str) -> None:
        """The cards of a press were turned up at its own station."""
        self._fitting["buttons", station] = WIRING.most_fitting
        for pair in [one for one in self._odds if one.what == "buttons" and station in one[1:]]:
            self._add(pair, -WIRING.turned_up_elsewhere)

    def _compare(self, seen: Button | Touch) -> None:
        """Compare a report with the hands at that time."""
        what, station = _what(seen), self.station(seen)
        elsewhere = self._elsewhere(seen.t, station)
        if self._absent(seen.t, station):
            for other in elsewhere:
                self._add(Crossed(what, station, other), WIRING.hand_elsewhere - log(len(elsewhere)))
        elif self.hands.near(seen.t, station, HANDS.within_s):
            if not elsewhere:
                self._fitting[what, station] = min(WIRING.most_fitting, self._fitting[what, station] + 1)
            for pair in [one for one in self._odds if one.what == what and station in one[1:]]:
                if not {*pair[1:]} - {station} <= {*elsewhere}:
                    self._add(pair, WIRING.hand_there)

    def _add(self, pair: Crossed, weight: float) -> None:
        """Add to the log-odds of a pair. From `WIRING.sure` on its parts are read the other way round."""
        what, one, other = pair = Crossed(pair.what, *sorted(pair[1:]))
        if what == "buttons" and weight > 0:
            self._checked -= {one, other}
        self._odds[pair] = max(WIRING.prior, self._odds_of(pair) + weight)
        if self._odds[pair] < WIRING.sure:
            return
        del self._odds[pair]
        for reported in self._stations:
            meant = self._meant.get((what, reported), reported)
            if meant in (one, other):
                self._meant[what, reported] = other if meant == one else one
        self.found.append(pair)

    def _odds_of(self, pair: Crossed) -> float:
        """Log-odds of a pair."""
        what, *stations = pair
        return self._odds.get(
            pair, WIRING.prior + WIRING.hand_there * sum(self._fitting[what, at] for at in stations)
        )

    def _sees(self, t: float, station: str) -> bool:
        """Whether the camera had watched a station for a while at `t` (s)."""
        return self.hands.sees(t - HANDS.near_s, station)

    def _absent(self, t: float, station: str) -> bool:
        """Whether no hand was near a station that the camera watched."""
        return self._sees(t, station) and not self.hands.near(t, station, HANDS.near_s)

    def _elsewhere(self, t: float, station: str) -> list[str]:
        """The other stations at which a hand was at `t` (s)."""
        return [one for one in self._stations if one != station and self.hands.near(t, one, HANDS.within_s)]


def _what(seen: Button | Touch) -> str:
    return "buttons" if isinstance(seen, Button) else "electrodes"
