"""Rates of signs, counted in games: how often each was missed, and how often it came without a cause."""

from collections import Counter
from collections.abc import Iterable
from math import exp, sqrt
from typing import Any, NamedTuple

from companion.fusion.association import matching
from companion.fusion.explain.sensor_health import was_heard
from companion.fusion.parameters.sign_models import SIGN_MODELS, UNDETECTED, detected_as
from companion.fusion.tracker import Tracker
from companion.games.signs import Verb

Z = 1.96
"""Standard deviations of a 95 % interval."""


class SignCount(NamedTuple):
    """Counts of one verb: actions that leave the sign, those of them without it, and signs without a cause."""

    due: int = 0
    missed: int = 0
    spurious: int = 0


def count_signs(tracker: Tracker[Any, Any]) -> dict[Verb, SignCount]:
    """Verb -> its counts in a game that was followed to its end. The published steps are taken as true: their
    errors are in the counts."""
    found: dict[Verb, SignCount] = {}
    used = Counter(one.sign.verb for step in tracker.steps for one in step.used)
    for step in tracker.steps:
        left = list(step.used)
        for wanted in tracker.game.signs(step.before, step.action):
            if wanted.verb in UNDETECTED or not was_heard(tracker, wanted):
                continue
            missed = matching(wanted, left) is None
            before = found.get(wanted.verb, SignCount())
            found[wanted.verb] = before._replace(due=before.due + 1, missed=before.missed + missed)
    for verb, noted in tracker.sensed.noted.items():
        if verb in found and verb != Verb.CAME:  # cards turned up after a verdict have no step
            found[verb] = found[verb]._replace(spurious=max(0, noted - used[verb]))
    return found


def rate_table(games: Iterable[dict[Verb, SignCount]]) -> dict[str, dict[str, Any]]:
    """Verb -> counts over all games, rates with 95 % intervals, and the rates of the sensor model; for JSON.

    `missed_rate` is the share of actions without the sign (Wilson's interval). `spurious_rate` is the number of
    signs without a cause for each action that leaves one (Poisson). A verb that is detected as another one has
    no spurious signs of its own.
    """
    total: dict[Verb, SignCount] = {}
    for counts in games:
        for verb, one in counts.items():
            before = total.get(verb, SignCount())
            total[verb] = SignCount(*(a + b for a, b in zip(before, one, strict=True)))
    return {verb: _row(verb, one) for verb, one in sorted(total.items()) if one.due}


def _row(verb: Verb, one: SignCount) -> dict[str, Any]:
    model = SIGN_MODELS[verb]
    low, high = max(0.0, sqrt(one.spurious) - Z / 2) ** 2, (sqrt(one.spurious + 1) + Z / 2) ** 2
    row: dict[str, Any] = {
        "due": one.due,
        "missed": one.missed,
        "missed_rate": round(one.missed / one.due, 5),
        "missed_95": _wilson(one.missed, one.due),
        "model_missed": round(exp(-model.missed_nats), 5),
    }
    if detected_as(verb) == verb != Verb.CAME:
        row |= {
            "spurious": one.spurious,
            "spurious_rate": round(one.spurious / one.due, 5),
            "spurious_95": [round(low / one.due, 5), round(high / one.due, 5)],
            "model_spurious": round(exp(-model.clutter_nats), 5),
        }
    return row


def _wilson(k: int, n: int) -> list[float]:
    """95 % interval of a share `k` of `n` (E. B. Wilson, JASA 22, 1927)."""
    middle = (k + Z**2 / 2) / (n + Z**2)
    half = Z / (n + Z**2) * sqrt(k * (n - k) / n + Z**2 / 4)
    return [round(max(0.0, middle - half), 5), round(min(1.0, middle + half), 5)]


def rate_lines(table: dict[str, dict[str, Any]]) -> list[str]:
    """The table as lines of text."""
    lines = [
        f"{'sign':9}{'due':>6}{'missed':>8}{'95 %':>18}{'model':>9}{'spurious':>10}{'95 %':>18}{'model':>9}"
    ]
    for verb, row in table.items():
        line = f"{verb:9}{row['due']:6}{row['missed_rate']:8.2%}{_range(row['missed_95']):>18}"
        line += f"{row['model_missed']:9.2%}"
        if "spurious" in row:
            line += f"{row['spurious_rate']:10.2%}{_range(row['spurious_95']):>18}{row['model_spurious']:9.2%}"
        lines.append(line)
    return lines


def _range(interval: list[float]) -> str:
    return f"{interval[0]:.2%}-{interval[1]:.2%}"
