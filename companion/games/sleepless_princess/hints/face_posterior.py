"""What each mattress can be, exactly: every way to hand the faces out is counted, none is sampled.

The prior is the shuffle of the rulebook ("Setup", step 2): all orders of the faces are equally likely. Evidence
is a likelihood of every face for each mattress; the posterior of a face at a mattress is a ratio of two
permanents. Mattresses that can be one face only are settled first. Others with the same evidence are
exchangeable, so the permanents are counted by dynamic programming over the faces: the state is how many places
each group of equal mattresses still has. Mattresses that were turned up together in an order nobody noted bound
how many copies of a face may fall on their groups.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

Likelihood = tuple[float, ...]
"""For each face how likely the evidence on one mattress is, 0 or more; only ratios matter."""

_Places = tuple[int, ...]
_Bounds = tuple[tuple[_Places, _Places], ...]
"""Groups that hold, together, just so many copies of each face."""
_KEPT = 1 << 14


class TurnedUp(NamedTuple):
    """Mattresses seen side by side: what they are is known, which of them is which is not."""

    slots: frozenset[int]
    copies: tuple[int, ...]
    """For each face how many of them bear it."""


class Posterior(NamedTuple):
    """`chances[slot][face]` from 0 to 1, each row summing to 1; `steps` is the work done, counted."""

    chances: tuple[tuple[float, ...], ...]
    steps: int


def posterior(
    copies: Sequence[int], evidence: Sequence[Likelihood], turned_up: Sequence[TurnedUp] = ()
) -> Posterior:
    """The chance of every face at every mattress.

    `copies[face]` mattresses of each face exist, as many as there are slots in `evidence`; `turned_up` may
    overlap. ValueError where the numbers do not fit or the evidence allows no dealing at all.
    """
    if sum(copies) != len(evidence):
        raise ValueError(f"{sum(copies)} faces for {len(evidence)} mattresses")
    if any(len(row) != len(copies) for row in evidence):
        raise ValueError("a likelihood is needed for every face")
    if any(sum(seen.copies) != len(seen.slots) for seen in turned_up):
        raise ValueError("a face is needed for every mattress turned up")
    chances, left, rows_of, together = _settle(copies, evidence, turned_up)
    groups: dict[tuple[Likelihood, tuple[bool, ...]], list[int]] = defaultdict(list)
    for slot, row in rows_of.items():
        groups[row, tuple(slot in seen.slots for seen in together)].append(slot)
    kinds = sorted(groups)
    steps = 0
    if kinds:
        bounds = tuple(
            (tuple(group for group, (_, inside) in enumerate(kinds) if inside[at]), seen.copies)
            for at, seen in enumerate(together)
        )
        sizes = tuple(len(groups[kind]) for kind in kinds)
        by_group, steps = _by_group(left, tuple(row for row, _ in kinds), sizes, bounds)
        for kind, spread in zip(kinds, by_group, strict=True):
            for slot in groups[kind]:
                chances[slot] = spread
    return Posterior(tuple(chances[slot] for slot in range(len(evidence))), steps + len(evidence))


def _settle(
    copies: Sequence[int], evidence: Sequence[Likelihood], turned_up: Sequence[TurnedUp]
) -> tuple[dict[int, tuple[float, ...]], _Places, dict[int, Likelihood], list[TurnedUp]]:
    """Mattresses with a single face possible, one after the other, as each leaves fewer faces for the rest.

    What they are, the copies left of each face, the evidence on the others, about the faces still possible
    alone, and what is left of those turned up.
    """
    settled: dict[int, tuple[float, ...]] = {}
    left = list(copies)
    inside = [list(seen.copies) for seen in turned_up]
    rows = dict(enumerate(evidence))
    homes = {slot: [at for at, seen in enumerate(turned_up) if slot in seen.slots] for slot in rows}

    def fits(slot: int, face: int) -> bool:
        return all(
            counts[face] > 0 if at in homes[slot] else left[face] > counts[face]
            for at, counts in enumerate(inside)
        )

    found = True
    while found:
        found = False
        for slot, row in list(rows.items()):
            possible = [
                face
                for face, weight in enumerate(row)
                if weight and left[face] and (not inside or fits(slot, face))
            ]
            if not possible:
                raise ValueError("the evidence allows no dealing of the mattresses")
            if len(possible) == 1:
                left[possible[0]] -= 1
                for at in homes[slot]:
                    inside[at][possible[0]] -= 1
                settled[slot] = tuple(float(face == possible[0]) for face in range(len(copies)))
                del rows[slot]
                found = True
    if settled or turned_up:
        for slot, row in rows.items():
            rows[slot] = tuple(
                weight if left[face] and fits(slot, face) else 0.0 for face, weight in enumerate(row)
            )
    together = [
        TurnedUp(slots, tuple(counts))
        for seen, counts in zip(turned_up, inside, strict=True)
        if (slots := seen.slots - settled.keys())
    ]
    return settled, tuple(left), rows, together


def forget_kept() -> None:
    """Drop the posteriors kept from before, so that the next ones cost what they cost."""
    _by_group.cache_clear()


@lru_cache(maxsize=_KEPT)
def _by_group(
    copies: tuple[int, ...], rows: tuple[Likelihood, ...], sizes: _Places, bounds: _Bounds
) -> tuple[tuple[tuple[float, ...], ...], int]:
    """The posterior of one mattress of each group, and the steps it takes (the same when it is kept)."""
    # Forward: the weight of having dealt the faces so far into the places that are gone.
    forward: list[dict[_Places, float]] = [{sizes: 1.0}]
    links: list[list[tuple[_Places, tuple[int, ...], _Places, float]]] = []
    for face, count in enumerate(copies):
        ways = [
            way
            for way in _ways(count, tuple(row[face] for row in rows))
            if all(sum(way[0][group] for group in groups) == number[face] for groups, number in bounds)
        ]
        reached: dict[_Places, float] = defaultdict(float)
        used = []
        for places, weight in forward[-1].items():
            for taken, factor in ways:
                left = tuple(map(int.__sub__, places, taken))
                if min(left) >= 0:
                    reached[left] += weight * factor
                    used.append((places, taken, left, factor))
        forward.append(dict(reached))
        links.append(used)
    done = (0,) * len(sizes)
    total = forward[-1].get(done, 0.0)
    if not total > 0:
        raise ValueError("the evidence allows no dealing of the mattresses")
    # Backward: the weight of dealing the rest; together they give how many copies a group holds on average.
    backward = {done: 1.0}
    held = [[0.0] * len(copies) for _ in rows]
    steps = 0
    for face in reversed(range(len(copies))):
        before: dict[_Places, float] = defaultdict(float)
        for places, taken, left, factor in links[face]:
            steps += 1
            onward = backward.get(left)
            if onward is None:
                continue
            before[places] += factor * onward
            share = forward[face][places] * factor * onward / total
            for group, number in enumerate(taken):
                if number:
                    held[group][face] += number * share
        backward = before
    spread = tuple(tuple(number / size for number in row) for row, size in zip(held, sizes, strict=True))
    return spread, steps


def _ways(count: int, weights: tuple[float, ...]) -> Iterator[tuple[tuple[int, ...], float]]:
    """How `count` equal copies can fall on the groups: numbers, and their weight over the orders within.

    A group's places are told apart, so x copies in a group count w^x / x!: what is left out, the factorials
    of the sizes, is the same for every dealing.
    """
    if len(weights) == 1:
        factor = 1.0
        for number in range(1, count + 1):
            factor *= weights[0] / number
        if factor:
            yield (count,), factor
        return
    factor = 1.0
    for number in range(count + 1):
        if number:
            factor *= weights[0] / number
        if not factor:
            return
        for rest, other in _ways(count - number, weights[1:]):
            yield (number, *rest), factor * other
