"""What tests look at inside fusion, each thing in one place: a rewrite of fusion changes these lines alone."""

from typing import Any

from companion.fusion.beam import Beam
from companion.fusion.claims.doubts import Doubts
from companion.fusion.claims.judge import Judge
from companion.fusion.explain.sensor_health import Finding, SensorWatch
from companion.fusion.tracker import Tracker


def beam_of(tracker: Tracker[Any, Any]) -> Beam[Any, Any]:
    """Hypotheses of a tracker, as they are searched."""
    return tracker._beam


def judge_of(tracker: Tracker[Any, Any]) -> Judge[Any, Any]:
    """Judge of claims of a tracker."""
    return tracker._judge


def doubts_of(tracker: Tracker[Any, Any]) -> Doubts:
    """Doubts of a tracker about what lies where."""
    return tracker._doubts


def wiring_of(tracker: Tracker[Any, Any]) -> Any:
    """Belief of a tracker about crossed wires."""
    return tracker._wiring


def answer_of(judge: Judge[Any, Any], *claim: Any, asked: bool) -> Any:
    """Verdict that a judge would give now on a claim; None if it waits."""
    return judge._answer(*claim, asked=asked)


def note_step(watch: SensorWatch, tracker: Tracker[Any, Any], step: Any, since: float | None = None) -> None:
    """Add the signs of an action to the account of every sensor."""
    watch._count(tracker, step, since)


def findings_of(watch: SensorWatch, t: float) -> dict[str, Finding]:
    """Sensors that the account finds failing at a time (s)."""
    return watch._findings(t)
