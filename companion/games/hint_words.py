"""Words that hints of several games share: odds as a child counts them, lists, choices compared."""

from collections.abc import Sequence
from typing import NamedTuple

EQUAL, NEAR = 0.003, 0.02
"""Chance to win by which a choice may be behind the best one to be as good, or nearly as good."""
_BEHIND = ("just as good", "nearly as good", "possible, but not as good")


class Sentence(NamedTuple):
    """A sentence and its id in the catalogue."""

    text: str
    why: str


def odds(chance: float) -> str:
    """A chance as a child counts it."""
    if chance >= 1.0:
        return "for sure"
    if chance <= 0.0:
        return "never"
    whole = min(range(2, 11), key=lambda n: (abs(round(chance * n) / n - chance) > 0.04, n))
    part = round(chance * whole)
    if part in (0, whole):
        return "nearly always" if part else "hardly ever"
    return f"about {part} time{'s' if part > 1 else ''} out of {whole}"


def listed(words: Sequence[str]) -> str:
    """Words with commas, and "and" before the last."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def compared(text: str, gap: float) -> str:
    """A choice without its reasons, and how it compares with one that is better by `gap`, a chance to win."""
    plain = text.partition(":")[0].removesuffix(".").partition(";")[0]
    return f"{plain}: {_BEHIND[(gap > EQUAL) + (gap > NEAR)]}."
