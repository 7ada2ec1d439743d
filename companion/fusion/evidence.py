"""What was seen, weighed: the settled content of every zone and the passing traces that wait for a cause."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from companion.games.engine import Trace
from companion.observation import Button, Count, ManualEntry, Observation, Reach, Sighting, TagRead, Touch


class Noted(NamedTuple):
    """A trace and when it was seen, in seconds on the host's clock."""

    t: float
    trace: Trace


class Evidence:
    """Folds observations into facts (what lies where now) and traces (what passed since the last action).

    `kinds` maps a physical card's code to its kind; `watched` are the (verb, place) pairs that matter.
    """

    def __init__(self, kinds: Mapping[str, str], watched: Collection[tuple[str, str]]) -> None:
        self._kinds = kinds
        self._watched = watched
        self.zones: dict[str, tuple[str, ...]] = {}
        """Zone -> kinds at rest there, sorted; a zone never seen settled is absent."""
        self.counts: dict[str, int] = {}
        """Station -> cards on its load cell; a cell that never reported is absent."""
        self.where: dict[str, str] = {}
        """Physical card -> the zone where it was last seen at rest."""
        self.traces: list[Noted] = []
        self._codes: dict[str, frozenset[str]] = {}
        self._since_empty: dict[str, frozenset[str]] = {}

    def feed(self, observations: Iterable[Observation]) -> bool:
        """Take a batch in; True if anything changed that an action may explain."""
        changed = False
        for seen in observations:
            match seen:
                case Sighting(t, zone, cards):
                    codes = frozenset(card.card for card in cards if card.card in self._kinds)
                    changed |= self._sighting(t, zone, codes)
                case Count(t, station, n):
                    changed |= self._count(t, station, n)
                case TagRead(t, station, str(card)) if card in self._kinds:
                    changed |= self._note(t, ("tag", station, (self._kinds[card],)))
                case Touch(t, station, True):
                    changed |= self._note(t, ("touch", station, ()))
                case Button(t, station):
                    changed |= self._note(t, ("press", station, ()))
                case ManualEntry(t, "claim", {"bed": int(bed)}):
                    changed |= self._note(t, ("press", f"bed {bed}", ()))
                case Reach(t, zone):
                    changed |= self._note(t, ("reach", zone, ()))
        return changed

    def forget(self, count: int) -> None:
        """The oldest `count` traces have found their cause, or never will."""
        del self.traces[:count]

    def drop(self, needless: Callable[[Trace], bool]) -> None:
        """Forget traces that need no cause."""
        self.traces = [noted for noted in self.traces if not needless(noted.trace)]

    def expire(self, before: float) -> bool:
        """Drop traces older than `before` seconds; True if there were any."""
        old = sum(1 for noted in self.traces if noted.t < before)
        self.forget(old)
        return old > 0

    def _sighting(self, t: float, zone: str, codes: frozenset[str]) -> bool:
        before = self._codes.get(zone, frozenset())
        if zone in self._codes and codes == before:
            return False
        self._codes[zone] = codes
        self.zones[zone] = self._sorted_kinds(codes)
        self.where.update(dict.fromkeys(codes, zone))
        if came := codes - before:
            self._note(t, ("came", zone, self._sorted_kinds(came)))
        since_empty = self._since_empty.get(zone, frozenset()) | codes
        if not codes and since_empty:
            self._note(t, ("left", zone, self._sorted_kinds(since_empty)))
            since_empty = frozenset()
        self._since_empty[zone] = since_empty
        return True

    def _count(self, t: float, station: str, n: int) -> bool:
        before = self.counts.get(station)
        self.counts[station] = n
        if before is not None and n < before:
            self._note(t, ("lift", station, ()))
        elif n > (before or 0):
            self._note(t, ("put", station, ()))
        return n != before

    def _note(self, t: float, trace: Trace) -> bool:
        """Keep a trace that means something to the game; whether it was kept."""
        if trace[:2] not in self._watched:
            return False
        self.traces.append(Noted(t, trace))
        return True

    def _sorted_kinds(self, codes: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self._kinds[code] for code in codes))
