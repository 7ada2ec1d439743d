"""Results of setup steps: bounds, and which check speaks for a step."""

import msgspec
import pytest

from calibration.wizard.step_result import Check, StepResult, Verdict, rate, result_of, skipped


@pytest.mark.parametrize(
    ("number", "good", "usable", "verdict"),
    [
        (5.0, 4.0, 2.0, Verdict.GOOD),
        (3.0, 4.0, 2.0, Verdict.USABLE),
        (1.0, 4.0, 2.0, Verdict.NOT_GOOD),
        (0.4, 0.5, 1.0, Verdict.GOOD),
        (1.0, 0.5, 1.0, Verdict.USABLE),
        (1.1, 0.5, 1.0, Verdict.NOT_GOOD),
    ],
)
def test_bounds_rate_large_or_small_numbers(
    number: float, good: float, usable: float, verdict: Verdict
) -> None:
    assert rate(number, good, usable) is verdict


def test_worst_check_speaks_for_its_step() -> None:
    checks = [
        Check("whole", Verdict.GOOD, 4),
        Check("focus", Verdict.NOT_GOOD, 5.0, "px", "edges are soft", "turn the lens ring", "soft lens"),
        Check("white", Verdict.NOT_GOOD, 255, "", "too bright", "less light", "overexposed"),
        Check("glare", Verdict.NOT_TESTED),
    ]
    found = result_of("camera", checks)
    assert (found.verdict, found.number, found.unit, found.fix) == (
        Verdict.NOT_GOOD, 5.0, "px", "turn the lens ring",
    )  # fmt: skip
    assert found.faults == ("soft lens", "overexposed")
    assert msgspec.json.decode(msgspec.json.encode(found), type=StepResult) == found


def test_nothing_tested_is_no_good_result() -> None:
    assert result_of("camera", []).verdict is Verdict.NOT_TESTED
    assert skipped("cards", "no pad").verdict is Verdict.NOT_TESTED
