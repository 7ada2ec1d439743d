"""Long absences of sensors, and on which beds mattresses may have been moved meanwhile."""

from dataclasses import dataclass, field
from math import inf
from typing import Self

LONG_S = 8.0
"""Who was away for so long may have missed a whole turn."""
ANEW_S = 2.0
"""Within so long of its return a sensor has told what is there."""


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

    def note(self, t: float, station: str | None) -> None:
        """Something changed at `t` (s), if at a scale by the move of a mattress."""
        if station is not None:
            self._moved[station] = t
        self._went_on |= self._deaf.keys()
        for source, (since, back) in list(self._back.items()):
            del self._back[source]
            if t - back <= ANEW_S:
                self._missed.setdefault(source, since)

    def _missing(self, t: float) -> dict[str, float]:
        """Who has missed something by `t` (s), and since when."""
        long = {source: since for source, since in self._deaf.items() if t - since >= LONG_S}
        return {source: since for source, since in long.items() if source in self._went_on} | self._missed

    def blind(self, t: float) -> bool:
        """Whether by `t` (s) turns may have passed that nobody saw."""
        return "camera" in self._missing(t)

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
        self._back.clear()
        self._went_on.clear()
        self._missed.clear()
        self._deaf = dict.fromkeys(self._deaf, self.last or 0.0)
