"""Ghosts: what traces cost that found no cause, or that cancel each other."""

from collections.abc import Collection, Iterable
from math import inf

from companion.fusion.absences import SCALES
from companion.fusion.detections import Noted
from companion.fusion.likelihood import (
    CHECK_S,
    HALF_ALONE,
    NOBODY,
    PUT_BACK,
    REAPPEARED,
    RESTLESS,
    RESTLESS_S,
    SLOW_S,
    TAKEN_UP,
    TRACE_COSTS,
)

AT_ONCE_S = 0.4
"""Sensors differ in speed: traces closer together than this have no order."""

ON_PAD = ("tag", "texture")
"""What the pad tells of a card that lies there."""
CANCELLED = {
    "lift": ("put", RESTLESS, RESTLESS_S),
    "put": ("lift", RESTLESS, RESTLESS_S),
    "left": ("again", 0.0, 0.0),
    "again": ("left", TAKEN_UP, inf),
    "gone": ("back", 0.0, 0.0),
    "back": ("gone", REAPPEARED, inf),
}
"""Verb -> the verb at the same place that it cancels, what both cost together (nats), within what time (s)."""


def ghosts(traces: Iterable[Noted], now: float, used: Collection[int] = frozenset()) -> float:
    """What the traces cost at `now` (s) that found no cause, in nats."""
    cost = 0.0
    loose: dict[tuple[str, tuple[str, ...]], list[Noted]] = {}
    on_pad: list[Noted] = []
    carried: list[Noted] = []
    back: list[Noted] = []
    for noted in traces:
        verb, place, kinds = noted.trace
        if noted.id in used:
            if verb in SCALES:
                carried.append(noted)
            continue
        if verb not in CANCELLED:
            if verb in ON_PAD:
                on_pad.append(noted)
            else:
                cost += _ghost(noted, young=is_young(noted, now))
            continue
        others = loose.setdefault((place, kinds), [])
        undone, price, within = CANCELLED[verb]
        if others and others[-1].trace[0] == undone and noted.t - others[-1].t <= within:
            alone = others.pop().alone + noted.alone
            cost += (price, HALF_ALONE, NOBODY)[alone]
            if verb == "put" and not alone:
                back.append(noted)
        else:
            others.append(noted)
    cost -= sum(RESTLESS - PUT_BACK for noted in back if _taken_again(noted, carried))
    left = [noted for others in loose.values() for noted in others]
    lifts = [noted for noted in left if noted.trace[0] == "lift"]
    lifted = min((noted.t for noted in lifts), default=inf)
    # A card that was taken up and may still be in a hand is the one that comes by the pad.
    held = min((noted.t for noted in lifts if is_young(noted, now)), default=inf) if on_pad else inf
    for noted in on_pad:
        young = noted.t > held or (is_young(noted, now) and not _within_move(noted.t, carried))
        cost += _ghost(noted, young=young)
    puts = [noted.t for noted in left if noted.trace[0] == "put"]
    for noted in left:
        # A card that was taken up and one more elsewhere then is no scale that is restless.
        moved = noted.trace[0] == "put" and noted.t > lifted
        late = noted.trace[0] == "lift" and any(0 < noted.t - t <= SLOW_S for t in puts)
        if (moved or late) and noted.made is not None:
            # A hand was there: that its scale told late is likelier than that it is restless just now.
            cost += TRACE_COSTS[noted.trace[0]].ghost
        else:
            cost += _ghost(noted, young=is_young(noted, now) and not moved)
    return cost


def _taken_again(put: Noted, carried: Iterable[Noted]) -> bool:
    """Whether a mattress was laid back by somebody who took it again at once, for good."""
    again = ("lift", *put.trace[1:])
    return any(one.trace == again and 0 <= one.t - put.t <= CHECK_S for one in carried)


def _within_move(t: float, carried: Iterable[Noted]) -> bool:
    """Whether somebody had a card in hand at a time (s) that has found its place: then no other one was."""
    before = [one.trace[0] for one in carried if one.t - AT_ONCE_S <= t]
    return before[-1:] == ["lift"] and any(one.t > t and one.trace[0] == "put" for one in carried)


def _ghost(noted: Noted, *, young: bool) -> float:
    prices = TRACE_COSTS[noted.trace[0]]
    return NOBODY if noted.alone else prices.young if young else prices.ghost


def is_young(noted: Noted, now: float) -> bool:
    """Whether a scale has changed so lately that it may change back by itself."""
    # What was seen may bear a time a little after `now`: frames and batches have clocks of their own.
    return max(0.0, now - noted.t) < TRACE_COSTS[noted.trace[0]].young_s
