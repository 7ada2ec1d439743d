"""Load cells: from grams to cards at rest, with each scale's zero, drift and hysteresis."""

from collections.abc import Iterator, Mapping

from companion.core.config import StationConfig
from companion.sensing.observation import Count
from firmware.host.messages import Station
from firmware.wire.codec import CONF_BAND, CONF_STEP

STEP_CARDS, BAND_CARDS = 0.45, 1.125
"""What a scale reports, and what still counts as rest; measured with noise of 0.3 card a sample."""
BIAS_GAIN, BIAS_MOST = 0.25, 0.6
"""How fast a scale's drift is followed, and how far (cards): beyond that it is the count that is wrong."""
BIAS_WITHIN = 0.3
"""A reading farther from its count (cards) says nothing of drift: a card that is being laid gives it, too."""
HYSTERESIS = 0.7
"""A scale must leave the count it showed by so many cards: a restless reading between two is neither."""


class Scales:
    """The scales of a board, by station; `stations` has what each was calibrated to (g)."""

    def __init__(self, stations: Mapping[str, StationConfig]) -> None:
        self._stations = stations
        self._counts: dict[str, int] = {}
        self._bias: dict[str, float] = {}  # in cards, by station

    def settings(self, station: Station) -> Iterator[tuple[int, int]]:
        """The board's settings for a scale, (setting, decigrams): half a card is news, about one is noise."""
        if "count" in station.capabilities:
            card_dg = 10 * self._stations.get(station.name, StationConfig()).card_g
            yield CONF_STEP, max(1, round(STEP_CARDS * card_dg))
            yield CONF_BAND, max(1, round(BAND_CARDS * card_dg))

    def weigh(self, t: float, station: str, grams: float) -> list[Count]:
        """A reading at `t` (s) in grams: the count if it is another than the last one, else nothing."""
        scale = self._stations.get(station, StationConfig())
        bias = self._bias.get(station, 0.0)
        raw = (grams - scale.zero_g) / scale.card_g - bias
        n = max(0, round(raw))
        before = self._counts.get(station)
        if before is not None and (n == before or abs(raw - before) < HYSTERESIS):
            if abs(raw - before) < BIAS_WITHIN:
                # The same cards weighed again say how far the scale is off by now.
                bias += BIAS_GAIN * (raw - before)
                self._bias[station] = max(-BIAS_MOST, min(BIAS_MOST, bias))
            return []
        self._counts[station] = n
        return [Count(round(t, 4), station, n, round(raw + bias, 2))]
