"""Hands over the table: what they hide, and which detections they may have caused."""

from copy import copy
from math import inf

from companion.fusion.reading_costs import SLOW_S
from companion.fusion.sign_models import SIGN_MODELS
from companion.games.signs import Verb

BEFORE_S, AFTER_S = 1.5, 0.3
"""A hand that was over a place BEFORE_S (s) before a detection, or came AFTER_S after it, may have caused
it: scales report up to half a second late, and board and camera have clocks of their own."""
SOONEST_S = 0.2
"""Least time (s) from a hand's coming to a detection by the scale: a card is moved, and the scale comes to
rest."""
WORK_S, REST_S = 1.8, 10.0
"""Least time (s) to take a card out and lay it back; longest time (s) that a hand stays."""
SCALE_S = 0.1
"""Least delay (s) of a scale."""
PRESSED_S = 6.0
"""A touch longer than this (s) is something that lies on the electrode."""
MOST = 60
"""Visits of hands kept for each place."""


class HandOcclusion:
    """Follows the hands over each place. Times are seconds on the host's clock."""

    def __init__(self) -> None:
        self._visits: dict[str, tuple[tuple[float, float], ...]] = {}
        """Place -> from when until when a hand was over it, oldest first; inf while it is there."""
        self._fingers: dict[str, tuple[float, float]] = {}
        """Station -> from when until when its electrode was pressed last."""
        self._sighted_since = inf
        """Since when (s) the camera works; inf while it does not."""

    def copy(self) -> "HandOcclusion":
        """An independent copy."""
        twin = copy(self)
        twin._visits, twin._fingers = dict(self._visits), dict(self._fingers)
        return twin

    def see(self, t: float, place: str, over: bool) -> None:
        """A hand comes to a place, or leaves it."""
        self.sight(t, ok=True)
        visits = self._visits.get(place, ())
        there = bool(visits) and visits[-1][1] == inf
        if over and not there:
            visits = (*visits[1 - MOST :], (t, inf))
        elif there and not over:
            visits = (*visits[:-1], (visits[-1][0], t))
        self._visits[place] = visits

    def feel(self, t: float, station: str, pressed: bool) -> None:
        """A finger comes to an electrode, or leaves it."""
        self._fingers[station] = (t, inf) if pressed else (self._fingers.get(station, (t, t))[0], t)

    def rewired(self, one: str, other: str) -> None:
        """Two electrodes turned out to be connected crosswise: the finger on one is on the other."""
        fingers = self._fingers
        swapped = {at: fingers[was] for at, was in ((one, other), (other, one)) if was in fingers}
        self._fingers = {at: last for at, last in fingers.items() if at not in (one, other)} | swapped

    def busy(self, t: float, station: str) -> bool:
        """Whether a finger was on the electrode when the scale felt what it reports at `t` (s): who feels a
        card in its place does not lift it."""
        since, until = self._fingers.get(station, (inf, -inf))
        # Nor does a hand that lifts it touch the electrode at that moment.
        return since <= t < min(until, since + PRESSED_S) + SCALE_S

    def felt(self, t: float, station: str) -> bool:
        """Whether a finger is on the electrode."""
        since, until = self._fingers.get(station, (inf, -inf))
        return since <= t < until

    def sight(self, t: float, *, ok: bool) -> None:
        """The camera works again, or no more: hands that were there then may leave unseen."""
        if not ok:
            self._sighted_since = inf
            for place, visits in self._visits.items():
                self._visits[place] = tuple((came, min(left, t)) for came, left in visits)
        elif self._sighted_since == inf:
            self._sighted_since = t

    def worked(self, t: float, place: str) -> bool:
        """Whether the hand that left a place about `t` (s) may have been there long enough to take a
        card out and lay it back."""
        if not self.sees(t - REST_S, place):
            return True
        near = [(came, left) for came, left in self._visits[place] if came < t and left > t - BEFORE_S]
        # A hand that was felt and never seen says nothing.
        return not near or any(min(left, t + BEFORE_S) - came >= WORK_S for came, left in near)

    def stayed(self, t: float, place: str) -> float | None:
        """When (s) the hand that leaves a place at `t` came, if it was there long enough to take a card
        out and lay it back and touched no electrode; else None."""
        came, left = self._visits[place][-1] if self._visits[place] else (inf, inf)
        since, until = self._fingers.get(place, (inf, -inf))
        stayed = left == t and WORK_S <= t - came <= REST_S and (since > t or until < came)
        return came if stayed else None

    def absent(self, t: float, place: str, *, weighed: bool) -> bool:
        """Whether the camera shows that no hand near a place may have caused a detection at `t` (s);
        `weighed`: by a scale."""
        return self.sees(t - BEFORE_S, place) and all(
            left < t - BEFORE_S or not in_time(came, t, weighed=weighed) for came, left in self._visits[place]
        )

    def made(self, t: float, place: str) -> tuple[float, float] | None:
        """(from, until; s) of the last hand that may have caused what a scale reports at `t` (s), if the
        scale is later than usual; else None."""
        if not self.sees(t - SLOW_S, place):
            return None
        _, usual = SIGN_MODELS[Verb.PUT].delay_s
        visits = [visit for visit in self._visits[place] if in_time(visit[0], t, weighed=True)]
        return visits[-1] if visits and t - SLOW_S <= visits[-1][1] < t - usual else None

    def last_left(self, since: float, place: str) -> float:
        """When (s) a hand left a place last, after `since` (s); inf if one is there, or none was seen."""
        visits = self._visits.get(place, ())
        return visits[-1][1] if visits and visits[-1][1] > since else inf

    def near(self, t: float, place: str, within: float) -> bool:
        """Whether a hand was at a place within that time (s) of `t` (s)."""
        return any(came - within <= t <= left + within for came, left in self._visits.get(place, ()))

    def visited(self, since: float, until: float, place: str) -> bool:
        """Whether a hand came to a place between these times (s), or the camera may have missed one."""
        return not self.sees(since, place) or any(since <= came <= until for came, _ in self._visits[place])

    def worked_at(self, since: float, until: float) -> list[str]:
        """The places at which hands were long enough between these times (s) to take a card out and lay it
        back."""
        return [
            place
            for place, visits in self._visits.items()
            if sum(max(0.0, min(left, until) - max(came, since)) for came, left in visits) >= WORK_S
        ]

    def sees(self, since: float, place: str) -> bool:
        """Whether the camera has watched a place since `since` (s), and hands there can be seen at all."""
        return bool(self._visits.get(place)) and since >= self._sighted_since


def in_time(came: float, t: float, *, weighed: bool) -> bool:
    """Whether a hand that `came` (s) was in time for a detection at `t` (s); `weighed`: by a scale."""
    return came <= t - SOONEST_S if weighed else came <= t + AFTER_S
