"""Exact binomial tests: does a count contradict a rate?"""

from math import comb

ALPHA = 0.05
"""Largest probability with which a sound rig may fail a test by chance (significance level)."""


def at_most(k: int, n: int, p: float) -> float:
    """Probability of at most `k` successes in `n` trials.

    Each trial succeeds with probability `p`.
    """
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def contradicts(right: int, total: int, wanted: float) -> bool:
    """True if `right` of `total` successes are too few for the rate `wanted` (0 to 1).

    Too few: at that rate, so few successes have a probability below 5 %.
    """
    return at_most(right, total, wanted) < ALPHA


def likely_range(right: int, total: int) -> tuple[float, float]:
    """Range (least, greatest) in which the true success rate lies, with 95 % confidence.

    `right` of `total` trials succeeded; (0, 1) without trials. Method of Clopper and Pearson, 1934.
    """
    if not total:
        return 0.0, 1.0

    def solve(low_enough: float, k: int) -> float:
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            if at_most(k, total, middle) > low_enough:
                low = middle
            else:
                high = middle
        return low

    least = 0.0 if right == 0 else solve(1 - ALPHA / 2, right - 1)
    most = 1.0 if right == total else solve(ALPHA / 2, right)
    return least, most
