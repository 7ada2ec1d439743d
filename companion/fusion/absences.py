"""Long absences of sensors, and on which beds mattresses may have been moved meanwhile."""

from dataclasses import dataclass, field
from math import inf
from typing import Self

SCALES = ("lift", "put")
"""Signs of load cells."""
CARDS = ("new", "back", "gone")
"""Signs of single cards in a zone."""
LONG_S = 8.0
"""Who was away for so long may have missed a whole turn."""
ANEW_S = 2.0
"""Within so long of its return a sensor has told what is there."""
ONE_CARD = 2
"""Scales that a single card changes, which was in a hand when nobody watched."""


@dataclass(slots=True)
class Absences:
    """What was missed since those at the table settled last what lies there. Without camera it is not known
    what was played, so that no move since then is sure; without board, or a scale, moves go unfelt.

    `unexplained` are the stations at which a scale told something of which nothing came to be believed.
    """

    unexplained: set[str] = field(default_factory=set)
    last: float | None = None
    """When anything was told last (s)."""
    _deaf: dict[str, float] = field(default_factory=dict)
    """Who is away, and since when (s)."""
    _back: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Who was away for long: from when until when (s)."""
    _report: set[tuple[str, str]] = field(default_factory=set)
    """The signs, by verb and place, in which what is there differs from before; see `ANEW_S`."""
    _went_on: set[str] = field(default_factory=set)
    """Those during whose absence something changed."""
    _missed: dict[str, float] = field(default_factory=dict)
    """Those who missed something, and since when (s)."""
    _moved: dict[str, float] = field(default_factory=dict)
    """Station -> when its scale told last that a mattress was moved (s)."""

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(
            set(self.unexplained),
            self.last,
            dict(self._deaf),
            dict(self._back),
            set(self._report),
            set(self._went_on),
            dict(self._missed),
            dict(self._moved),
        )

    def hear(self, t: float, source: str, *, ok: bool) -> None:
        """Camera, board or a scale goes at `t` (s), or is back."""
        if not ok:
            self._deaf.setdefault(source, t)
            return
        since = self._deaf.pop(source, t)
        if t - since >= LONG_S:
            self._back[source] = (since, t)
            if source in self._went_on:
                self._missed.setdefault(source, since)
        self._went_on.discard(source)

    def note(self, t: float, verb: str, place: str) -> None:
        """A sign of something that changed at `t` (s)."""
        if verb in SCALES:
            self._moved[place] = t
        for source in [source for source, (_, back) in self._back.items() if t - back > ANEW_S]:
            del self._back[source]
        if not self._back:
            self._report.clear()
            self._went_on |= self._deaf.keys()
            return
        if verb in (*SCALES, *CARDS):
            self._report.add((verb, place))
        if not self._one_action():
            for source, (since, _) in self._back.items():
                self._missed.setdefault(source, since)
            self._went_on |= self._deaf.keys()

    def _one_action(self) -> bool:
        """Whether what differs may come of the one action that went on when the sensors fell silent."""
        scales = [place for verb, place in self._report if verb in SCALES]
        cards = {place for verb, place in self._report if verb in CARDS}
        verbs = {verb for verb, _ in self._report if verb in SCALES}
        return (not scales and len(cards) <= 1) or (not cards and len(scales) <= min(ONE_CARD, len(verbs)))

    def _missing(self, t: float) -> dict[str, float]:
        """Who has missed something by `t` (s), and since when."""
        long = {source: since for source, since in self._deaf.items() if t - since >= LONG_S}
        return {source: since for source, since in long.items() if source in self._went_on} | self._missed

    def blind(self, t: float) -> bool:
        """Whether by `t` (s) turns may have passed that nobody saw."""
        return "camera" in self._missing(t)

    def lost(self, t: float) -> bool:
        """Whether by `t` (s) actions may have passed that camera or board did not tell of."""
        return not self._missing(t).keys().isdisjoint(("camera", "board"))

    def doubtful(self, t: float, station: str) -> bool:
        """Whether at `t` (s) nobody knows any more what lies at a station."""
        missing = self._missing(t)
        unseen = self._moved.get(station, -inf) >= missing.get("camera", inf)
        return unseen or "board" in missing or f"{station} scale" in missing

    def deaf(self, station: str) -> bool:
        """Whether the scale of a station tells nothing now."""
        return "board" in self._deaf or f"{station} scale" in self._deaf

    def settled(self) -> None:
        """Those at the table say what lies there: what was missed before is no matter any more."""
        self.unexplained.clear()
        self._report.clear()
        self._back.clear()
        self._went_on.clear()
        self._missed.clear()
        self._deaf = dict.fromkeys(self._deaf, self.last or 0.0)
