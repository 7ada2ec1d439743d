"""Clutter: the cost of detections that no action explains, or that cancel each other."""

from collections.abc import Collection, Iterable
from math import dist, exp, inf, log

from companion.fusion.detections import Detection
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import CAMERA, DETECTIONS
from companion.fusion.parameters.sign_models import ON_PAD, SCALE_SIGNS, SIGN_MODELS
from companion.games.signs import Verb


def cancelled_signs() -> dict[Verb, tuple[Verb, float, float]]:
    """Verb -> verb at the same place that it cancels, cost of both (nats), longest time between them (s)."""
    return {
        Verb.LIFT: (Verb.PUT, COSTS.restless, COSTS.restless_s),
        Verb.PUT: (Verb.LIFT, COSTS.restless, COSTS.restless_s),
        Verb.LEFT: (Verb.AGAIN, 0.0, 0.0),
        Verb.AGAIN: (Verb.LEFT, COSTS.taken_up, inf),
        Verb.GONE: (Verb.BACK, 0.0, 0.0),
        Verb.BACK: (Verb.GONE, COSTS.reappeared, inf),
    }


CANCELLED = cancelled_signs()


def clutter_cost(detections: Iterable[Detection], now: float, used: Collection[int] = frozenset()) -> float:
    """Cost (nats) at `now` (s) of the detections without a cause; `used` are the numbers of those that have
    one."""
    carried: list[Detection] = []
    uncaused: list[Detection] = []
    for one in detections:
        if one.id not in used:
            uncaused.append(one)
        elif one.sign.verb in SCALE_SIGNS:
            carried.append(one)
    pairs, left, single = _paired(uncaused)
    cost = 0.0
    back: list[Detection] = []
    for first, second, pair_nats in pairs:
        alone = first.alone + second.alone
        cost += (pair_nats, COSTS.half_alone, COSTS.nobody)[alone]
        if second.sign.verb == Verb.PUT and not alone:
            back.append(second)
    on_pad = [one for one in single if one.sign.verb in ON_PAD]
    for detection in single:
        # A flood leaves thousands open, and each hypothesis counts them: `is_young` is written out.
        if (verb := detection.sign.verb) not in ON_PAD:
            young_s = SIGN_MODELS[verb].young_s
            cost += _clutter_nats(detection, young=young_s > 0 and now - detection.t < young_s)
    if back:
        cost -= sum(COSTS.restless - COSTS.put_back for detection in back if _taken_again(detection, carried))
    if not left and not on_pad:
        return cost
    lifts = [detection for detection in left if detection.sign.verb == Verb.LIFT]
    lifted = min((detection.t for detection in lifts), default=inf)
    # A card on the pad is the one that was taken up and may still be in a hand.
    held = min((detection.t for detection in lifts if is_young(detection, now)), default=inf) if on_pad else inf
    read = [one for one in on_pad if one.sign.verb == Verb.TAG]
    for detection in on_pad:
        if detection.sign.verb == Verb.TEXTURE and any(_one_visit(detection, tag) for tag in read):
            cost += SIGN_MODELS[detection.sign.verb].young_nats
            continue
        young = detection.t > held or (is_young(detection, now) and not _within_move(detection.t, carried))
        cost += _clutter_nats(detection, young=young)
    puts = [detection.t for detection in left if detection.sign.verb == Verb.PUT]
    for detection in left:
        # A lift followed by a put elsewhere is a moved card, not a restless scale.
        moved = detection.sign.verb == Verb.PUT and detection.t > lifted
        late = detection.sign.verb == Verb.LIFT and any(0 < detection.t - t <= COSTS.slow_s for t in puts)
        if (moved or late) and detection.made is not None:
            # A hand was there: a late report is likelier than a restless scale.
            cost += SIGN_MODELS[detection.sign.verb].clutter_nats
        else:
            cost += _clutter_nats(detection, young=is_young(detection, now) and not moved)
    return cost


def cancelled_pairs(detections: Iterable[Detection]) -> list[tuple[Detection, Detection]]:
    """Detections that cancel each other, the earlier one first: afterwards all is as it was before."""
    return [(first, second) for first, second, _ in _paired(detections)[0]]


def cancelled(detections: Iterable[Detection]) -> set[int]:
    """The numbers of the detections that cancel each other."""
    return {one.id for pair in cancelled_pairs(detections) for one in pair}


def _paired(
    detections: Iterable[Detection],
) -> tuple[list[tuple[Detection, Detection, float]], list[Detection], list[Detection]]:
    """Detections that cancel each other, with the cost of both (nats); those that others might cancel; and
    those that nothing cancels."""
    pairs: list[tuple[Detection, Detection, float]] = []
    waiting: dict[tuple[str, tuple[str, ...]], list[Detection]] = {}
    single: list[Detection] = []
    for detection in detections:
        verb, place, kinds = detection.sign
        if verb not in CANCELLED and not detection.alike:
            single.append(detection)
            continue
        others = waiting.setdefault((place, kinds), [])
        alike = detection.alike and _may_be_back(others)
        if verb not in CANCELLED and not alike:
            single.append(detection)
            continue
        undone, pair_nats, within = CANCELLED[Verb.BACK if alike else verb]
        if alike:
            _nearest_last(others, detection)
            pair_nats = COSTS.reappeared if _lies_as(others[-1], detection) else COSTS.taken_up
        if others and others[-1].sign.verb == undone and detection.t - others[-1].t <= within:
            pairs.append((others.pop(), detection, pair_nats))
        else:
            others.append(detection)
    return pairs, [one for others in waiting.values() for one in others], single


def _may_be_back(before: Collection[Detection]) -> bool:
    """Whether a card known by its art may be the one that left a place last, of those without a cause."""
    return any(one.sign.verb == Verb.GONE for one in before)


def _nearest_last(before: list[Detection], detection: Detection) -> None:
    """Of cards of one kind that went, the one that lay just so comes back first."""
    for n, one in enumerate(before):
        if one.sign.verb == Verb.GONE and _lies_as(one, detection):
            before.append(before.pop(n))
            return


def _lies_as(one: Detection, other: Detection) -> bool:
    """Whether a card known by its art lies as another one lay, as far as that is known."""
    if one.pose is None or other.pose is None:
        return True
    (x, y, angle), (other_x, other_y, other_angle) = one.pose, other.pose
    turned = abs((angle - other_angle + 180) % 360 - 180)
    return dist((x, y), (other_x, other_y)) <= CAMERA.same_mm and turned <= CAMERA.same_deg


def _taken_again(put: Detection, carried: Iterable[Detection]) -> bool:
    """Whether a card that was laid back was taken again at once."""
    again = put.sign._replace(verb=Verb.LIFT)
    return any(one.sign == again and 0 <= one.t - put.t <= COSTS.check_s for one in carried)


def _within_move(t: float, carried: Iterable[Detection]) -> bool:
    """Whether a card was in a hand at `t` (s) whose lift and put are both explained."""
    before = [one.sign.verb for one in carried if one.t - DETECTIONS.at_once_s <= t]
    return before[-1:] == [Verb.LIFT] and any(one.t > t and one.sign.verb == Verb.PUT for one in carried)


def _one_visit(felt: Detection, read: Detection) -> bool:
    """Whether a texture was felt of a card whose tag was read: nobody tapped the pad twice."""
    (_, place, kinds), (_, where, others) = felt.sign, read.sign
    return place == where and 0 <= felt.t - read.t <= PEOPLE.visit_s and others[0] in kinds


def _clutter_nats(detection: Detection, *, young: bool) -> float:
    model = SIGN_MODELS[detection.sign.verb]
    nats = COSTS.nobody if detection.alone else model.young_nats if young else model.clutter_nats
    return doubted(nats, detection.doubt) if detection.doubt else nats


def doubted(nats: float, doubt: float) -> float:
    """Cost (nats) of something unlikely that would not be there if a kind was taken for another one, the
    probability of which is `doubt`."""
    return nats if not doubt else min(nats, -log(exp(-nats) + doubt))


def is_young(detection: Detection, now: float) -> bool:
    """Whether a detection is so recent that it may still be undone by itself."""
    # What was seen may bear a time a little after `now`: frames and batches have clocks of their own.
    return max(0.0, now - detection.t) < SIGN_MODELS[detection.sign.verb].young_s
