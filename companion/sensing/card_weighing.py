"""Load cells: from grams to cards at rest, with each scale's zero, drift and hysteresis."""

from collections.abc import Iterator, Mapping

from companion.core.config import StationConfig
from companion.core.language import text
from companion.sensing.observation import Count, Health
from firmware.host.messages import Station
from firmware.wire.codec import CONF_BAND, CONF_STEP

STEP_CARDS, BAND_CARDS = 0.45, 1.125
"""STEP_CARDS: smallest change that a scale reports. BAND_CARDS: spread that still counts as rest. In cards,
chosen for noise of 0.3 card a sample."""
BIAS_GAIN, BIAS_MOST = 0.25, 0.6
"""BIAS_GAIN: share of a deviation that the estimated drift follows. BIAS_MOST: greatest drift (cards);
beyond it the count is wrong."""
BIAS_WITHIN = 0.3
"""BIAS_WITHIN: only readings this near to the count (cards) update the drift. A card being laid deviates,
too."""
HYSTERESIS = 0.6
"""HYSTERESIS: a reading changes the count only if it differs by at least this much (cards)."""

BELOW_EMPTY_CARDS = 1.25
"""BELOW_EMPTY_CARDS: load below zero (cards) that no card makes: more than noise and drift. A guess."""
BELOW_EMPTY = text("reads less than empty: its cell is upside down, or it was loaded when the board started")
HAND_CARDS, LEANING_S = 3.5, 5.0
"""HAND_CARDS: a load that grows by at least this much at once (cards) is a hand that leans on the scale: people
lay single cards. LEANING_S: time (s) after which it is counted as cards all the same. A lighter hand cannot be
told from cards."""


class Scales:
    """The scales of a board. `stations` holds the calibration of each, in grams.

    A scale that reads less than empty is named and not counted. While a hand leans on a scale, its count is not
    told. `leaning_s`: as LEANING_S; 0 counts hands as cards.
    """

    def __init__(self, stations: Mapping[str, StationConfig], leaning_s: float = LEANING_S) -> None:
        self._stations = stations
        self._leaning_s = leaning_s
        self._leaning: dict[str, tuple[float, float]] = {}
        """Station under a hand -> since when (s), and the last reading in grams."""
        self._counts: dict[str, int] = {}
        self._below: set[str] = set()
        """Stations whose scale reads less than empty."""
        self._bias: dict[str, float] = {}  # in cards, by station

    def settings(self, station: Station) -> Iterator[tuple[int, int]]:
        """The board's settings for a scale as (setting, decigrams): the step that it reports, and the band
        of rest."""
        if "count" in station.capabilities:
            card_dg = 10 * self._stations.get(station.name, StationConfig()).card_g
            yield CONF_STEP, max(1, round(STEP_CARDS * card_dg))
            yield CONF_BAND, max(1, round(BAND_CARDS * card_dg))

    @property
    def leaning(self) -> frozenset[str]:
        """Stations on which a hand leans."""
        return frozenset(self._leaning)

    def forget_hands(self) -> None:
        """The board is gone: nobody knows what becomes of a hand that leans on a scale."""
        self._leaning.clear()

    def rested(self, now: float) -> list[Count]:
        """Counts of loads that have rested too long for a hand, at `now` (s)."""
        return [
            count
            for station, (since, grams) in [*self._leaning.items()]
            if now - since >= self._leaning_s
            for count in self._counted(now, station, grams)
        ]

    def answers_again(self, station: str) -> None:
        """The scale was away: it is named anew if it still reads less than empty."""
        self._below.discard(station)

    def weigh(self, t: float, station: str, grams: float) -> list[Count | Health]:
        """Take a reading at `t` (s) in grams. Returns the count if it changed, else nothing.

        A scale's health comes when it begins to read less than empty, and when it no longer does.
        """
        before = self._counts.get(station)
        scale = self._stations.get(station, StationConfig())
        grams = -grams if scale.reversed else grams
        load = (grams - scale.zero_g) / scale.card_g - self._bias.get(station, 0.0)
        if load < -BELOW_EMPTY_CARDS or (station in self._below and load < -HYSTERESIS):
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
        if grown >= HAND_CARDS and t - since < self._leaning_s:
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
        if before is not None and (n == before or abs(raw - before) < HYSTERESIS):
            if abs(raw - before) < BIAS_WITHIN:
                # The same cards weighed again show how far the scale has drifted.
                bias += BIAS_GAIN * (raw - before)
                self._bias[station] = max(-BIAS_MOST, min(BIAS_MOST, bias))
            return []
        self._counts[station] = n
        return [Count(round(t, 4), station, n, round(raw + bias, 2))]
