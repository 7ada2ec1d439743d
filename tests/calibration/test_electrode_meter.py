"""Electrodes under setup: the threshold lies between rest and finger, and each fault has its name."""

import pytest

from calibration.electrode_meter import ElectrodeMeter, dead_electrode, electrode_check
from calibration.wizard.step_result import Verdict
from companion.core.config import ElectrodeConfig
from firmware.host.messages import LevelSample


def sample(counts: float, *, t: float = 0.0, pf: float = 20.0, station: str = "bed 1") -> LevelSample:
    return LevelSample(t, station, "touch", round(counts), 700, 22, 0.5, round(10 * pf) or -1, 0)


def heard(*falls: float, station: str = "bed 1") -> ElectrodeMeter:
    meter = ElectrodeMeter()
    meter.hear([sample(700 - fall, station=station) for fall in falls])
    return meter


def test_the_threshold_is_a_third_of_a_fingers_fall() -> None:
    assert heard(0, 1, 30, 58, 57, 59, 58, 25, 0).finger("bed 1") == ElectrodeConfig(700.0, 642.0, 28)


def test_a_finger_below_the_boards_threshold_is_measured_too() -> None:
    meter = heard(0, 0, 18, 18, 18, 0)
    meter.hear([sample(693 + at % 3, station="bed 2") for at in range(9)])
    assert meter.touched() == "bed 1"
    found = meter.finger("bed 1")
    assert found is not None
    assert found.share == 12, "8 counts, as the board takes no less"


@pytest.mark.parametrize("falls", [(), (0, 1, 0, 1), (0, 90, 0, 0, 90, 0), (7, 7, 7, 7, 7)])
def test_single_readings_and_small_falls_are_no_finger(falls: tuple[float, ...]) -> None:
    assert heard(*falls).finger("bed 1") is None


@pytest.mark.parametrize(
    ("fall", "verdict"), [(58, Verdict.GOOD), (20, Verdict.USABLE), (12, Verdict.NOT_GOOD)]
)
def test_rest_and_finger_are_shown_and_a_small_fall_is_a_foil_that_is_too_large(
    fall: int, verdict: Verdict
) -> None:
    check = electrode_check("bed 1", ElectrodeConfig(700.0, 700.0 - fall, 20), sample(700, pf=52.4))
    assert (check.verdict, check.number, check.unit) == (verdict, fall, "counts")
    assert "700" in check.said
    assert f"{700 - fall}" in check.said
    assert ("too large" in check.said) == (verdict is not Verdict.GOOD)
    assert "52 pF" in check.said
    assert check.fault == ("" if verdict is Verdict.GOOD else "large electrode")


@pytest.mark.parametrize(
    ("last", "fault"),
    [
        (None, "dead electrode"),
        (sample(700), "dead electrode"),
        (sample(700, pf=3.0), "open electrode"),
        (sample(700, pf=61.0), "large electrode"),
        (sample(600), "stuck electrode"),
        (sample(0, pf=0.0), "shorted electrode"),
    ],
)
def test_an_electrode_without_a_finger_is_named_by_its_capacitance(
    last: LevelSample | None, fault: str
) -> None:
    check = dead_electrode("bed 1", last)
    assert (check.fault, check.verdict) == (fault, Verdict.NOT_GOOD)
    assert ("61 pF" in check.said) == (fault == "large electrode")
