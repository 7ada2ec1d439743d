"""Traces that wait for a cause: what they cost, and which of them are the signs of an action."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import inf
from typing import NamedTuple

from companion.fusion.absences import SCALES
from companion.fusion.clutter import AT_ONCE_S, ghosts
from companion.fusion.detections import Evidence, Noted
from companion.fusion.likelihood import (
    ALONE,
    CAMERA_DELAY_S,
    CHECK_S,
    COVERED,
    COVERED_S,
    DELAY_S,
    HIDDEN_CARD,
    INVERSION,
    INVERSION_A_SECOND,
    INVERSION_MOST,
    LATE,
    MISFELT,
    QUICK,
    QUICK_S,
    SLOW,
    SLOW_S,
    SWAPPED_TAGS,
    TRACE_COSTS,
    UNFELT,
    UNFELT_S,
)
from companion.games.api import ANY_KINDS, Trace

NEEDS = {"touch": "touch", "silent": "tag", "texture": "texture", "pressed": "texture"}
"""The verb that must have been heard once before its absence means anything."""
SEEN_AS = {"visit": "tag", "pressed": "texture", "glance": "came", "shown": "came", "top": "new"}
"""Signs that people or the camera may miss more easily, and as what they are seen."""
CARD_SIGNS = ("gone", "back", "new", "left", "reach")
"""Traces of cards: one may be swept away or laid open long after its turn."""
UNFELT_SIGNS = ("press", "touch")
"""What a board does not tell when it is back."""
PASSING_SIGNS = ("left", "glance")
"""A look beneath a mattress: what a camera does not show any more when it is back."""
GLANCE_S = 3.0
"""So long after the glass was taken it lies at a bed's foot."""
CHECK_SIGNS = {"touch": "board", "glance": "camera"}
"""What tells that a card in place was checked, and who would tell."""
UNSEEN_SIGNS = ("silent", "later", "idle")
"""What no sensor ever tells: their price is that of a step of which nothing shows."""
MISSED_ALONE = (*SCALES, *CHECK_SIGNS)
"""Signs of a finger, a look or a single card: what is told of one by mistake says nothing of the next."""
STALE_S = 5.0
"""What has waited for longer than this may have had no cause, while its like was missed lately."""
PRESS_S = 2.0
"""A card is pressed no later than so long after its tag was read."""


class Waiting:
    """The traces that wait in some hypotheses: those that explained the same ones share it.

    `explained` are the numbers of the traces of this moment that have found their cause.
    """

    def __init__(self, explained: frozenset[int], traces: Iterable[Noted], now: float) -> None:
        self.explained = explained
        traces = list(traces)
        self.cost = ghosts(traces, now, explained)
        """What they cost while nothing explains them, in nats."""
        self._by_place: dict[tuple[str, str], list[Noted]] = {}
        """By verb and place, the oldest first."""
        left = [noted for noted in traces if noted.id not in explained]
        for noted in left:
            self._by_place.setdefault(noted.trace[:2], []).append(noted)
        self.signs: tuple[Trace, ...] = tuple(dict.fromkeys(noted.trace for noted in left))
        """All of them, each once however often it was seen."""

    def like(self, sign: Trace) -> Sequence[Noted]:
        """Those of the verb and place that a sign of an action is seen as, the oldest first."""
        verb, place, _ = sign
        return self._by_place.get((SEEN_AS.get(verb, verb), place), ())

    def alike(self, signs: Iterable[Trace]) -> tuple[int, ...]:
        """The numbers of those that may be signs of an action, or say that a hand stayed where it was done."""
        found: list[int] = []
        for verb, place, _ in signs:
            found += [noted.id for noted in self._by_place.get((SEEN_AS.get(verb, verb), place), ())]
            if verb in SCALES:
                found += [noted.id for noted in self._by_place.get(("stay", place), ())]
        return tuple(found)


class Match(NamedTuple):
    """The signs of an action among those that wait."""

    used: tuple[Noted, ...]
    cost: float
    """How surprising they are, in nats; `late` comes on top."""
    earliest: float
    latest: float
    """When the first of them was made at the latest, and the last of them at the earliest (s); inf and -inf if
    there are none."""

    def hasty(self, at: float) -> bool:
        """Whether a mattress was taken so soon after something else ended (s) that none was checked between."""
        return bool(self.used) and self.used[0].trace[0] == "lift" and 0 <= self.earliest - at < CHECK_S

    def late(self, at: float) -> float:
        """What it costs (nats) that some came before those of the action before, which ended after `at` (s).

        An action that came before the one it follows is late once, whatever the number of its signs.
        """
        if self.earliest >= at:
            return 0.0
        return max(_lateness(noted, at) for noted in self.used)


class Matching:
    """Finds the signs of actions among the traces of `evidence`, as they are at `now` (s)."""

    def __init__(self, evidence: Evidence, now: float) -> None:
        self._evidence = evidence
        self._now = now
        self._ids = frozenset(noted.id for noted in evidence.traces)
        self._waiting: dict[frozenset[int], Waiting] = {}
        self._matches: dict[tuple[tuple[Trace, ...], tuple[int, ...]], tuple[Match, ...]] = {}
        """By the signs of an action and the traces that they may be: what else waits makes no difference."""

    def waiting(self, used: frozenset[int]) -> Waiting:
        """What waits once traces with these numbers have found their cause; one object for the same traces."""
        explained = used & self._ids
        known = self._waiting.get(explained)
        if known is None:
            known = self._waiting[explained] = Waiting(explained, self._evidence.traces, self._now)
        return known

    def after(self, waiting: Waiting, match: Match) -> Waiting:
        """What still waits once a match has been made."""
        if not match.used:
            return waiting
        return self.waiting(waiting.explained.union(noted.id for noted in match.used))

    def matches(self, waiting: Waiting, signs: tuple[Trace, ...]) -> tuple[Match, ...]:
        """The signs of an action are the first that wait, or the last ones where these are others, or none of
        those that have waited for long; a texture may have been felt as another one, and a hand may have hidden
        what a scale would have told."""
        key = (signs, waiting.alike(signs))
        known = self._matches.get(key)
        if known is None:
            first = self._match(waiting, signs, 1)
            found = {first.used: first}
            if first.used and any(len(waiting.like(sign)) > 1 for sign in signs):
                last = self._match(waiting, signs, -1)
                found.setdefault(last.used, last)
            if first.earliest < self._now - STALE_S and any(verb in MISSED_ALONE for verb, _, _ in signs):
                fresh = self._match(waiting, signs, 1, since=self._now - STALE_S)
                found.setdefault(fresh.used, fresh)
            if any(is_texture(sign) and waiting.like(sign) for sign in signs):
                misfelt = self._match(waiting, signs, 1, misfelt=True)
                found.setdefault(misfelt.used, misfelt)
            if first.used and self.covered(signs):
                veiled = self._match(waiting, signs, 1, veiled=True)
                found.setdefault(veiled.used, veiled)
            for stayed in self._stayed(waiting, signs):
                found.setdefault(stayed.used, stayed)
            known = self._matches[key] = tuple(found.values())
        return known

    def covered(self, signs: Iterable[Trace]) -> bool:
        """Whether a hand on a scale may have hidden some of these signs."""
        return any(verb in SCALES and self._beneath_hand(place) for verb, place, _ in signs)

    def _match(
        self,
        waiting: Waiting,
        signs: Iterable[Trace],
        order: int,
        *,
        misfelt: bool = False,
        veiled: bool = False,
        since: float = -inf,
    ) -> Match:
        """The signs of an action among those that wait since a time (s), the first ones (order 1) or the last
        (-1).

        `misfelt`: where no texture fits, it is the one that does not. `veiled`: a scale on which a hand rests
        has told nothing of it, and what waits there is something else.
        """
        used: list[Noted] = []
        hidden: set[str] = set()
        unseen: set[tuple[str, ...]] = set()
        cost = 0.0
        for sign in signs:
            verb, place, kinds = sign
            beneath_hand = verb in SCALES and self._beneath_hand(place)
            there = () if veiled and beneath_hand else waiting.like(sign)
            noted = None
            if there:
                there = there if order > 0 else there[::order]
                # Each after the one before it, for no card is laid down before it was taken up; but a scale on
                # which a hand rests tells late.
                before = since
                if used:
                    before = used[-1].made[0] if used[-1].made is not None else used[-1].t
                noted = _first(there, sign, before - AT_ONCE_S, used)
                if noted is None and used and used[-1].trace[0] in SCALES:
                    noted = _first(there, sign, before - SLOW_S, used)
                    cost += SLOW if noted is not None else 0.0
                if noted is None and misfelt and is_texture(sign):
                    until = before + PRESS_S if used else inf
                    near = (one for one in there if before - AT_ONCE_S <= one.t <= until and one not in used)
                    noted = next(near, None)
                    cost += MISFELT if noted is not None else 0.0
            if noted is not None:
                used.append(noted)
                if not is_texture(sign):
                    cost += HIDDEN_CARD * max(0, len(kinds) - len(noted.trace[2]))
                continue
            passing = verb in PASSING_SIGNS
            # A sticker that lies hidden, or upside down, is missed wherever it is carried.
            if not passing or kinds not in unseen:
                cost += self._missed(sign, used)
            if passing:
                unseen.add(kinds)
            if beneath_hand:
                cost += ALONE if place in hidden and not self._worked(place) else 0.0
                hidden.add(place)
        return _matched(used, cost + _odd(used) if used else cost)

    def _stayed(self, waiting: Waiting, signs: Sequence[Trace]) -> Iterable[Match]:
        """A card was back on its scale before that came to rest, which missed both at once; but each hand that
        stayed there may have done it."""
        weighed = [place for verb, place, _ in signs if verb in SCALES]
        if len(weighed) == len(SCALES) and len(set(weighed)) == 1:
            for noted in waiting.like(("stay", weighed[0], ())):
                yield _matched([noted], TRACE_COSTS["lift"].missed)

    def _beneath_hand(self, station: str) -> bool:
        return self._now - self._evidence.covered.get(station, -inf) < COVERED_S

    def _worked(self, station: str) -> bool:
        """Whether a hand on a scale, as the camera saw it, may have taken a mattress out and laid it back."""
        until = min(self._evidence.covered[station], self._now)
        return self._evidence.hands.worked(until, station)

    def _missed(self, wanted: Trace, before: Sequence[Noted]) -> float:
        """The cost of a trace that is not there; nothing if its sensor may not be there either. `before`: the
        signs of the same action that were."""
        verb, place, _ = wanted
        if verb in SCALES:
            there = place in self._evidence.counts
            several = verb == "put" and self._now - self._evidence.jumped.get(place, -inf) < COVERED_S
            if several or self._beneath_hand(place):
                return COVERED
        else:
            there = verb not in NEEDS or NEEDS[verb] in self._evidence.heard
            passed = verb in UNFELT_SIGNS and self._now - self._evidence.board_back < UNFELT_S
            if not before or before[-1].t + GLANCE_S > self._evidence.away["camera"]:
                passed |= verb in PASSING_SIGNS and self._now - self._evidence.camera_back < UNFELT_S
            if passed:
                return min(UNFELT, TRACE_COSTS[verb].missed)
        return TRACE_COSTS[verb].missed if there else 0.0


def _first(there: Iterable[Noted], sign: Trace, since: float, used: Collection[Noted]) -> Noted | None:
    """The first of those seen since a time (s), and not used up, that may be this sign."""
    for one in there:
        if one.t >= since and fits(sign, one.trace) and one not in used:
            return one
    return None


def _matched(used: Sequence[Noted], cost: float) -> Match:
    earliest, latest = inf, -inf
    for noted in used:
        least, most = _made(noted)
        earliest, latest = min(earliest, most), max(latest, least)
    return Match(tuple(used), cost, earliest, latest)


def _odd(used: Sequence[Noted]) -> float:
    """What is unlikely (nats) about the signs of one action together."""
    cost = ALONE * len({noted.trace[1] for noted in used if noted.alone})
    cost += tardy(used)
    scales = [noted for noted in used if noted.trace[0] in SCALES]
    if len(scales) > 1 and scales[0].trace[1] == scales[1].trace[1]:
        cost += QUICK if scales[1].t - scales[0].t < QUICK_S else 0.0
    return cost


def tardy(used: Iterable[Noted]) -> float:
    """What it costs (nats) that scales told only after the hand had left."""
    late = (one for one in used if one.made is not None and not one.alone and one.trace[0] in SCALES)
    return LATE * sum(1 for _ in late)


def is_texture(sign: Trace) -> bool:
    """Whether a sign is what a pressure matrix felt."""
    return SEEN_AS.get(sign[0], sign[0]) == "texture"


def _lateness(noted: Noted, at: float) -> float:
    """What it costs (nats) that a sign came before those of the action before, which ended after `at` (s)."""
    happened = _made(noted)[1]
    if happened >= at:
        return 0.0
    late = INVERSION + INVERSION_A_SECOND * (at - happened)
    verb = noted.trace[0]
    if verb in CARD_SIGNS:
        return min(INVERSION_MOST, late)
    return late + SWAPPED_TAGS if verb == "tag" else late


def _made(noted: Noted) -> tuple[float, float]:
    """Between which times (s) that happened of which a sensor told."""
    if noted.made is not None:
        return noted.made
    least, most = DELAY_S.get(noted.trace[0], CAMERA_DELAY_S)
    return noted.t - most, noted.t - least


def fits(wanted: Trace, seen: Trace) -> bool:
    """Whether a trace that was seen may be the one that an action leaves; some of its cards may be hidden."""
    if wanted[0] in SEEN_AS:
        wanted = (SEEN_AS[wanted[0]], *wanted[1:])
    if wanted[0] == "texture":
        return wanted[:2] == seen[:2] and not set(wanted[2]).isdisjoint(seen[2])
    if wanted[:2] != seen[:2] or wanted[2] in (seen[2], ANY_KINDS):
        return wanted[:2] == seen[:2]
    return wanted[0] in ("left", "came") and not Counter(seen[2]) - Counter(wanted[2])
