"""Hands over the table: what they hide, and which detections they may have caused."""

from copy import copy
from math import inf

from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import HANDS, SCALES
from companion.fusion.parameters.sign_models import SIGN_MODELS
from companion.games.signs import Verb


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
            visits = (*visits[1 - HANDS.visits_kept :], (t, inf))
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
        return since <= t < min(until, since + HANDS.finger_s) + SCALES.least_delay_s

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
        if not self.sees(t - HANDS.rest_s, place):
            return True
        near = [(came, left) for came, left in self._visits[place] if came < t and left > t - HANDS.before_s]
        # A hand that was felt and never seen says nothing.
        return not near or any(min(left, t + HANDS.before_s) - came >= HANDS.work_s for came, left in near)

    def stayed(self, t: float, place: str) -> float | None:
        """When (s) the hand that leaves a place at `t` came, if it was there long enough to take a card
        out and lay it back and touched no electrode; else None."""
        came, left = self._visits[place][-1] if self._visits[place] else (inf, inf)
        since, until = self._fingers.get(place, (inf, -inf))
        stayed = left == t and HANDS.work_s <= t - came <= HANDS.rest_s and (since > t or until < came)
        return came if stayed else None

    def absent(self, t: float, place: str, *, weighed: bool) -> bool:
        """Whether the camera shows that no hand near a place may have caused a detection at `t` (s);
        `weighed`: by a scale."""
        return self.sees(t - HANDS.before_s, place) and all(
            left < t - HANDS.before_s or not in_time(came, t, weighed=weighed)
            for came, left in self._visits[place]
        )

    def made(self, t: float, place: str) -> tuple[float, float] | None:
        """(from, until; s) of the last hand that may have caused what a scale reports at `t` (s), if the
        scale is later than usual; else None."""
        if not self.sees(t - COSTS.slow_s, place):
            return None
        _, usual = SIGN_MODELS[Verb.PUT].delay_s
        visits = [visit for visit in self._visits[place] if in_time(visit[0], t, weighed=True)]
        return visits[-1] if visits and t - COSTS.slow_s <= visits[-1][1] < t - usual else None

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
            if sum(max(0.0, min(left, until) - max(came, since)) for came, left in visits) >= HANDS.work_s
        ]

    def sees(self, since: float, place: str) -> bool:
        """Whether the camera has watched a place since `since` (s), and hands there can be seen at all."""
        return bool(self._visits.get(place)) and since >= self._sighted_since


def in_time(came: float, t: float, *, weighed: bool) -> bool:
    """Whether a hand that `came` (s) was in time for a detection at `t` (s); `weighed`: by a scale."""
    return came <= t - SCALES.soonest_s if weighed else came <= t + HANDS.after_s
