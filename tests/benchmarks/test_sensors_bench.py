"""The bench of sensors plays whole games with rigs that lack one."""

import pytest
from click.testing import CliRunner

from tests.benchmarks.sensors_bench import ROWS, cost, line, sensor_row, sensors


@pytest.mark.long
def test_without_scales_no_claim_is_judged_alone_and_none_wrongly() -> None:
    whole, unweighed = (sensor_row(rig, "home", 1, 9_130_000, jobs=1) for rig in ("full", "full-scales"))
    assert whole["claims"] == unweighed["claims"] > 0
    assert whole["alone"] > 0
    assert (unweighed["alone"], unweighed["wrong"]) == (0, 0)


def test_a_rig_that_is_not_there_is_refused_and_each_sensor_has_a_row() -> None:
    assert {"camera", "judge", "full", "full-reader", "full-texture"} <= set(ROWS)
    counts = ("claims", "alone", "open", "wrong", "questions", "end_right", "games")
    row = line("full", {"home": dict(zip(counts, range(4, 11), strict=True))})
    assert row == (
        f"full, {cost('full')}: home: 5 judged alone, 6 open, 7 wrong, 8 questions, 9 of 10 ends right"
    )
    assert cost("full").endswith(" h")
    assert cost("full-reader") == ""
    refused = CliRunner().invoke(sensors, ["--rig", "full-nothing"])
    assert "full-nothing" in str(refused.exception)
