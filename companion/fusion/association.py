"""Data association: which open detections are the signs of an action, and what that costs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from math import inf
from typing import NamedTuple

from companion.fusion.clutter import clutter_cost
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.search import WORK
from companion.fusion.parameters.sensors import CAMERA, DETECTIONS
from companion.fusion.parameters.sign_models import (
    CARD_SIGNS,
    MISSED_ALONE,
    PILE_SIGNS,
    SCALE_SIGNS,
    SIGN_MODELS,
    UNREPORTED_BY_CAMERA,
    detected_as,
)
from companion.fusion.work_budget import WorkBudget
from companion.games.signs import ANY_KINDS, UNKNOWN_KIND, Sign, Verb

IN_ANY_ORDER = (Verb.OFF, Verb.SHOWN)
"""Signs of piles that are turned up at the end: people begin at any of them."""


class OpenDetections:
    """The detections that some hypotheses leave open. Hypotheses that explain the same ones share one object.

    `explained`: the numbers of the detections that have a cause.
    """

    def __init__(self, explained: frozenset[int], detections: Iterable[Detection], now: float) -> None:
        self.explained = explained
        detections = list(detections)
        self.cost = clutter_cost(detections, now, explained)
        """Clutter cost of the open ones, in nats."""
        self._by_place = defaultdict[tuple[str, str], list[Detection]](list)
        """(verb, place) -> open detections, the oldest first."""
        left = [detection for detection in detections if detection.id not in explained]
        for detection in left:
            self._by_place[detection.sign[:2]].append(detection)
        elsewhere = [
            (sign, detection) for detection in left if detection.meant for sign in _elsewhere(detection)
        ]
        for sign, detection in elsewhere:
            self._by_place[sign[:2]].append(detection)
        signs = [*(detection.sign for detection in left), *(sign for sign, _ in elsewhere)]
        self.signs: tuple[Sign, ...] = tuple(dict.fromkeys(signs))
        """The signs that the open ones may be, each once."""
        self.associations: dict[tuple[Sign, ...], tuple[Association, ...]] = {}
        """Signs of an action -> its candidate associations, as far as they were looked for."""

    def like(self, sign: Sign) -> Sequence[Detection]:
        """The open detections that a sign of an action may be, by verb and place, the oldest first; those that
        may have been meant there come last."""
        verb, place, _ = sign
        return self._by_place.get((detected_as(verb), place), ())

    def alike(self, signs: Iterable[Sign]) -> tuple[int, ...]:
        """The numbers of those that may be signs of an action, or say that a hand stayed at its place."""
        found: list[int] = []
        for verb, place, _ in signs:
            found += [detection.id for detection in self._by_place.get((detected_as(verb), place), ())]
            if verb in SCALE_SIGNS:
                found += [detection.id for detection in self._by_place.get((Verb.STAY, place), ())]
        return tuple(found)


class Association(NamedTuple):
    """Which open detections are the signs of an action, and what that costs."""

    used: tuple[Detection, ...]
    cost: float
    """Cost in nats; `late` comes on top."""
    first_by: float
    """Time (s) by which the event behind the first detection had happened; inf if there is none."""
    last_from: float
    """Time (s) before which the event behind the last one had not happened; -inf if there is none."""
    ids: frozenset[int]
    """Numbers of the detections in `used`."""

    def hasty(self, at: float) -> bool:
        """Whether a card was taken too soon after `at` (s) for a check in between."""
        return (
            bool(self.used) and self.used[0].sign.verb == Verb.LIFT and 0 <= self.first_by - at < COSTS.check_s
        )

    def late(self, at: float) -> float:
        """Cost (nats) of signs that came before those of the previous action, which ended after `at` (s).

        An action is late once, whatever the number of its signs. A claim that its cards settle is done when
        these are turned up, however long before its button was pressed.
        """
        if self.first_by >= at:
            return 0.0
        if len(self.used) == 1:
            return _lateness(self.used[0], at)
        shown = [detection for detection in self.used if detection.sign.verb == Verb.CAME]
        return max(_lateness(detection, at) for detection in shown or self.used)


class Associator:
    """Associates signs of actions with the open detections of `sensed` at `now` (s), on a `budget`."""

    def __init__(self, sensed: SensedTable, now: float, budget: WorkBudget | None = None) -> None:
        self._sensed = sensed
        self._budget = budget or WorkBudget()
        self._now = now
        self._ids = frozenset(detection.id for detection in sensed.detections)
        self._waiting: dict[frozenset[int], OpenDetections] = {}
        self._associations: dict[tuple[tuple[Sign, ...], tuple[int, ...]], tuple[Association, ...]] = {}
        """(signs of an action, numbers of the detections they may be) -> associations: others make no
        difference."""

    def waiting(self, used: frozenset[int]) -> OpenDetections:
        """The open detections without those numbered in `used`; one object for the same detections."""
        return self._without(used & self._ids)

    def _without(self, explained: frozenset[int]) -> OpenDetections:
        known = self._waiting.get(explained)
        if known is None:
            self._budget.left -= WORK.opened
            known = self._waiting[explained] = OpenDetections(explained, self._sensed.detections, self._now)
        return known

    def after(self, waiting: OpenDetections, association: Association) -> OpenDetections:
        """The open detections that remain after an association."""
        if not association.used:
            return waiting
        return self._without(waiting.explained | association.ids)

    def associations(self, waiting: OpenDetections, signs: tuple[Sign, ...]) -> tuple[Association, ...]:
        """Candidate associations: the first matching detections, the last ones, and the recent ones only.

        A texture may have been felt as another one, and a hand may have hidden what a scale would report.
        """
        known = waiting.associations.get(signs)
        if known is None:
            known = waiting.associations[signs] = self._alike(waiting, signs)
        return known

    def _alike(self, waiting: OpenDetections, signs: tuple[Sign, ...]) -> tuple[Association, ...]:
        """The same for all open detections among which these signs may be the same ones."""
        key = (signs, waiting.alike(signs))
        known = self._associations.get(key)
        if known is None:
            first = self._associate(waiting, signs, 1)
            found = {first.used: first}
            if first.used and any(len(waiting.like(sign)) > 1 for sign in signs):
                last = self._associate(waiting, signs, -1)
                found.setdefault(last.used, last)
            if first.first_by < self._now - DETECTIONS.stale_s and any(
                verb in MISSED_ALONE for verb, _, _ in signs
            ):
                fresh = self._associate(waiting, signs, 1, since=self._now - DETECTIONS.stale_s)
                found.setdefault(fresh.used, fresh)
            if any(is_texture(sign) and waiting.like(sign) for sign in signs):
                misfelt = self._associate(waiting, signs, 1, misfelt=True)
                found.setdefault(misfelt.used, misfelt)
            if first.used and self.covered(signs):
                veiled = self._associate(waiting, signs, 1, veiled=True)
                found.setdefault(veiled.used, veiled)
            for stayed in self._stayed(waiting, signs):
                found.setdefault(stayed.used, stayed)
            known = self._associations[key] = tuple(found.values())
        return known

    def covered(self, signs: Iterable[Sign], verbs: Collection[str] = SCALE_SIGNS) -> bool:
        """Whether a hand on a scale may have hidden, or left unfelt, some of these signs; of these `verbs`."""
        return any(verb in verbs and self._beneath_hand(place) for verb, place, _ in signs)

    def _associate(
        self,
        waiting: OpenDetections,
        signs: Iterable[Sign],
        order: int,
        *,
        misfelt: bool = False,
        veiled: bool = False,
        since: float = -inf,
    ) -> Association:
        """Associate each sign with an open detection not older than `since` (s): the first (order 1) or last
        (-1).

        `misfelt`: where no texture fits, take one that does not. `veiled`: a scale on which a hand rests has
        reported nothing of this action; its open detections belong to something else.
        """
        self._budget.left -= WORK.associated
        used: list[Detection] = []
        hidden: set[str] = set()
        unseen: set[tuple[str, ...]] = set()
        unread = False
        cost = 0.0
        for sign in signs:
            verb, place, kinds = sign
            beneath_hand = verb in SCALE_SIGNS and self._beneath_hand(place)
            there = () if veiled and beneath_hand else waiting.like(sign)
            detection = None
            if there:
                there = there if order > 0 else there[::order]
                # In order: no card is laid down before it was taken up. But a scale under a hand reports late.
                before = since
                if used and verb not in IN_ANY_ORDER:
                    before = used[-1].made[0] if used[-1].made is not None else used[-1].t
                detection = _first(there, sign, before - DETECTIONS.at_once_s, used)
                if detection is None and used and used[-1].sign.verb in SCALE_SIGNS:
                    detection = _first(there, sign, before - COSTS.slow_s, used)
                    cost += COSTS.slow if detection is not None else 0.0
                if detection is None and misfelt and is_texture(sign):
                    until = before + PEOPLE.tag_to_press_s if used else inf
                    near = (
                        one
                        for one in there
                        if before - DETECTIONS.at_once_s <= one.t <= until and one not in used
                    )
                    detection = next(near, None)
                    cost += COSTS.misfelt if detection is not None else 0.0
            if (
                detection is not None
                and verb == Verb.GLANCE
                and used
                and detection.t - used[-1].t > CAMERA.look_apart_s
            ):
                # That the token was taken up then belongs to another look.
                cost += self._missed(used.pop().sign, used)
            if detection is not None:
                used.append(detection)
                cost += dict(detection.meant).get(place, 0.0) if detection.meant else 0.0
                if verb == Verb.PRESSED and unread and Verb.TAG in self._sensed.heard:
                    # It was on the pad, so its tag was missed there.
                    cost += SIGN_MODELS[Verb.TAG].missed_nats - SIGN_MODELS[Verb.VISIT].missed_nats
                if not is_texture(sign) and verb not in PILE_SIGNS:
                    cost += _unread(kinds, _together(detection, kinds), counted=verb == Verb.SWEPT)
                continue
            unread |= verb == Verb.VISIT
            passing = verb in UNREPORTED_BY_CAMERA
            # A hidden or upside down sticker is missed wherever the card is carried: count it once.
            if not passing or kinds not in unseen:
                cost += self._missed(sign, used)
            if passing:
                unseen.add(kinds)
            if beneath_hand:
                cost += COSTS.alone if place in hidden and not self._worked(place) else 0.0
                hidden.add(place)
        return _association_of(used, cost + _odd(used) if used else cost)

    def _stayed(self, waiting: OpenDetections, signs: Sequence[Sign]) -> Iterable[Association]:
        """Associations by a hand that stayed: a card was back before its scale came to rest, which missed
        both."""
        weighed = [place for verb, place, _ in signs if verb in SCALE_SIGNS]
        if len(weighed) == len(SCALE_SIGNS) and len(set(weighed)) == 1:
            for detection in waiting.like(Sign(Verb.STAY, weighed[0])):
                yield _association_of([detection], SIGN_MODELS[Verb.LIFT].missed_nats)

    def _beneath_hand(self, station: str) -> bool:
        return self._now - self._sensed.covered.get(station, -inf) < COSTS.covered_s

    def _worked(self, station: str) -> bool:
        """Whether a hand on a scale, as seen by the camera, was there long enough to take a card out and
        back."""
        until = min(self._sensed.covered[station], self._now)
        return self._sensed.hands.worked(until, station)

    def _turned_up(self, place: str) -> Iterable[float]:
        """When (s) cards were turned up at a place."""
        return (one.t for one in self._sensed.detections if one.sign[:2] == (Verb.CAME, place))

    def _missed(self, wanted: Sign, before: Sequence[Detection]) -> float:
        """Cost (nats) of a missing detection; 0 if its sensor may not exist. `before`: earlier detections of
        the same action."""
        verb, place, _ = wanted
        if verb in SCALE_SIGNS:
            there = place in self._sensed.told_counts
            several = verb == Verb.PUT and self._now - self._sensed.jumped.get(place, -inf) < COSTS.covered_s
            if several or self._beneath_hand(place):
                return COSTS.covered
        else:
            needs = SIGN_MODELS[verb].needs
            there = not needs or needs in self._sensed.heard
            # A hand that its scale has told of came after an outage: then a touch there would have been felt.
            deaf = self._now - self._sensed.back["board"] < COSTS.unfelt_s and not self._beneath_hand(place)
            passed = verb == Verb.TOUCH and deaf
            # A button went unheard only if its cards were turned up while the board was away, or soon after.
            passed |= verb == Verb.PRESS and any(map(self._sensed.unheard, self._turned_up(place)))
            # Who has no stations claims by a key, and may forget it.
            passed |= verb == Verb.PRESS and not self._sensed.counts
            if not before or before[-1].t + PEOPLE.glance_s > self._sensed.away["camera"]:
                passed |= (
                    verb in UNREPORTED_BY_CAMERA and self._now - self._sensed.back["camera"] < COSTS.unfelt_s
                )
            if passed:
                return min(COSTS.unfelt, SIGN_MODELS[verb].missed_nats)
        return SIGN_MODELS[verb].missed_nats if there else 0.0


def _first(
    there: Iterable[Detection], sign: Sign, since: float, used: Collection[Detection]
) -> Detection | None:
    """The first detection since `since` (s), not in `used`, that may be this sign."""
    for one in there:
        seen = one.sign._replace(kinds=_together(one, sign.kinds)) if one.taken else one.sign
        seen = sign if one.meant and sign in _elsewhere(one) else seen
        if one.t >= since and fits(sign, seen) and one not in used:
            return one
    return None


def _elsewhere(detection: Detection) -> list[Sign]:
    """The same sign at the other places where it may have been."""
    return [detection.sign._replace(place=place) for place, _ in detection.meant]


def _together(detection: Detection, due: Collection[str]) -> tuple[str, ...]:
    """The cards of a detection without those that were taken before the others and are not due."""
    kinds = list(detection.sign.kinds)
    for kind in detection.taken:
        if kind not in due:
            kinds.remove(kind)
    return tuple(kinds)


def _association_of(used: Sequence[Detection], cost: float) -> Association:
    first_by, last_from = inf, -inf
    for detection in used:
        least, most = _made(detection)
        first_by, last_from = min(first_by, most), max(last_from, least)
    return Association(tuple(used), cost, first_by, last_from, frozenset([one.id for one in used]))


def _odd(used: Sequence[Detection]) -> float:
    """Cost (nats) of what is unlikely about the detections of one action together."""
    cost = COSTS.alone * len({detection.sign.place for detection in used if detection.alone})
    cost += tardy(used)
    scales = [detection for detection in used if detection.sign.verb in SCALE_SIGNS]
    if len(scales) > 1 and scales[0].sign.place == scales[1].sign.place:
        cost += COSTS.quick if scales[1].t - scales[0].t < COSTS.quick_s else 0.0
    return cost


def tardy(used: Iterable[Detection]) -> float:
    """Cost (nats) of scales that reported only after the hand had left."""
    late = (one for one in used if one.made is not None and not one.alone and one.sign.verb in SCALE_SIGNS)
    return COSTS.late * sum(1 for _ in late)


def is_texture(sign: Sign) -> bool:
    """Whether a sign is detected by a pressure matrix."""
    return detected_as(sign.verb) == Verb.TEXTURE


def _lateness(detection: Detection, at: float) -> float:
    """Cost (nats) of a sign before those of the previous action, which ended after `at` (s)."""
    happened = _made(detection)[1]
    if happened >= at:
        return 0.0
    late = COSTS.inversion + COSTS.inversion_a_second * (at - happened)
    verb = detection.sign.verb
    if verb in CARD_SIGNS:
        return min(COSTS.inversion_most, late)
    return late + COSTS.swapped_tags if verb == Verb.TAG else late


def _made(detection: Detection) -> tuple[float, float]:
    """Earliest and latest time (s) of the event behind a detection."""
    if detection.made is not None:
        return detection.made
    least, most = SIGN_MODELS[detection.sign.verb].delay_s
    return detection.t - most, detection.t - least


def matching(wanted: Sign, used: list[Detection]) -> Detection | None:
    """The first detection in `used` that fits a sign of an action, taken out; None if there is none."""
    detection = next((one for one in used if fits(wanted, one.sign) or wanted in _elsewhere(one)), None)
    if detection is not None:
        used.remove(detection)
    return detection


def fits(wanted: Sign, seen: Sign) -> bool:
    """Whether a detected sign may be the one that an action leaves; some of its cards may be hidden."""
    kinds = wanted.kinds
    if wanted.verb in PILE_SIGNS and kinds != ANY_KINDS:
        # One of the cards that came there together lies on top.
        return wanted.place == seen.place and set(seen.kinds).issubset(kinds)
    verb = detected_as(wanted.verb)
    if (verb, wanted.place) != seen[:2]:
        return False
    if verb == Verb.TEXTURE:
        return not set(kinds).isdisjoint(seen.kinds)
    if kinds in (seen.kinds, ANY_KINDS):
        return True
    if wanted.verb == Verb.SWEPT:
        return _among(seen.kinds, kinds)
    return verb in (Verb.LEFT, Verb.CAME) and not Counter(seen.kinds) - Counter(kinds)


def _among(seen: tuple[str, ...], due: tuple[str, ...]) -> bool:
    """Whether the cards that were read may be among those that are due; an unread one (?) may be any."""
    strange = Counter(seen) - Counter(due)
    del strange[UNKNOWN_KIND]
    return strange.total() <= due.count(UNKNOWN_KIND)


def _unread(due: tuple[str, ...], seen: tuple[str, ...], *, counted: bool) -> float:
    """Cost (nats) of cards that were due and not seen, seen and not read, or seen and no cards."""
    if seen == due:  # nearly always
        return 0.0
    missing = (COSTS.uncounted_card if counted else COSTS.hidden_card) * max(0, len(due) - len(seen))
    read_after_all = sum(((Counter(seen) - Counter(due)) - Counter({UNKNOWN_KIND: len(seen)})).values())
    if counted:
        missing += COSTS.read_card * min(read_after_all, due.count(UNKNOWN_KIND))
    if UNKNOWN_KIND not in seen:
        return missing
    strays = max(0, len(seen) - len(due))
    unread = max(0, seen.count(UNKNOWN_KIND) + read_after_all - due.count(UNKNOWN_KIND))
    return missing + COSTS.stray_card * strays + COSTS.hidden_card * max(0, unread - strays)
