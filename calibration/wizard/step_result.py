"""Results of setup steps: checks with verdicts and fixes, and the decision on the rig."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class Verdict(StrEnum):
    """Verdict on a checked number.

    NOT_TESTED: the part is missing, or the step was skipped.
    """

    GOOD = "good"
    USABLE = "usable"
    NOT_GOOD = "not good"
    NOT_TESTED = "not tested"


class Decision(StrEnum):
    """Decision of a setup on whether a rig can be played with.

    GO: a rehearsal has shown that everything works. GO_WITHOUT: people can play, but some sensors do not
    count, or steps are left. NO_GO: people cannot play, or the rehearsal went badly.
    """

    GO = "go"
    GO_WITHOUT = "go_without"
    NO_GO = "no_go"


_WORST = (Verdict.NOT_GOOD, Verdict.USABLE, Verdict.GOOD, Verdict.NOT_TESTED)


class Check(msgspec.Struct, frozen=True):
    """Checked property of a rig or machine: a number, its verdict, and what to do."""

    name: str
    """Subject, e.g. `focus`, or the name of a station with its part, e.g. `NAME scale`."""
    verdict: Verdict
    number: float | None = None
    """Measured number; None if nothing could be measured."""
    unit: str = ""
    """Unit of the number, e.g. `px` or `g`; "" for a count."""
    said: str = ""
    """Result in words."""
    fix: str = ""
    """What a person can do; "" if nothing is wrong."""
    fault: str = ""
    """Name of the recognised fault, e.g. `soft lens`; "" if there is none."""


class StepResult(msgspec.Struct, frozen=True):
    """Result of one setup step: verdict, number and words of its worst check.

    `checks`: all of them; the first tells most.
    """

    name: str
    verdict: Verdict
    number: float | None = None
    unit: str = ""
    said: str = ""
    fix: str = ""
    checks: tuple[Check, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of the faults that were recognised, each once, in order of checks."""
        return tuple(dict.fromkeys(check.fault for check in self.checks if check.fault))


def rate(number: float, good: float, usable: float) -> Verdict:
    """Judge a number by two bounds; a number equal to a bound passes it.

    If `good` is above `usable`, larger numbers are better; else smaller ones are.
    """
    better = number >= good if good > usable else number <= good
    if better:
        return Verdict.GOOD
    passes = number >= usable if good > usable else number <= usable
    return Verdict.USABLE if passes else Verdict.NOT_GOOD


def result_of(name: str, checks: Iterable[Check]) -> StepResult:
    """Make the setup step `name`'s result from its checks.

    It is that of the first among the worst; NOT_TESTED without checks.
    """
    found = tuple(checks)
    for verdict in _WORST:
        worst = next((check for check in found if check.verdict is verdict), None)
        if worst is not None:
            return StepResult(name, verdict, worst.number, worst.unit, worst.said, worst.fix, found)
    return StepResult(name, Verdict.NOT_TESTED)


def skipped(name: str, why: str, fix: str = "") -> StepResult:
    """Make the result of a skipped setup step.

    NOT_TESTED, with the reason (`why`) and what to do (`fix`).
    """
    return StepResult(name, Verdict.NOT_TESTED, said=why, fix=fix)
