"""Pruning: which hypotheses a search keeps: the cheapest ones, of many hidden layouts."""

from collections import Counter
from collections.abc import Hashable

from companion.fusion.association import OpenDetections
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.parameters.search import SEARCH
from companion.fusion.transition_cache import CachedState, TransitionCache
from companion.games.rules import A, S

ScoredHypotheses = list[tuple[float, Hypothesis[S, A]]]
"""(total cost in nats, hypothesis), the cheapest first."""
Found = dict[tuple[CachedState[S, A], OpenDetections], tuple[float, Hypothesis[S, A]]]
"""(state, open detections) -> the cheapest hypothesis with these, and its total cost in nats."""


def pruned(found: Found[S, A], best: float, cache: TransitionCache[S, A]) -> ScoredHypotheses[S, A]:
    """What a search keeps of the hypotheses it `found`, the cheapest first; `best`: the lowest cost (nats)."""
    scored = sorted(
        (
            (total_cost, cached, hypothesis)
            for (cached, _), (total_cost, hypothesis) in found.items()
            if total_cost <= best + SEARCH.prune_nats
        ),
        key=lambda one: (round(one[0], 6), one[2].depth),
    )
    kept: ScoredHypotheses[S, A] = []
    alike: Counter[CachedState[S, A]] = Counter()
    for total_cost, cached, hypothesis in scored:
        alike[cached] += 1
        if alike[cached] <= SEARCH.alike:
            kept.append((total_cost, hypothesis))
    return kept if len(kept) <= SEARCH.beam_width else _varied(kept, cache)


def _varied(scored: ScoredHypotheses[S, A], cache: TransitionCache[S, A]) -> ScoredHypotheses[S, A]:
    """The cheaper half in order of cost; the other half in turns over the hidden layouts, cheapest first.

    Verdicts depend on the hidden layout. Other open details have many hypotheses each and would fill the
    beam alone.
    """
    alike: Counter[Hashable] = Counter()
    turn: list[tuple[int, int]] = []
    for n, (_, hypothesis) in enumerate(scored):
        hidden = cache.hidden(hypothesis.state)
        turn.append((0 if n < SEARCH.beam_width // 2 else alike[hidden], n))
        alike[hidden] += 1
    return [scored[n] for n in sorted(n for _, n in sorted(turn)[: SEARCH.beam_width])]
