"""The exact posterior of each mattress's face, by counting all ways to deal the faces.

Prior: the rulebook's shuffle ("Setup", step 2) makes all orders equally likely.
Evidence: a likelihood of each face for each mattress. A posterior chance is a ratio of two permanents.
Mattresses with one possible face are set first. Mattresses with equal evidence are exchangeable and form
groups.
Dynamic programming over the faces counts the permanents; its state is the number of free places in each group.
Mattresses turned up together in unknown order limit how many copies of a face their groups may hold.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

Likelihood = tuple[float, ...]
"""Likelihood (0 or more) of what was felt and seen of one mattress, for each possible face.

Only ratios matter.
"""

_Places = tuple[int, ...]
"""Whole numbers: free places in each group of mattresses, indices of groups, or copies of each face."""
_Bounds = tuple[tuple[_Places, _Places], ...]
"""Limits on the ways to deal: (indices of groups, copies of each face that these groups contain together)."""
_KEPT = 1 << 14
"""Largest number of cached results."""


class TurnedUp(NamedTuple):
    """Mattresses turned up together: their faces are known, but not which one has which.

    `slots`: numbers of the mattresses.
    """

    slots: frozenset[int]
    copies: tuple[int, ...]
    """Number of mattresses in the set with each face (the index)."""


class Posterior(NamedTuple):
    """Chance of each face for each mattress.

    `chances[slot][face]`: 0 to 1; each row sums to 1. `steps`: a measure of work.
    """

    chances: tuple[tuple[float, ...], ...]
    steps: int


def posterior(
    copies: Sequence[int], evidence: Sequence[Likelihood], turned_up: Sequence[TurnedUp] = ()
) -> Posterior:
    """Chance of each mattress's faces, from everything felt and seen.

    `copies[face]`: number of mattresses with a face. `evidence[slot]`: likelihoods of the faces of one
    mattress. `turned_up`: sets of mattresses turned up together, which may overlap. ValueError if the numbers
    do not fit, or if no dealing of the faces agrees with the evidence.
    """
    _check_numbers(copies, evidence, turned_up)
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


def _check_numbers(
    copies: Sequence[int], evidence: Sequence[Likelihood], turned_up: Sequence[TurnedUp]
) -> None:
    """Raise ValueError unless there is a face for each mattress, and a likelihood for each face."""
    if sum(copies) != len(evidence):
        raise ValueError(f"{sum(copies)} faces for {len(evidence)} mattresses")
    if any(len(row) != len(copies) for row in evidence):
        raise ValueError("a likelihood is needed for every face")
    if any(sum(seen.copies) != len(seen.slots) for seen in turned_up):
        raise ValueError("a face is needed for every mattress turned up")


class _Copies:
    """Copies of each face that no mattress has for sure, in all and in each set turned up together."""

    def __init__(self, copies: Sequence[int], turned_up: Sequence[TurnedUp]) -> None:
        self.left = list(copies)
        self.inside = [list(seen.copies) for seen in turned_up]
        self._sets = [seen.slots for seen in turned_up]

    def narrowed(self, slot: int, row: Likelihood) -> Likelihood:
        """Likelihoods `row` of a mattress, 0 for each face without a copy left for it."""
        return tuple(weight if self._fits(slot, face) else 0.0 for face, weight in enumerate(row))

    def _fits(self, slot: int, face: int) -> bool:
        left = self.left[face]
        return left > 0 and all(
            counts[face] > 0 if slot in slots else left > counts[face]
            for slots, counts in zip(self._sets, self.inside, strict=True)
        )

    def fix(self, slot: int, face: int) -> None:
        """Take the copy of a mattress whose face is sure."""
        self.left[face] -= 1
        for slots, counts in zip(self._sets, self.inside, strict=True):
            counts[face] -= slot in slots


def _settle(
    copies: Sequence[int], evidence: Sequence[Likelihood], turned_up: Sequence[TurnedUp]
) -> tuple[dict[int, tuple[float, ...]], _Places, dict[int, Likelihood], list[TurnedUp]]:
    """Fix each mattress that has one possible face, again and again, until none remains.

    Returns (chances of fixed mattresses, copies left of each face, evidence on the others, `turned_up`
    without fixed mattresses).
    """
    settled: dict[int, tuple[float, ...]] = {}
    left = _Copies(copies, turned_up)
    rows = dict(enumerate(evidence))
    found = True
    while found:
        found = False
        for slot, row in list(rows.items()):
            possible = [face for face, weight in enumerate(left.narrowed(slot, row)) if weight]
            if not possible:
                raise ValueError("the evidence allows no dealing of the mattresses")
            if len(possible) == 1:
                left.fix(slot, possible[0])
                settled[slot] = tuple(float(face == possible[0]) for face in range(len(copies)))
                del rows[slot]
                found = True
    if settled or turned_up:
        for slot, row in rows.items():
            rows[slot] = left.narrowed(slot, row)
    together = [
        TurnedUp(slots, tuple(counts))
        for seen, counts in zip(turned_up, left.inside, strict=True)
        if (slots := seen.slots - settled.keys())
    ]
    return settled, tuple(left.left), rows, together


def forget_kept() -> None:
    """Empty the cache of posteriors, for measuring computing time."""
    _by_group.cache_clear()


@lru_cache(maxsize=_KEPT)
def _by_group(
    copies: tuple[int, ...], rows: tuple[Likelihood, ...], sizes: _Places, bounds: _Bounds
) -> tuple[tuple[tuple[float, ...], ...], int]:
    """(chances of one mattress of each group, number of steps).

    Mattresses of a group have equal evidence.

    `copies`: mattresses with each face. `rows`: evidence of each group. `sizes`: mattresses in each group.
    `bounds`: limits on groups.
    """
    forward, links = _dealt_forward(copies, rows, sizes, bounds)
    done = (0,) * len(sizes)
    total = forward[-1].get(done, 0.0)
    if not total > 0:
        raise ValueError("the evidence allows no dealing of the mattresses")
    # Backward: weight of dealing the other faces. Both together give the mean copies in each group.
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


_Link = tuple[_Places, _Places, _Places, float]
"""Way to deal one face: free places before, copies in each group, free places after, weight."""


def _dealt_forward(
    copies: tuple[int, ...], rows: tuple[Likelihood, ...], sizes: _Places, bounds: _Bounds
) -> tuple[list[dict[_Places, float]], list[list[_Link]]]:
    """Deal the faces one after another: (weight of each filling, ways used) before each face.

    The weights have one entry more: all faces dealt.
    """
    forward: list[dict[_Places, float]] = [{sizes: 1.0}]
    links: list[list[_Link]] = []
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
    return forward, links


def _ways(count: int, weights: tuple[float, ...]) -> Iterator[tuple[tuple[int, ...], float]]:
    """(way to spread `count` copies over groups, its weight) for every such way.

    Places in a group are distinct, so x copies weigh w^x / x!. Factorials of group sizes are left out,
    because every dealing has the same.
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
