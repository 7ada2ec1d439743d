"""Where hands are, and what they are at: what a scale tells meanwhile elsewhere was moved by nobody."""

from math import inf

from companion.fusion.likelihood import DELAY_S, SLOW_S

BEFORE_S, AFTER_S = 1.5, 0.3
"""A hand that was over a place so long before a sign, or came so soon after it, may have caused it: scales tell
up to half a second late, and board and camera have clocks of their own."""
SOONEST_S = 0.2
"""A hand that came later than so long before a scale's sign has not caused it: first a card is taken up or laid
down, and the scale comes to rest."""
WORK_S, REST_S = 1.8, 10.0
"""A mattress is not taken out and laid back faster than that, and nobody's hand stays for longer than this."""
SCALE_S = 0.1
"""A scale tells no sooner than so long after the fact."""
PRESSED_S = 6.0
"""Whoever feels a mattress for longer than this is an electrode with something on it."""
MOST = 8
"""So many visits to each place are remembered."""


class Hands:
    """Follows the hands over each place. Times are seconds on the host's clock."""

    def __init__(self) -> None:
        self._visits: dict[str, tuple[tuple[float, float], ...]] = {}
        """Place -> from when until when a hand was over it, oldest first; inf while it is there."""
        self._fingers: dict[str, tuple[float, float]] = {}
        """Station -> from when until when its electrode was pressed last."""
        self._blind_since: float | None = -inf
        self._sighted_since = inf

    def copy(self) -> "Hands":
        """An independent copy."""
        twin = Hands()
        twin._visits, twin._fingers = dict(self._visits), dict(self._fingers)
        twin._blind_since, twin._sighted_since = self._blind_since, self._sighted_since
        return twin

    def see(self, t: float, place: str, over: bool) -> None:
        """A hand comes to a place, or leaves it."""
        if self._blind_since is not None:
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

    def busy(self, t: float, station: str) -> bool:
        """Whether a finger was on the electrode when a scale felt what it tells about now: who feels a mattress
        in its place does not lift it."""
        since, until = self._fingers.get(station, (inf, -inf))
        # Nor does a hand that lifts it come down on the electrode in that moment.
        return since <= t < min(until, since + PRESSED_S) + SCALE_S

    def felt(self, t: float, station: str) -> bool:
        """Whether a finger is on the electrode."""
        since, until = self._fingers.get(station, (inf, -inf))
        return since <= t < until

    def sight(self, t: float, *, ok: bool) -> None:
        """The camera sees, or it sees no more: whoever was there then may have left unseen."""
        if not ok:
            self._blind_since = t if self._blind_since is None else self._blind_since
            for place, visits in self._visits.items():
                self._visits[place] = tuple((came, min(left, t)) for came, left in visits)
        elif self._blind_since is not None:
            self._blind_since, self._sighted_since = None, t

    def worked(self, t: float, place: str) -> bool:
        """Whether a hand that left a place about a time was there for long enough to take a mattress out and
        lay it back, as far as is known."""
        if not self._sees(t - REST_S, place):
            return True
        near = [(came, left) for came, left in self._visits[place] if came < t and left > t - BEFORE_S]
        # A hand that was felt and not seen at all says nothing.
        return not near or any(min(left, t + BEFORE_S) - came >= WORK_S for came, left in near)

    def stayed(self, t: float, place: str) -> float | None:
        """Since when (s) the hand that leaves a place now was there, if that was for long enough to take a
        mattress out and lay it back, with no finger on the electrode meanwhile."""
        came, left = self._visits[place][-1] if self._visits[place] else (inf, inf)
        since, until = self._fingers.get(place, (inf, -inf))
        stayed = left == t and WORK_S <= t - came <= REST_S and (since > t or until < came)
        return came if stayed else None

    def absent(self, t: float, place: str, *, weighed: bool) -> bool:
        """Whether no hand that may have caused a sign of that time, of a scale if it was `weighed`, was near a
        place, and the camera would have shown it."""
        return self._sees(t - BEFORE_S, place) and all(
            left < t - BEFORE_S or not in_time(came, t, weighed=weighed) for came, left in self._visits[place]
        )

    def made(self, t: float, place: str) -> tuple[float, float] | None:
        """From when until when the last hand was at a place that can have caused what a scale tells at a time
        (s), if the scale is later than usual."""
        if not self._sees(t - SLOW_S, place):
            return None
        _, usual = DELAY_S["put"]
        visits = [visit for visit in self._visits[place] if in_time(visit[0], t, weighed=True)]
        return visits[-1] if visits and t - SLOW_S <= visits[-1][1] < t - usual else None

    def _sees(self, since: float, place: str) -> bool:
        """Whether the camera has watched a place since then, and hands there can be seen at all."""
        return bool(self._visits.get(place)) and self._blind_since is None and since >= self._sighted_since


def in_time(came: float, t: float, *, weighed: bool) -> bool:
    """Whether a hand came to a place soon enough (s) for a sign, of a scale if it was `weighed`."""
    return came <= t - SOONEST_S if weighed else came <= t + AFTER_S
