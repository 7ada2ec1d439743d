"""Results of setup steps: checks, each a number with a verdict and a fix, and the decision over all of them."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """Verdict on one number. NOT_TESTED: the part is missing or the step was skipped; nothing is known."""

    GOOD = "good"
    USABLE = "usable"
    NOT_GOOD = "not good"
    NOT_TESTED = "not tested"


class Decision(StrEnum):
    """Decision on a whole rig. GO: a rehearsal has shown that all of it works. GO_WITHOUT: it can be played
    with, but some sensors do not count, or steps are left. NO_GO: not even that, or a bad rehearsal."""

    GO = "go"
    GO_WITHOUT = "go_without"
    NO_GO = "no_go"


_WORST = (Verdict.NOT_GOOD, Verdict.USABLE, Verdict.GOOD, Verdict.NOT_TESTED)


class Check(msgspec.Struct, frozen=True):
    """One checked property of the rig."""

    name: str
    """What was checked, e.g. `focus`, or with its place: `scale 3`."""
    verdict: Verdict
    number: float | None = None
    """The measured number; None if nothing could be measured."""
    unit: str = ""
    """Unit of the number, e.g. `px` or `g`; empty for a count."""
    said: str = ""
    """The result in words."""
    fix: str = ""
    """What to change; empty if nothing is wrong."""
    fault: str = ""
    """Name of the fault that was recognised, e.g. `soft lens`; empty if there is none."""


class StepResult(msgspec.Struct, frozen=True):
    """Result of one setup step: that of its worst check. `checks` holds all of them, the most telling first."""

    name: str
    verdict: Verdict
    number: float | None = None
    unit: str = ""
    said: str = ""
    fix: str = ""
    checks: tuple[Check, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of the recognised faults, each once, in the order of the checks."""
        return tuple(dict.fromkeys(check.fault for check in self.checks if check.fault))


def rate(number: float, good: float, usable: float) -> Verdict:
    """Verdict on a number by two bounds. Large numbers are better if `good` is above `usable`, else small
    ones."""
    better = number >= good if good > usable else number <= good
    if better:
        return Verdict.GOOD
    passes = number >= usable if good > usable else number <= usable
    return Verdict.USABLE if passes else Verdict.NOT_GOOD


def result_of(name: str, checks: Iterable[Check]) -> StepResult:
    """The result of a step: verdict, number and fix of its first worst check. NOT_TESTED without a check."""
    found = tuple(checks)
    for verdict in _WORST:
        worst = next((check for check in found if check.verdict is verdict), None)
        if worst is not None:
            return StepResult(name, verdict, worst.number, worst.unit, worst.said, worst.fix, found)
    return StepResult(name, Verdict.NOT_TESTED)


def skipped(name: str, why: str, fix: str = "") -> StepResult:
    """The result of a step that was not done, and why."""
    return StepResult(name, Verdict.NOT_TESTED, said=why, fix=fix)
