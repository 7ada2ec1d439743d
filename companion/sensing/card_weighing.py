"""Load cells: from grams to cards at rest, with each scale's zero, drift and hysteresis."""

from collections.abc import Iterator, Mapping

from companion.core.config import StationConfig
from companion.core.language import text
from companion.sensing.observation import Count, Health
from companion.sensing.parameters import WEIGHING
from firmware.host.messages import Station
from firmware.wire.codec import CONF_BAND, CONF_STEP

BELOW_EMPTY = text("reads less than empty: its cell is upside down, or it was loaded when the board started")


class Scales:
    """The board's scales: turn grams into numbers of cards.

    While a hand leans on a scale its count stays. A scale that reads less than empty is reported as faulty,
    and not counted. `stations`: station -> calibration of its scale. `leaning_s`: replaces
    `WEIGHING.leaning_s`; 0 counts hands as cards.
    """

    def __init__(self, stations: Mapping[str, StationConfig], leaning_s: float = WEIGHING.leaning_s) -> None:
        self._stations = stations
        self._leaning_s = leaning_s
        self._leaning: dict[str, tuple[float, float]] = {}
        """Station under a hand -> since when (s), and the last reading in grams."""
        self._counts: dict[str, int] = {}
        self._below: set[str] = set()
        """Stations whose scale reads less than empty."""
        self._bias: dict[str, float] = {}  # in cards, by station

    def settings(self, station: Station) -> Iterator[tuple[int, int]]:
        """(setting, decigrams) to send to the board for a station's scale, by `WEIGHING.step_cards` and
        `WEIGHING.band_cards`.

        Empty for a station without a scale.
        """
        if "count" in station.capabilities:
            card_dg = 10 * self._stations.get(station.name, StationConfig()).card_g
            yield CONF_STEP, max(1, round(WEIGHING.step_cards * card_dg))
            yield CONF_BAND, max(1, round(WEIGHING.band_cards * card_dg))

    def forget_hands(self) -> None:
        """Forget leaning hands.

        A lost board cannot tell when they leave.
        """
        self._leaning.clear()

    def rested(self, now: float) -> list[Count]:
        """Counts of loads that were taken for hands, but have rested for `leaning_s` at `now` (s)."""
        return [
            count
            for station, (since, grams) in [*self._leaning.items()]
            if now - since >= self._leaning_s
            for count in self._counted(now, station, grams)
        ]

    def answers_again(self, station: str) -> None:
        """A station's scale answers again: a reading below empty will be reported once more."""
        self._below.discard(station)

    def weigh(self, t: float, station: str, grams: float) -> list[Count | Health]:
        """The count after a scale's reading, if the number of cards has changed; else [].

        Also a health report when the scale begins to read less than empty, and when it stops. `t`: time (s).
        `grams`: the reading.
        """
        before = self._counts.get(station)
        scale = self._stations.get(station, StationConfig())
        grams = -grams if scale.reversed else grams
        load = (grams - scale.zero_g) / scale.card_g - self._bias.get(station, 0.0)
        if load < -WEIGHING.below_empty or (station in self._below and load < -WEIGHING.hysteresis):
            self._leaning.pop(station, None)
            if station in self._below:
                return []
            self._below.add(station)
            return [Health(round(t, 4), f"{station} scale", False, BELOW_EMPTY)]
        if station in self._below:
            self._below.discard(station)
            self._counts.pop(station, None)
            return [Health(round(t, 4), f"{station} scale", True), *self._counted(t, station, grams)]
        grown = 0.0 if before is None else load - before
        since, _ = self._leaning.get(station, (t, grams))
        if grown >= WEIGHING.hand_cards and t - since < self._leaning_s:
            self._leaning[station] = (since, grams)
            return []
        return [*self._counted(t, station, grams)]

    def _counted(self, t: float, station: str, grams: float) -> list[Count]:
        self._leaning.pop(station, None)
        scale = self._stations.get(station, StationConfig())
        bias = self._bias.get(station, 0.0)
        raw = (grams - scale.zero_g) / scale.card_g - bias
        n = max(0, round(raw))
        before = self._counts.get(station)
        if before is not None and (n == before or abs(raw - before) < WEIGHING.hysteresis):
            if abs(raw - before) < WEIGHING.bias_within:
                # The same cards weighed again show how far the scale has drifted.
                bias += WEIGHING.bias_gain * (raw - before)
                self._bias[station] = max(-WEIGHING.bias_most, min(WEIGHING.bias_most, bias))
            return []
        self._counts[station] = n
        return [Count(round(t, 4), station, n, round(raw + bias, 2))]
