"""Scale offsets: a scale that is a card off for long, while no card is missing, is corrected."""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from msgspec.structs import replace

from companion.fusion.clutter import cancelled
from companion.fusion.detections import SensedTable
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import SCALES
from companion.fusion.parameters.sign_models import ON_PAD, SCALE_SIGNS
from companion.games.signs import Sign
from companion.sensing.observation import Count, Observation


class ScaleOffsets:
    """Corrects counts by the offsets of their scales, and finds these offsets: cards are neither made nor lost.

    An offset is found when exactly one scale differs from what is believed, by one card. If a hand was near
    when it changed, another scale may be stuck instead: then a card lies where nobody knows.
    """

    def __init__(self) -> None:
        self.found: list[str] = []
        """Stations whose scale was found to be off, in this order."""
        self.unsure = False
        """Whether a hand was near when the last one that was found changed."""
        self._offsets: dict[str, int] = {}
        """Station -> cards that its scale shows too many."""
        self._since: tuple[str, int, float] | None = None
        """The scale that differs, by how many cards, and since when (s)."""

    def read(self, observations: Sequence[Observation]) -> Sequence[Observation]:
        """A batch with its counts corrected."""
        if not self._offsets:
            return observations
        return [
            replace(seen, n=max(0, seen.n - self._offsets.get(seen.station, 0)))
            if isinstance(seen, Count)
            else seen
            for seen in observations
        ]

    def find(
        self, t: float, expected: Mapping[str, int], sensed: SensedTable, dealt: Callable[[], bool]
    ) -> str | None:
        """The station whose scale is found at `t` (s) to be off, if `expected` lies on the scales (cards each).

        Its count is corrected, and the signs by which it went off are dropped. Until all cards are `dealt`
        nothing is found: a scale may carry one more than is believed.
        """
        off = {at: sensed.counts.get(at, inf) - n for at, n in expected.items() if sensed.counts.get(at) != n}
        station, error = next(iter(off.items()), ("", 0))
        by = int(error) if len(off) == 1 and abs(error) == 1 else 0
        if not by or "board" in sensed.silent:
            self._since = None
            return None
        if self._since is None or self._since[:2] != (station, by):
            self._since = (station, by, t)
        sign = Sign(SCALE_SIGNS[by > 0], station)
        here = [one for one in sensed.detections if one.sign.place == station]
        took_back = cancelled(here)
        signs = [one for one in here if one.sign == sign and one.id not in took_back]
        known = self._offsets.get(station, 0) == -by
        # A camera misses a hand now and then. A card that is read on the pad was taken from somewhere.
        since = self._since[2] - COSTS.slow_s
        carried = any(one.sign.verb in ON_PAD and one.t > since for one in sensed.detections)
        nobody = not carried and any(one.alone for one in signs[-1:])
        wait = SCALES.nobody_s if known or nobody else SCALES.somebody_s
        if not signs and not known:
            return None  # it did not change: another one did, or a card was moved and it is stuck
        if t - self._since[2] < wait or sensed.covered.get(station, t) > t or not dealt():
            return None
        self._since, self.unsure = None, wait == SCALES.somebody_s
        self._offsets[station] = self._offsets.get(station, 0) + by
        sensed.weighed_anew(station, expected[station], sign)
        self.found.append(station)
        return station
