"""Words that hints of several games share: odds as a child counts them, choices compared."""

from typing import NamedTuple

EQUAL, NEAR = 0.003, 0.02
"""Chance to win by which a choice may be behind the best one to be as good, or nearly as good."""
COMPARED = {
    "equal": "{choice}: just as good.",
    "near": "{choice}: nearly as good.",
    "behind": "{choice}: possible, but not as good.",
}
"""A choice held against the best one, by id."""


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


def compared(text: str, gap: float) -> str:
    """A choice without its reasons, and how it compares with one that is better by `gap`, a chance to win."""
    plain = text.partition(":")[0].removesuffix(".").partition(";")[0]
    kind = "equal" if gap <= EQUAL else "near" if gap <= NEAR else "behind"
    return COMPARED[kind].format(choice=plain)
