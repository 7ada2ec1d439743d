"""Outages of sensors: what may have happened unseen, and which stations are unknown since."""

from copy import deepcopy
from dataclasses import dataclass, field
from math import inf
from typing import Self

from companion.fusion.parameters.sensors import OUTAGES
from companion.fusion.parameters.sign_models import SCALE_SIGNS, SINGLE_CARDS
from companion.games.signs import Verb


@dataclass(slots=True)
class SensorOutages:
    """What was missed since players last settled what lies there.

    Without the camera it is unknown what was played, so no move since then is certain. Without the board, or a
    scale, moves are not felt. `unexplained`: stations whose scale reported something that no hypothesis
    explains.
    """

    unexplained: set[str] = field(default_factory=set)
    last: float | None = None
    """Time of the last observation (s)."""
    _deaf: dict[str, float] = field(default_factory=dict)
    """Source that is away -> since when (s)."""
    _back: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Source that was away for `OUTAGES.long_s` or more -> (from, until; s)."""
    _report: set[tuple[str, str]] = field(default_factory=set)
    """(verb, place) of what differs from before an outage; see `OUTAGES.reports_all_s`."""
    _went_on: set[str] = field(default_factory=set)
    """Sources during whose outage something changed."""
    _missed: dict[str, float] = field(default_factory=dict)
    """Source that missed something -> since when (s)."""
    _moved: dict[str, float] = field(default_factory=dict)
    """Station -> when its scale last reported a moved card (s)."""
    _pressed: dict[str, float] = field(default_factory=dict)
    """Station -> when its button was last pressed (s)."""
    _emptied: dict[str, float] = field(default_factory=dict)
    """Station -> when its scale last carried nothing more (s)."""

    def copy(self) -> Self:
        """An independent copy."""
        return deepcopy(self)

    def hear(self, t: float, source: str, *, ok: bool) -> None:
        """Camera, board or a scale goes at `t` (s), or is back."""
        if not ok:
            self._deaf.setdefault(source, t)
            return
        since = self._deaf.pop(source, t)
        if t - since >= OUTAGES.long_s:
            self._back[source] = (since, t)
            if source in self._went_on:
                self._missed.setdefault(source, since)
        self._went_on.discard(source)

    def note(self, t: float, verb: Verb, place: str) -> None:
        """A sign of something that changed at `t` (s)."""
        if verb in SCALE_SIGNS:
            self._moved[place] = t
        elif verb == Verb.PRESS:
            self._pressed[place] = t
        elif verb == Verb.OFF:
            self._emptied[place] = t
        for source in [source for source, (_, back) in self._back.items() if t - back > OUTAGES.reports_all_s]:
            del self._back[source]
        if not self._back:
            self._report.clear()
            self._went_on |= self._deaf.keys()
            return
        if verb in (*SCALE_SIGNS, *SINGLE_CARDS):
            self._report.add((verb, place))
        if not self._one_action():
            for source, (since, _) in self._back.items():
                self._missed.setdefault(source, since)
            self._went_on |= self._deaf.keys()

    def weighed(self, station: str) -> bool:
        """Whether the scale of a station ever reported a card that was laid there."""
        return station in self._moved

    def _one_action(self) -> bool:
        """Whether what differs may come from the one action that was going on when the outage began."""
        scales = [place for verb, place in self._report if verb in SCALE_SIGNS]
        cards = {place for verb, place in self._report if verb in SINGLE_CARDS}
        verbs = {verb for verb, _ in self._report if verb in SCALE_SIGNS}
        return (not scales and len(cards) <= 1) or (
            not cards and len(scales) <= min(OUTAGES.scales_of_one_card, len(verbs))
        )

    def _missing(self, t: float) -> dict[str, float]:
        """Source that has missed something by `t` (s) -> since when (s)."""
        long = {source: since for source, since in self._deaf.items() if t - since >= OUTAGES.long_s}
        return {source: since for source, since in long.items() if source in self._went_on} | self._missed

    def blind_since(self, t: float) -> float | None:
        """Since when (s) whole turns may have passed unseen by `t` (s); None if none did."""
        return self._missing(t).get("camera")

    def lost(self, t: float) -> bool:
        """Whether by `t` (s) actions may have passed that camera or board missed."""
        return not self._missing(t).keys().isdisjoint(("camera", "board"))

    def claimed(self, t: float) -> set[str]:
        """Stations that were claimed and turned up while by `t` (s) nobody saw the outcome."""
        blind = self.blind_since(t)
        if blind is None:
            return set()
        return {place for place, at in self._pressed.items() if blind <= at < self._emptied.get(place, -inf)}

    def doubtful(self, t: float, station: str) -> bool:
        """Whether at `t` (s) the contents of a station are unknown."""
        missing = self._missing(t)
        unseen = self._moved.get(station, -inf) >= missing.get("camera", inf)
        return unseen or "board" in missing or f"{station} scale" in missing

    def deaf(self, station: str) -> bool:
        """Whether the scale of a station is away now, alone or with the board."""
        return "board" in self._deaf or station in self.silent_scales

    @property
    def silent_scales(self) -> frozenset[str]:
        """The stations whose scales are away now, without the board."""
        return frozenset(one.removesuffix(" scale") for one in self._deaf if one.endswith(" scale"))

    def settled(self) -> None:
        """Players said what lies there: earlier outages have no effect any more."""
        self.unexplained.clear()
        self._report.clear()
        self._back.clear()
        self._went_on.clear()
        self._missed.clear()
        self._deaf = dict.fromkeys(self._deaf, self.last or 0.0)

    def unsettle(self, before: Self) -> None:
        """Take back what was settled: what was missed `before` counts again, beside what was missed since."""
        self.unexplained |= before.unexplained
        self._report |= before._report
        self._back = before._back | self._back
        self._missed |= before._missed
        for source, since in before._deaf.items():
            if source in self._deaf:
                self._deaf[source] = since
            elif source in before._went_on:
                self._missed.setdefault(source, since)
        self._went_on |= before._went_on & self._deaf.keys()
